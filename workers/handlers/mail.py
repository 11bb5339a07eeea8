"""Sends notices by mail: finds the reader, asks `policy`, and acts on its decision.

A notice to a player also creates the notices on their other channels.
"""

from contextlib import suppress
from typing import Final, Literal, NamedTuple

from service.accounts.mail_preferences import LAST_REMINDER, Subscription, subscription_of
from service.accounts.mail_preferences import guest as guest_reader
from service.accounts.names import displayable
from service.container import Container
from service.core.durations import MINUTE
from service.core.errors import RequestRejected
from service.core.timestamps import unix
from service.eventlog import Notice, notice_id, parse_notice_id
from service.games import GUEST, StoredGame
from service.games.notices.notifications import reminder_at, turn_time_notices
from service.mail.budget import RECIPIENT, mailbox_of
from service.mail_in.outcome import KINDS as REPLIES
from workers.about import about, too_late_at
from workers.channels import fan_out
from workers.context import WorkerContext
from workers.due import DueNotice, Reader
from workers.kinds import DIGEST, About
from workers.mail import digest, mail_log, reply, shown, subjects
from workers.mail.compose import compose, compose_for_reader, message_id
from workers.mail.game import GameMail
from workers.mail.message import Address, Message
from workers.policy import (
    CHOSEN_AS,
    SHOWN_BEFORE,
    TIME_CHANGED,
    Decision,
    Drop,
    Later,
    NoticeState,
    Preferences,
    ReminderTime,
    Send,
    decide,
)
from workers.retrying import retry_until_saved

MailOutcome = Literal["sent", "dropped", "postponed"]


class MailResult(NamedTuple):
    """The outcome of a notice, and its reason as one word for the log."""

    outcome: MailOutcome
    reason: str


SENT: Final = MailResult("sent", "due")
LONGEST_IN_SIGHT: Final = 15 * MINUTE
"""Most seconds after a turn's beginning for which an open page of the game holds its mail back."""


def send(context: WorkerContext, due: DueNotice) -> MailOutcome:
    """Send the mail of this notice, unless it is no longer true, wanted or possible, or is
    postponed. Logs the outcome."""
    result = _carry_out(context, due)
    mail_log.log_outcome(due.notice, message_id(context, due.notice), *result)
    return result.outcome


def plan(context: WorkerContext, due: DueNotice) -> Decision:
    """Return the policy's decision on a notice to a reader, at this moment."""
    return decide(due.notice.kind, *_facts(context, due), context.container.now())


def _carry_out(context: WorkerContext, due: DueNotice) -> MailResult:
    kind = due.notice.kind
    if kind in REPLIES:
        return _reply(context, due)
    if kind == DIGEST:
        return _send_digest(context, due)
    if kind in subjects.WRITERS:
        return _send_to_address(context, due)
    return _send_to_reader(context, due)


def _send_to_reader(context: WorkerContext, due: DueNotice) -> MailResult:
    """Send a mail about a game, a challenge or a vacation, to a player or an address that was
    invited."""
    preferences, notice = context.container.mail_preferences, due.notice
    decision = plan(context, due)
    if isinstance(decision, Send) and must_reserve(due):  # it was not due to be sent a moment ago
        is_reserved = context.container.deferred_notices.reserve(notice.recipient, due.id)
        due.visit_notice = due.id if is_reserved else "another"
        decision = plan(context, due)
    if isinstance(decision, Later):
        _postpone(context, due, decision)
        return MailResult("postponed", decision.reason)
    result = _carry_out_decision(context, due, decision)
    if notice.kind == "over" and notice.subject in due.choice.games:
        preferences.set_game(notice.recipient, notice.subject, None)
    return result


def must_reserve(due: DueNotice) -> bool:
    """Whether the notice must first reserve the one mail that a player gets until their next
    visit."""
    return due.choice.delivery_of(due.notice.subject) == "until_visit" and due.visit_notice is None


