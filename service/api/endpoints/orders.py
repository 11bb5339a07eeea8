"""Standing orders: what the server is to do on the caller's turn."""

from typing import Any

from flask import Response

from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, NO_GAME
from service.api.responses import caller, expected_versions, json_answer, no_content
from service.api.schemas import orders
from service.container import get_container
from service.games.orders.model import Orders, TurnOrder
from service.games.repository import StoredGame
from service.games.views import orders_view

blueprint = Blueprint("orders", __name__, description="Standing orders for a game")

ORDERS = f"{GAME}/orders"
_REFUSALS = (*NO_GAME, "not-a-player")


@blueprint.route(ORDERS)
@blueprint.operation("getOrders", *_REFUSALS)
@blueprint.response(200, orders.Orders)
def show(game_id: str) -> Response:
    """Show my standing orders

    Nobody else sees them. `last` tells what became of the latest conditional turn.
    """
    return _answer(get_container().games.orders.of(game_id, caller()))


@blueprint.route(ORDERS, methods=["PUT"])
@blueprint.operation(
    "giveOrders",
    *_REFUSALS,
    "game-not-started",
    "game-over",
    "time-out",
    "unreadable-action",
    "illegal-action",
    headers=("IfMatch",),
)
@blueprint.body(orders.OrdersInput)
@blueprint.response(200, orders.Orders)
def give(body: dict[str, Any], game_id: str) -> Response:
    """Give standing orders

    In place of those given before, from my next turn on. They are carried out when the opponent's
    turn ends, in the same write, and stand in the log with `via: order`. A conditional `turn` is
    for once: it is played, or cancelled with a reason if it is not legal or not as foreseen.
    """
    turn = body["turn"] and TurnOrder(tuple(body["turn"]["actions"]), tuple(body["turn"]["when"]))
    wanted = Orders(body["claim_proved"], body["pass_when_stuck"], turn)
    return _answer(
        get_container().games.orders.give(game_id, caller(), wanted, expected_versions())
    )


@blueprint.route(ORDERS, methods=["DELETE"])
@blueprint.operation("withdrawOrders", *_REFUSALS)
@blueprint.response(204)
def withdraw(game_id: str) -> Response:
    """Withdraw my standing orders"""
    get_container().games.orders.withdraw(game_id, caller())
    return no_content()


def _answer(found: tuple[StoredGame, Orders]) -> Response:
    return json_answer(orders_view(*found))
