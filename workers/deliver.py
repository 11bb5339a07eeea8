"""Delivers one notice: decides by `policy`, acts on the decision, records once what was told.

Mail is a transport among others: `workers.channels.transport` has those of a player's channels. A
notice to a player that is told by mail, or would be, also creates the notices on their channels.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple, Protocol

from service.accounts.mail_preferences import Subscription, subscription_of
from service.accounts.mail_preferences import guest as guest_reader
from service.accounts.names import displayable
from service.accounts.notice_kinds import CONFIRMATION, DIGEST, LAST_REMINDER
from service.accounts.player import is_bot
from service.core.errors import RequestRejected
from service.core.redis.batch import Query, execute, execute_all, execute_with_runs
from service.core.times import MINUTE, unix
from service.eventlog import Notice, notice_id, parse_notice_id
from service.games import GUEST
from service.games.conversations import NOTICE as MESSAGE
from service.games.notices import reminder_at, turn_time_notices
from service.games.page_signs import Sight
from service.mail.budget import RECIPIENT, mailbox_of
from service.mail_in.outcome import KINDS as REPLIES
from workers import outcomes
from workers.context import WorkerContext
from workers.due import About, DueNotice, Reader
from workers.leases import retry_until_saved
from workers.mail import digest, reply, subjects
from workers.mail.compose import compose, compose_for_reader, message_id
from workers.mail.game import GameMail
from workers.mail.mailer import Address, Message, log_outcome
from workers.outcomes import MAIL
from workers.policy import (
    IN_SIGHT,
    OWN_END,
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


class DeliveryResult(NamedTuple):
    """The outcome of a notice, and its reason as one word for the log."""

    outcome: Literal["sent", "dropped", "postponed"]
    reason: str


SENT: Final = DeliveryResult("sent", "due")
LONGEST_IN_SIGHT: Final = 15 * MINUTE
"""Most seconds for which an open page of the game holds back a notice that it has shown."""


_BY_EVENT: Final = ("turn", "started", "orders", "over")
"""The kinds of notices about the latest event of a game, or its latest turn."""


class Transport(Protocol):
    """A way to tell one notice. Each call may be repeated."""

    def decide(self) -> Decision:
        """Return the policy's decision at this moment."""

    def postpone(self, later: Later) -> None:
        """Let the notice fall due again."""

    def drop(self, drop: Drop) -> None:
        """Record that the notice is not told."""

    def send(self, decision: Send) -> DeliveryResult:
        """Tell the notice, and record it."""


def deliver(transport: Transport) -> DeliveryResult:
    """Tell a notice on this transport if the policy says so now."""
    decision = transport.decide()
    if isinstance(decision, Later):
        transport.postpone(decision)
        return DeliveryResult("postponed", decision.reason)
    if isinstance(decision, Drop):
        transport.drop(decision)
        return DeliveryResult("dropped", decision.reason)
    return transport.send(decision)


def send_mail(context: WorkerContext, due: DueNotice) -> Literal["sent", "dropped", "postponed"]:
    """Send the mail of this notice, unless it is no longer true, wanted or possible, or is
    postponed. Logs the outcome."""
    if (kind := due.notice.kind) in REPLIES:
        result = _answer(context, due)
    elif (write := subjects.WRITERS.get(kind)) is not None:
        mail = write(context, due.notice)
        result = DeliveryResult("dropped", "untrue") if mail is None else SENT
        if mail is not None:  # to an address that need not be verified
            preferences = context.container.mail_preferences
            choice = preferences.choice(mail.player) if mail.player else due.choice
            context.mailer.send(compose(context.words_of(choice), context, due.notice, mail))
    else:
        result = deliver((DigestMail if kind == DIGEST else ReaderMail)(context, due))
    log_outcome(due.notice, message_id(context, due.notice), *result)
    return result.outcome


def _answer(context: WorkerContext, due: DueNotice) -> DeliveryResult:
    """Answer an incoming mail. Only the confirmation of a turn can be turned off."""
    answer = reply.write(context, due.notice, due.recipient)
    if answer is None:
        return DeliveryResult("dropped", "nobody-to-tell")
    wanted = not answer.only_confirms or due.wanted
    if wanted:
        context.mailer.send(answer.message)
        if answer.shows is not None:
            outcomes.record_answer(context, answer.shows, answer.message)
    retry_until_saved(lambda: context.container.incoming_mail.mark_answered(due.notice.subject))
    return SENT if wanted else DeliveryResult("dropped", "confirmations-off")


def must_reserve(due: DueNotice, decision: Send) -> bool:
    """Whether the notice must first reserve the one mail that a player gets until their next
    visit."""
    if decision.reason == OWN_END:
        return False
    return due.choice.delivery_of(due.notice.subject) == "until_visit" and due.visit_notice is None


