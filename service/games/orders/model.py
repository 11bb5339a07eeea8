"""Standing orders: what a player has told the server to do on their turn, for one game.

They are notes beside the game's log, in the field of the player's seat, seen by their owner alone.
`standing_orders` gives and withdraws them, `ordered` carries them out.
"""

import json
from typing import Any, Literal, NamedTuple


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
