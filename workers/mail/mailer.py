"""Sends mail, to a mail server by SMTP or into the local mailbox, and logs one line for each mail
sent or deliberately not sent:

    mail outcome=held kind=turn about=GAME player=PLAYER id=<MESSAGE-ID> reason=quiet-hours

The line has ids only: no address, no name, no card, and no secret.
"""

import logging
import re
import smtplib
from typing import Final, Literal, NamedTuple, Protocol

from service.accounts.email_addresses import FailingAddresses
from service.eventlog import NoticeParts
from service.mail.mailbox import Mailbox
from service.mail.smtp import connected, names_sender, read_smtp_url, send
from workers.leases import retry_until_saved
from workers.mail.message import Message, UnsafeMail

TIMEOUT = 15.0
"""Seconds for each response of the mail server except the last."""
LAST_TIMEOUT = 600.0
"""Seconds for the response to the mail itself (RFC 5321, 4.5.3.2.6): the server may have accepted
it already, and giving up early would send it twice."""
MOST_ANSWERS: Final = 16
"""Number of responses before the last: to connection, encryption, password, and two senders."""
# Enhanced status codes (RFC 3463).
_ADDRESS: Final = re.compile(rb"5\.[12]\.")
_POLICY: Final = re.compile(rb"5\.7\.")

log = logging.getLogger(__name__)


class Mailer(Protocol):
    """A way to send mail."""

    needs_address: bool
    """Whether it reaches only players with a verified e-mail address."""

    def send(self, message: Message) -> None:
        """Send the mail; any failure raises."""


class MailboxMailer:
    """Sends into the local mailbox, which stores each mail once."""

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
    """Sends through another mailer, and records which addresses are refused for good."""

    def __init__(self, mailer: Mailer, failing: FailingAddresses) -> None:
        self._mailer = mailer
        self._failing = failing
        self.needs_address = mailer.needs_address

    def send(self, message: Message) -> None:
        try:
            self._mailer.send(message)
        except smtplib.SMTPException as error:
            if refusal := read_refusal(error):
                said, by_policy = refusal
                self._failing.mark(message.recipient, said, by_policy=by_policy)
            raise
        retry_until_saved(lambda: self._failing.clear_refusal(message.recipient))


class Refusal(NamedTuple):
    """A mail server's text when it refused a mail for good, and whether the reason is a rule of its
    own, such as one against spam or relaying, rather than the address."""

    said: str
    by_policy: bool


def read_refusal(error: smtplib.SMTPException) -> Refusal | None:
    """Return the refusal to show to the recipient; None if it is temporary, or if the server
    refuses our sender, which concerns only the operator."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
        by_policy = _POLICY.match(said) is not None
    elif isinstance(error, smtplib.SMTPDataError):
        code, text = error.smtp_code, error.smtp_error
        said = text.encode() if isinstance(text, str) else text
        by_policy = _ADDRESS.match(said) is None
    else:
        return None
    if code < 500 or names_sender(said):
        return None
    return Refusal(f"{code} {said.decode(errors='replace')}", by_policy)


def is_permanent(error: Exception) -> bool:
    """Whether a retry is useless: the address is refused, or the mail is unsafe."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPDataError):
        return error.smtp_code >= 500
    return isinstance(error, UnsafeMail)


Written = Literal["sent", "held", "dropped"]
_WORDS: Final[dict[str, Written]] = {"sent": "sent", "postponed": "held", "dropped": "dropped"}


def log_outcome(notice: NoticeParts, message_id: str, outcome: str, reason: str) -> None:
    """Log the outcome of this notice's mail."""
    _write(logging.INFO, notice, message_id, _WORDS[outcome], reason)


def log_failure(notice: NoticeParts, message_id: str, error: Exception, *, is_final: bool) -> None:
    """Log a failed mail, which is retried unless the failure `is_final`."""
    level = logging.ERROR if is_final else logging.WARNING
    _write(level, notice, message_id, "dropped" if is_final else "held", failure(error))


def failure(error: Exception) -> str:
    """Return the name and status of an error, without the mail server's text, which may contain an
    address."""
    name = type(error).__name__
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return "-".join([name, *{str(code) for code, _ in error.recipients.values()}])
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{name}-{error.smtp_code}"
    return name


def _write(level: int, notice: NoticeParts, message_id: str, outcome: Written, reason: str) -> None:
    line = "mail outcome=%s kind=%s about=%s player=%s id=%s reason=%s"
    said = (outcome, notice.kind, notice.subject, notice.recipient, message_id, reason)
    log.log(level, line, *said)