def is_mailed(decision: Send) -> bool:
    """Whether the news reaches its reader without fallbacks: by this mail or an earlier one, or as
    they made it themselves."""
    return decision.by_mail or decision.reason in (SHOWN_BEFORE, OWN_END)


@dataclass
class ReaderMail:
    """A mail about a game, a challenge or a vacation, to a player or an address that was
    invited."""

    context: WorkerContext
    due: DueNotice

    def plan(self) -> Decision:
        """Return the policy's decision on what was read so far."""
        return decide(self.due.notice.kind, *self._facts(), self.context.container.now())

    def decide(self) -> Decision:
        decision, due = self.plan(), self.due
        if isinstance(decision, Send) and must_reserve(due, decision):  # not due a moment ago
            deferred = self.context.container.deferred_notices
            is_reserved = deferred.reserve(due.notice.recipient, due.id)
            due.visit_notice = due.id if is_reserved else "another"
            decision = self.plan()
        return decision

    def postpone(self, later: Later) -> None:
        container, due, player = self.context.container, self.due, self.due.notice.recipient
        if later.digest_at is not None:
            # If a crash leaves any of this undone, the notice is still due, and completes it.
            container.deferred_notices.add(player, due.id)
            minute = int(later.digest_at // MINUTE)
            own = notice_id(player, minute, player, MAIL, DIGEST)
            container.log.outbox.add(Notice(own, later.digest_at))
        if later.reason == IN_SIGHT:
            execute_with_runs(container.redis, [], [container.ledger.waiting_run(due.notice, MAIL)])
        container.log.outbox.postpone(due.id, later.at)

    def drop(self, drop: Drop) -> None:
        due, container, notice = self.due, self.context.container, self.due.notice
        stored = due.stored
        if drop.reason == TIME_CHANGED and stored and notice.version >= stored.turn_version:
            # A reminder of the changed time limit takes over, unless it has been sent.
            for other in turn_time_notices(stored):
                parts = parse_notice_id(other.id)
                if parts.kind == notice.kind and not due.entries.of_notice(parts):
                    container.log.outbox.add(other)
        is_reachable = bool(due.channels) or self._reader.address is not None
        if self._held_since is not None:
            container.ledger.clear(notice, MAIL)
        if drop.is_chosen and is_reachable and outcomes.is_fanned_out(notice):
            container.ledger.record(notice, MAIL, "chosen")
        if due.visit_notice == due.id and due.choice.delivery_of(notice.subject) == "until_visit":
            container.deferred_notices.mark_obsolete(notice.recipient, due.id)
        self._forget_choice()

    def send(self, decision: Send) -> DeliveryResult:
        context, due = self.context, self.due
        if not due.is_fanned_out:
            outcomes.fan_out(context, due, by_mail=is_mailed(decision))
        result = DeliveryResult("dropped", decision.reason)
        if decision.by_mail:
            reader, subject = self._reader, due.about(context)
            assert reader.address is not None, "a mail is only sent to somebody"
            assert subject is not None, "what is gone is not current"
            message = compose_for_reader(
                context, due.notice, reader.address, subject, reader.subscription
            )
            context.mailer.send(message)
            self._record(message, subject)
            result = SENT
        self._forget_choice()
        return result

    def _forget_choice(self) -> None:
        """Forget a choice for a game that is over."""
        notice, preferences = self.due.notice, self.context.container.mail_preferences
        if self._ends_choice:
            preferences.set_game(notice.recipient, notice.subject, None)

    @property
    def _ends_choice(self) -> bool:
        """Whether the recipient has made a choice for this game, which is over."""
        notice = self.due.notice
        return notice.kind == "over" and notice.subject in self.due.choice.games

    def _record(self, message: Message, subject: About) -> None:
        """Record that the player was notified, and store the mail's words, which answers may quote.
        The same round trip finishes the notice if nothing else has to follow."""
        container, due, notice = self.context.container, self.due, self.due.notice
        if notice.recipient == GUEST and notice.kind == "invitation":
            retry_until_saved(lambda: container.games.invitations.record_sent(notice.subject))
        more: list[Query[bool]] = []
        if isinstance(subject, GameMail) and subject.seat and container.settings.takes_mail:
            words = container.incoming_mail.sent_words
            more.append(words.store_query(subject.stored.id, subject.seat, message.text))
        if isinstance(subject, GameMail) and due.address_failure is None:
            more += self._mailed_messages(subject)
        if not due.is_prepared or due.address_failure is not None or self._ends_choice:
            execute_all(container.redis, more)
            outcomes.record_mailed(self.context, notice, message)
            return
        if not outcomes.is_fanned_out(notice):
            return
        finish = container.log.outbox.finish_run(due.id)
        retry_until_saved(
            lambda: container.ledger.record_with(more, [finish], notice, MAIL, "reached")
        )
        due.entries.record(notice, MAIL, "reached", int(container.now()))
        due.is_finished = True

    def _mailed_messages(self, game: GameMail) -> list[Query[bool]]:
        """Return the query that records which messages the mail told, if it told any. Other notices
        of this job share the state."""
        told, talk = game.unmailed, game.talk
        if not told or talk is None:
            return []
        talk.state.mailed[talk.seat] = told[-1].number
        store = self.context.container.games.conversations.store
        return [store.mailed_query(talk.stored.id, talk.seat, told[-1].number)]

    def _facts(self) -> tuple[Preferences, NoticeState]:
        """Return the facts on which the policy decides."""
        context, due, notice, reader = self.context, self.due, self.due.notice, self._reader
        chosen = Preferences(
            choice=due.choice,
            delivery=due.choice.delivery_of(notice.subject),
            has_address=reader.address is not None,
            wants_mail=reader.wants_mail,
            wants_digest=due.wants_digest,
            on_channels=bool(due.wanting()),
        )
        reminder = self._reminder() if due.kind.reminders else None
        if not (chosen.by_mail or chosen.on_channels):
            return chosen, NoticeState(reminder=reminder)  # unwanted notices need not be read
        is_current = due.current(context) is not None
        covered = outcomes.covered_by_notice(notice, due.stored)
        return chosen, NoticeState(
            is_current=is_current,
            is_news=self._is_news(),
            reminder=reminder,
            too_late_at=due.too_late_at,
            is_mail_reserved=due.visit_notice not in (None, due.id),
            is_being_answered=covered is not None and covered.seat in due.answering,
            was_shown=self._was_mailed(covered),
            is_own_end=self._is_own_end(),
            was_seen=self._was_seen(),
            is_end_untold=self._is_end_untold(),
            in_sight_until=self._in_sight_until(),
        )

    def _was_mailed(self, covered: outcomes.CoveredTurn | None) -> bool:
        """Whether another mail has told all of this: the turn or the end, or the messages."""
        about = self.due.about(self.context)
        if self.due.notice.kind == MESSAGE and isinstance(about, GameMail):
            return not about.unmailed
        return covered is not None and covered.is_mailed(self.due.entries)

    def _is_own_end(self) -> bool:
        """Whether the player ended the game themselves, and would be answered had they done so by
        mail."""
        notice, stored = self.due.notice, self.due.stored
        if notice.kind != "over" or stored is None or stored.ended_by != notice.recipient:
            return False
        confirmed = Subscription(notice.recipient, CONFIRMATION)
        return self.context.container.mail_preferences.wanted(confirmed)

    def _is_end_untold(self) -> bool:
        """Whether the notice asks for a rematch of a game whose end its player is still to be told;
        it waits for that for some minutes."""
        old_id, new, container = self._rematch_of, self.due.stored, self.context.container
        if not (old_id and new) or container.now() >= unix(new.created) + LONGEST_IN_SIGHT:
            return False
        old = container.games.load(old_id)
        over = notice_id(old.id, old.version, self.due.notice.recipient, MAIL, "over")
        return execute(container.redis, container.log.outbox.pending_query(over))

    def _in_sight_until(self) -> float:
        """Return the moment (unix seconds) until which the notice may wait while its player has the
        game's page in sight, or another that shows its news; 0 if it does not wait."""
        sight = self._sight
        if not (self._heeds_page and (sight.is_open or sight.place in self.due.kind.also_on)):
            return 0.0
        since = self._shown_since
        return (self.context.container.now() if since is None else since) + LONGEST_IN_SIGHT

    def _was_seen(self) -> bool:
        """Whether the game's page was in sight for long enough to tell the notice's news. A bot's
        turn needs no more than to be seen: it comes at once, before the eyes of who played."""
        since = self._shown_since
        if not self._heeds_page or since is None:
            return False
        if self.due.kind.bot_in_sight:
            return self._is_bots_turn() and self._sight.latest > since
        kind = self.due.kind
        return kind.in_sight == "told" and self._sight.latest >= since + kind.glance

    def _is_bots_turn(self) -> bool:
        """Whether a bot made the last change on the table."""
        stored = self.due.stored
        return bool(stored and stored.actor and is_bot(stored.game.players[stored.actor]))

    @cached_property
    def _sight(self) -> Sight:
        """What is known of the reader's sight of the page that shows the notice's news."""
        if (old := self._rematch_of) is None:
            return self.due.sight
        query = self.context.container.page_signs.sight_query(old, self.due.notice.recipient)
        return execute(self.context.container.redis, query)

    @property
    def _rematch_of(self) -> str | None:
        """The finished game of which the notice asks for a rematch; None if it asks for none."""
        if self.due.notice.kind != "invitation":
            return None
        about = self.due.about(self.context)
        return about.rematch_of if isinstance(about, GameMail) else None

    @property
    def _heeds_page(self) -> bool:
        """Whether an open page of the game counts. It never does for a player with a webhook: a
        program of theirs may act on the notice."""
        due = self.due
        return due.kind.in_sight is not None and all(one.type != "webhook" for one in due.wanting())

    @property
    def _shown_since(self) -> int | None:
        """A moment (unix seconds) from which the game's page shows the notice's news: of the event
        that caused it, or when the notice was first held back; None if neither is known."""
        stored, kind = self.due.stored, self.due.notice.kind
        if stored is None or kind not in _BY_EVENT:
            return self._held_since
        since = stored.turn_since if kind == "turn" else stored.latest
        return None if since is None else unix(since)

    @property
    def _held_since(self) -> int | None:
        """The moment (unix seconds) when the notice was first held back for an open page."""
        held = self.due.entries.of_notice(self.due.notice).get(MAIL)
        return held.at if held is not None and held.outcome == "waiting" else None

    def _is_news(self) -> bool:
        """Whether the recipient got the notice that this one cancels, and the budget for such mails
        allows one more, which is then spent. True for a notice that cancels none."""
        due, container, notice = self.due, self.context.container, self.due.notice
        recipient = notice.recipient
        if due.kind.ends is None:
            return True
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

    def _reminder(self) -> ReminderTime | None:
        """Return when a reminder is due and when it is too late; None if it is no longer the
        player's turn."""
        due, stored, kind = self.due, self.due.stored, self.due.notice.kind
        if stored is None or stored.player_to_move() != due.notice.recipient:
            return None
        if stored.timed_version != due.notice.version:
            return ReminderTime(None, None, is_moved=True)
        too_late = reminder_at(stored, LAST_REMINDER)
        if kind == LAST_REMINDER:
            too_late = None if stored.clock is None else stored.clock.time_out()
        if due.is_moving is None:
            due.is_moving = bool(self.context.container.outages.unapplied())
        return ReminderTime(reminder_at(stored, kind), too_late, is_moving=due.is_moving)

    @property
    def _reader(self) -> Reader:
        """The reader of the notice, with the address to write to.

        Real mail goes to verified addresses only. The local mailbox reaches everybody.
        """
        container, due, player = self.context.container, self.due, self.due.recipient
        if due.reader is not None:
            return due.reader
        notice, address = due.notice, None
        if notice.recipient == GUEST:
            email = container.games.invitations.address(notice.subject)
            subscription = subscription_of(guest_reader(email or ""), notice.kind)
            wants = email is not None and container.mail_preferences.wanted(subscription)
            if wants:  # unless the inviting player, and one with this address, are apart
                owners = [owner.id for owner in container.players.owners(email or "")]
                hosts = container.games.load(notice.subject).players
                wants = not any(container.contact_choices.apart(host, owners) for host in hosts)
            address = Address("", email) if email else None
        else:
            subscription = subscription_of(notice.recipient, notice.kind)
            wants = due.wanted and due.choice.delivery_of(notice.subject) != "off"
            if player is not None and (player.verified or not self.context.mailer.needs_address):
                email = player.email or f"{player.id}@mailbox.invalid"
                address = Address(displayable(player.name), email)
        due.reader = Reader(address, subscription, wants)
        return due.reader


class DigestMail(ReaderMail):
    """The daily digest, which finishes the notices that it covers."""

    def decide(self) -> Decision:
        due = self.due
        chosen = Preferences(
            choice=due.choice,
            delivery="at_once",
            has_address=self._reader.address is not None,
            wants_mail=due.wanted,
            wants_digest=due.wanted,
            on_channels=bool(due.channels),
        )
        return decide(DIGEST, chosen, NoticeState(), self.context.container.now())

    def drop(self, drop: Drop) -> None:
        """Do nothing: what it would tell falls due by itself."""

    def send(self, decision: Send) -> DeliveryResult:
        """Send the digest if it has news."""
        context, due, player = self.context, self.due, self.due.notice.recipient
        waiting, sent = digest.waiting_notices(context, player), False
        if waiting.current:
            content, address = digest.digest(context, player, waiting), self._reader.address
            deferred = context.container.deferred_notices
            deferred.store_digest(player, due.notice.version, content.entries())
            outcomes.fan_out(context, due, by_mail=decision.by_mail)
            if address is not None and decision.by_mail and content.by_mail:
                subscription = Subscription(player, DIGEST)
                message = compose_for_reader(context, due.notice, address, content, subscription)
                context.mailer.send(message)
                for one in (due, *(one for one, _ in waiting.current if one.wanted)):
                    outcomes.record_mailed(context, one.notice, message)
                sent = True
        digest.finish(context, player, waiting)
        return (
            SENT
            if sent
            else DeliveryResult("dropped", "not-by-mail" if waiting.current else "nothing-new")
        )
