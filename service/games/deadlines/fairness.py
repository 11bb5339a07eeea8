"""Fairness before a loss on time: outages are refunded, and the player must be aware of the turn,
by a notice that arrived or by a visit.

The game's own log records which outages were refunded and whether the flag is held. So after a
crash the next process completes the rest.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final

from engine import Seat
from engine.commands import AdjustClock, Command, HoldFlag, TimeOut
from service.accounts.channels.deliveries import DeliveryLedger
from service.accounts.players import Players
from service.bots import bot_at
from service.core.durations import DAY
from service.core.outage_ledger import Outage, OutageLedger
from service.core.redis.batch import execute_all
from service.core.redis.client import Client
from service.core.timestamps import timestamp, unix
from service.eventlog import EventLog, notice_id
from service.games.calendars.calendars import AutomaticVacations
from service.games.clock.calendar import Interval, clipped, union
from service.games.clock.state import ClockState, change_calendar
from service.games.clock.terms import allowed
from service.games.stored_game import StoredGame

MOST_VERSIONS = 50
"""The most versions after a turn's beginning to check for its notice: few turns have more than
one."""
_MAIL = "mail"


@dataclass(eq=False, repr=False)
class TurnAwareness:
    """Checks whether notices of turns have reached their players."""

    _redis: Client
    _log: EventLog
    _players: Players
    _ledger: DeliveryLedger

    def is_aware(self, stored: StoredGame, by: float) -> bool:
        """Whether the player to move counts as notified.

        They do if a notice has arrived on any channel; if they have visited, with a browser or
        program, between the turn's beginning and the moment `by`; or if they want no notices or
        have given no address or channel. They do not count while the notice waits, after every
        channel gave up, or if the address fails.
        """
        player = stored.player_to_move()
        if player is None or bot_at(player) is not None:
            return True
        return self._has_come(stored, player, by) or self._has_arrived(stored, player)

    def _has_come(self, stored: StoredGame, player: str, by: float) -> bool:
        used = self._players.last_use(player)
        if used is None or stored.turn_since is None:
            return False
        has_come = unix(stored.turn_since) < used <= by
        if has_come and stored.must_be_claimed:
            # They may visit again until the win is claimed, and only the last visit is stored.
            self._ledger.record_visit(player, stored.id, stored.turn_version)
        return has_come

    def _has_arrived(self, stored: StoredGame, player: str) -> bool:
        turn = self._ledger.of_turn(player, stored.id, stored.turn_version, turn_begun(stored))
        if turn.reached.keys() == {_MAIL} and self._address_fails(player):
            return False
        return turn.is_notified or not (turn.channels or self._waits(stored, player))

    def _address_fails(self, player: str) -> bool:
        account = self._players.find(player)
        return account is not None and self._players.mail_fails(account)

    def _waits(self, stored: StoredGame, player: str) -> bool:
        """Whether the notice, which the turn's append added, is still in the outbox."""
        first = stored.turn_version
        versions = range(first, min(stored.version, first + MOST_VERSIONS) + 1)
        notices = [notice_id(stored.id, one, player, _MAIL, "turn") for one in versions]
        queries = [self._log.outbox.pending_query(notice) for notice in notices]
        waiting = execute_all(self._redis, queries)
        return any(waiting)


def turn_begun(stored: StoredGame) -> int:
    """The moment when the player to move got the turn, in unix seconds; 0 while nobody has it."""
    return 0 if stored.turn_since is None else unix(stored.turn_since)


OUTAGE: Final = "outage"
UNNOTIFIED: Final = "untold"
VACATION: Final = "vacation"


@dataclass(eq=False, repr=False)
class Fairness:
    """Decides which commands to write when a player's time is up.

    A player who was not notified keeps the game for `untold_limit` more days. Time refunded for
    that reason in this round counts towards them; otherwise players could break their own channel
    to gain time for ever. `now` gives unix seconds.
    """

    _outages: OutageLedger
    _awareness: TurnAwareness
    _vacations: AutomaticVacations
    _untold_limit: int
    _now: Callable[[], float]

    def when_time_is_up(self, stored: StoredGame, *, is_acting: bool = False) -> list[Command]:
        """Return the commands to write: the time-out alone, or the steps that come before it.

        Empty while the server is out of order; but if somebody `is_acting`, even an ongoing outage
        is refunded.
        """
        liveness = self._outages.liveness()
        outages = [*liveness.outages]
        if is_acting and liveness.ongoing_outage is not None:
            outages.append(liveness.ongoing_outage)
        if missing := missing_outages(stored, outages):
            return give_back(missing)
        return self._of_player(stored) if liveness.fresh else []

    def release(self, stored: StoredGame, *, came: bool = False) -> list[Command]:
        """Return the commands that release a held flag: the player's time begins now.

        Empty if no flag is held, or if the player was not notified by now and has not come
        (`came`).
        """
        now = self._now()
        commands = restart_turn(stored, now)
        return commands if commands and (came or self._awareness.is_aware(stored, now)) else []

    def _of_player(self, stored: StoredGame) -> list[Command]:
        clock, seat = stored.clock, stored.game.turn
        assert clock is not None, "somebody's time is up"
        assert seat is not None, "somebody's time is up"
        out = clock.time_out()
        if clock.held is not None:
            return self.release(stored) or self._time_out(stored, seat, clock)
        left = self._untold_limit * DAY - clock.side(seat).waited
        if out is None or left <= 0 or self._awareness.is_aware(stored, out):
            return self._time_out(stored, seat, clock)
        return [HoldFlag(seat, timestamp(self._now() + left))]

    def _time_out(self, stored: StoredGame, seat: Seat, clock: ClockState) -> list[Command]:
        """The time-out, or the automatic vacation that begins instead.

        Only the part of the vacation that has passed is refunded. The rest is in the calendar,
        which its player may still change.
        """
        player, out, now = stored.game.players[seat], clock.time_out(), self._now()
        if clock.terms.vacations and player is not None and out is not None:
            begun = self._vacations.begin(player, out - 1)  # while a second is left
            if begun is not None:
                since, calendar = begun
                gone = AdjustClock(seat, VACATION, timestamp(since), timestamp(now))
                heeded = allowed(clock.terms, calendar)
                return [gone, change_calendar(seat, heeded, next_turn=True)]
        return [TimeOut(seat)]


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
