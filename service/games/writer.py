"""Writing a change in one append: events, notices, deadline and side state.

Each round repeats both players' calendars and any pause in progress in the log, so that its clock
can be read from the round's start.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Final, NamedTuple

import engine
from engine.commands import AdjustClock, Command
from service.core.errors import RequestRejected, check_version, key_reused, overtaken
from service.core.heartbeat import Outage, OutageLedger
from service.core.redis.batch import Batch
from service.core.redis.client import Client
from service.core.times import timestamp
from service.eventlog import (
    Appended,
    AppendResult,
    EventLog,
    FieldChange,
    IdempotencyKey,
    KeyReused,
    Notice,
    Removed,
    Repeated,
    SideStateConflict,
    VersionConflict,
)
from service.games import drafts as drafts
from service.games.calendar_store import CalendarStore
from service.games.clock.calendar import Calendar, Interval, clipped, union
from service.games.clock.state import ClockState, allowed, change_calendar, read_terms, restated
from service.games.drafts import (
    CLOCK,
    CompletedDraft,
    Draft,
    check_in_time,
    execute_orders,
    is_amid_turn,
    may_meet_orders,
)
from service.games.limits import check_room
from service.games.notices import (
    Reachability,
    ended_turn_notice,
    list_notice,
    notices_of,
    time_out_notice,
)
from service.games.projections.player_games import PlayerIndex, same_entries
from service.games.projections.ratings import Ratings
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame


def with_round_clock(completed: CompletedDraft, calendars: CalendarStore) -> CompletedDraft:
    """The draft, with the initial clock events of a round that it begins."""
    draft = completed.draft
    before, after = draft.before, draft.after.game
    is_same = after.round == (0 if before is None else before.game.round)
    if is_same or after.over or after.terms.get("clock") is None:
        return completed
    for command in _commands(draft, calendars):
        draft = draft.then(command, CLOCK)
    return replace(completed, draft=draft)


def _commands(draft: Draft, calendars: CalendarStore) -> list[engine.Command]:
    before, game = draft.before, draft.after.game
    if before is not None and before.game.status == "active":
        return [] if before.timing is None else [*restated(before.timing, int(draft.at))]
    terms = read_terms(game.terms["clock"])
    if not terms.has_calendar:
        return []
    by_player = calendars.of_players(draft.after.players)
    commands: list[engine.Command] = []
    for seat in engine.SEATS:
        calendar = allowed(terms, by_player.get(game.players[seat] or "", Calendar()))
        if calendar != Calendar():
            commands.append(change_calendar(seat, calendar))
    return commands


class ChangeFacts(NamedTuple):
    """The facts that a change depends on besides the game.

    `side_state` is the game's; `reached` maps a player to whether a notice reaches them; `earlier`
    holds the log lines of the current turn at `version`.
    """

    side_state: Mapping[str, str] = MappingProxyType({})
    earlier: Sequence[str] = ()
    version: int = 0
    reached: Mapping[str, bool] = MappingProxyType({})


class ChangeContext(NamedTuple):
    """The source and the conditions of a change.

    `via` is the way it came, as in the record; `expected` the versions that the caller accepts,
    None: any; `key` the caller's idempotency key, if any; `facts` were read along with the caller's
    token. `is_of_table`: the request depends only on the cards on the table, so later events that
    changed the clock alone do not make it stale.
    """

    via: str = "api"
    expected: Container[int] | None = None
    key: IdempotencyKey | None = None
    facts: ChangeFacts | None = None
    is_of_table: bool = False

    def check(self, stored: StoredGame) -> None:
        """Raise `RequestRejected`, `stale-version`, unless the game is at an expected version."""
        check_version(
            stored.version, self.expected, stored.clock_only_events if self.is_of_table else 0
        )


@dataclass(eq=False, repr=False)
class ChangeWriter:
    """Writes drafts to the log. `notice_delay` is in seconds, `now` gives unix seconds."""

    _redis: Client
    _log: EventLog
    _repository: GameRepository
    _index: PlayerIndex
    _ratings: Ratings
    _reachability: Reachability
    _outages: OutageLedger
    _calendars: CalendarStore
    _notice_delay: float
    _now: Callable[[], float]

    def ask_facts(self, batch: Batch, game_id: str) -> Callable[[], ChangeFacts]:
        """Add to the batch the queries for the facts of a change to this game.

        The cached game decides which facts are needed. The returned function gives them.
        """
        return self._ask_facts(batch, game_id, self._repository.cached(game_id))

    def draft(
        self, game_id: str, before: StoredGame | None, command: engine.Command, via: str
    ) -> Draft:
        """A draft of `command` at this moment.

        Raises as `service.games.drafts.draft` does. The draft first refunds outages that are
        missing in the game, and restarts the clock of a player who was not notified.
        """
        at = self._now()
        owed = [] if before is None else _owed(before, command, at, self._outages)
        if before is None or not owed:
            return drafts.draft(game_id, before, command, at, via)
        draft = _all(before, owed, at)
        check_in_time(draft.after, at, via)
        return draft.then(command, via)

    def write_all(
        self, stored: StoredGame, commands: Sequence[engine.Command]
    ) -> StoredGame | None:
        """Write these commands of the clock, and return the game after them.

        None if another write came first, or there is nothing to write.
        """
        if not commands:
            return None
        try:
            return self.write(_all(stored, commands, self._now()), None, ChangeContext(CLOCK))
        except RequestRejected:
            return None

    def write(
        self,
        draft: Draft,
        actor: str | None,
        context: ChangeContext,
        changes: Sequence[FieldChange] = (),
        notices: Sequence[Notice] = (),
    ) -> StoredGame:
        """Append the draft with the results of standing orders, and return the game after it.

        `actor` is the id of the player who makes the change, None for the server; `changes` to the
        side state and further `notices` are part of the same write. If the key of `context` was
        used before, returns the game after that first request. Raises `RequestRejected`:
        `stale-version` if another write or another change to the side state came first,
        `idempotency-key-reused`, `too-many-games`.
        """
        if actor is not None:
            check_room(self._index, actor, draft)
        facts = self._facts(draft, context.facts)
        while True:
            completed = execute_orders(draft, facts.side_state, facts.earlier)
            completed = with_round_clock(completed, self._calendars)
            due = [*self._notices(completed, actor, facts.reached), *notices]
            answer = self._append(completed, due, context.key, changes)
            if not isinstance(answer, SideStateConflict):
                return self._written(completed.draft, answer)
            if any(answer.actual.get(name, "") != before for name, before, _ in changes):
                raise overtaken(0 if draft.before is None else draft.before.version)
            # The orders have just changed: execute the new ones instead.
            facts = facts._replace(side_state=answer.actual)

    def notify_time_out(self, stored: StoredGame) -> bool:
        """Notify the opponent of the player to move that they can claim a win.

        Return False if the game has gone on. May be repeated: this does not check the deadline
        again.
        """
        notices = self._reachability.reachable([time_out_notice(stored, self._now())])
        return self._log.events.repair(stored.id, stored.version, notices=notices, deadline=None)

    def recall(self, game_id: str, key: IdempotencyKey | None) -> StoredGame | None:
        """Return the game after the first request under this key, or None if there was none.

        Raises `RequestRejected`, `idempotency-key-reused`, if that was another request.
        """
        answer = self._log.events.recall(game_id, key) if key else None
        return None if answer is None else self._repeated(game_id, answer)

    def _facts(self, draft: Draft, prefetched: ChangeFacts | None) -> ChangeFacts:
        """The facts for this draft, in one round trip unless they are `prefetched`.

        They are read whenever orders are possible, so that the response time does not reveal
        whether there are any.
        """
        before = draft.before
        if before is None or not may_meet_orders(draft):
            return ChangeFacts()
        if prefetched is not None and (
            prefetched.version == before.version or not is_amid_turn(before)
        ):
            return prefetched
        return self._ask_facts(Batch(self._redis), before.id, before)()

    def _ask_facts(
        self, batch: Batch, game_id: str, before: StoredGame | None
    ) -> Callable[[], ChangeFacts]:
        side_state = batch.ask(self._log.side_state.query(game_id))
        if before is None:
            return lambda: ChangeFacts(side_state.get())
        # A change is seldom told to the player to move, and then anybody sees why: the game is
        # over, or the turn has come back.
        told = [player for player in before.players if player != before.player_to_move()]
        reached = self._reachability.ask(batch, told)
        if not is_amid_turn(before):
            return lambda: ChangeFacts(side_state.get(), (), before.version, reached())
        earlier = batch.ask(
            self._log.events.events_query(game_id, before.turn_version, before.version)
        )
        return lambda: ChangeFacts(side_state.get(), earlier.get(), before.version, reached())

    def _append(
        self,
        completed: CompletedDraft,
        notices: Sequence[Notice],
        key: IdempotencyKey | None,
        changes: Sequence[FieldChange],
    ) -> AppendResult:
        before, after = completed.draft.before, completed.draft.after
        given = {change.field for change in changes}
        return self._log.events.append(
            after.id,
            0 if before is None else before.version,
            completed.draft.lines,
            head=None if before is None else before.head,
            notices=notices,
            deadline=after.deadline,
            key=key,
            obsolete=ended_turn_notice(completed.draft, self._notice_delay),
            side_state=[
                *(change for change in completed.side_state if change.field not in given),
                *changes,
            ],
        )

    def _notices(
        self, completed: CompletedDraft, actor: str | None, reached: Mapping[str, bool]
    ) -> list[Notice]:
        before, after = completed.draft.before, completed.draft.after
        notices = notices_of(completed, actor, self._now(), self._notice_delay)
        reachable = self._reachability.reachable(notices, reached)
        # If this process dies before it updates the lists, a notice must do that.
        if not reachable and not same_entries(before, after):
            return [list_notice(after, self._now())]
        return reachable

    def _written(self, draft: Draft, answer: AppendResult) -> StoredGame:
        match answer:
            case Appended():
                self._repository.keep(draft.after)
                if not same_entries(draft.before, draft.after):
                    self._project(draft.after)
                return draft.after
            case VersionConflict(_, version):
                raise overtaken(version)
            case Removed():
                raise self._repository.missing(draft.after.id)
            case Repeated() | KeyReused():
                return self._repeated(draft.after.id, answer)
            case SideStateConflict():
                raise AssertionError("`write` tries again")

    def _repeated(self, game_id: str, answer: Repeated | KeyReused) -> StoredGame:
        if isinstance(answer, KeyReused):
            raise key_reused()
        # The first request may have ended between writing the log and the index.
        self._project(self._repository.get(game_id))
        return self._repository.get(game_id, answer.version)

    def _project(self, stored: StoredGame) -> None:
        """Update the players' lists, and rate the game if it is over."""
        self._ratings.apply(stored, self._index.runs(stored))