def is_mailed(decision: Send) -> bool:
    """Whether this mail or an earlier one reports the news, so that fallbacks need not."""
    return decision.by_mail or decision.reason == SHOWN_BEFORE


def _carry_out_decision(
    context: WorkerContext, due: DueNotice, decision: Send | Drop
) -> MailResult:
    if isinstance(decision, Drop):
        _drop(context, due, decision)
        return MailResult("dropped", decision.reason)
    if not due.is_fanned_out:
        fan_out.fan_out(context, due, by_mail=is_mailed(decision))
    if not decision.by_mail:
        return MailResult("dropped", decision.reason)
    reader, subject = _reader(context, due), about(context, due)
    assert reader.address is not None, "a mail is only sent to somebody"
    assert subject is not None, "what is gone is not current"
    message = compose_for_reader(context, due.notice, reader.address, subject, reader.subscription)
    context.mailer.send(message)
    _record_sent(context, due, message, subject)
    return SENT


def _facts(context: WorkerContext, due: DueNotice) -> tuple[Preferences, NoticeState]:
    """Return the facts on which the policy decides."""
    notice, reader = due.notice, _reader(context, due)
    chosen = Preferences(
        choice=due.choice,
        delivery=due.choice.delivery_of(notice.subject),
        has_address=reader.address is not None,
        wants_mail=reader.wants_mail,
        wants_digest=due.wants_digest,
        on_channels=bool(due.wanting()),
    )
    reminder = _reminder(context, due) if notice.kind in CHOSEN_AS else None
    if not (chosen.by_mail or chosen.on_channels):
        return chosen, NoticeState(reminder=reminder)  # unwanted notices need not be read
    subject, stored = about(context, due), due.stored
    covered = shown.of_notice(notice, stored)
    return chosen, NoticeState(
        is_current=subject is not None and due.kind.is_current(subject),
        is_news=_is_news(context, due),
        reminder=reminder,
        too_late_at=too_late_at(due),
        is_mail_reserved=due.visit_notice not in (None, due.id),
        is_being_answered=covered is not None and covered.seat in due.answering,
        was_shown=covered is not None and shown.is_covered(due.entries, covered),
        in_sight_until=_in_sight_until(due),
    )


def _in_sight_until(due: DueNotice) -> float:
    """Return the moment (unix seconds) until which a turn's mail may wait while its player has the
    game's page in sight; 0 if it does not wait.

    It never waits for a player with a webhook: a program of theirs may act on the notice.
    """
    since = due.stored.turn_since if due.stored else None
    is_open = due.notice.kind == "turn" and due.page_sign in ("here", "writing")
    if since is None or not is_open or any(one.type == "webhook" for one in due.wanting()):
        return 0.0
    return unix(since) + LONGEST_IN_SIGHT


def _is_news(context: WorkerContext, due: DueNotice) -> bool:
    """Whether the recipient got the notice that this one cancels, and the budget for such mails
    allows one more, which is then spent. True for a notice that cancels none."""
    if due.kind.ends is None:
        return True
    container, notice, recipient = context.container, due.notice, due.notice.recipient
    if recipient == GUEST:
        invitations = container.games.invitations
        was_notified = invitations.was_sent(notice.subject)
        recipient = mailbox_of(invitations.address(notice.subject) or "")
    else:
        ended = due.entries.of_notice(notice._replace(version=1, kind=due.kind.ends))
        was_notified = any(one.outcome in ("waiting", "reached") for one in ended.values())
    if was_notified:
        with suppress(RequestRejected):
            container.mail_budget.spend("called-off", due.id, **{RECIPIENT: recipient})
            return True
    return False


