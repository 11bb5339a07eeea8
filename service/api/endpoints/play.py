"""Playing: moves, claims and turns, resigning, standing orders."""

from engine import RuleBroken
from engine.cards import BANSHEE, NAMES, RECRUITER, RUSES, STRATEGIST, TRAITOR, read_card
from engine.notation import DECK_LETTER
from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, PLAYER_PROBLEMS
from service.api.headers import expected_versions, origin
from service.api.schemas import in_game, inputs
from service.container import get_container
from service.games import shapes
from service.games.drafts import Orders, TurnOrder
from service.games.reading.views import orders_view
from service.games.stored_game import StoredGame

blueprint = Blueprint("play", __name__, description="Playing a game, and standing orders")

_PROBLEMS = f"{PLAYER_PROBLEMS} game-not-started game-over time-out"
_TURN_PROBLEMS = f"{_PROBLEMS} not-your-turn illegal-action claim-not-proven"
_HEADERS = "IfMatch IdempotencyKey"


@blueprint.operation(
    f"POST {GAME}/moves",
    "playMove",
    f"{_TURN_PROBLEMS} unreadable-action",
    headers=_HEADERS,
    cached=True,
)
def move(body: inputs.MoveInput, game_id: str) -> StoredGame:
    """Play a card or pass

    With claims in the same turn, and the draw if there is a choice. It is carried out as a whole or
    not at all. If a choice is left the turn stays open: finish it with `/claims` and `/turns`.
    Nothing can follow a Recruiter: you see its cards first.
    """
    options = get_container().games.cached(game_id).game.options
    return _play(game_id, actions_of(body, options.claim_timing == "before_play"))


@blueprint.operation(
    f"POST {GAME}/claims", "claimStone", _TURN_PROBLEMS, headers=_HEADERS, cached=True
)
def claim(body: inputs.ClaimsInput, game_id: str) -> StoredGame:
    """Claim Stones

    Without a card: in a turn that is still open, or before playing if the edition allows it. A
    claim that is not proven is rejected with a counter-example, and changes nothing.
    """
    stones = body["stones"] if "stones" in body else [body["stone"]]
    return _play(game_id, claim_actions(stones))


@blueprint.operation(
    f"POST {GAME}/turns",
    "playTurn",
    f"{_TURN_PROBLEMS} unreadable-action",
    headers=_HEADERS,
    cached=True,
)
def turn(body: inputs.TurnInput, game_id: str) -> StoredGame:
    """Take a turn in action text

    One action, or several in order: all of them are carried out, or none. Nothing can follow a
    Recruiter or a draw in the same request. *Playing* above says how actions are written.
    """
    return _play(game_id, body["actions"])


@blueprint.operation(f"POST {GAME}/resignation", "resignGame", _PROBLEMS, headers=_HEADERS)
def resign(body: inputs.EmptyInput, game_id: str) -> StoredGame:
    """Resign the round

    At any time, on either player's turn.
    """
    return get_container().games.resign(game_id, caller(), origin())


def _play(game_id: str, actions: list[str]) -> StoredGame:
    return get_container().games.play(game_id, caller(), actions, origin())


ORDERS = f"{GAME}/orders"


@blueprint.operation(f"GET {ORDERS}", "getOrders", PLAYER_PROBLEMS)
def show_orders(game_id: str) -> shapes.OrdersShape:
    """Show my standing orders

    Nobody else can see them. `last` is the outcome of the latest conditional turn.
    """
    return orders_view(*get_container().games.orders.of(game_id, caller()))


@blueprint.operation(
    f"PUT {ORDERS}",
    "setOrders",
    f"{PLAYER_PROBLEMS} game-not-started game-over time-out unreadable-action illegal-action",
    headers="IfMatch",
)
def give_orders(body: in_game.OrdersInput, game_id: str) -> shapes.OrdersShape:
    """Give standing orders

    They replace earlier orders, from my next turn on; `{}` withdraws them. They are carried out as
    soon as the opponent's turn ends, in the same write, and appear in the log with `via: order`. A
    conditional `turn` is used once: it is played, or cancelled with a reason if it is illegal or
    its condition is not met.
    """
    turn = body["turn"] and TurnOrder(tuple(body["turn"]["actions"]), tuple(body["turn"]["when"]))
    wanted = Orders(body["claim_proved"], body["pass_when_stuck"], turn)
    orders = get_container().games.orders
    return orders_view(*orders.give(game_id, caller(), wanted, expected_versions()))


def actions_of(move: inputs.MoveInput, claims_first: bool) -> list[str]:
    """The actions of a validated `MoveInput`. With `claims_first` the claims come before the play.

    Raises `RuleBroken`, `unreadable-action`, if the card does not fit these fields.
    """
    _check_fields(move)
    play = [_played(move)]
    claimed = claim_actions(move["claims"])
    draw = [f"+{DECK_LETTER[move['draw']]}"] if "draw" in move else []
    return [*claimed, *play, *draw] if claims_first else [*play, *claimed, *draw]


def _check_fields(move: inputs.MoveInput) -> None:
    """Raise `RuleBroken` for a move without action text, with a text that names its fields."""
    if "card" not in move:
        return
    card = read_card(move["card"])
    if card is None:
        raise _unreadable(f"{move['card']!r} is not the code of a card, such as R7 or JOK.")
    needed = "target" if card in RUSES else "stone"
    needed = "draws" if card == RECRUITER else needed
    if needed not in move:
        raise _unreadable(f"{NAMES.get(card, card)} is played with `{needed}`.")
    if card in (STRATEGIST, TRAITOR):
        if "to" not in move or (card == TRAITOR and move["to"] == "discard"):
            stones = "a Stone's number"
            if card == STRATEGIST:
                stones = 'the number of a Stone, or "discard"'
            raise _unreadable(f"{NAMES[card]} needs `to`, where the card goes: {stones}.")
    elif "to" in move:
        raise _unreadable(f"{NAMES[BANSHEE]} takes no `to`: the card is always discarded.")
    if "target" in move and read_card(move["target"]["card"]) is None:
        raise _unreadable(f"{move['target']['card']!r} is not the code of a card.")


def _unreadable(detail: str) -> RuleBroken:
    return RuleBroken("unreadable-action", "unreadable-move", detail)


def claim_actions(stones: list[int]) -> list[str]:
    """The actions that claim these Stones, in this order."""
    return [f"!{stone}" for stone in stones]


def _played(move: inputs.MoveInput) -> str:
    if move.get("pass"):
        return "pass"
    if "draws" in move:
        return f"{move['card']}:{''.join(DECK_LETTER[deck] for deck in move['draws'])}"
    if "target" in move:
        target, to = move["target"], move.get("to")
        text = f"{move['card']}:{target['card']}@{target['stone']}"
        return text if to is None else f"{text}>{'x' if to == 'discard' else to}"
    return f"{move['card']}@{move['stone']}"