def _all(before: StoredGame, commands: Sequence[engine.Command], at: float) -> Draft:
    """A draft of these clock commands, in this order."""
    first, *others = commands
    draft = drafts.draft(before.id, before, first, at, CLOCK)
    for other in others:
        draft = draft.then(other, CLOCK)
    return draft


def _owed(
    before: StoredGame, command: engine.Command, at: float, outages: OutageLedger
) -> list[engine.Command]:
    """The clock commands that a change at this moment must write first."""
    owed = give_back(_missing(before, at, outages))
    if isinstance(command, engine.TakeTurn) and command.seat == before.game.turn:
        owed += restart_turn(before, at)
    return owed


def _missing(before: StoredGame, at: float, outages: OutageLedger) -> list[Outage]:
    """The outages that a change at this moment must refund first.

    If each turn has its own time, they matter only once that time is up.
    """
    if not outages.recorded_outages or before.clock is None:
        return []
    if before.clock.terms.per_move is not None and not before.is_late(at):
        return []
    return missing_outages(before, outages.recorded_outages)


UNNOTIFIED: Final = "untold"


OUTAGE: Final = "outage"


def missing_outages(stored: StoredGame, outages: Iterable[Outage]) -> list[Outage]:
    """The outages that still have to be refunded to this game.

    They are not in its log yet, and touch the turn's time; with banks or a fixed end, the round's.
    """
    clock = stored.clock
    if clock is None or clock.turn is None:
        return []
    counting = _counting(clock)
    recorded = union(p.interval for p in clock.adjusted if p.reason == OUTAGE)
    return [outage for outage in outages if _adds(outage, counting, recorded)]


def restart_turn(stored: StoredGame, now: float) -> list[Command]:
    """The command that restarts a turn's time at `now`, if the player's flag is held."""
    seat, since, until = stored.game.turn, stored.turn_since, timestamp(now)
    if stored.untold_until is None or seat is None or since is None or until <= since:
        return []
    return [AdjustClock(seat, UNNOTIFIED, since, until)]


def give_back(outages: Iterable[Outage]) -> list[Command]:
    """The commands that refund outages to a game."""
    return [AdjustClock(None, OUTAGE, timestamp(begin), timestamp(end)) for begin, end in outages]


def _counting(clock: ClockState) -> Interval:
    """The interval in which an outage affects the present deadline or a later one."""
    since, end = clock.turn_since or 0, clock.time_out()
    if clock.terms.per_move is not None:
        return since, since if end is None else end
    return clock.round_since, since if end is None else end


def _adds(outage: Interval, counting: Interval, recorded: list[Interval]) -> bool:
    within = clipped([outage], *counting)
    return union(chain(within, clipped(recorded, *counting))) != union(clipped(recorded, *counting))
