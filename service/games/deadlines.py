"""Deadlines take effect at the first look: by a worker, the late player, or a reader.

A change after the deadline is never drafted (`draft`). Whoever first sees a passed deadline writes
its result: the end of the wait for a second player, the time-out, or a step that comes before a
loss on time. For outages are refunded, and the player must be aware of the turn, by a notice that
arrived or by a visit. The log records which outages were refunded and whether the flag is held, so
after a crash the next process completes the rest.

The server's outages are refunded to all games with running clocks: one event per game and outage.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import engine
from engine import Seat
from engine.commands import AdjustClock, Command, HoldFlag, TimeOut
from service.accounts.channels.deliveries import DeliveryLedger
from service.accounts.players import Players
from service.accounts.tokens import Tokens
from service.bots import bot_at
from service.core.errors import STORE_FAILURE, RequestRejected
from service.core.heartbeat import Outage, OutageLedger
from service.core.redis.batch import execute_all
from service.core.redis.client import Client
from service.core.redis.failures import report
from service.core.times import DAY, timestamp, unix
from service.eventlog import EventLog, notice_id
from service.eventlog.due_set import DeadlineSet
from service.games.calendar_store import AutomaticVacations
from service.games.clock.state import ClockState, allowed, change_calendar
from service.games.drafts import DeadlinePassed
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame
from service.games.writer import ChangeWriter, give_back, missing_outages, restart_turn

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
    _tokens: Tokens
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
        used = self._tokens.last_use(player)
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


_log = logging.getLogger(__name__)
_ATTEMPTS: Final = 5


@dataclass(eq=False, repr=False)
class Deadlines:
    """The deadlines of all games. `now` gives unix seconds."""

    _repository: GameRepository
    _writer: ChangeWriter
    _fairness: Fairness
    _now: Callable[[], float]

    def current(self, game_id: str) -> StoredGame:
        """The game after any passed deadline. Raises `RequestRejected`: `game-not-found`."""
        return self.shown(self._repository.get(game_id))

    def shown(self, stored: StoredGame, reader: str | None = None) -> StoredGame:
        """Return the game after its deadline, as `settled` does; unchanged if the time-out cannot
        be written. Also releases the held flag of the `reader`, whose time then begins."""
        try:
            return self.settled(self.released(stored, reader) if reader else stored)
        except STORE_FAILURE as error:
            report(_log, f"the time-out of game {stored.id} could not be written", error)
            return stored

    def settled(self, stored: StoredGame, *, is_acting: bool = False) -> StoredGame:
        """Write all results of a passed deadline, and return the game after them.

        Returns the same game before the deadline. `is_acting`: a player wants to change the game.
        """
        for _ in range(_ATTEMPTS):
            if not stored.is_late(self._now()):
                break
            before, stored = stored, self._end(stored, is_acting) or self._repository.get(stored.id)
            if before.version == stored.version:  # the server is out of order: nothing may end now
                break
        return stored

    def end(self, stored: StoredGame) -> StoredGame | None:
        """End the round of the player whose time is up, or the wait for a second player.

        Returns the game after that, or after the fairness step that comes first; None if time is
        not up, somebody has moved, or the server is out of order.
        """
        return self._end(stored, is_acting=False)

    def released(self, stored: StoredGame, reader: str | None = None) -> StoredGame:
        """Release a held flag if the player to move was notified by now, or is the `reader`: their
        time begins then. Returns the game."""
        for _ in range(_ATTEMPTS):
            if stored.untold_until is None:
                break
            came = reader is not None and reader == stored.player_to_move()
            commands = self._fairness.release(stored, came=came)
            if not commands:
                break
            after = self._writer.write_all(stored, commands)
            stored = after or self._repository.get(stored.id)
        return stored

    def time_is_out(self, stored: StoredGame) -> bool:
        """Whether the player to move may lose on time now. If an outage must be refunded or the
        flag held first, this writes that."""
        if stored.game.turn is None or not stored.is_overdue(self._now()):
            return False
        commands = self._fairness.when_time_is_up(stored)
        is_out = any(isinstance(command, engine.TimeOut) for command in commands)
        if not is_out:
            self._writer.write_all(stored, commands)
        return is_out

    def notify_time_out(self, stored: StoredGame) -> bool:
        """Notify the opponent of the player to move, once, that they can claim a win on time.

        Return False if time is not up, or the win need not be claimed.
        """
        if not stored.must_be_claimed or not self.time_is_out(stored):
            return False
        return self._writer.notify_time_out(stored)

    def check(self, stored: StoredGame) -> None:
        """Raise the result of `refusal`, if any, once the deadline has passed."""
        if stored.is_late(self._now()) and (why := self.refusal(stored)) is not None:
            raise why

    def refusal(self, before: StoredGame) -> RequestRejected | engine.RuleBroken | None:
        """Write a time-out, and return the reason to refuse a late change.

        None if the change is in time after all: an outage was refunded, or the player was not
        notified. If the time-out ended the game, the reason is the rules' refusal of any change to
        a finished game.
        """
        after = self.settled(before, is_acting=True)
        if after.game.over:
            return engine.game_over(after.game)
        goes_on = (after.turn_version, after.game.round) == (before.turn_version, before.game.round)
        if goes_on and not after.is_late(self._now()):
            return None
        return DeadlinePassed(after.version, is_over=not goes_on)

    def _end(self, stored: StoredGame, is_acting: bool) -> StoredGame | None:
        if not stored.is_late(self._now()):
            return None
        if stored.game.turn is None:
            return self._writer.write_all(stored, [engine.Abandon(None)])
        commands = self._fairness.when_time_is_up(stored, is_acting=is_acting)
        return self._writer.write_all(stored, commands)


_BATCH: Final = 100


@dataclass(eq=False, repr=False)
class OutageReturns:
    """Writes outages into games. Several processes may repeat every call at once."""

    _deadlines: DeadlineSet
    _repository: GameRepository
    _writer: ChangeWriter
    _ledger: OutageLedger

    def apply_all(self) -> int:
        """Refund ended outages to the games that still miss them; return the number of games.

        It reads only games with a deadline. A game that cannot be read is left out: it cannot time
        out either.
        """
        outages = self._ledger.unapplied()
        if not outages:
            return 0
        count = 0
        running = list(self._deadlines.games())
        for start in range(0, len(running), _BATCH):
            for stored in self._running(running[start : start + _BATCH]):
                count += self._give(stored, outages)
        self._ledger.mark_applied(outages)
        return count

    def _running(self, game_ids: Sequence[str]) -> Iterator[StoredGame]:
        for game_id, stored in self._repository.latest_of(game_ids).items():
            if isinstance(stored, StoredGame):
                yield stored
            elif stored is not None:
                _log.error("game %s got no outage back: %s", game_id, stored)

    def _give(self, stored: StoredGame, outages: Sequence[Outage]) -> bool:
        """Refund these outages to a game; return whether it missed any."""
        for _ in range(_ATTEMPTS):
            missing = missing_outages(stored, outages)
            if not missing:
                return False
            if self._writer.write_all(stored, give_back(missing)) is not None:
                return True
            stored = self._repository.get(stored.id)  # another write came first
        return False
