"""Notices on the channel `mail`: whom to reach, whether they want it, what to write.

A notice to a player is also where those to their other channels come from.
"""

from collections.abc import Mapping
from typing import Any, Final

from service.accounts.mail_preferences import Subscription, subscription_of
from service.accounts.mail_preferences import guest as guest_reader
from service.accounts.name_rules import displayable
from service.eventlog import NoticeParts, notice_id
from service.games import GUEST
from workers.channels import fan_out
from workers.context import WorkerContext
from workers.mail import (
    account,
    challenge,
    digest,
    game,
    mail_log,
    reminder,
    reply,
    shown,
    timing,
    vacation,
)
from workers.mail.compose import compose, compose_for_reader, message_id
from workers.mail.message import Address, Message
from workers.prefetch import Prefetched
from workers.retrying import retry_until_saved

SENT: Final = timing.Decision("sent", "due")
UNTRUE: Final = timing.Decision("dropped", "untrue")


def send(context: WorkerContext, found: Prefetched) -> timing.MailOutcome:
    """Send the mail that this notice asks for, unless it is no longer true, wanted or possible, or
    is to come later; what becomes of it is logged."""
    decision = _carry_out(context, found)
    mail_log.note(found.notice, message_id(context, found.notice), *decision)
    return decision.outcome


def _carry_out(context: WorkerContext, found: Prefetched) -> timing.Decision:
    notice = found.notice
    if notice.kind in reply.REPLIES:
        return _reply(context, found)
    if notice.kind == timing.DIGEST:
        return _send_digest(context, found)
    if notice.kind in reminder.KINDS and (held := reminder.held(context, found)) is not None:
        return held
    of_account = notice.kind in account.WRITERS
    message = (_to_address if of_account else _to_reader)(context, found)
    if isinstance(message, timing.Decision) and message.outcome == "postponed":
        return message
    if isinstance(message, Message):
        context.mailer.send(message)
        _note_sent(context, found.notice, message)
    if notice.kind == "over" and notice.subject in found.choice.games:
        context.container.mail_preferences.set_game(notice.recipient, notice.subject, None)
    return SENT if isinstance(message, Message) else message


def _send_digest(context: WorkerContext, found: Prefetched) -> timing.Decision:
    """Send the daily digest, if anything new is true, and strike off what it tells."""
    player, reader = found.notice.recipient, _reader(context, found)
    by_mail = reader is not None and found.wanted
    if not (by_mail or found.channels):
        return _not_by_mail(reader)
    if timing.in_quiet_hours(context, found):
        return timing.QUIET
    kept, sent = digest.kept_notices(context, player), False
    if kept.true:
        told = digest.digest(context, player, kept)
        context.container.deferred_notices.store_digest(
            player, found.notice.version, told.entries()
        )
        fan_out.fan_out(context, found, by_mail=by_mail)
        if reader is not None and found.wanted and told.by_mail:
            subscription, variables = Subscription(player, timing.DIGEST), {"digest": told}
            message = compose_for_reader(context, found.notice, reader, variables, subscription)
            context.mailer.send(message)
            _note_digest_sent(context, found, message, kept)
            sent = True
    digest.finish(context, player, kept)
    if sent:
        return SENT
    return timing.Decision("dropped", "not-by-mail" if kept.true else "nothing-new")


def _note_digest_sent(
    context: WorkerContext, found: Prefetched, message: Message, kept: digest.Kept
) -> None:
    _note_sent(context, found.notice, message)
    for one, _ in kept.true:
        if one.wanted:
            _note_sent(context, one.notice, message)


def _note_sent(context: WorkerContext, notice: NoticeParts, message: Message) -> None:
    """Note that the player was told; not so where earlier mails to their address have come back."""
    if not fan_out.is_fanned_out(notice):
        return

    def note() -> None:
        if context.container.addresses.failing.is_dead(message.recipient):
            fan_out.note_failed(context, notice, fan_out.MAIL)
        else:
            fan_out.note(context, notice, fan_out.MAIL, "reached")

    retry_until_saved(note)  # or the mail would be sent once more


