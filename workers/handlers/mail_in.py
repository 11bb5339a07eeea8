"""Carries out incoming mails."""

from typing import Literal

from service.eventlog import parse_notice_id
from service.mail_in.outcome import MARKED, POLICY
from workers.channels import fan_out
from workers.context import WorkerContext
from workers.due import DueNotice


def process(context: WorkerContext, due: DueNotice) -> Literal["played", "postponed"]:
    """Carry out the commands in the mail; the answer to it is a notice of its own. Postponed while
    the mail's sender has used up the time for reading."""
    incoming = context.container.incoming_mail
    if wait := incoming.wait(due.notice.subject):
        context.container.log.outbox.postpone(due.id, context.container.now() + wait)
        return "postponed"
    if incoming.process(due.notice.subject) in (MARKED, POLICY):
        outcome = incoming.outcome(due.notice.subject)
        if outcome is not None and outcome.about:
            _notify_otherwise(context, outcome.about)
    return "played"


def _notify_otherwise(context: WorkerContext, failed: str) -> None:
    """Let a player's fallback channels send a notice whose mail has bounced."""
    notice = parse_notice_id(failed)
    by_mail = context.container.ledger.of_notice(notice).get(fan_out.MAIL)
    if by_mail is not None and by_mail.outcome == "reached":
        fan_out.record_failure(context, notice, fan_out.MAIL)
