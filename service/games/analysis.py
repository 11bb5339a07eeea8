"""The analyses of games: a projection of their logs, weighed again if it is lost.

A notice on the transport `log` makes a worker weigh some turns, and is due again until all are
weighed, so a worker that dies loses only its current turn. Who comes first in the line is finished
first.

st:{analyses}:line    sorted set: notice → when it was asked for (unix seconds), or `BEHIND` after
                      the last other one of the same player or network address; 0 once it is begun
st:{analyses}:askers  hash: notice → the player who asked, and a digest of their network address

st:{BUCKET}:g:GAME:analysis    hash: method, the version of the method; of, the number of turns to
                               weigh, once a worker has counted them; and for each weighed turn
                               its number → its worth (JSON)

The line is in no backup: a notice without a place goes to its end when it is delivered. An analysis
expires 60 days after it was requested.

Each player has a balance: one number for the turns, one for the draws. Neither is called skill: ten
games say little, and one says nothing.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any, Final, Literal, NamedTuple, cast

from engine import SEATS, Seat, chain
from service.bots.analysis import Estimate, PlayedTurn, WeighedTurn, turns_of
from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.batch import Batch, Query, execute
from service.core.redis.client import Client, Lua
from service.core.times import DAY, HOUR
from service.eventlog import EventLog, Notice, notice_id
from service.eventlog.keys import analysis_key
from service.games.permissions import sealed
from service.games.stored_game import StoredGame

BEHIND: Final = HOUR
"""Seconds by which further analyses of a player or an address are put behind what others ask
for."""
_LINE: Final = "st:{analyses}:line"
_ASKERS: Final = "st:{analyses}:askers"


@dataclass(eq=False, repr=False)
class AnalysisLine:
    """The line, of notices that make a worker weigh turns. `now` gives unix seconds."""

    _redis: Client
    _now: Callable[[], float]

    def enter(self, notice: str) -> bool:
        """Put a notice at the end of the line, unless it is there. Return whether it was not."""
        return bool(self._redis.zadd(_LINE, {notice: self._now()}, nx=True))

    def ask(self, notice: str, player: str, address: str) -> bool:
        """Put a notice into the line for a player at this network address ('' if unknown), or at an
        earlier place, as if nobody had asked before. Return whether it has a new place."""
        asker = f"{player} {ids.digest(address)[:16] if address else ''}"
        places = dict(
            cast(list[tuple[str, float]], self._redis.zrange(_LINE, 0, -1, withscores=True))
        )
        place = now = self._now()
        for other, its_asker in cast(dict[str, str], self._redis.hgetall(_ASKERS)).items():
            if other != notice and {*asker.split()} & {*its_asker.split()}:
                place = max(place, max(places.get(other, 0), now) + BEHIND)
        if not self._redis.zadd(_LINE, {notice: place}, lt=True, ch=True):
            return False
        self._redis.hset(_ASKERS, notice, asker)
        return True

    def begin(self, notice: str) -> None:
        """Let nobody overtake this notice any more."""
        self._redis.zadd(_LINE, {notice: 0}, xx=True)

    def leave(self, notice: str) -> bool:
        """Take a notice out of the line. Return whether it was there."""
        self._redis.hdel(_ASKERS, notice)
        return bool(self._redis.zrem(_LINE, notice))

    def first(self, count: int) -> list[str]:
        """Return the first notices, this many at most."""
        return cast(list[str], self._redis.zrange(_LINE, 0, count - 1))

    def ahead(self, notice: str) -> int:
        """Return how many are before a notice."""
        return execute(self._redis, self.ahead_query(notice)) or 0

    def ahead_query(self, notice: str) -> Query[int | None]:
        """The query for how many are before a notice; None if it is not in the line."""

        def parse(reply: int | None) -> int | None:
            return reply

        return Query(("ZRANK", _LINE, notice), parse)


METHOD: Final = "4"
"""The version of the method. Analyses by another version are made anew."""
LIFE: Final = 60 * DAY

Status = Literal["none", "queued", "running", "done"]


@dataclass(frozen=True, slots=True)
class Analysis:
    """An analysis and its progress: `of` is the number of turns to weigh, None until they are
    counted. `turns` are those weighed so far, in their order. `ahead` is the number of analyses
    before this one in the line, None unless it is queued there."""

    status: Status
    of: int | None = None
    turns: tuple[WeighedTurn, ...] = ()
    ahead: int | None = None


NONE: Final = Analysis("none")


@dataclass(eq=False, repr=False)
class AnalysisStore:
    """The analyses of all games. Every call may be repeated."""

    _note = Lua(__file__, "note_turn")

    _redis: Client

    def query(self, game_id: str) -> Query[Analysis]:
        return Query(("HGETALL", analysis_key(game_id)), _read)

    def begin(self, game_id: str) -> None:
        """Create an empty analysis, unless one by this method exists."""
        key = analysis_key(game_id)
        if self._redis.hget(key, "method") != METHOD:
            pipeline = self._redis.pipeline(transaction=False)
            pipeline.unlink(key)
            pipeline.hset(key, "method", METHOD)
            pipeline.expire(key, LIFE)
            pipeline.execute()

    def count(self, game_id: str, turns: int) -> bool:
        """Store how many turns there are to weigh. Return False if the analysis is no longer
        wanted."""
        return self._write(game_id, "of", str(turns))

    def store_turn(self, game_id: str, number: int, turn: str) -> bool:
        """Store the worth of a turn (JSON). Return False if the analysis is no longer wanted."""
        return self._write(game_id, str(number), turn)

    def weighed(self, game_id: str) -> set[int]:
        """The numbers of the turns that are weighed."""
        names = execute(self._redis, Query(("HKEYS", analysis_key(game_id)), list[str]))
        return {int(name) for name in names if name.isdecimal()}

    def forget(self, game_id: str) -> None:
        self._redis.unlink(analysis_key(game_id))

    def _write(self, game_id: str, field: str, value: str) -> bool:
        return bool(self._note(keys=[analysis_key(game_id)], args=[METHOD, field, value]))


def _read(held: Mapping[str, Any]) -> Analysis:
    if held.get("method") != METHOD:
        return NONE
    numbers = sorted(int(name) for name in held if name.isdecimal())
    turns = tuple(WeighedTurn.from_data(json.loads(held[str(number)])) for number in numbers)
    if "of" not in held:
        return Analysis("queued")
    of = int(held["of"])
    return Analysis("done" if len(turns) >= of else "running", of, turns)


ANALYSIS: Final = "analysis"
"""The kind of notice that makes a worker weigh turns."""
MOST_TURNS: Final = 600
"""The most turns that are weighed of a match: about a dozen rounds."""
_MOST_EVENTS: Final = 6 * MOST_TURNS


@dataclass(eq=False, repr=False)
class Analyses:
    """The analyses of all games. `now` gives unix seconds."""

    _redis: Client
    _log: EventLog
    _now: Callable[[], float]
    store: AnalysisStore
    line: AnalysisLine

    def of(self, stored: StoredGame) -> Analysis:
        """Return the analysis of this game.

        Raises `RequestRejected`, `game-not-over`, unless the game was played to its end.
        """
        if not stored.game.over:
            raise RequestRejected("game-not-over", "A game is analysed once it is over.")
        if stored.sealed:
            raise sealed()
        if not stored.was_played:
            raise RequestRejected("game-not-over", "This game was cancelled before it began.")
        return self.read(Batch(self._redis), stored)()

    def read(self, batch: Batch, stored: StoredGame) -> Callable[[], Analysis]:
        """Read the analysis of this game in a batch. Return what gives it afterwards."""
        analysis = batch.ask(self.store.query(stored.id))
        ahead = batch.ask(self.line.ahead_query(_notice(stored)))

        def get() -> Analysis:
            found = analysis.get()
            return replace(found, ahead=ahead.get()) if found.status == "queued" else found

        return get

    def ask(self, stored: StoredGame, player: str, address: str = "") -> Analysis:
        """Request an analysis of this game, which all readers share, for a player at this network
        address ('' if unknown). May be repeated; raises as `of`. Further ones of a player or an
        address wait behind the first ones of others."""
        analysis = self.of(stored)
        if analysis.status == "done":
            return analysis
        self.store.begin(stored.id)
        notice, now = _notice(stored), self._now()
        self._log.outbox.add(Notice(notice, now))
        if self.line.ask(notice, player, address):
            self._log.outbox.postpone(notice, now)  # it may have failed, and wait for a new try
        return self.of(stored)

    def turns(self, stored: StoredGame) -> Iterator[PlayedTurn]:
        """Return the turns of this game that are weighed: at most `MOST_TURNS`.

        Those that a practice game copies are left out: others played them, in the game it is from.
        """
        texts = self._log.events.read(stored.id, upto=min(stored.version, _MOST_EVENTS))
        events = (chain.to_event(json.loads(text)) for text in texts)
        copied = 0 if stored.practice is None else stored.practice.turn - 1
        return islice(turns_of(events), copied, copied + MOST_TURNS)


def _notice(stored: StoredGame) -> str:
    return notice_id(stored.id, stored.version, "server", "log", ANALYSIS)


_MOST: Final = 3
"""The plays and draws that mattered most in a game, whoever made them."""


class Balance(NamedTuple):
    """A player's mean loss per turn, and the sum of their luck in draws.

    `loss` is None if no turn was compared, `luck` if no draw was weighed; `turns` and `draws` are
    the numbers of those that were.
    """

    turns: int
    loss: Estimate | None
    draws: int
    luck: Estimate | None


class KeyMoment(NamedTuple):
    """A play or a draw that mattered. `worth` is the change for its player: below 0 for a loss."""

    what: Literal["play", "draw"]
    turn: WeighedTurn
    worth: Estimate


class TurningPoint(NamedTuple):
    """The largest fall of a player's chance that was not made up for in the round: the turns that
    the chance was judged after, and its change, below 0."""

    before: WeighedTurn
    after: WeighedTurn
    change: Estimate


class LateClaim(NamedTuple):
    """A Stone that a player could have claimed by proof after the play of event `seq`."""

    seat: Seat
    stone: int
    seq: int


def balances(turns: Sequence[WeighedTurn]) -> dict[Seat, Balance]:
    return {seat: _balance([turn for turn in turns if turn.seat == seat]) for seat in SEATS}


def key_moments(turns: Iterable[WeighedTurn]) -> list[KeyMoment]:
    """The plays and draws that mattered most, and each player's worst play, in their order: only
    those beyond their error."""
    candidates = [
        KeyMoment("play", turn, _less(turn.loss))
        for turn in turns
        if turn.loss is not None and turn.loss.value > 0
    ]
    candidates += [KeyMoment("draw", turn, turn.luck) for turn in turns if turn.luck is not None]
    certain = [each for each in candidates if each.worth.is_certain]
    certain.sort(key=lambda each: -abs(each.worth.value))
    plays = {each.turn.seat: each for each in reversed(certain) if each.what == "play"}
    found = [each for at, each in enumerate(certain) if at < _MOST or each in plays.values()]
    return sorted(found, key=lambda each: (each.turn.seq, each.what == "draw"))


def turning_point(turns: Sequence[WeighedTurn]) -> TurningPoint | None:
    """The turning point, None if no fall is beyond its error."""
    falls: list[TurningPoint] = []
    for part in {(turn.round, turn.seat) for turn in turns}:
        own = [turn for turn in turns if (turn.round, turn.seat) == part]
        for place, (one, other) in enumerate(pairwise(own), 1):
            if all(turn.chance.value < one.chance.value for turn in own[place:]):
                falls.append(TurningPoint(one, other, _sum([other.chance, _less(one.chance)])))
    certain = [fall for fall in falls if fall.change.is_certain]
    return min(certain, key=lambda fall: (fall.change.value, fall.after.seq), default=None)


def late_claims(turns: Iterable[WeighedTurn]) -> list[LateClaim]:
    """The first moment at which each claim could have been made that came later or never."""
    claims: dict[tuple[int, Seat, int], LateClaim] = {}
    for turn in turns:
        for stone in turn.missed:
            claim = LateClaim(turn.seat, stone, turn.seq)
            claims.setdefault((turn.round, turn.seat, stone), claim)
    return [*claims.values()]


def analysis_data(analysis: Analysis) -> dict[str, object]:
    return {
        "status": analysis.status,
        "weighed": len(analysis.turns),
        "of": analysis.of,
        "ahead": analysis.ahead,
        **{
            seat: {
                "loss": balance.loss and balance.loss.to_data(),
                "luck": balance.luck and balance.luck.to_data(),
            }
            for seat, balance in balances(analysis.turns).items()
        },
        "turns": [turn.to_data() for turn in analysis.turns],
    }


def _balance(turns: Sequence[WeighedTurn]) -> Balance:
    losses = [turn.loss for turn in turns if turn.loss is not None]
    lucks = [turn.luck for turn in turns if turn.luck is not None]
    total = _sum(losses)
    mean = losses and Estimate(total.value / len(losses), total.error / len(losses))
    return Balance(len(losses), mean or None, len(lucks), _sum(lucks) if lucks else None)


def _less(estimate: Estimate) -> Estimate:
    return Estimate(-estimate.value, estimate.error)


def _sum(estimates: Iterable[Estimate]) -> Estimate:
    each = [*estimates]
    return Estimate(
        math.fsum(one.value for one in each), math.sqrt(math.fsum(one.error**2 for one in each))
    )
