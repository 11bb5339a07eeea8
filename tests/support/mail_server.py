"""A mail server that keeps what it gets, for tests."""

import ssl
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.support.ports import free_port


class MailServer:
    """Listens while it is entered, with STARTTLS where it has a context for `tls`. Notes the
    `passwords` that it gets, and whether each came encrypted. Refuses the recipients in `unknown`
    for good, answers others with `to_recipient` and mails with `to_mail`; calls `on_mail` when it
    has a mail, before it says so."""

    def __init__(self, password: str | None = None, tls: ssl.SSLContext | None = None) -> None:
        self.mails: list[EmailMessage] = []
        self.senders: list[str] = []
        self.recipients: list[str] = []
        self.unknown: set[str] = set()
        self.to_recipient = self.to_mail = "250 OK"
        self.only_sender: str | None = None
        self.refuses_sender_at = "sender"
        self.on_mail: Callable[[], object] | None = None
        self.passwords: list[tuple[bytes, bool]] = []
        self._password = password
        self._controller = Controller(
            self,
            hostname="127.0.0.1",
            port=free_port(),
            authenticator=self._authenticate if password else None,
            auth_require_tls=False,
            tls_context=tls,
        )

    @property
    def url(self) -> str:
        user = f"user:{self._password}@" if self._password else ""
        return f"smtp://{user}127.0.0.1:{self._controller.port}"

    def __enter__(self) -> "MailServer":
        self._controller.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._controller.stop()

    def _takes(self, sender: str | None) -> bool:
        return self.only_sender is None or sender == self.only_sender

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Any
    ) -> str:
        if self.refuses_sender_at == "sender" and not self._takes(address):
            return "550 this account may not send as that"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Any
    ) -> str:
        if self.refuses_sender_at == "recipient" and not self._takes(envelope.mail_from):
            return f"553 5.7.1 <{envelope.mail_from}>: Sender address rejected: not owned by user"
        if address in self.unknown:
            return "550 nobody of that name"
        if self.to_recipient.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.to_recipient

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if not self.to_mail.startswith("250"):
            return self.to_mail
        content = envelope.content
        assert isinstance(content, bytes)
        self.mails.append(message_from_bytes(content, policy=policy.default))
        self.senders.append((envelope.mail_from or "").strip("<>"))
        self.recipients += envelope.rcpt_tos
        if self.on_mail is not None:
            self.on_mail()
        return "250 OK"

    def _authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.passwords.append((data.password, session.ssl is not None))
        right = data.password == (self._password or "").encode()
        return AuthResult(success=right, handled=False)
