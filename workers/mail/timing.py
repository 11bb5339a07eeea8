"""Whether mail to a player leaves now, as the player has chosen: quiet hours, digest, visits."""

from typing import Final, Literal, NamedTuple

from service.accounts.mail_preferences import LAST_REMINDER, Subscription
from service.core.durations import MINUTE
from service.eventlog import Notice, notice_id
from service.games import GUEST
from service.games.calendars.notices import VACATION_ENDS
from workers.context import WorkerContext
from workers.mail.vacation import ends_at
from workers.prefetch import Prefetched

DIGEST: Final = "digest"
"""The kind of notice that sends the daily digest. Its id says for which player and moment."""
AFTER_DIGEST: Final = 5 * MINUTE
"""Seconds after the digest at which a notice that it did not tell falls due by itself."""


MailOutcome = Literal["sent", "dropped", "postponed"]


class Decision(NamedTuple):
    """What becomes of a notice, and why, in a word for the log."""

    outcome: MailOutcome
    reason: str


QUIET: Final = Decision("postponed", "quiet-hours")


def held(context: WorkerContext, found: Prefetched) -> Decision | None:
    """What becomes of a true notice that must not be told now, by mail or any other channel; None
    for one to be told."""
    notice, choice = found.notice, found.choice
    if notice.recipient == GUEST:
        return None
    delivery = choice.delivery_of(notice.subject)
    if delivery == "digest" and (kept := _kept(context, found)):
        return kept
    if notice.kind != LAST_REMINDER and in_quiet_hours(context, found):
        return QUIET
    own_id = notice_id(*notice)
    if delivery == "until_visit" and not context.container.deferred_notices.tell(
        notice.recipient, own_id
    ):
        return Decision("dropped", "told-until-visit")
    return None


def in_quiet_hours(context: WorkerContext, found: Prefetched) -> bool:
    """Whether the notice was postponed to the end of the player's quiet hours.

    What would then come too late to act on is not.
    """
    until = found.choice.quiet_until(context.container.now())
    if until is None or _is_too_late(context, found, until):
        return False
    context.container.log.outbox.postpone(notice_id(*found.notice), until)
    return True


def untrue(context: WorkerContext, found: Prefetched) -> None:
    """Note that this notice is no longer true: if it was the one mail, another can be it."""
    if found.choice.delivery_of(found.notice.subject) == "until_visit":
        context.container.deferred_notices.untell(found.notice.recipient, notice_id(*found.notice))


def _kept(context: WorkerContext, found: Prefetched) -> Decision | None:
    """Keep a notice for the next digest; None if that would be too late."""
    container, player = context.container, found.notice.recipient
    by_mail = container.mail_preferences.wanted(Subscription(player, DIGEST))
    if not (by_mail or found.wanting()):
        return Decision("dropped", "digest-turned-off")
    moment = found.choice.next_digest(container.now())
    if _is_too_late(context, found, moment):
        return None
    own_id = notice_id(*found.notice)
    # Whatever of this a crash leaves undone, the notice is still due, and does it again.
    container.deferred_notices.keep(player, own_id)
    container.log.outbox.add(Notice(_digest_id(player, moment), moment))
    container.log.outbox.postpone(own_id, moment + AFTER_DIGEST)
    return Decision("postponed", "kept-for-digest")


def _digest_id(player: str, moment: float) -> str:
    return notice_id(player, int(moment // MINUTE), player, "mail", DIGEST)


def _is_too_late(context: WorkerContext, found: Prefetched, moment: float) -> bool:
    """Whether the player's time to move has run out at this moment, or the vacation is over."""
    if found.notice.kind == VACATION_ENDS:
        end = ends_at(context, found.notice)
        return end is not None and end <= moment
    stored = found.game.stored if found.game else None
    if stored is None or stored.player_to_move() != found.notice.recipient:
        return False
    return stored.is_late(moment)
