"""Writes one line into the worker's log for each mail sent or deliberately not sent.

    mail outcome=held kind=turn about=GAME player=PLAYER id=<MESSAGE-ID> reason=quiet-hours

It uses ids only: no address, no name, no card, and no secret.
"""

import logging
import smtplib
from typing import Final, Literal

from service.eventlog import NoticeParts

log = logging.getLogger(__name__)

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