def _reminder(context: WorkerContext, due: DueNotice) -> ReminderTime | None:
    """Return when a reminder is due and when it is too late; None if it is no longer the player's
    turn."""
    stored, kind = due.stored, due.notice.kind
    if stored is None or stored.player_to_move() != due.notice.recipient:
        return None
    if stored.timed_version != due.notice.version:
        return ReminderTime(None, None, is_moved=True)
    out = None if stored.clock is None else stored.clock.time_out()
    if due.is_moving is None:
        due.is_moving = bool(context.container.outages.unapplied())
    return ReminderTime(
        reminder_at(stored, kind),
        out if kind == LAST_REMINDER else reminder_at(stored, LAST_REMINDER),
        is_moving=due.is_moving,
    )


def _postpone(context: WorkerContext, due: DueNotice, later: Later) -> None:
    container, player = context.container, due.notice.recipient
    if later.digest_at is not None:
        # If a crash leaves any of this undone, the notice is still due, and completes it.
        container.deferred_notices.add(player, due.id)
        minute = int(later.digest_at // MINUTE)
        own = notice_id(player, minute, player, fan_out.MAIL, DIGEST)
        container.log.outbox.add(Notice(own, later.digest_at))
    container.log.outbox.postpone(due.id, later.at)


def _drop(context: WorkerContext, due: DueNotice, drop: Drop) -> None:
    container, notice = context.container, due.notice
    if drop.reason == TIME_CHANGED and due.stored is not None:
        _pass_on(context, due, due.stored)
    is_reachable = bool(due.channels) or _reader(context, due).address is not None
    if drop.is_chosen and is_reachable and fan_out.is_fanned_out(notice):
        fan_out.record(context, notice, fan_out.MAIL, "chosen")
    if due.visit_notice == due.id and due.choice.delivery_of(notice.subject) == "until_visit":
        container.deferred_notices.mark_obsolete(notice.recipient, due.id)


def _pass_on(context: WorkerContext, due: DueNotice, stored: StoredGame) -> None:
    """Queue a reminder of the changed time limit, unless it has been sent."""
    if due.notice.version < stored.turn_version:
        return
    for notice in turn_time_notices(stored):
        parts = parse_notice_id(notice.id)
        if parts.kind == due.notice.kind and not due.entries.of_notice(parts):
            context.container.log.outbox.add(notice)


def _send_digest(context: WorkerContext, due: DueNotice) -> MailResult:
    """Send the daily digest if it has news, and finish the notices that it covers."""
    container, player = context.container, due.notice.recipient
    reader = _reader(context, due)
    chosen = Preferences(
        choice=due.choice,
        delivery="at_once",
        has_address=reader.address is not None,
        wants_mail=due.wanted,
        wants_digest=due.wanted,
        on_channels=bool(due.channels),
    )
    decision = decide(DIGEST, chosen, NoticeState(), container.now())
    if isinstance(decision, Later):
        _postpone(context, due, decision)
        return MailResult("postponed", decision.reason)
    if isinstance(decision, Drop):
        return MailResult("dropped", decision.reason)
    waiting, sent = digest.waiting_notices(context, player), False
    if waiting.current:
        content = digest.digest(context, player, waiting)
        container.deferred_notices.store_digest(player, due.notice.version, content.entries())
        fan_out.fan_out(context, due, by_mail=decision.by_mail)
        if reader.address is not None and decision.by_mail and content.by_mail:
            subscription = Subscription(player, DIGEST)
            message = compose_for_reader(context, due.notice, reader.address, content, subscription)
            context.mailer.send(message)
            for one in (due, *(one for one, _ in waiting.current if one.wanted)):
                _record_notified(context, one, message)
            sent = True
    digest.finish(context, player, waiting)
    if sent:
        return SENT
    return MailResult("dropped", "not-by-mail" if waiting.current else "nothing-new")


def _record_notified(context: WorkerContext, due: DueNotice, message: Message) -> None:
    """Record that the player was notified, unless earlier mails to their address have bounced."""
    if not fan_out.is_fanned_out(due.notice):
        return

    def save() -> None:
        if context.container.addresses.failing.is_dead(message.recipient):
            fan_out.record_failure(context, due.notice, fan_out.MAIL)
        else:
            fan_out.record(context, due.notice, fan_out.MAIL, "reached")

    retry_until_saved(save)  # or the mail would be sent once more


def _record_sent(context: WorkerContext, due: DueNotice, message: Message, subject: About) -> None:
    """Record that the player was notified, and store the mail's text, which answers may quote. The
    same round trip finishes the notice if nothing else has to follow."""
    container, notice = context.container, due.notice
    if notice.recipient == GUEST and notice.kind == "invitation":
        retry_until_saved(lambda: container.games.invitations.record_sent(notice.subject))
    words = container.incoming_mail.sent_words
    table = (
        (subject.stored.id, subject.seat)
        if isinstance(subject, GameMail) and subject.seat
        else None
    )
    failure = due.address_failure
    if not due.is_prepared or failure is not None or notice.kind == "over":
        if table is not None:
            words.store(*table, message.text)
        _record_notified(context, due, message)
        return
    if not fan_out.is_fanned_out(notice):
        return
    finish = container.log.outbox.finish_run(due.id)
    more = [] if table is None else [words.store_query(*table, message.text)]
    retry_until_saved(
        lambda: container.ledger.record_with(more, [finish], notice, fan_out.MAIL, "reached")
    )
    due.entries.record(notice, fan_out.MAIL, "reached", int(container.now()))
    due.is_finished = True


def _reply(context: WorkerContext, due: DueNotice) -> MailResult:
    """Answer an incoming mail. Only the confirmation of a turn can be turned off."""
    answer = reply.write(context, due.notice, due.recipient)
    if answer is None:
        return MailResult("dropped", "nobody-to-tell")
    wanted = not answer.only_confirms or due.wanted
    if wanted:
        context.mailer.send(answer.message)
        if answer.shows is not None:
            shown.record_answer(context, answer.shows, answer.message)
    retry_until_saved(lambda: context.container.incoming_mail.mark_answered(due.notice.subject))
    return SENT if wanted else MailResult("dropped", "confirmations-off")


def _send_to_address(context: WorkerContext, due: DueNotice) -> MailResult:
    """Send a mail about an account, to an address that need not be verified."""
    mail = subjects.WRITERS[due.notice.kind](context, due.notice)
    if mail is None:
        return MailResult("dropped", "untrue")
    context.mailer.send(compose(context, due.notice, mail))
    return SENT


def _reader(context: WorkerContext, due: DueNotice) -> Reader:
    """Return the reader of the notice, with the address to write to.

    Real mail goes to verified addresses only. The local mailbox reaches everybody.
    """
    if due.reader is None:
        due.reader = _look_up_reader(context, due)
    return due.reader


def _is_blocked(container: Container, game_id: str, email: str) -> bool:
    """Whether the inviting player, and a player with this address, have blocked one another."""
    hosts = container.games.load(game_id).players
    owners = [owner.id for owner in container.players.owners(email)]
    return any(container.contact_choices.apart(host, owners) for host in hosts)


def _look_up_reader(context: WorkerContext, due: DueNotice) -> Reader:
    container, notice, player = context.container, due.notice, due.recipient
    if notice.recipient == GUEST:
        email = container.games.invitations.address(notice.subject)
        subscription = subscription_of(guest_reader(email or ""), notice.kind)
        wants = email is not None and container.mail_preferences.wanted(subscription)
        wants = wants and not _is_blocked(container, notice.subject, email or "")
        return Reader(Address("", email) if email else None, subscription, wants)
    wants = due.wanted and due.choice.delivery_of(notice.subject) != "off"
    address = None
    if player is not None and (player.verified or not context.mailer.needs_address):
        email = player.email or f"{player.id}@mailbox.invalid"
        address = Address(displayable(player.name), email)
    return Reader(address, subscription_of(notice.recipient, notice.kind), wants)
