"""Where mail goes: to a mail server by SMTP, or into the local mailbox."""

import re
import smtplib
from typing import Final, Protocol

from service.accounts.failing_addresses import FailingAddresses
from service.mail.mailbox import Mailbox
from service.mail.smtp import connected, names_sender, read_smtp_url, send
from workers.insisting import insist
from workers.mail.message import Message, UnsafeMail

TIMEOUT = 15.0
"""Seconds for any answer of the mail server but the last."""
LAST_TIMEOUT = 600.0
"""Seconds for its answer to the mail itself (RFC 5321, 4.5.3.2.6): it may have the mail already,
and would get it once more from who gave up."""
MOST_ANSWERS: Final = 16
"""Answers before the last, from the connection on, with encryption, password and two senders."""
# Enhanced status codes (RFC 3463).
_ADDRESS: Final = re.compile(rb"5\.[12]\.")
_POLICY: Final = re.compile(rb"5\.7\.")


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
        with connected(self._server, TIMEOUT, LAST_TIMEOUT) as smtp:
            send(smtp, (message.sender, message.author), message.recipient, message.raw)


class WatchingMailer:
    """Sends by another, and keeps in mind which addresses are refused for good."""

    def __init__(self, mailer: Mailer, failing: FailingAddresses) -> None:
        self._mailer = mailer
        self._failing = failing
        self.needs_address = mailer.needs_address

    def send(self, message: Message) -> None:
        try:
            self._mailer.send(message)
        except smtplib.SMTPException as error:
            if reason := address_refusal(error):
                self._failing.mark(message.recipient, reason)
            raise
        insist(lambda: self._failing.clear_refusal(message.recipient))


def address_refusal(error: smtplib.SMTPException) -> str | None:
    """What the mail server said where it refuses the address for good; None where the trouble is
    another, such as a relay that is denied to us."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
        refused = code >= 500 and not (_POLICY.match(said) or names_sender(said))
    elif isinstance(error, smtplib.SMTPDataError):
        code, said = error.smtp_code, _bytes(error.smtp_error)
        refused = code >= 500 and bool(_ADDRESS.match(said)) and not names_sender(said)
    else:
        return None
    return f"{code} {_bytes(said).decode(errors='replace')}" if refused else None


def _bytes(said: bytes | str) -> bytes:
    return said.encode() if isinstance(said, str) else said


def is_permanent(error: Exception) -> bool:
    """Whether trying again is useless: the address is refused, or the mail is unsafe."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPDataError):
        return error.smtp_code >= 500
    return isinstance(error, UnsafeMail)
