"""Notices on the channel `mail`: whom to reach, whether they want it, what to write."""

from collections.abc import Mapping
from typing import Any, Literal

from service.accounts.mail_preferences import Subscription, subscription_of
from service.accounts.mail_preferences import guest as guest_reader
from service.accounts.name_rules import displayable
from service.games import GUEST
from workers.context import WorkerContext
from workers.insisting import insist
from workers.mail import account, challenge, digest, game, reminder, reply, timing
from workers.mail.compose import compose, compose_for_reader
from workers.mail.message import Address, Message
from workers.prefetch import Prefetched

MailOutcome = Literal["sent", "dropped", "postponed"]


def send(context: WorkerContext, found: Prefetched) -> MailOutcome:
    """Send the mail that this notice asks for, unless it is no longer true, wanted or possible, or
    is to come later."""
    notice = found.notice
    if notice.kind in reply.REPLIES:
        return _reply(context, found)
    if notice.kind == timing.DIGEST:
        return _send_digest(context, found)
    if notice.kind in reminder.KINDS and (held := reminder.held(context, found)) is not None:
        return held
    of_account = notice.kind in account.WRITERS
    message = (_to_address if of_account else _to_reader)(context, found)
    if message == "postponed":
        return message
    if message != "dropped":
        context.mailer.send(message)
    if notice.kind == "over" and notice.game in found.choice.games:
        context.container.mail_preferences.set_game(notice.recipient, notice.game, None)
    return "dropped" if message == "dropped" else "sent"


def _send_digest(context: WorkerContext, found: Prefetched) -> MailOutcome:
    """Send the daily digest, if anything new is true, and strike off what it tells."""
    player, reader = found.notice.recipient, _reader(context, found)
    if reader is None or not found.wanted:
        return "dropped"
    if timing.in_quiet_hours(context, found):
        return "postponed"
    kept = digest.kept_notices(context, player)
    if kept.true:
        variables = {"digest": digest.digest(context, player, kept)}
        subscription = Subscription(player, timing.DIGEST)
        message = compose_for_reader(context, found.notice, reader, variables, subscription)
        context.mailer.send(message)
    digest.finish(context, player, kept)
    return "sent" if kept.true else "dropped"


def _reply(context: WorkerContext, found: Prefetched) -> Literal["sent", "dropped"]:
    """Answer a mail that came in. Nobody can turn that off: they asked."""
    message = reply.write(context, found.notice, found.recipient)
    if message is None:
        return "dropped"
    context.mailer.send(message)
    insist(lambda: context.container.incoming_mail.mark_told(found.notice.game))
    return "sent"


def _to_address(context: WorkerContext, found: Prefetched) -> Message | Literal["dropped"]:
    """A mail about an account, to an address that need not be verified."""
    mail = account.WRITERS[found.notice.kind](context, found.notice)
    return "dropped" if mail is None else compose(context, found.notice, mail)


def _to_reader(context: WorkerContext, found: Prefetched) -> Message | timing.Held:
    """A mail about a game or a challenge, to a player or to somebody invited by address."""
    notice, reader = found.notice, _reader(context, found)
    if reader is None:
        return "dropped"
    subscription = subscription_of(notice.recipient, notice.kind)
    wanted = found.wanted
    if notice.recipient == GUEST:
        subscription = Subscription(guest_reader(reader.email), notice.kind)
        wanted = context.container.mail_preferences.wanted(subscription)
    variables = _variables(context, found) if wanted else None
    if variables is None:
        timing.untrue(context, found)
        return "dropped"
    if (held := timing.held(context, found)) is not None:
        return held
    return compose_for_reader(context, notice, reader, variables, subscription)


def _reader(context: WorkerContext, found: Prefetched) -> Address | None:
    """Who is to be reached, and where; None for nobody.

    Real mail goes to verified addresses only. The local mailbox reaches everybody.
    """
    if found.notice.recipient == GUEST:
        email = context.container.games.invitations.address(found.notice.game)
        return Address("", email) if email else None
    player = found.recipient
    if player is None or (context.mailer.needs_address and not player.verified):
        return None
    return Address(displayable(player.name), player.email or f"{player.id}@mailbox.invalid")


def _variables(context: WorkerContext, found: Prefetched) -> Mapping[str, Any] | None:
    """What the templates of this kind show; None if there is nothing to tell any more."""
    if found.notice.kind in challenge.KINDS:
        return challenge.variables(context, found)
    return game.variables(context, found)
