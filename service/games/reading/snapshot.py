"""One reader's snapshot of a game, with the reader's own data about it, read in two batches.

The first batch needs only the ids of game and player; it can be sent with the query for the
reader's session. The second reads what depends on the first: names, messages, other games.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, Generic, TypeVar

from engine import OTHER, Seat
from engine.chain import StoredEvent
from engine.events import Resigned, RoundEnded, TimedOut
from service.accounts.channels.store import has_channels_query
from service.accounts.links import Ask
from service.accounts.mail_preferences import MailPreferences
from service.accounts.players import Players
from service.accounts.privacy import Presence, Presences
from service.core.redis.batch import Batch, Pending, Query, execute
from service.core.redis.client import Client
from service.core.times import unix
from service.games.agreements import Offer, open_offer, was_declined
from service.games.analysis import NONE, Analysis
from service.games.conversations import ConversationPage
from service.games.drafts import ABANDONMENT, PAUSE, Orders, read_orders
from service.games.page_signs import PageSigns, Whereabouts
from service.games.projections.ratings import PlayerRating
from service.games.rating import Rated, is_decided
from service.games.reading import views
from service.games.reading.history import last_turn, round_lines
from service.games.reading.waiting import Waiting
from service.games.repository import LONGEST_ROUND, RecentEvents
from service.games.service import Games
from service.games.stored_game import StoredGame
from service.text.board import seat_names

T = TypeVar("T")
MESSAGES_AT_ONCE: Final = 20
"""The number of latest messages in a snapshot."""


_ENDS: Final = (Resigned.TYPE, TimedOut.TYPE, RoundEnded.TYPE)


class Fact(Generic[T]):
    """A fact about a player and a game, by its query: asked along with its object's others, and
    parsed when it is first wanted."""

    def __init__(self, query: Callable[["GameSnapshots", str, str], Query[T]]) -> None:
        self.query = query

    def __set_name__(self, owner: "type[BesideGame]", name: str) -> None:
        self._name = name
        owner.facts[name] = self

    def __get__(self, instance: "BesideGame", owner: type) -> T:
        fact: T = instance.asked[self._name].get()
        return fact


class BesideGame:
    """A player's own data about a game, which are not in its log: orders, offers, messages, a note.

    Everything except `waiting`, which is what else waits for the player, applies only to a player
    who sits in the game. `said` is the number of signals to the player's pages (`PlayerNews`).
    `other_games`: the number of games that the player has, or had, besides this one, counted up to
    `lists.SOME`. `account` and `has_channels` tell how notices can reach the player. `opponent` is
    the other player's presence, as far as they let it be seen, and None unless the game
    `shows_presence`; `page_sign` is what the other player's open pages tell.
    """

    facts: ClassVar[dict[str, Fact[Any]]] = {}

    side_state = Fact(lambda parts, player, game: parts.games.log.side_state.query(game))
    state = Fact(lambda parts, player, game: parts.games.conversations.store.state_query(game))
    note = Fact(lambda parts, player, game: parts.games.private_notes.query(player, game))
    said = Fact(lambda parts, player, game: parts.games.conversations.news.count_query(player))
    other_games = Fact(lambda parts, player, game: parts.games.lists.others_query(player, game))
    account = Fact(lambda parts, player, game: parts.players.find_query(player))
    has_channels = Fact(lambda parts, player, game: has_channels_query(player))
    mail = Fact(lambda parts, player, game: parts.preferences.choice_query(player, game))

    conversation: ConversationPage | None = None
    rematch: StoredGame | None = None
    declined_rematch: bool = False
    waiting: Waiting = Waiting([], 0)
    opponent: Presence | None = None
    page_sign: Whereabouts | None = None

    def __init__(self, parts: "GameSnapshots", batch: Batch, player: str, game: str) -> None:
        self.asked: dict[str, Pending[Any]] = {
            name: batch.ask(fact.query(parts, player, game)) for name, fact in self.facts.items()
        }
        self.begun_waiting = parts.games.waiting_for.begin(batch, player)


@dataclass(frozen=True, kw_only=True)
class GameSnapshot:
    """A game for one reader at the moment `now` (unix seconds), optionally at an earlier step.

    `shown` is the game at the step, `latest` without one; `rated` is the effect of its end on the
    ratings; `opponent` is the rating of the reader's opponent, or inviter, before and after a game.
    `recent` are the last lines of the log, `before` those up to `shown`, and `after` those that
    follow it. `beside` has the reader's own data about the game: None at a step, and for readers
    who are not signed in. `invite_url` is the link that one of the players may send;
    `holds_invite`: the reader came by it.
    """

    reader: str | None
    latest: StoredGame
    shown: StoredGame
    rated: Rated | None
    opponent: PlayerRating | None
    names: Mapping[str, str]
    recent: Sequence[str]
    before: Sequence[str]
    after: Sequence[str]
    beside: BesideGame | None
    invite_url: str | None
    holds_invite: bool
    now: float
    analysis: Analysis = NONE

    @cached_property
    def lines(self) -> list[StoredEvent]:
        """The lines of the round of `shown`, as the reader may see them."""
        return round_lines(self.latest, self.reader, self.before, self.after)

    @cached_property
    def end_before(self) -> list[StoredEvent]:
        """The lines by which the round before ended, as far as they are among the last."""
        if (self.latest.game.round or 1) < 2:
            return []
        first = self.lines[0]["seq"]
        lines = views.redacted(self.latest, self.reader, self.recent)
        return [line for line in lines if line["seq"] < first and line["type"] in _ENDS]

    @cached_property
    def last_turn(self) -> int | None:
        """The number of the last event of the reader's own last turn."""
        return last_turn(self.latest, self.reader, self.recent)

    @property
    def seat(self) -> Seat | None:
        """The reader's own seat; None for a spectator."""
        return self.latest.seat_of(self.reader)

    @property
    def of_player(self) -> BesideGame | None:
        """The reader's own data about the game, if the reader plays in it; None otherwise."""
        return self.beside if self.seat is not None else None

    @property
    def orders(self) -> Orders:
        """The reader's standing orders; empty ones for anyone but a player."""
        beside, seat = self.of_player, self.seat
        return read_orders(beside.side_state.get(seat, "") if beside and seat else "")

    @property
    def abandonment(self) -> Offer | None:
        """The open offer to abandon the game; None without one, and for anyone but a player."""
        return self._open_offer(ABANDONMENT)

    @property
    def pause(self) -> Offer | None:
        """The open offer to pause the clock; None without one, and for anyone but a player."""
        return self._open_offer(PAUSE)

    @property
    def declined_end(self) -> bool:
        """Whether the other player has declined to abandon the game since the reader's turn."""
        return self._was_declined(ABANDONMENT)

    @property
    def declined_pause(self) -> bool:
        """Whether the other player has declined to pause the clock since the reader's turn."""
        return self._was_declined(PAUSE)

    def _was_declined(self, kind: str) -> bool:
        beside, seat = self.of_player, self.seat
        if beside is None or seat is None or self.latest.game.over:
            return False
        ends = (line["at"] for line in self.lines if line["seq"] == self.last_turn)
        since = next(ends, None)
        return was_declined(kind, beside.side_state, seat, unix(since) if since else 0)

    def _open_offer(self, kind: str) -> Offer | None:
        beside = self.of_player
        return open_offer(kind, self.latest, beside.side_state, self.now) if beside else None

    @property
    def waiting(self) -> list[str]:
        """The ids of the reader's other games that wait for a turn."""
        return [game.id for game in self.beside.waiting.turns] if self.beside else []

    @property
    def turns(self) -> int:
        """The number of games that wait for the reader's turn; nobody waits for a daily deal."""
        mover = None if self.latest.daily else self.latest.player_to_move()
        return len(self.waiting) + (mover is not None and mover == self.reader)

    @property
    def asks(self) -> int:
        """The number of invitations and challenges, apart from this game, to answer."""
        return self.beside.waiting.asks if self.beside else 0

    @property
    def seat_names(self) -> dict[str, str]:
        return seat_names(self.latest.game.players, self.names)

    def view(self, stored: StoredGame, reader: str | None) -> views.GameShown:
        """The view of the game at a step, or with an unsent turn, as this reader may see it."""
        return views.game_view(stored, reader, self.names, self.rated)


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunSnapshot:
    """The first batch: the game with its last lines, those around a step, and the own data of the
    player who may turn out to be the reader."""

    game_id: str
    at: int | None
    recent: Pending[RecentEvents | None]
    before: Pending[list[str]] | None
    after: Pending[list[str]] | None
    beside: BesideGame | None


