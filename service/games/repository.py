"""A game as read from its log, and a repository that caches the games read last."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import engine
from engine import chain
from engine.clock_events import ClockPaused, ClockResumed, TimeGiven
from engine.event_codec import encode
from engine.events import TURN_BEGINS, PlayerJoined, RoundStarted
from service.bots import bot_at
from service.core import cost, ids
from service.core.cache import ThreadSafeCache, recently_used
from service.core.durations import DAY
from service.core.errors import RequestRejected
from service.core.redis.batch import Query
from service.core.timestamps import timestamp, unix
from service.eventlog import EventStore, UnreadableLog
from service.games.clock.folding import CLOCK_EVENTS, follow, plain
from service.games.clock.state import ClockState
from service.games.clock.wanted import kept_until
from service.games.rounds import follows_another, round_start

INVITATION_DAYS = 14
"""The default number of days that a game waits for its second player."""
LONGEST_ROUND: Final = 400
"""The number of last lines of a log that surely include a round: few have half as many."""
_SEATED: Final = 2
"""The events before the first round: making the game and joining it."""


class StoredGame(NamedTuple):
    """A game at one version, with data from its log beyond the rules. Never changed in place.

    `head` is the last hash of the chain. `turn_since` is the moment at which the player to move got
    the turn, None while nobody has it, and `turn_version` the version after it; `started` the
    moment at which the second player sat down; `latest` that of the last event. An `imported` game
    was taken in as a record.

    `retimed` is the version after the last event that began or ended an agreed pause, or gave time.
    `timing` is the folded state of the clock: see `clock`. The last `clock_only_events` events
    changed the clock alone, and nothing on the table.
    """

    id: str
    game: engine.Game
    head: str
    created: str
    turn_since: str | None
    turn_version: int = 0
    latest: str = ""
    started: str | None = None
    ended: str | None = None
    imported: bool = False
    timing: ClockState | None = None
    clock_only_events: int = 0
    retimed: int = 0

    @property
    def version(self) -> int:
        """The number of events in the log."""
        return self.game.version

    @property
    def timed_version(self) -> int:
        """The version since which the turn has had its present time, outages aside.

        The ids of notices about that time name it.
        """
        return max(self.turn_version, self.retimed)

    @property
    def players(self) -> list[str]:
        """The ids of the seated players, north first."""
        seated = (self.game.players["north"], self.game.players["south"])
        return [player for player in seated if player is not None]

    @property
    def invited(self) -> str | None:
        """The id of the player for whom the free seat is reserved; None if there is none."""
        invited: str | None = self.game.terms.get("invited")
        return invited

    @property
    def private(self) -> bool:
        """Whether only the players may see this game."""
        return bool(self.game.terms.get("private"))

    @property
    def listed(self) -> bool:
        """Whether anyone may take the free seat."""
        return bool(self.game.terms.get("listed"))

    @property
    def clock(self) -> ClockState | None:
        """The clock of the players, None without one."""
        agreed = self.game.terms.get("clock")
        if self.timing is not None or agreed is None:
            return self.timing
        since = None if self.turn_since is None else unix(self.turn_since)
        return plain(agreed, self.game.turn, since)

    @property
    def deadline(self) -> int | None:
        """When the time of the player to move, or the wait for a second player, ends.

        In unix seconds; None without such a moment.
        """
        clock = self.game.terms.get("clock")
        if self.game.status == "open":
            days: int = self.game.terms.get("invitation_days", INVITATION_DAYS)
            return kept_until(clock, unix(self.created) + days * DAY)
        if clock is None or self.turn_since is None:
            return None
        if self.timing is not None:
            return self.timing.deadline()
        return unix(self.turn_since) + int(clock["days_per_move"]) * DAY

    @property
    def must_be_claimed(self) -> bool:
        """Whether the round ends on time only if the opponent claims it."""
        clock, turn = self.game.terms.get("clock"), self.game.turn
        if clock is None or turn is None or clock.get("time_out") != "claim":
            return False
        return bot_at(self.game.players[engine.OTHER[turn]]) is None  # a bot claims at once

    def is_overdue(self, now: float) -> bool:
        """Whether the deadline has passed, `now` being in unix seconds."""
        deadline = self.deadline
        return deadline is not None and deadline <= now

    def is_late(self, now: float) -> bool:
        """Whether the deadline has passed and nobody has to claim that: only the clock may change
        the game."""
        return self.is_overdue(now) and not self.must_be_claimed

    @property
    def deadline_text(self) -> str | None:
        """When the player to move runs out of time, as an RFC 3339 moment; None without a clock."""
        if self.game.turn is None or (deadline := self.deadline) is None:
            return None
        return timestamp(deadline)

    @property
    def untold_until(self) -> str | None:
        """The moment (RFC 3339) until which the game waits for a player who was not notified.

        None unless the time of the player to move is up and they were not notified of their turn.
        """
        held = None if self.timing is None else self.timing.held
        return None if held is None else timestamp(held)

    @property
    def waits_until(self) -> str | None:
        """The moment (RFC 3339) until which an open game waits for its second player; None
        otherwise."""
        if self.deadline is None or self.game.status != "open":
            return None
        return timestamp(self.deadline)

    def stands_as_at(self, version: int) -> bool:
        """Whether at most the clock has changed since this version."""
        return self.version - self.clock_only_events <= version <= self.version

    def seat_of(self, player: str | None) -> engine.Seat | None:
        """The seat of this player, None for everybody else."""
        for seat, sitting in self.game.players.items():
            if sitting is not None and sitting == player:
                return seat
        return None

    def player_to_move(self) -> str | None:
        """The id of the player whose turn it is."""
        return None if self.game.turn is None else self.game.players[self.game.turn]


def fold(game_id: str, before: StoredGame | None, texts: Sequence[str]) -> StoredGame | None:
    """The game after these lines of its log; `before` is the game before them, None: at the
    start."""
    cost.spend(len(texts))
    stored = before
    with _legible(game_id):
        for text in texts:
            stored = _after(game_id, stored, json.loads(text))
    return stored


@contextmanager
def _legible(game_id: str) -> Iterator[None]:
    """Raise `UnreadableLog` for every error that a damaged log causes inside.

    One such game must not block work on a player's other games.
    """
    try:
        yield
    except engine.UnknownEvent:
        raise
    except _DAMAGE as error:
        raise UnreadableLog(f"The log of game {game_id} is damaged: {error!r}.") from error


def changed(
    game_id: str, before: StoredGame | None, command: engine.Command, at: float, via: str
) -> tuple[StoredGame, list[engine.Event], list[str]]:
    """The game after `command`, and its events, also as lines of the log.

    If the clock was set back, events get the moment of the one before them. Raises
    `engine.RuleBroken`.
    """
    moment = max(timestamp(at), before.latest if before else "")
    game, events = engine.advance(before.game if before else None, command)
    after, previous = (before.version, before.head) if before else (0, chain.NO_HASH)
    encoded = map(encode, events)
    links = list(
        chain.links(encoded, after=after, at=moment, via=via, secret=game.secret, previous=previous)
    )
    stored = _stored(game_id, before, game, links[-1].hash, moment, events)
    return stored, events, [link.text for link in links]


def _after(game_id: str, before: StoredGame | None, line: chain.StoredEvent) -> StoredGame:
    event = chain.to_event(line)
    game = engine.evolve(before.game if before else None, event)
    return _stored(game_id, before, game, line["hash"], line["at"], [event])


def _stored(
    game_id: str,
    before: StoredGame | None,
    game: engine.Game,
    head: str,
    at: str,
    events: Iterable[engine.Event],
) -> StoredGame:
    """The game after these events, which all have the moment `at`."""
    known = before or StoredGame(game_id, game, head, created=at, turn_since=None)
    since, started, turn_version = known.turn_since, known.started, known.turn_version
    timing, clock_only_events, retimed = known.timing, known.clock_only_events, known.retimed
    for version, event in enumerate(events, before.version + 1 if before else 1):
        if isinstance(event, TURN_BEGINS):
            since, turn_version = at, version
        if isinstance(event, PlayerJoined):
            started = at
        is_clock_event = isinstance(event, CLOCK_EVENTS)
        clock_only_events = clock_only_events + 1 if is_clock_event else 0
        if isinstance(event, ClockPaused | ClockResumed | TimeGiven):
            retimed = version
        if timing is not None or is_clock_event or isinstance(event, RoundStarted):
            timing = follow(timing, game, event, unix(at), unix(since or at))
    return known._replace(
        game=game,
        head=head,
        latest=at,
        turn_since=since if game.turn else None,
        turn_version=turn_version,
        started=started,
        ended=at if game.over else None,
        imported=game.over and game_id == imported_id(head),
        timing=timing,
        clock_only_events=clock_only_events,
        retimed=retimed,
    )


def imported_id(head: str) -> str:
    """The id for an imported game with this last hash. No game played here has it."""
    return ids.game_id(bytes.fromhex(head))


Unreadable = engine.UnknownEvent | UnreadableLog
_DAMAGE: Final = (
    *(LookupError, TypeError, ValueError, AttributeError, ArithmeticError, OSError),
    *(AssertionError, RecursionError),
)
"""The errors that folding raises for lines that no version of this program wrote."""


class RecentEvents(NamedTuple):
    """The current game, and the last lines of its log, oldest first."""

    stored: StoredGame
    lines: list[str]


class GameRepository:
    """Games by id. Caches the recent ones in this process, so that only the log's tail is read."""

    def __init__(self, events: EventStore, size: int = 1000) -> None:
        self._events = events
        self._recent: ThreadSafeCache[str, StoredGame] = recently_used(size)

    def cached(self, game_id: str) -> StoredGame | None:
        """The cached game, None without one; its log may have gone on."""
        return self._recent.get(game_id)

    def latest(self, game_id: str) -> StoredGame | None:
        """The current game, None if there is no such game."""
        return self._events.execute(self.game_query(game_id))

    def latest_of(self, game_ids: Iterable[str]) -> dict[str, StoredGame | Unreadable | None]:
        """These games by id, read in one round trip; an unreadable one gives its error."""
        ids = [*game_ids]
        return dict(zip(ids, self._events.execute_all(map(self.listed_query, ids)), strict=True))

    def listed_query(self, game_id: str) -> Query[StoredGame | Unreadable | None]:
        """The query for one of many games: a log that cannot be read gives its error."""
        query = self.game_query(game_id)

        def parse(reply: Any) -> StoredGame | Unreadable | None:
            try:
                return query.parse(reply)
            except (engine.UnknownEvent, UnreadableLog) as error:
                return error

        return Query(query.command, parse)

    def game_query(self, game_id: str) -> Query[StoredGame | None]:
        """The query of `latest`: for the lines that are not cached."""
        known = self._recent.get(game_id)
        if known is None:
            return self._events.last_events_query(game_id, LONGEST_ROUND).then(
                lambda texts: self._kept(self._folded(game_id, texts))
            )
        if known.game.over:
            # The log may be compacted: expanding it for its last line would cost too much.
            version = self._events.version_query(game_id)
            return version.then(lambda now: known if now == known.version else self._anew(game_id))
        tail = self._events.events_query(game_id, after=known.version - 1)
        return tail.then(lambda texts: self._continued(known, texts))

    def recent_query(self, game_id: str) -> Query[RecentEvents | None]:
        """The query for the game and the last lines of its log, `LONGEST_ROUND` at most.

        Its result is None for a game that does not exist.
        """

        def parse(texts: list[str]) -> RecentEvents | None:
            stored = self._after_last(game_id, texts)
            return None if stored is None else RecentEvents(stored, texts)

        return self._events.last_events_query(game_id, LONGEST_ROUND).then(parse)

    def _after_last(self, game_id: str, texts: list[str]) -> StoredGame | None:
        """The game after these last lines of its log, starting from the cached game."""
        known = self._recent.get(game_id)
        if known is not None and texts:
            with _legible(game_id):
                first: int = json.loads(texts[0])["seq"]
            if first <= known.version < first + len(texts):
                return self._continued(known, texts[known.version - first :])
        return self._kept(self._folded(game_id, texts))

    def _continued(self, known: StoredGame, texts: list[str]) -> StoredGame | None:
        """The game after these lines, the first of which is the last line of the game `known`.

        A failover of Redis may lose the last events of a game, and others may take their place.
        """
        last, *tail = texts or [""]
        if f'"hash":"{known.head}"' not in last:
            return self._anew(known.id)
        return self._kept(fold(known.id, known, tail)) if tail else known

    def _anew(self, game_id: str) -> StoredGame | None:
        self._recent.drop(game_id)
        texts = self._events.execute(self._events.last_events_query(game_id, LONGEST_ROUND))
        return self._kept(self._folded(game_id, texts))

    def _folded(self, game_id: str, texts: list[str]) -> StoredGame | None:
        with _legible(game_id):
            return self._from_end(game_id, texts)

    def _from_end(self, game_id: str, texts: list[str]) -> StoredGame | None:
        """The game after these last lines of its log.

        Of a match, only its making and the round of the last line are read.
        """
        if not texts or json.loads(texts[0])["seq"] == 1:
            return fold(game_id, None, texts)
        start = round_start(texts)
        if start is None or not follows_another(texts, start):
            upto = json.loads(texts[-1])["seq"]
            return fold(game_id, None, self._events.read(game_id, upto=upto))
        made = fold(game_id, None, self._events.read(game_id, upto=_SEATED))
        assert made is not None, "the log has a beginning"
        ended: chain.StoredEvent = json.loads(texts[start - 1])
        game = engine.between_rounds(made.game, chain.to_event(ended), ended["seq"])
        before = made._replace(game=game, head=ended["hash"], latest=ended["at"], turn_since=None)
        return fold(game_id, before, texts[start:])

    def _kept(self, game: StoredGame | None) -> StoredGame | None:
        if game is not None:
            self.keep(game)
        return game

    def get(self, game_id: str, version: int | None = None) -> StoredGame:
        """The current game, or the game after event `version`.

        Raises `RequestRejected`: `game-not-found`, `version-not-found`.
        """
        latest = self.latest(game_id)
        if latest is None:
            raise RequestRejected("game-not-found", "There is no game with this id.")
        if version is None:
            return latest
        query = self.before_query(game_id, version)
        return self.at(latest, version, lambda: self._events.execute(query))

    def before_query(self, game_id: str, version: int) -> Query[list[str]]:
        """The query for the lines up to this version, `LONGEST_ROUND` at most."""
        return self._events.last_events_query(game_id, LONGEST_ROUND, version)

    def at(self, latest: StoredGame, version: int, before: Callable[[], list[str]]) -> StoredGame:
        """The game after event `version`; `before` gives the result of `before_query`.

        Raises `RequestRejected`: `version-not-found`.
        """
        if version == latest.version:
            return latest
        if version > latest.version:
            raise RequestRejected("version-not-found", f"The game has no event {version} yet.")
        game = self._folded(latest.id, before())
        assert game is not None, "an event is never taken back"
        return game._replace(imported=latest.imported)

    def keep(self, game: StoredGame) -> None:
        """Cache a game that was just read or written."""
        self._recent.put(game.id, game)
