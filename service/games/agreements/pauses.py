"""Pausing the clock by agreement: one player offers it, the other agrees.

An offer stands in the game's side state: the seat it comes from and the moment until which the
clock is to stand, or none. It stands until it is taken back, declined, agreed to, or replaced by
another; then, or when it has passed, it means nothing. The other player gets one mail about it for
each version of the game.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import engine
from service.bots import bot_at
from service.core.durations import DAY, MINUTE
from service.core.errors import RequestRejected, key_reused, stale
from service.core.timestamps import unix
from service.eventlog import Changed, EventLog, FieldChange, KeyReused, Notice, Repeated, notice_id
from service.games import permissions
from service.games.change.draft import DeadlinePassed
from service.games.change.side_state import PAUSE
from service.games.change.writer import ChangeWriter, Origin
from service.games.clock.changes import running_clock
from service.games.deadlines.service import Deadlines
from service.games.notices.reachability import Reachability
from service.games.repository import GameRepository, StoredGame

LONGEST: Final = 90 * DAY
SHORTEST: Final = 10 * MINUTE
"""Seconds for which a clock can be paused. Without an end it can be, too."""
PAUSE_OFFER: Final = "pause"
"""The kind of mail about an offer."""
_TRIES: Final = 5
_OPEN: Final = "open"
_TOLD: Final = "told"


class OfferedPause(NamedTuple):
    """Who offers to pause the clock, and until when; None: until one of the two ends it."""

    by: engine.Seat
    until: str | None


class PauseOffer(NamedTuple):
    """A game, and what is offered there, None where nothing is."""

    stored: StoredGame
    offered: OfferedPause | None


class Pauses:
    """The offers of all games. `now` gives unix seconds."""

    def __init__(
        self,
        log: EventLog,
        repository: GameRepository,
        writer: ChangeWriter,
        deadlines: Deadlines,
        reachability: Reachability,
        now: Callable[[], float],
    ) -> None:
        self._log = log
        self._repository = repository
        self._writer = writer
        self._deadlines = deadlines
        self._reachability = reachability
        self._now = now

    def of(self, game_id: str, player: str) -> PauseOffer:
        """The offer that stands. Raises `RequestRejected` for anyone but the two players."""
        stored = self._deadlines.current(game_id)
        permissions.own_seat(stored, player)
        return PauseOffer(stored, self.offered(stored))

    def offered(self, stored: StoredGame) -> OfferedPause | None:
        """The offer that stands in this game."""
        return offered_pause(stored, self._log.side_state.read(stored.id), self._now())

    def agree(self, game_id: str, player: str, until: str | None, origin: Origin) -> PauseOffer:
        """Offer to pause the clock, or agree to what the other player offers, if it is the same.

        A bot agrees at once. Raises `RequestRejected`: `no-clock`, `bad-pause`, `game-over`, …
        """
        seat = permissions.own_seat(self._repository.get(game_id), player)
        self._check(until)
        for attempt in range(_TRIES):
            stored = self._repository.get(game_id)
            try:
                return self._agree(stored, OfferedPause(seat, until), player, origin)
            except (RequestRejected, engine.RuleBroken) as refusal:
                repeated = self._writer.recall(game_id, origin.key)
                if repeated is not None:
                    return PauseOffer(repeated, self.offered(repeated))
                if isinstance(refusal, DeadlinePassed):
                    if (why := self._deadlines.refusal(stored)) is not None:
                        raise why from None
                    if attempt < _TRIES - 1:
                        continue
                overtaken = isinstance(refusal, RequestRejected) and refusal.code == "stale-version"
                if not overtaken or attempt == _TRIES - 1:
                    raise
        raise AssertionError("the last attempt answers or refuses")

    def accept(
        self,
        game_id: str,
        player: str,
        is_meant: Callable[[OfferedPause], bool],
        origin: Origin,
    ) -> StoredGame:
        """Agree to the pause that the other player offers, if it is the one that is meant.

        Raises `RequestRejected` as `agree` does, and `no-offer`.
        """
        if (repeated := self._writer.recall(game_id, origin.key)) is not None:
            return repeated
        stored, offered = self.of(game_id, player)
        if offered is None or offered.by == stored.seat_of(player):
            raise RequestRejected("no-offer", "No pause is offered to you any more.")
        if not is_meant(offered):
            raise RequestRejected("no-offer", "Another pause is offered by now.")
        agreed = self.agree(game_id, player, offered.until, origin)
        if agreed.offered is not None:  # it was taken back in this very moment
            self.withdraw(game_id, player)
            raise RequestRejected("no-offer", "No pause is offered to you any more.")
        return agreed.stored

    def withdraw(self, game_id: str, player: str) -> PauseOffer:
        """Take the offer back, or decline it. May be repeated."""
        stored = self._deadlines.current(game_id)
        permissions.own_seat(stored, player)
        current = self._log.side_state.read(game_id).get(PAUSE, "")
        offered = _read(current)
        if offered is not None:
            told = f"{_TOLD} {stored.version} {offered.by}"
            self._log.side_state.change(game_id, [FieldChange(PAUSE, current, told)])
        return PauseOffer(stored, None)

    def _check(self, until: str | None) -> None:
        if until is None:
            return
        if not SHORTEST <= unix(until) - self._now() <= LONGEST:
            raise RequestRejected(
                "bad-pause",
                f"A pause ends in {SHORTEST // MINUTE} minutes to {LONGEST // DAY} days from now.",
            )

    def _agree(
        self, stored: StoredGame, wanted: OfferedPause, player: str, origin: Origin
    ) -> PauseOffer:
        origin.check(stored)
        running_clock(stored)
        current = self._log.side_state.read(stored.id).get(PAUSE, "")
        command = engine.PauseClock(wanted.by, wanted.until)
        draft = self._writer.draft(stored.id, stored, command, origin.via)
        other = engine.OTHER[wanted.by]
        agrees = _read(current) == OfferedPause(other, wanted.until)
        if agrees or bot_at(stored.game.players[other]) is not None:
            agreed = [FieldChange(PAUSE, current, "")]
            return PauseOffer(self._writer.write(draft, player, origin, agreed), None)
        known = current == f"{_TOLD} {stored.version} {wanted.by}" or _by(current) == wanted.by
        answer = self._log.side_state.change(
            stored.id,
            [FieldChange(PAUSE, current, f"{wanted.by} {wanted.until or _OPEN}")],
            version=stored.version,
            notices=[] if known else self._notices(stored, other),
            key=origin.key,
        )
        if isinstance(answer, KeyReused):
            raise key_reused()
        if isinstance(answer, Repeated):
            return PauseOffer(stored, self.offered(stored))
        if not isinstance(answer, Changed):
            raise stale(self._log.events.version(stored.id))
        return PauseOffer(stored, wanted)

    def _notices(self, stored: StoredGame, to: engine.Seat) -> list[Notice]:
        recipient = stored.game.players[to]
        assert recipient is not None, "a running game has two players"
        notice = notice_id(stored.id, stored.version, recipient, "mail", PAUSE_OFFER)
        return self._reachability.reachable([Notice(notice, self._now())])


def offered_pause(
    stored: StoredGame, side_state: Mapping[str, str], now: float
) -> OfferedPause | None:
    """The offer that stands in this game, by what is stored beside its log."""
    offered = _read(side_state.get(PAUSE, ""))
    if offered is None or stored.game.over or offered.by not in engine.SEATS:
        return None
    return None if offered.until is not None and unix(offered.until) <= now else offered


def _read(text: str) -> OfferedPause | None:
    by = _by(text)
    if by is None:
        return None
    until = text.split(" ")[1]
    return OfferedPause(by, None if until == _OPEN else until)


def _by(text: str) -> engine.Seat | None:
    return next((seat for seat in engine.SEATS if text.startswith(f"{seat} ")), None)
