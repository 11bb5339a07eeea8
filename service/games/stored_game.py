"""A game with the data of its log: folded from lines, or changed by a command."""

import json
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import engine
from engine import chain
from engine.chain import encode
from engine.clock_events import ClockPaused, ClockResumed, TimeGiven
from engine.events import (
    CLOCK_EVENTS,
    TURN_BEGINS,
    GameEnded,
    PlayerJoined,
    RoundEnded,
    RoundStarted,
)
from service.bots import Bot, bot_at
from service.core import ids
from service.core.times import DAY, timestamp, unix
from service.eventlog import UnreadableLog, legible
from service.games.clock.folding import follow, plain
from service.games.clock.state import ClockState, reserved_until
from service.games.terms import DealDay, GameTerms, PracticeOf, read_game_terms

INVITATION_DAYS = 14
"""The default number of days that a game waits for its second player."""
PRACTICE_LIFE: Final = 7 * DAY
"""Seconds after its last move until a practice game is removed, finished or not."""
SOLITARY_LIFE: Final = 60 * DAY
"""Seconds after its last move until another game of one person without a clock counts as left."""
_RESULTS: Final = (RoundEnded, GameEnded, *CLOCK_EVENTS)
"""Events that no act is: they follow from one, or change the clock alone."""


class StoredGame(NamedTuple):
    """A game at one version, with data from its log beyond the rules. Never changed in place.

    `head` is the last hash of the chain. `turn_since` is the moment at which the player to move got
    the turn, None while nobody has it, and `turn_version` the version after it; `started` the
    moment at which the second player sat down; `latest` that of the last event. An `imported` game
    was taken in as a record.

    `retimed` is the version after the last event that began or ended an agreed pause, or gave time.
    `timing` is the folded state of the clock: see `clock`. The last `clock_only_events` events
    changed the clock alone, and nothing on the table. `actor` made the last change on the table:
    None for the clock, a standing order, and whoever deals.

    A `sealed` game has the deal of a day that lasts: nobody but its player may see it, and nothing
    hidden opens at its end. `GameRepository` breaks the seal once the day is over.
    """

    id: str
    game: engine.Game
    head: str
    created: str
    turn_since: str | None
    terms: GameTerms = GameTerms()
    turn_version: int = 0
    latest: str = ""
    started: str | None = None
    ended: str | None = None
    imported: bool = False
    timing: ClockState | None = None
    clock_only_events: int = 0
    retimed: int = 0
    actor: engine.Seat | None = None
    sealed: bool = False

    @property
    def version(self) -> int:
        """The number of events in the log."""
        return self.game.version

    @property
    def timed_version(self) -> int:
        """The version since which the turn has had its present time limit, outages aside. The ids
        of notices about the time limit contain it."""
        return max(self.turn_version, self.retimed)

    @property
    def players(self) -> list[str]:
        """The ids of the seated players, north first."""
        seated = (self.game.players["north"], self.game.players["south"])
        return [player for player in seated if player is not None]

    @property
    def invited(self) -> str | None:
        """The id of the player for whom the free seat is reserved; None if there is none."""
        return self.terms.invited

    @property
    def private(self) -> bool:
        """Whether only the players may see this game."""
        return self.terms.private

    @property
    def listed(self) -> bool:
        """Whether anyone may take the free seat, and find the game afterwards."""
        return self.terms.listed

    @property
    def practice(self) -> PracticeOf | None:
        """The origin of a practice game, None for a real one."""
        return self.terms.practice

    @property
    def daily(self) -> DealDay | None:
        """The day whose deal this game has, None for all but deals of the day."""
        return self.terms.daily

    @property
    def bot(self) -> Bot | None:
        """The server's bot that plays in this game, if any."""
        return next(filter(None, map(bot_at, self.players)), None)

    @property
    def has_bot(self) -> bool:
        return self.bot is not None

    @property
    def is_real(self) -> bool:
        """Whether this is a game for its own sake: no practice, and no deal of the day."""
        return self.practice is None and self.daily is None

    @property
    def is_open_to_all(self) -> bool:
        """Whether the game is over, and its secret and every card may be seen."""
        return self.game.over and not self.sealed

    @property
    def was_played(self) -> bool:
        """Whether the game is over and both players had sat down: then every card of it may be
        seen."""
        return self.is_open_to_all and self.started is not None

    @property
    def ended_by(self) -> str | None:
        """The id of the player whose act, such as a claim or a resignation, ended the game; None if
        none did: time ran out, both agreed, or a standing order acted."""
        is_own_act = self.game.status == "finished" and self.game.reason != "agreement"
        return self.game.players[self.actor] if is_own_act and self.actor else None

    @property
    def clock(self) -> ClockState | None:
        """The clock of the players, None without one."""
        agreed = self.terms.clock
        if self.timing is not None or agreed is None:
            return self.timing
        since = None if self.turn_since is None else unix(self.turn_since)
        return plain(agreed, self.game.turn, since)

    @property
    def deadline(self) -> int | None:
        """The moment when the time of the player to move, or the wait for a second player, ends. In
        unix seconds; None without such a moment."""
        clock = self.terms.clock
        if self.game.status == "open":
            days = self.terms.invitation_days or INVITATION_DAYS
            return reserved_until(clock, unix(self.created) + days * DAY)
        if clock is None or self.turn_since is None:
            return None
        if self.timing is not None:
            return self.timing.deadline()
        return unix(self.turn_since) + clock["days_per_move"] * DAY

    @property
    def left_at(self) -> int | None:
        """The moment (unix seconds) when this game counts as left by its only person, unless they
        play on; None with a clock, without a bot of this server, and once it is over, unless it is
        a practice game that was played here."""
        people = [player for player in self.players if bot_at(player) is None]
        can_be_left = self.game.status == "active" or (self.practice and not self.imported)
        if not can_be_left or self.terms.clock is not None or len(people) != 1:
            return None
        return unix(self.latest) + (PRACTICE_LIFE if self.practice else SOLITARY_LIFE)

    def shows_presence(self, now: float) -> bool:
        """Whether its players see each other's presence there: while it is played, and for a day
        after it, in which they talk about it and ask for a rematch. `now` is in unix seconds."""
        return self.game.status == "active" or (
            self.ended is not None and now < unix(self.ended) + DAY
        )

    @property
    def must_be_claimed(self) -> bool:
        """Whether the round ends on time only if the opponent claims it."""
        clock, turn = self.terms.clock, self.game.turn
        if clock is None or turn is None or clock.get("time_out") != "claim":
            return False
        return bot_at(self.game.players[engine.OTHER[turn]]) is None  # a bot claims at once

    def unsealed_at(self, now: float) -> "StoredGame":
        """The same game, without its seal if its day is over `now` (unix seconds)."""
        if not self.sealed or self.daily is None or now < self.daily.ends:
            return self
        return self._replace(sealed=False)

    def is_overdue(self, now: float) -> bool:
        """Whether the deadline has passed, `now` being in unix seconds."""
        deadline = self.deadline
        return deadline is not None and deadline <= now

    def is_late(self, now: float) -> bool:
        """Whether the deadline has passed and the win need not be claimed: only the clock may
        change the game."""
        return self.is_overdue(now) and not self.must_be_claimed

    @property
    def deadline_text(self) -> str | None:
        """The moment (RFC 3339) when the player to move runs out of time; None without a clock."""
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
        """The id of the player whose turn it is; None while nobody has the turn."""
        return None if self.game.turn is None else self.game.players[self.game.turn]


