"""Connects to the mail server given by an SMTP URL, and sends mail."""

import re
import smtplib
import ssl
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

_GO_ON: Final = 354
_NO_TLS: Final = "the server does not offer STARTTLS"
_NO_PASSWORD: Final = (
    ", and a password is never sent without encryption: name the port on which it takes mail from"
    " its users, often 587, or use smtps://"
)
_SENDER: Final = re.compile(rb"5\.1\.[78]\b|(?!5\.[12]\.).*\bsender\b", re.IGNORECASE | re.DOTALL)
"""Matches responses in which a mail server refuses the sender (status codes: RFC 3463)."""
_LEADING_DOT: Final = re.compile(rb"^\.", re.MULTILINE)


class SmtpServer(NamedTuple):
    """The parts of an SMTP URL."""

    host: str
    port: int
    user: str | None
    password: str | None
    encryption: str  # "tls" from the first byte, "starttls", or "none"


def read_smtp_url(url: str) -> SmtpServer:
    """Read `smtp://user:password@host:port` (`?starttls=1`) or `smtps://…`; ValueError if neither.

    The port is 25, or 465 with `smtps` and 587 with `starttls=1`, unless given. A login always goes
    encrypted, whatever the URL says.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise ValueError("a mail server is named smtp://host or smtps://host")
    starttls = parse_qs(parts.query).get("starttls", ["0"])[-1] not in ("0", "")
    port = parts.port or (465 if parts.scheme == "smtps" else 587 if starttls else 25)
    encryption = "starttls" if starttls or parts.username else "none"
    if parts.scheme == "smtps":
        encryption = "tls"
    user, password = (text and unquote(text) for text in (parts.username, parts.password))
    return SmtpServer(parts.hostname, port, user, password, encryption)


class _Patient(smtplib.SMTP):
    """Waits longer for the response to a mail than for other responses."""

    last_timeout = 0.0

    def data(self, msg: Any) -> tuple[int, bytes]:
        """Send the mail, bytes with CR LF at each line's end. Return the response to it: its code
        and text."""
        code, said = self.docmd("data")
        if code != _GO_ON:
            raise smtplib.SMTPDataError(code, said)
        self.send(_LEADING_DOT.sub(b"..", msg) + b".\r\n")
        assert self.sock is not None
        self.sock.settimeout(self.last_timeout)
        return self.getreply()


class _PatientTls(_Patient, smtplib.SMTP_SSL):
    """A patient connection, encrypted from the first byte."""


@contextmanager
def connected(
    server: SmtpServer, timeout: float, last_timeout: float | None = None
) -> Iterator[smtplib.SMTP]:
    """Yield a connection to the server, ready to send. Each response may take `timeout` seconds,
    and the response to a mail `last_timeout`.

    Certificates are verified. Raises `OSError` (the errors of `smtplib` are subclasses).
    """
    address = (server.host, server.port)
    if server.encryption == "tls":
        context = ssl.create_default_context()
        smtp: _Patient = _PatientTls(*address, timeout=timeout, context=context)
    else:
        smtp = _Patient(*address, timeout=timeout)
    with closing(smtp):
        smtp.last_timeout = last_timeout or timeout
        if server.encryption == "starttls":
            smtp.ehlo_or_helo_if_needed()
            if not smtp.has_extn("starttls"):
                more = "" if server.user is None else _NO_PASSWORD
                raise smtplib.SMTPNotSupportedError(_NO_TLS + more)
            smtp.starttls(context=ssl.create_default_context())
        if server.user is not None:
            smtp.login(server.user, server.password or "")
        yield smtp
        # An accepted mail is sent. Nobody waits for the answer to QUIT.
        with suppress(OSError):
            smtp.putcmd("quit")


def send(smtp: smtplib.SMTP, senders: Sequence[str], recipient: str, raw: bytes) -> str:
    """Send a mail with the first of these senders that the server accepts in the envelope. Return
    that sender.

    Some mail servers accept only the account's own. Raises the errors of `sendmail`.
    """
    *others, last = dict.fromkeys(senders)
    for sender in others:
        try:
            smtp.sendmail(sender, [recipient], raw)
            return sender
        except (smtplib.SMTPSenderRefused, smtplib.SMTPRecipientsRefused) as error:
            if not _refuses_sender(error):
                raise
    smtp.sendmail(last, [recipient], raw)
    return last


def names_sender(said: bytes) -> bool:
    """Whether a refusal is about the sender of the envelope, not the recipient."""
    return _SENDER.match(said) is not None


def _refuses_sender(error: smtplib.SMTPSenderRefused | smtplib.SMTPRecipientsRefused) -> bool:
    if isinstance(error, smtplib.SMTPSenderRefused):
        return error.smtp_code >= 500
    code, said = next(iter(error.recipients.values()))  # many reveal it only here
    return code >= 500 and names_sender(said)
