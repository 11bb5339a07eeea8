"""Standing orders: what a player has told the server to do on their turn, for one game.

They are notes beside the game's log, in the field of the player's seat, seen by their owner alone.
"""

import json
from collections.abc import Container
from typing import Any, Literal, NamedTuple

import engine
from engine.notation import read_request
from service.games import access
from service.games.stored import Shelf, StoredGame
from service.log import GameLog, NoteChange
from service.refusal import Refused, check_version


class TurnOrder(NamedTuple):
    """Actions to take, in action text, when the turn comes, if they are legal then.

    With `when` only if the opponent's turn has held all of these actions.
    """

    actions: tuple[str, ...]
    when: tuple[str, ...] = ()


class Result(NamedTuple):
    """What became of a turn order, when the game was at `version`.

    A cancelled one has a `code`, that of the rules' refusal or `not-as-foreseen`, and a `detail`.
    """

    outcome: Literal["played", "cancelled"]
    actions: tuple[str, ...]
    version: int
    code: str | None = None
    detail: str | None = None


class Orders(NamedTuple):
    """The orders of one player: the first two stand, `turn` is for once. `last` is what became of
    the latest one."""

    claim_proved: bool = False
    pass_when_stuck: bool = False
    turn: TurnOrder | None = None
    last: Result | None = None


NONE = Orders()


def read_orders(text: str) -> Orders:
    """The orders that a note holds."""
    if not text:
        return NONE
    told: dict[str, Any] = json.loads(text)
    turn, last = told["turn"], told["last"]
    return Orders(
        told["claim_proved"],
        told["pass_when_stuck"],
        turn and TurnOrder(*map(tuple, turn)),
        last and Result(last[0], tuple(last[1]), *last[2:]),
    )


def orders_text(orders: Orders) -> str:
    """The orders as a note; empty where there are none."""
    return "" if orders == NONE else json.dumps(orders._asdict(), ensure_ascii=False)


class StandingOrders:
    """The orders of all players."""

    def __init__(self, log: GameLog, shelf: Shelf) -> None:
        self._log = log
        self._shelf = shelf

    def of(self, game_id: str, player: str) -> tuple[StoredGame, Orders]:
        """The game, and this player's orders for it. Raises `Refused` for who does not play."""
        stored = self._shelf.known(game_id)
        seat = access.own_seat(stored, player)
        return stored, read_orders(self._log.notes(game_id).get(seat, ""))

    def give(
        self,
        game_id: str,
        player: str,
        wanted: Orders,
        expected: Container[int] | None = None,
    ) -> tuple[StoredGame, Orders]:
        """Replace this player's orders; what became of the latest one stays known.

        They count from the next turn that the player gets. Raises `Refused` where the game is not
        being played or not at a version `expected`, None: whichever it is; `engine.RuleBroken` for
        actions that cannot be read, or that go on after one that shows hidden cards.
        """
        wanted = wanted._replace(turn=wanted.turn and _readable(wanted.turn))
        while True:
            stored = self._shelf.known(game_id)
            seat = access.own_seat(stored, player)
            check_version(stored.version, expected)
            _check_active(stored)
            text = self._log.notes(game_id).get(seat, "")
            orders = wanted._replace(last=read_orders(text).last)
            change = NoteChange(seat, text, orders_text(orders))
            if self._log.note(game_id, [change], version=stored.version):
                return stored, orders

    def withdraw(self, game_id: str, player: str) -> None:
        """Forget this player's orders. May be repeated."""
        seat = access.own_seat(self._shelf.known(game_id), player)
        while text := self._log.notes(game_id).get(seat, ""):
            self._log.note(game_id, [NoteChange(seat, text, "")])


def _readable(order: TurnOrder) -> TurnOrder:
    """The same order in the one way to write it. Raises `engine.RuleBroken`."""
    actions = tuple(map(str, read_request(order.actions)))
    return TurnOrder(actions, tuple(str(engine.parse(text)) for text in order.when))


def _check_active(stored: StoredGame) -> None:
    if stored.game.over:
        raise Refused("game-over", "This game is over.")
    if stored.game.status == "open":
        raise Refused("game-not-started", "The second seat is still empty.")
