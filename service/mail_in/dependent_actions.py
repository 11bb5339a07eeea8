"""The parts of a turn that depend on the game: to claim all that can be claimed, or both Stones,
and to be done."""

from typing import Final

from engine import Game, RuleBroken, Seat, TakeTurn, advance, legal
from service.mail_in.words.commands import WholeTurn

_ENDS: Final = ("+", "end")
"""How actions begin that end a turn."""
_BOTH: Final = 2


def actions_of(game: Game, seat: Seat, turn: WholeTurn) -> list[str]:
    """The turn in action text, as the game stands. Raises `RuleBroken`."""
    ends = [text for text in turn.actions if text.startswith(_ENDS)]
    actions = [text for text in turn.actions if not text.startswith(_ENDS)]
    if game.options.claim_timing == "after_play":  # whichever is written first
        actions.sort(key=lambda text: text.startswith("!"))
    if "claim all" in turn.dependent:
        claims = claims_after(game, seat, actions)
        if not claims:
            raise RuleBroken("illegal-action", "nothing-to-claim", "No Stone can be claimed now.")
        actions += claims
    if "claim both" in turn.dependent:
        claims = claims_after(game, seat, actions)
        if len(claims) != _BOTH:
            said = f"There are not two Stones to claim now, but {len(claims) or 'none'}."
            raise RuleBroken("illegal-action", "nothing-to-claim", said)
        actions += claims
    if "done" in turn.dependent and not ends:
        after = _after(game, seat, actions)
        ways = [text for text in legal(after) if text.startswith(_ENDS)]
        if after.turn == seat and after.phase == "finish" and len(ways) == 1:
            ends = ways
        elif not actions:
            raise RuleBroken("illegal-action", "nothing-to-end", "There is no turn to end yet.")
    return [*actions, *ends]


def claims_after(game: Game, seat: Seat, actions: list[str]) -> list[str]:
    """The claims that could be made after these actions, in action text. Raises `RuleBroken`."""
    after = _after(game, seat, [text for text in actions if not text.startswith(_ENDS)])
    return [text for text in legal(after) if text.startswith("!")] if after.turn == seat else []


def _after(game: Game, seat: Seat, actions: list[str]) -> Game:
    return advance(game, TakeTurn(seat, actions))[0] if actions else game
