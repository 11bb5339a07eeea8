"""The examples of operations on standing orders."""

from typing import Any

from service.api.openapi.examples.example import Example, reply
from service.api.openapi.examples.game import played
from service.games.orders.model import Orders, TurnOrder
from service.games.reading import views


def examples() -> dict[str, Example]:
    """The examples by operation id."""
    orders = given()
    wanted = {key: orders[key] for key in ("claim_proved", "pass_when_stuck", "turn")}
    return {
        "getOrders": reply(orders),
        "setOrders": reply(orders, wanted),
        "deleteOrders": Example(),
    }


def given() -> dict[str, Any]:
    """Standing orders, as their player sees them."""
    turn = TurnOrder(actions=("R7@3",), when=("G4@3",))
    return views.orders_view(played().stored, Orders(claim_proved=True, turn=turn))
