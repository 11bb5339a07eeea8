"""Where mail goes: to a mail server by SMTP, or into the local mailbox."""

import smtplib
import ssl
from email.message import EmailMessage
from typing import NamedTuple, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

from service.mailbox import Mailbox

TIMEOUT = 15.0  # seconds for any one answer of the mail server


class Post(Protocol):
    """A way to send mail."""

    needs_address: bool
    """Whether only a reader with an e-mail address can be reached."""

    def send(self, message: EmailMessage) -> None:
        """Hand the mail over, or raise."""


class MailboxPost:
    """Into the local mailbox, where each mail is kept once."""

    needs_address = False

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox

    def send(self, message: EmailMessage) -> None:
        self._mailbox.keep(message)


class SmtpServer(NamedTuple):
    """What an SMTP URL says."""

    host: str
    port: int
    user: str | None
    password: str | None
    encryption: str  # "tls" from the first byte, "starttls", or "none"


class SmtpPost:
    """To a mail server, one connection a mail: mails are few, and a server may restart."""

    needs_address = True

    def __init__(self, url: str) -> None:
        self._server = read_smtp_url(url)

    def send(self, message: EmailMessage) -> None:
        with _connected(self._server) as smtp:
            if self._server.user is not None:
                smtp.login(self._server.user, self._server.password or "")
            smtp.send_message(message)


def read_smtp_url(url: str) -> SmtpServer:
    """Read `smtp://user:password@host:port` (`?starttls=1`) or `smtps://…`; ValueError if neither.

    The port is 25, or 465 with `smtps` and 587 with `starttls`, unless given.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise ValueError("a mail server is named smtp://host or smtps://host")
    starttls = parse_qs(parts.query).get("starttls", ["0"])[-1] not in ("0", "")
    encryption = "tls" if parts.scheme == "smtps" else "starttls" if starttls else "none"
    port = parts.port or {"tls": 465, "starttls": 587, "none": 25}[encryption]
    user, password = (text and unquote(text) for text in (parts.username, parts.password))
    return SmtpServer(parts.hostname, port, user, password, encryption)


def refused_for_good(error: Exception) -> bool:
    """Whether the mail server said that this recipient will never be reached."""
    return isinstance(error, smtplib.SMTPRecipientsRefused) and all(
        code >= 500 for code, _ in error.recipients.values()
    )


def _connected(server: SmtpServer) -> smtplib.SMTP:
    address = (server.host, server.port)
    if server.encryption == "tls":
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(*address, timeout=TIMEOUT, context=context)
    smtp = smtplib.SMTP(*address, timeout=TIMEOUT)
    if server.encryption == "starttls":
        smtp.starttls(context=ssl.create_default_context())
    return smtp