@dataclass(eq=False, repr=False)
class GameSnapshots:
    """Reads snapshots. Raises what `Games.read` raises."""

    redis: Client
    games: Games
    players: Players
    preferences: MailPreferences
    presences: Presences
    page_signs: PageSigns

    def read(
        self, game_id: str, reader: str | None, at: int | None = None, invite: str | None = None
    ) -> GameSnapshot:
        """The game, at a step or as it is now, for a reader whose session was checked before."""
        return self.finish(self._begin(Batch(self.redis), game_id, reader, at), reader, invite)

    def asking(self, game_id: str, at: int | None = None) -> Ask[BegunSnapshot]:
        """The first queries of a snapshot, to send with the session's; `finish` completes it."""
        return lambda batch, player: self._begin(batch, game_id, player, at)

    def _begin(
        self, batch: Batch, game_id: str, player: str | None, at: int | None
    ) -> BegunSnapshot:
        repository, events = self.games.repository, self.games.log.events
        own = player is not None and at is None
        return BegunSnapshot(
            game_id=game_id,
            at=at,
            recent=batch.ask(repository.recent_query(game_id)),
            before=batch.ask(repository.before_query(game_id, at)) if at else None,
            after=batch.ask(events.events_query(game_id, at, at + LONGEST_ROUND)) if at else None,
            beside=BesideGame(self, batch, player, game_id) if player and own else None,
        )

    def finish(
        self, begun: BegunSnapshot, reader: str | None, invite: str | None = None
    ) -> GameSnapshot:
        """The snapshot for this reader: the player whom the session named, or None."""
        games, recent = self.games, begun.recent.get()
        if recent is None:
            raise games.repository.missing(begun.game_id)
        latest = games.shown(recent.stored, reader, invite)
        while latest.version != recent.stored.version:  # its clock has just changed it
            recent = execute(self.redis, games.repository.recent_query(latest.id)) or recent
            latest = recent.stored
        shown, before, after = latest, recent.lines, list[str]()
        if begun.before and begun.after and begun.at:
            shown = games.repository.at(latest, begun.at, begun.before.get)
            before, after = begun.before.get(), begun.after.get()
        batch, beside = Batch(self.redis), begun.beside if reader else None
        names = self.players.ask_names(batch, views.people_in(latest))
        rated = batch.ask(games.ratings.rated_query(latest.id)) if is_decided(latest) else None
        others = [player for player in latest.players if player != reader]
        has_rating = len(others) == 1 and latest.game.status in ("open", "finished")
        ratings = games.ratings.ask_all(batch, others, reader) if has_rating else None
        analysis = games.analyses.read(batch, latest) if latest.was_played else None
        if reader is not None and beside is not None:
            self._read_rest(batch, latest, reader, beside)
        is_mine = reader is not None and reader in latest.players
        return GameSnapshot(
            reader=reader,
            latest=latest,
            shown=shown,
            rated=rated.get() if rated else None,
            opponent=ratings()[others[0]] if ratings else None,
            names=names(),
            recent=recent.lines,
            before=before,
            after=after,
            beside=beside,
            invite_url=games.invitations.url(latest.id) if is_mine else None,
            holds_invite=games.invitations.is_valid(latest.id, invite),
            now=games.now(),
            analysis=analysis() if analysis else NONE,
        )

    def _read_rest(self, batch: Batch, latest: StoredGame, reader: str, beside: BesideGame) -> None:
        """Read what depends on the game, along with what was asked before."""
        games, seat = self.games, latest.seat_of(reader)
        waiting = games.waiting_for.ask(batch, reader, beside.begun_waiting, latest.id)
        page = presence = sign = rematch = declined = None
        if seat is not None and not latest.has_bot and len(latest.players) == 2:
            talks, opponent = games.conversations, latest.game.players[OTHER[seat]] or ""
            page = talks.ask_page(batch, latest, seat, beside.state, limit=MESSAGES_AT_ONCE)
            if latest.shows_presence(games.now()):
                presence = self.presences.ask(batch, opponent)
                sign = batch.ask(self.page_signs.query(latest.id, opponent))
        if seat is not None and latest.game.status == "finished":
            rematch = batch.ask(games.rematches.first_query(latest))
            declined = batch.ask(games.rematches.declined_query(latest.id, reader))
        beside.waiting = waiting()
        if rematch:
            beside.rematch = games.rematches.current_after(latest, rematch.get())
            beside.declined_rematch = declined is not None and declined.get()
        if page:
            beside.conversation = page()
            if presence and sign and not beside.conversation.is_off_by_opponent:
                beside.opponent, beside.page_sign = presence(), sign.get()
