"""Where mail goes: to a mail server by SMTP, or into the local mailbox."""

import smtplib
from typing import Protocol

from service.mail.mailbox import Mailbox
from service.mail.smtp import connected, read_smtp_url
from workers.mail.message import Message, UnsafeMail

TIMEOUT = 15.0  # seconds for any one answer of the mail server


class Mailer(Protocol):
    """A way to send mail."""

    needs_address: bool
    """Whether it reaches only players with a verified e-mail address."""

    def send(self, message: Message) -> None:
        """Send the mail, or raise."""


class MailboxMailer:
    """Sends into the local mailbox, which holds each mail once."""

    needs_address = False

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox

    def send(self, message: Message) -> None:
        self._mailbox.add(message.id, message.raw.decode("ascii").replace("\r\n", "\n"))


class SmtpMailer:
    """Sends to a mail server, over a connection for each mail: the server may restart."""

    needs_address = True

    def __init__(self, url: str) -> None:
        self._server = read_smtp_url(url)

    def send(self, message: Message) -> None:
        with connected(self._server, TIMEOUT) as smtp:
            smtp.sendmail(message.sender, [message.recipient], message.raw)


def is_permanent(error: Exception) -> bool:
    """Whether trying again is useless: the address is refused, or the mail is unsafe."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPDataError):
        return error.smtp_code >= 500
    return isinstance(error, UnsafeMail)
