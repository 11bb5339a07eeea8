"""Standing orders: a player's instructions for their turn in one game.

They are stored in the side state, in the field of the player's seat, and only their owner sees
them. `service` gives and withdraws them, `executor` executes them.
"""

import json
from typing import Any, Literal, NamedTuple


class TurnOrder(NamedTuple):
    """Actions to take when the turn comes, in action text, if they are legal then.

    With `when`, only if the opponent's turn had all of these actions.
    """

    actions: tuple[str, ...]
    when: tuple[str, ...] = ()


class OrderOutcome(NamedTuple):
    """The outcome of a turn order, when the game was at `version`.

    A cancelled one has a `code`, that of the rules' refusal or `not-as-foreseen`, and a `detail`.
    """

    outcome: Literal["played", "cancelled"]
    actions: tuple[str, ...]
    version: int
    code: str | None = None
    detail: str | None = None


class Orders(NamedTuple):
    """The orders of one player. `claim_proved` and `pass_when_stuck` stay in force, `turn` counts
    once.

    `last` is the outcome of the latest turn order.
    """

    claim_proved: bool = False
    pass_when_stuck: bool = False
    turn: TurnOrder | None = None
    last: OrderOutcome | None = None


NONE = Orders()


def read_orders(text: str) -> Orders:
    """The orders in a field of the side state; none for an empty text."""
    if not text:
        return NONE
    stored: dict[str, Any] = json.loads(text)
    turn, last = stored["turn"], stored["last"]
    return Orders(
        stored["claim_proved"],
        stored["pass_when_stuck"],
        turn and TurnOrder(*map(tuple, turn)),
        last and OrderOutcome(last[0], tuple(last[1]), *last[2:]),
    )


def orders_text(orders: Orders) -> str:
    """The orders as text for the side state; empty without orders."""
    return "" if orders == NONE else json.dumps(orders._asdict(), ensure_ascii=False)
