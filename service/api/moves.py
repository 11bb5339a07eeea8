"""A move as JSON, in action text."""

from collections.abc import Mapping
from typing import Any

LETTER = {"clan": "C", "tactic": "T"}


def actions_of(move: Mapping[str, Any], claims_first: bool) -> list[str]:
    """The actions of a validated `MoveInput`; with `claims_first` the claims go before the play."""
    play = [_play(move)]
    claimed = claims(move["claims"])
    draw = [f"+{LETTER[move['draw']]}"] if "draw" in move else []
    return [*claimed, *play, *draw] if claims_first else [*play, *claimed, *draw]


def claims(stones: list[int]) -> list[str]:
    """The actions that claim these Stones, in this order."""
    return [f"!{stone}" for stone in stones]


def _play(move: Mapping[str, Any]) -> str:
    if move.get("passing"):
        return "pass"
    if "draws" in move:
        return f"{move['card']}:{''.join(LETTER[deck] for deck in move['draws'])}"
    if "target" in move:
        target = move["target"]
        return f"{move['card']}:{target['card']}@{target['stone']}{_destination(move)}"
    return f"{move['card']}@{move['stone']}"


def _destination(move: Mapping[str, Any]) -> str:
    if "to" not in move:
        return ""
    return ">x" if move["to"] == "discard" else f">{move['to']}"
