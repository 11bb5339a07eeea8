"""Writing to the other player of a game, and reading their messages.

Only the two players see messages. Either can turn them off, for one game or for all; then neither
can write, and both see the reason.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import engine
from service.accounts.players import Players
from service.accounts.privacy import ContactChoices
from service.bots import bot_at
from service.core import ids
from service.core.errors import RequestRejected, key_reused
from service.core.redis.batch import Batch, execute_all
from service.core.redis.client import Client
from service.core.times import HOUR, MINUTE, timestamp, unix
from service.core.words import N_
from service.eventlog import IdempotencyKey, Notice, notice_id
from service.eventlog.results import report_repeat
from service.games import permissions
from service.games.conversation_store import (
    MOST_MESSAGES,
    OPEN_AFTER_END,
    ConversationState,
    ConversationStore,
    GameMessage,
    NewMessage,
    UsedKey,
    clean_text,
)
from service.games.moderation import MessageWishes, Moderation, muted_refusal
from service.games.notices import Reachability
from service.games.projections.feed_log import Announcement, PlayerNews
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame
from service.mail.budget import ACCOUNT, GAME, MailBudget

NOTICE: Final = "message"
"""The kind of notices about new messages."""
SETTLE: Final = 3 * MINUTE
"""Seconds from a message until its notice is due: the notice includes messages that follow."""
PAUSE: Final = HOUR
"""Minimum seconds between two notices of one conversation to one player."""


_BY_ONESELF: Final = N_("You have turned messages off in this game.")
_BY_OPPONENT: Final = N_("The other player takes no messages.")


class ConversationPage(NamedTuple):
    """A page of a conversation, the newest message first, for the player in `seat`.

    `before` is the number that requests the next, older page, None if there is none. `refusal` says
    why the player cannot write; `unread` counts the other player's messages that this one has not
    read.
    """

    seat: engine.Seat
    messages: list[GameMessage]
    before: int | None
    state: ConversationState
    refusal: RequestRejected | None

    @property
    def unread(self) -> int:
        """The number of unread messages of the other player."""
        return self.state.unread[self.seat]

    @property
    def is_off(self) -> bool:
        """Whether this player has turned messages off in this game."""
        return self.state.off[self.seat]

    @property
    def is_off_by_opponent(self) -> bool:
        """Whether the other player takes no messages from this one."""
        return self.refusal is not None and self.refusal.members.get("by") == "opponent"

    def is_new(self, message: GameMessage) -> bool:
        """Whether the player has not read this message yet."""
        return message.by != self.seat and message.number > self.state.seen[self.seat]


@dataclass(eq=False, repr=False)
class Conversations:
    """The conversations of all games. `now` gives unix seconds.

    Raises `RequestRejected` for anyone but the players: `not-a-player`, `game-not-found`.
    """

    _redis: Client
    _repository: GameRepository
    _players: Players
    _contact: ContactChoices
    _reachability: Reachability
    _budget: MailBudget
    _now: Callable[[], float]
    store: ConversationStore
    news: PlayerNews
    wishes: MessageWishes
    moderation: Moderation

    # Writing

    def write(
        self, game_id: str, player: str, text: str, via: str, key: IdempotencyKey | None = None
    ) -> GameMessage:
        """Write to the other player. Repeating a request under its key writes one message.

        Raises `RequestRejected`: `bad-message`, `too-many-messages`, `idempotency-key-reused`, and
        any result of `refusal`.
        """
        stored = self._repository.get(game_id)
        seat = permissions.own_seat(stored, player)
        named = ids.digest(key.key if key else secrets.token_urlsafe(16))
        fingerprint = ids.digest(key.fingerprint) if key else named
        if key and (used := self.store.find_key(game_id, named, fingerprint)) is not None:
            return self._repeated(game_id, used)
        cleaned = clean_text(text)
        if (refusal := self.refusal(stored, player)) is not None:
            raise refusal
        self._spend("message", named, player, game_id)
        now, notice = self._now(), self._notice(stored, engine.OTHER[seat])
        new = NewMessage(
            seat, timestamp(now), via, cleaned, named, fingerprint, now, notice, SETTLE, PAUSE
        )
        tag, what = self.store.write(game_id, new)
        if tag == "off":
            raise _off(*((_BY_ONESELF, "you") if what == seat else (_BY_OPPONENT, "opponent")))
        if tag != "said":
            return self._repeated(game_id, UsedKey(tag, int(what)))
        self.news.publish(stored.players, player, Announcement("message", game_id, str(what)))
        return GameMessage(int(what), seat, new.at, via, cleaned)

    def check(self, game_id: str, player: str, text: str) -> None:
        """Raise what `write` would raise, apart from limits, and write nothing."""
        stored = self._repository.get(game_id)
        permissions.own_seat(stored, player)
        clean_text(text)
        if (refusal := self.refusal(stored, player)) is not None:
            raise refusal

    def refusal(self, stored: StoredGame, player: str) -> RequestRejected | None:
        """The reason why this player cannot write now: `no-reader`, `game-over` (long over),
        `muted` or `messages-off`; None if they can."""
        seat, batch = permissions.own_seat(stored, player), Batch(self._redis)
        state = batch.ask(self.store.state_query(stored.id))
        refusal = self._ask_refusal(batch, stored, seat)
        return refusal(state.get())

    def _ask_refusal(
        self, batch: Batch, stored: StoredGame, seat: engine.Seat
    ) -> Callable[[ConversationState], RequestRejected | None]:
        """Add to the batch the queries that `refusal` needs for the player in this seat. The
        returned function gives the refusal."""
        player, other = (stored.game.players[each] or "" for each in (seat, engine.OTHER[seat]))
        reader = batch.ask(self._players.find_query(other))
        is_muted = batch.ask(self.moderation.is_muted_query(player))
        is_off = batch.ask(self.wishes.is_off_query(player))
        is_off_of_other = batch.ask(self.wishes.is_off_query(other))
        are_apart = self._contact.ask_apart(batch, player, other)

        def refusal(state: ConversationState) -> RequestRejected | None:
            if not other or bot_at(other) is not None:
                why = N_("Bots do not talk.") if other else N_("The other seat is still free.")
                return _no_reader(why)
            if stored.ended is not None and unix(stored.ended) + OPEN_AFTER_END < self._now():
                return RequestRejected("game-over", "This game ended too long ago to write in it.")
            if reader.get() is None:
                return _no_reader(N_("The other player has deleted their account."))
            if is_muted.get():
                return muted_refusal()
            if is_off.get():
                return _off(N_("You have turned messages off, for all your games."), "you")
            if is_off_of_other.get() or state.off[engine.OTHER[seat]] or are_apart():
                return _off(_BY_OPPONENT, "opponent")
            return _off(_BY_ONESELF, "you") if state.off[seat] else None

        return refusal

    # Reading

    def page(
        self, stored: StoredGame, player: str, before: int | None = None, limit: int = 20
    ) -> ConversationPage:
        """Return the messages of a game before the number `before`; the latest if it is None."""
        seat = permissions.own_seat(stored, player)
        state, batch = self.store.state(stored.id), Batch(self._redis)
        page = self.ask_page(batch, stored, seat, state, before, limit)
        return page()

    def ask_page(
        self,
        batch: Batch,
        stored: StoredGame,
        seat: engine.Seat,
        state: ConversationState,
        before: int | None = None,
        limit: int = 20,
    ) -> Callable[[], ConversationPage]:
        """Add to the batch the query for the messages before this number, None: the latest. The
        returned function gives their page to the player in this seat."""
        last = state.last if before is None else min(before - 1, state.last)
        oldest = max(1, state.last - MOST_MESSAGES + 1)
        first = max(oldest, last - limit + 1)
        messages = self.store.ask_messages(batch, stored.id, first, last)
        refusal = self._ask_refusal(batch, stored, seat)
        following = first if first > oldest else None
        return lambda: ConversationPage(seat, messages(), following, state, refusal(state))

    def ask_shut_out(
        self, batch: Batch, game_id: str, seat: engine.Seat, player: str
    ) -> Callable[[], bool]:
        """Add to the batch the queries for whether the player in `seat` takes no messages in this
        game."""
        is_off = batch.ask(self.wishes.is_off_query(player))
        state = batch.ask(self.store.state_query(game_id))
        return lambda: is_off.get() or state.get().off[seat]

    def new_to(self, stored: StoredGame, seat: engine.Seat, since: int) -> list[GameMessage]:
        """The unread messages, from number `since` on, for the player in this seat, in order.

        Empty if they have turned messages off, or the writer is muted or blocked.
        """
        reader, writer = (stored.game.players[each] or "" for each in (seat, engine.OTHER[seat]))
        batch = Batch(self._redis)
        asked = batch.ask(self.store.state_query(stored.id))
        is_off = batch.ask(self.wishes.is_off_query(reader))
        is_muted = batch.ask(self.moderation.is_muted_query(writer))
        are_apart = self._contact.ask_apart(batch, reader, writer)
        state = asked.get()
        if state.off[seat] or is_off.get() or is_muted.get() or are_apart():
            return []
        first = max(since, state.seen[seat] + 1)
        messages = self.store.messages(stored.id, first, state.last)
        return [message for message in reversed(messages) if message.by != seat]

    def numbered(self, game_id: str, number: int) -> GameMessage | None:
        """The message with this number; None if it is gone."""
        return next(iter(self.store.messages(game_id, number, number)), None)

    def of_other(self, game_id: str, player: str, number: int) -> GameMessage:
        """The other player's message with this number.

        Raises `RequestRejected`: `message-not-found`.
        """
        seat = permissions.own_seat(self._repository.get(game_id), player)
        messages = self.store.messages(game_id, number, number)
        if not messages or messages[0].by == seat:
            raise RequestRejected("message-not-found", "The other player wrote no such message.")
        return messages[0]

    def unread(self, seats: Mapping[str, engine.Seat]) -> dict[str, int]:
        """The number of unread messages by game; games without any are left out. One round trip.

        `seats` gives the player's seat in each game.
        """
        queries = [self.store.unread_query(*pair) for pair in seats.items()]
        counts = execute_all(self._redis, queries)
        return {game: count for game, count in zip(seats, counts, strict=True) if count}

    def latest(self, game_id: str, number: int) -> list[GameMessage]:
        """The last messages of a game, at most this number, the newest first."""
        last = self.store.state(game_id).last
        return self.store.messages(game_id, last - number + 1, last)

    def all_of(self, game_id: str) -> list[GameMessage]:
        """Every message of a game, in order."""
        return self.store.messages(game_id, 1, self.store.state(game_id).last)[::-1]

    def mark_read(self, game_id: str, player: str, number: int) -> None:
        """Mark the messages up to this one as read by the player."""
        seat = permissions.own_seat(self._repository.get(game_id), player)
        self.store.mark_read(game_id, seat, number)

    # Choosing, reporting

    def set_off(self, game_id: str, player: str, *, off: bool) -> None:
        """Turn messages off in this game, or on again."""
        stored = self._repository.get(game_id)
        if self.store.set_off(game_id, permissions.own_seat(stored, player), off=off):
            self.news.publish(stored.players, player, None)

    def is_off(self, game_id: str, seat: engine.Seat) -> bool:
        """Whether the player in this seat has turned messages off in this game."""
        return self.store.state(game_id).off[seat]

    def report(self, game_id: str, player: str, number: int, reason: str) -> None:
        """Report a message of the other player to the operator.

        Raises `RequestRejected`: `message-not-found`, `too-many-messages`.
        """
        message = self.of_other(game_id, player, number)
        author = self._repository.get(game_id).game.players[message.by]
        assert author is not None, "the writer of a message sits in the game"
        self._spend("report", f"{game_id}.{number}", player, game_id)
        self.moderation.report(game_id, message, player, author, reason)

    def forget(self, game: StoredGame, player: str) -> None:
        """Delete this player's messages in a game."""
        if (seat := game.seat_of(player)) is not None:
            self.store.forget(game.id, seat)
            self.news.publish((other for other in game.players if other != player), player, None)

    def forget_player(self, player: str) -> None:
        """Delete the data of this player that are stored outside the games."""
        self.news.forget(player)
        self.moderation.unmute(player)

    # Helpers

    def _notice(self, stored: StoredGame, to: engine.Seat) -> tuple[str, str] | None:
        """The parts of a notice's id before and after the message's number; None if no notice
        reaches the reader."""
        recipient = stored.game.players[to]
        assert recipient is not None, "who reads it was looked for before"
        whole = notice_id(stored.id, 1, recipient, "mail", NOTICE)
        if not self._reachability.reachable([Notice(whole, self._now())]):
            return None
        before, _, after = whole.partition(".1.")
        return f"{before}.", f".{after}"

    def _repeated(self, game_id: str, used: UsedKey) -> GameMessage:
        """The message that an earlier request under the same key wrote."""
        messages = self.store.messages(game_id, used.number, used.number)
        if used.tag == "reused" or not messages:
            raise key_reused()
        report_repeat()
        return messages[0]

    def _spend(self, kind: str, about: str, player: str, game_id: str) -> None:
        try:
            self._budget.spend(kind, about, **{ACCOUNT: player, GAME: f"{game_id} {player}"})
        except RequestRejected as over:
            seconds = over.members["retry_after"]
            raise RequestRejected(
                "too-many-messages",
                "You have written too many messages. Try again in %(minutes)s minutes.",
                {"minutes": -(-seconds // 60)},
                retry_after=seconds,
                used_up=True,
            ) from None


def _off(message: str, by: str) -> RequestRejected:
    return RequestRejected("messages-off", message, by=by)


def _no_reader(detail: str) -> RequestRejected:
    return RequestRejected("no-reader", detail)
