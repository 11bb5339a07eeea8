"""Delivering one notice: look again whether it is true, do what it asks for, strike it off."""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Literal

from service.accounts.mail_preferences import Subscription, guest
from service.accounts.name_rules import displayable
from service.core.errors import RequestRejected
from service.core.redis.client import unavailable
from service.eventlog import NoticeParts, parse_notice_id
from service.games import GUEST
from service.games.notifications import UNUSED_GUEST
from workers.context import WorkerContext
from workers.handlers import bot, guests
from workers.handlers.compaction import pack
from workers.mail import account, challenge
from workers.mail.game import Desk, Letter, write
from workers.mail.layout import compose
from workers.mail.mailer import is_permanent
from workers.mail.message import Address, Message

log = logging.getLogger(__name__)

Outcome = Literal["sent", "packed", "listed", "played", "dropped", "postponed", "given-up"]

# Seconds. Each pause is as long as the trouble has lasted, within these.
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 6 * 3600.0
PATIENCE = 3 * 24 * 3600.0


def deliver(context: WorkerContext, notice_id: str) -> Outcome:
    """Do what this notice asks for, unless it is no longer true or wanted.

    Whatever goes wrong is tried again later, for three days; then the notice is given up, where an
    operator sees it. Raises only while Redis cannot be reached: the notice then falls due again. A
    crash between sending and striking off sends the same mail once more.
    """
    notice = parse_notice_id(notice_id)
    try:
        _list(context, notice.game)
        outcome = _carry_out(context, notice)
    except Exception as error:
        if unavailable(error):
            raise
        return _failed(context, notice_id, error)
    if outcome != "postponed":
        context.container.log.outbox.finish(notice_id)
    context.container.dead_letters.clear_failure(notice_id)
    return outcome


def _list(context: WorkerContext, game_id: str) -> None:
    """Bring the players' lists up to date: who wrote this notice may have died before doing so."""
    with suppress(RequestRejected):  # there is no such game
        context.container.games.project(context.container.games.load(game_id))


def _carry_out(context: WorkerContext, notice: NoticeParts) -> Outcome:
    match notice.channel:
        case "mail":
            return _send(context, notice)
        case "bot":
            return bot.play(context, notice)
        case _:
            return _LOOKED_AFTER.get(notice.kind, _listed)(context, notice)


def _listed(context: WorkerContext, notice: NoticeParts) -> Outcome:
    """The lists are up to date by now, and that was all."""
    return "listed"


_LOOKED_AFTER: Mapping[str, Callable[[WorkerContext, NoticeParts], Outcome]] = {
    "pack": pack,
    UNUSED_GUEST: guests.look,
}


def _send(context: WorkerContext, notice: NoticeParts) -> Outcome:
    at = datetime.fromtimestamp(context.container.now(), UTC)
    of_account = notice.kind in account.LETTERS
    message = (account.compose if of_account else _message)(context, notice, at)
    if message is None:
        return "dropped"
    context.mailer.send(message)
    return "sent"


def _message(context: WorkerContext, notice: NoticeParts, at: datetime) -> Message | None:
    """The mail to send, or None where there is nothing to say, or nobody who would hear it."""
    reader = _reader(context, notice)
    subscription = _subscription(notice, reader)
    if reader is None or not context.container.mail_preferences.wanted(subscription):
        return None
    letter = _letter(context, notice)
    if letter is None:
        return None
    unsubscribe = context.container.mail_preferences.url(subscription)
    return compose(letter, notice, reader, context.container.settings.mail_from, unsubscribe, at)


def _reader(context: WorkerContext, notice: NoticeParts) -> Address | None:
    """Who is to be reached and where; None for a player who is gone, or has no address that is
    verified. The local mailbox is not the outside world: everybody is reached there."""
    if notice.recipient == GUEST:
        address = context.container.games.invitations.address(notice.game)
        return Address("", address) if address else None
    player = context.container.players.find(notice.recipient)
    if player is None or (context.mailer.needs_address and not player.verified):
        return None
    return Address(displayable(player.name), player.email or f"{player.id}@mailbox.invalid")


def _subscription(notice: NoticeParts, reader: Address | None) -> Subscription:
    known_as = notice.recipient
    if known_as == GUEST and reader is not None:
        known_as = guest(reader.email)
    return Subscription(known_as, notice.kind)


def _letter(context: WorkerContext, notice: NoticeParts) -> Letter | None:
    if notice.kind in challenge.LETTERS:
        return challenge.write(context, notice)
    try:
        stored = context.container.games.load(notice.game)
    except RequestRejected:  # there is no such game any more
        return None
    player = None if notice.recipient == GUEST else notice.recipient
    desk = Desk(
        context.container.games, context.container.settings.base_url, stored, player, notice.version
    )
    return write(notice.kind, desk)


def _failed(context: WorkerContext, notice_id: str, error: Exception) -> Outcome:
    now = context.container.now()
    lasted = now - context.container.dead_letters.record_failure(notice_id)
    if is_permanent(error) or lasted >= PATIENCE:
        context.container.dead_letters.add(notice_id, repr(error))
        context.container.log.outbox.finish(notice_id)
        log.error("gave up notice %s: %r", notice_id, error)
        return "given-up"
    pause = min(max(lasted, FIRST_PAUSE), LONGEST_PAUSE)
    context.container.log.outbox.postpone(notice_id, now + pause)
    log.warning("notice %s will be tried again in %d s: %r", notice_id, pause, error)
    return "postponed"