def fold(game_id: str, before: StoredGame | None, texts: Sequence[str]) -> StoredGame | None:
    """The game after these lines of its log; `before` is the game before them, None: at the
    start."""
    stored = before
    with legible(f"game {game_id}"):
        for text in texts:
            line = json.loads(text)
            event = chain.to_event(line)
            game = engine.evolve(stored.game if stored else None, event)
            stored = _stored(game_id, stored, game, line["hash"], line["at"], [event], line["via"])
    return stored


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
    stored = _stored(game_id, before, game, links[-1].hash, moment, events, via)
    return stored, events, [link.text for link in links]


def _stored(
    game_id: str,
    before: StoredGame | None,
    game: engine.Game,
    head: str,
    at: str,
    events: Iterable[engine.Event],
    via: str,
) -> StoredGame:
    """The game after these events, which all have the moment `at` and came about by `via`."""
    terms = read_game_terms(game.terms) if before is None else before.terms
    previous = before or StoredGame(
        game_id, game, head, at, None, terms, sealed=terms.daily is not None
    )
    since, started, turn_version = previous.turn_since, previous.started, previous.turn_version
    timing, clock_only_events, retimed, actor = (
        previous.timing,
        previous.clock_only_events,
        previous.retimed,
        previous.actor,
    )
    for version, event in enumerate(events, before.version + 1 if before else 1):
        if isinstance(event, TURN_BEGINS):
            since, turn_version = at, version
        if isinstance(event, PlayerJoined):
            started = at
        if not isinstance(event, _RESULTS):
            actor = None if via == "order" else event.by
        is_clock_event = isinstance(event, CLOCK_EVENTS)
        clock_only_events = clock_only_events + 1 if is_clock_event else 0
        if isinstance(event, ClockPaused | ClockResumed | TimeGiven):
            retimed = version
        if timing is not None or is_clock_event or isinstance(event, RoundStarted):
            timing = follow(timing, game, event, unix(at), unix(since or at))
    return previous._replace(
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
        actor=actor,
    ).unsealed_at(unix(at))


def imported_id(head: str) -> str:
    """The id for an imported game with this last hash. No game played here has it."""
    return ids.game_id(bytes.fromhex(head))


Unreadable = engine.UnknownEvent | UnreadableLog
