"""Giving, showing and withdrawing standing orders."""

from collections.abc import Container
from dataclasses import dataclass

import engine
from engine.notation import read_request
from service.core.errors import RequestRejected, check_version
from service.eventlog import Changed, EventLog, FieldChange
from service.games import permissions
from service.games.deadlines.service import Deadlines
from service.games.orders.standing import Orders, TurnOrder, orders_text, read_orders
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame


@dataclass(frozen=True, slots=True)
class StandingOrders:
    """The orders of all players."""

    _log: EventLog
    _repository: GameRepository
    _deadlines: Deadlines

    def of(self, game_id: str, player: str) -> tuple[StoredGame, Orders]:
        """The game, and this player's orders for it.

        Raises `RequestRejected` for anyone but the players.
        """
        stored = self._deadlines.current(game_id)
        seat = permissions.own_seat(stored, player)
        return stored, read_orders(self._log.side_state.read(game_id).get(seat, ""))

    def give(
        self, game_id: str, player: str, wanted: Orders, expected: Container[int] | None = None
    ) -> tuple[StoredGame, Orders]:
        """Replace this player's orders, but keep the outcome of the latest turn order.

        They apply from the player's next turn on. Raises `RequestRejected` if the game is not being
        played or not at a version `expected`, None: any; `engine.RuleBroken` for actions that
        cannot be read, or that follow one that shows hidden cards.
        """
        if (order := wanted.turn) is not None:  # in canonical text
            actions = tuple(map(str, read_request(order.actions)))
            when = tuple(str(engine.parse(text)) for text in order.when)
            wanted = wanted._replace(turn=TurnOrder(actions, when))
        while True:
            stored = self._repository.get(game_id)
            seat = permissions.own_seat(stored, player)
            self._deadlines.check(stored)
            check_version(stored.version, expected)
            if stored.game.over:
                raise RequestRejected("game-over", "This game is over.")
            if stored.game.status == "open":
                raise RequestRejected("game-not-started", "The second seat is still empty.")
            text = self._log.side_state.read(game_id).get(seat, "")
            orders = wanted._replace(last=read_orders(text).last)
            change = FieldChange(seat, text, orders_text(orders))
            answer = self._log.side_state.change(game_id, [change], version=stored.version)
            if isinstance(answer, Changed):
                return stored, orders
