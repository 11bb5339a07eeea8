"""Standing orders: actions that the server takes by itself on the caller's turn."""

from typing import Any

from flask import Response

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, GAME_PROBLEMS
from service.api.headers import expected_versions
from service.api.responses import json_answer
from service.api.schemas import orders
from service.container import get_container
from service.games.orders.standing import Orders, TurnOrder
from service.games.reading.views import orders_view
from service.games.stored_game import StoredGame

blueprint = Blueprint("orders", __name__, description="Standing orders for a game")

ORDERS = f"{GAME}/orders"
_PROBLEMS = (*GAME_PROBLEMS, "not-a-player")


@blueprint.route(ORDERS)
@blueprint.operation("getOrders", *_PROBLEMS)
@blueprint.response(200, orders.OrdersShape)
def show(game_id: str) -> Response:
    """Show my standing orders

    Nobody else can see them. `last` is the outcome of the latest conditional turn.
    """
    return _answer(get_container().games.orders.of(game_id, caller()))


@blueprint.route(ORDERS, methods=["PUT"])
@blueprint.operation(
    "setOrders",
    *_PROBLEMS,
    "game-not-started",
    "game-over",
    "time-out",
    "unreadable-action",
    "illegal-action",
    headers=("IfMatch",),
)
@blueprint.body(orders.OrdersInput)
@blueprint.response(200, orders.OrdersShape)
def give(body: dict[str, Any], game_id: str) -> Response:
    """Give standing orders

    They replace earlier orders, from my next turn on; `{}` withdraws them. They are carried out as
    soon as the opponent's turn ends, in the same write, and appear in the log with `via: order`. A
    conditional `turn` is used once: it is played, or cancelled with a reason if it is illegal or
    its condition is not met.
    """
    turn = body["turn"] and TurnOrder(tuple(body["turn"]["actions"]), tuple(body["turn"]["when"]))
    wanted = Orders(body["claim_proved"], body["pass_when_stuck"], turn)
    return _answer(
        get_container().games.orders.give(game_id, caller(), wanted, expected_versions())
    )


def _answer(game_and_orders: tuple[StoredGame, Orders]) -> Response:
    return json_answer(orders_view(*game_and_orders))
