"""Translates a move in JSON into action texts."""

from collections.abc import Mapping
from typing import Any

from engine import RuleBroken
from engine.cards import BANSHEE, NAMES, RECRUITER, RUSES, STRATEGIST, TRAITOR, read_card
from engine.notation import DECK_LETTER


def actions_of(move: Mapping[str, Any], claims_first: bool) -> list[str]:
    """The actions of a validated `MoveInput`. With `claims_first` the claims come before the play.

    Raises `RuleBroken`, `unreadable-action`, if the card does not fit these fields.
    """
    _check_fields(move)
    play = [_play(move)]
    claimed = claim_actions(move["claims"])
    draw = [f"+{DECK_LETTER[move['draw']]}"] if "draw" in move else []
    return [*claimed, *play, *draw] if claims_first else [*play, *claimed, *draw]


def _check_fields(move: Mapping[str, Any]) -> None:
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
        _check_destination(card, move)
    elif "to" in move:
        raise _unreadable(f"{NAMES[BANSHEE]} takes no `to`: the card is always discarded.")
    if "target" in move and read_card(move["target"]["card"]) is None:
        raise _unreadable(f"{move['target']['card']!r} is not the code of a card.")


def _check_destination(ruse: str, move: Mapping[str, object]) -> None:
    stones = 'the number of a Stone, or "discard"' if ruse == STRATEGIST else "a Stone's number"
    if "to" not in move or (ruse == TRAITOR and move["to"] == "discard"):
        raise _unreadable(f"{NAMES[ruse]} needs `to`, where the card goes: {stones}.")


def _unreadable(detail: str) -> RuleBroken:
    return RuleBroken("unreadable-action", "unreadable-move", detail)


def claim_actions(stones: list[int]) -> list[str]:
    """The actions that claim these Stones, in this order."""
    return [f"!{stone}" for stone in stones]


def _play(move: Mapping[str, Any]) -> str:
    if move.get("passing"):
        return "pass"
    if "draws" in move:
        return f"{move['card']}:{''.join(DECK_LETTER[deck] for deck in move['draws'])}"
    if "target" in move:
        target = move["target"]
        return f"{move['card']}:{target['card']}@{target['stone']}{_destination(move)}"
    return f"{move['card']}@{move['stone']}"


def _destination(move: Mapping[str, object]) -> str:
    if "to" not in move:
        return ""
    return ">x" if move["to"] == "discard" else f">{move['to']}"