def _reply(context: WorkerContext, found: Prefetched) -> timing.Decision:
    """Answer a mail that came in. Only that a turn was played need not be told: the rest was asked
    for."""
    answer = reply.write(context, found.notice, found.recipient)
    if answer is None:
        return timing.Decision("dropped", "nobody-to-tell")
    wanted = not answer.only_confirms or found.wanted
    if wanted:
        context.mailer.send(answer.message)
        if answer.shows is not None:
            shown.note_answer(context, answer.shows, answer.message)
    retry_until_saved(lambda: context.container.incoming_mail.mark_told(found.notice.subject))
    return SENT if wanted else timing.Decision("dropped", "confirmations-off")


def _to_address(context: WorkerContext, found: Prefetched) -> Message | timing.Decision:
    """A mail about an account, to an address that need not be verified."""
    mail = account.WRITERS[found.notice.kind](context, found.notice)
    return UNTRUE if mail is None else compose(context, found.notice, mail)


def _to_reader(context: WorkerContext, found: Prefetched) -> Message | timing.Decision:
    """A mail about a game or a challenge, to a player or to somebody invited by address."""
    notice, reader = found.notice, _reader(context, found)
    subscription = subscription_of(notice.recipient, notice.kind)
    wanted = found.wanted and found.choice.delivery_of(notice.subject) != "off"
    if notice.recipient == GUEST and reader is not None:
        subscription = Subscription(guest_reader(reader.email), notice.kind)
        wanted = context.container.mail_preferences.wanted(subscription)
    by_mail = reader is not None and wanted
    if not (by_mail or found.wanting()):
        _note_unwanted(context, found, reader)
        return _not_by_mail(reader)
    variables = _variables(context, found)
    if variables is None:
        timing.untrue(context, found)
        return UNTRUE
    if (held := timing.held(context, found)) is not None:
        if held.outcome == "dropped":
            _note_unwanted(context, found, reader)
        return held
    told = _shown(context, found) if by_mail else None
    if told == "being-shown":
        again = context.container.now() + shown.PAUSE
        context.container.log.outbox.postpone(notice_id(*notice), again)
        return timing.Decision("postponed", "answer-comes-first")
    fan_out.fan_out(context, found, by_mail=by_mail)
    if reader is None or not wanted:
        return _not_by_mail(reader)
    if told == "shown":
        return timing.Decision("dropped", "shown-before")
    return compose_for_reader(context, notice, reader, variables, subscription)


def _shown(context: WorkerContext, found: Prefetched) -> shown.Shown | None:
    """Whether a mail has shown already what this notice tells, or is about to."""
    table = shown.of_notice(found.notice, found.game and found.game.stored)
    return None if table is None else shown.before_notice(context, table)


def _note_unwanted(context: WorkerContext, found: Prefetched, reader: Address | None) -> None:
    """Note that a notice is dropped that a player could have had, and does not want now."""
    if fan_out.is_fanned_out(found.notice) and (reader or found.channels):
        fan_out.note(context, found.notice, fan_out.MAIL, "chosen")
    timing.untrue(context, found)


def _not_by_mail(reader: Address | None) -> timing.Decision:
    """Why nothing goes by mail to a reader who can be reached there, or to None, who cannot."""
    return timing.Decision("dropped", "turned-off" if reader else "no-confirmed-address")


def _reader(context: WorkerContext, found: Prefetched) -> Address | None:
    """Who is to be reached, and where; None for nobody.

    Real mail goes to verified addresses only. The local mailbox reaches everybody.
    """
    if found.notice.recipient == GUEST:
        email = context.container.games.invitations.address(found.notice.subject)
        return Address("", email) if email else None
    player = found.recipient
    if player is None or (context.mailer.needs_address and not player.verified):
        return None
    return Address(displayable(player.name), player.email or f"{player.id}@mailbox.invalid")


def _variables(context: WorkerContext, found: Prefetched) -> Mapping[str, Any] | None:
    """What the templates of this kind show; None if there is nothing to tell any more."""
    if found.notice.kind in challenge.KINDS:
        return challenge.variables(context, found)
    if found.notice.kind in vacation.KINDS:
        return vacation.variables(context, found)
    return game.variables(context, found)
