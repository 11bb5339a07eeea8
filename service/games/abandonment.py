"""Abandoning a running game by agreement: one player offers it, the other agrees.

An offer is a note beside the game's log that names the seat it comes from. It stands until it is
taken back, declined or agreed to, or the game ends.
"""

from collections.abc import Callable
from typing import NamedTuple

import engine
from service.bots import bot_at
from service.games import access
from service.games.deadlines import Deadlines
from service.games.notes import ABANDONMENT
from service.games.stored import Shelf, StoredGame
from service.games.writer import Late, Origin, Writer
from service.log import GameLog, NoteChange, Notice, notice_id
from service.refusal import Refused, check_version


class Offer(NamedTuple):
    """A game, and the seat from which it is offered to abandon it, None where none does."""

    stored: StoredGame
    by: engine.Seat | None


class Abandonments:
    """The offers of all games. `now` gives unix seconds."""

    def __init__(
        self,
        log: GameLog,
        shelf: Shelf,
        writer: Writer,
        deadlines: Deadlines,
        now: Callable[[], float],
    ) -> None:
        self._log = log
        self._shelf = shelf
        self._writer = writer
        self._deadlines = deadlines
        self._now = now

    def of(self, game_id: str, player: str) -> Offer:
        """The offer that stands. Raises `Refused` for who does not play."""
        stored = self._deadlines.current(game_id)
        access.own_seat(stored, player)
        return Offer(stored, self.offered_by(stored))

    def offered_by(self, stored: StoredGame) -> engine.Seat | None:
        """The seat from which it is offered to abandon this game."""
        offered = self._log.notes(stored.id).get(ABANDONMENT)
        over = stored.game.over
        return next((seat for seat in engine.SEATS if seat == offered and not over), None)

    def agree(self, game_id: str, player: str, origin: Origin) -> Offer:
        """Offer to abandon the game, or agree to it where the other player offers it: then the
        game is over. A bot agrees at once.

        Raises `Refused`: `game-not-started`, `game-over`, `time-out`, `stale-version`.
        """
        stored = self._shelf.known(game_id)
        seat = access.own_seat(stored, player)
        try:
            return self._agree(stored, seat, player, origin)
        except (Refused, engine.RuleBroken) as refusal:
            repeated = self._writer.recall(game_id, origin.key)
            if repeated is not None:
                return Offer(repeated, None)
            if isinstance(refusal, Late):
                raise self._deadlines.refusal(stored) from None
            raise

    def withdraw(self, game_id: str, player: str) -> Offer:
        """Take the offer back, or decline it. May be repeated."""
        stored, offered = self.of(game_id, player)
        if offered is not None:
            self._log.note(game_id, [NoteChange(ABANDONMENT, offered, "")])
        return Offer(stored, None)

    def _agree(self, stored: StoredGame, seat: engine.Seat, player: str, origin: Origin) -> Offer:
        check_version(stored.version, origin.expected)
        if stored.game.status == "open":
            raise Refused("game-not-started", "The second seat is still empty.")
        draft = self._writer.draft(stored.id, stored, engine.Abandon(seat), origin.via)
        offered, other = self.offered_by(stored), engine.OTHER[seat]
        if offered == other or bot_at(stored.game.players[other]) is not None:
            agreed = [NoteChange(ABANDONMENT, offered or "", "")]
            return Offer(self._writer.write(draft, player, origin, agreed), None)
        change = NoteChange(ABANDONMENT, offered or "", seat)
        if not self._log.note(stored.id, [change], notices=[self._notice(stored, other)]):
            # The other has just offered it too.
            return self._agree(stored, seat, player, origin)
        return Offer(stored, seat)

    def _notice(self, stored: StoredGame, to: engine.Seat) -> Notice:
        recipient = stored.game.players[to]
        assert recipient is not None, "a running game has two players"
        return Notice(
            notice_id(stored.id, stored.version, recipient, "mail", ABANDONMENT), self._now()
        )
