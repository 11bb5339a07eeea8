"""Abandoning a running game by agreement: one player offers it, the other agrees.

An offer stands in the game's side state and names the seat it comes from. It stands until it is
taken back, declined or agreed to, or the game ends. The other player gets one mail about it for
each version of the game, however often it is made and taken back there.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import engine
from service.bots import bot_at
from service.core.errors import RequestRejected, key_reused, stale
from service.eventlog import Changed, EventLog, FieldChange, KeyReused, Notice, Repeated, notice_id
from service.games import permissions
from service.games.change.draft import DeadlinePassed
from service.games.change.side_state import ABANDONMENT
from service.games.change.writer import ChangeWriter, Origin
from service.games.deadlines.service import Deadlines
from service.games.notices.reachability import Reachability
from service.games.repository import GameRepository, StoredGame

_TRIES: Final = 5


class Offer(NamedTuple):
    """A game, and the seat that offers to abandon it, None where neither does."""

    stored: StoredGame
    by: engine.Seat | None


class Abandonments:
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

    def of(self, game_id: str, player: str) -> Offer:
        """The offer that stands. Raises `RequestRejected` for anyone but the two players."""
        stored = self._deadlines.current(game_id)
        permissions.own_seat(stored, player)
        return Offer(stored, self.offered_by(stored))

    def offered_by(self, stored: StoredGame) -> engine.Seat | None:
        """The seat that offers to abandon this game."""
        return offering_seat(stored, self._log.side_state.read(stored.id))

    def agree(self, game_id: str, player: str, origin: Origin) -> Offer:
        """Offer to abandon the game, or agree if the other player offers it: then the game is over.

        A bot agrees at once. A request that is repeated under its key makes no second offer.
        Raises `RequestRejected`: `game-not-started`, `game-over`, `time-out`, `stale-version`.
        """
        seat = permissions.own_seat(self._repository.get(game_id), player)
        for attempt in range(_TRIES):
            stored = self._repository.get(game_id)
            try:
                return self._agree(stored, seat, player, origin)
            except (RequestRejected, engine.RuleBroken) as refusal:
                repeated = self._writer.recall(game_id, origin.key)
                if repeated is not None:
                    return _answered(repeated, seat)
                if isinstance(refusal, DeadlinePassed):
                    if (why := self._deadlines.refusal(stored)) is not None:
                        raise why from None
                    if attempt < _TRIES - 1:
                        continue
                overtaken = isinstance(refusal, RequestRejected) and refusal.code == "stale-version"
                if not overtaken or attempt == _TRIES - 1:
                    raise
        raise AssertionError("the last attempt answers or refuses")

    def accept(self, game_id: str, player: str, origin: Origin) -> StoredGame:
        """Agree to the other player's offer: then the game is over.

        Raises `RequestRejected` as `agree` does, and `no-offer`.
        """
        if (repeated := self._writer.recall(game_id, origin.key)) is not None:
            return repeated
        stored, by = self.of(game_id, player)
        if not stored.game.over and by in (None, stored.seat_of(player)):
            raise RequestRejected("no-offer", "Nobody offers you to abandon the game any more.")
        agreed = self.agree(game_id, player, origin)
        if agreed.by is not None:  # it was taken back in this very moment
            self.withdraw(game_id, player)
            raise RequestRejected("no-offer", "Nobody offers you to abandon the game any more.")
        return agreed.stored

    def withdraw(self, game_id: str, player: str) -> Offer:
        """Take the offer back, or decline it. May be repeated."""
        stored, offered = self.of(game_id, player)
        if offered is not None:
            taken_back = FieldChange(ABANDONMENT, offered, _told(stored, offered))
            self._log.side_state.change(game_id, [taken_back])
        return Offer(stored, None)

    def _agree(self, stored: StoredGame, seat: engine.Seat, player: str, origin: Origin) -> Offer:
        origin.check(stored)
        if stored.game.status == "open":
            raise RequestRejected("game-not-started", "The second seat is still empty.")
        draft = self._writer.draft(stored.id, stored, engine.Abandon(seat), origin.via)
        current = self._log.side_state.read(stored.id).get(ABANDONMENT, "")
        other = engine.OTHER[seat]
        if current == other or bot_at(stored.game.players[other]) is not None:
            agreed = [FieldChange(ABANDONMENT, current, "")]
            return _answered(self._writer.write(draft, player, origin, agreed), seat)
        answer = self._log.side_state.change(
            stored.id,
            [FieldChange(ABANDONMENT, current, seat)],
            version=stored.version,
            notices=[] if current == _told(stored, seat) else self._notices(stored, other),
            key=origin.key,
        )
        if isinstance(answer, KeyReused):
            raise key_reused()
        if isinstance(answer, Repeated):
            return _answered(self._repository.get(stored.id, answer.version), seat)
        if not isinstance(answer, Changed):
            # The other player has just offered it too, or moved.
            raise stale(self._log.events.version(stored.id))
        return Offer(stored, seat)

    def _notices(self, stored: StoredGame, to: engine.Seat) -> list[Notice]:
        recipient = stored.game.players[to]
        assert recipient is not None, "a running game has two players"
        notice = notice_id(stored.id, stored.version, recipient, "mail", ABANDONMENT)
        return self._reachability.reachable([Notice(notice, self._now())])


def offering_seat(stored: StoredGame, side_state: Mapping[str, str]) -> engine.Seat | None:
    """The seat from which it is offered to abandon this game, by what is stored beside its log."""
    offered, over = side_state.get(ABANDONMENT), stored.game.over
    return next((seat for seat in engine.SEATS if seat == offered and not over), None)


def _told(stored: StoredGame, seat: engine.Seat) -> str:
    """The text in place of an offer from this seat that was taken back, or declined."""
    return f"told {stored.version} {seat}"


def _answered(stored: StoredGame, seat: engine.Seat) -> Offer:
    """The answer to a request from this seat: the game is over, or the offer was made."""
    return Offer(stored, None if stored.game.over else seat)
