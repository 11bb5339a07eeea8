"""The turns that mails ask for, in action text. `claim all`, `claim both` and `done` follow from
the position."""

from typing import Final

from engine import Game, RuleBroken, Seat, TakeTurn, advance, legal
from letters.commands import WholeTurn
from service.core.words import N_

_ENDS: Final = ("+", "end")
"""Prefixes of the actions that end a turn."""
_BOTH: Final = 2


def actions_of(game: Game, seat: Seat, turn: WholeTurn) -> list[str]:
    """Return the turn in action text for this position. Raises `RuleBroken`."""
    ends = [text for text in turn.actions if text.startswith(_ENDS)]
    actions = [text for text in turn.actions if not text.startswith(_ENDS)]
    if game.options.claim_timing == "after_play":  # whichever is written first
        actions.sort(key=lambda text: text.startswith("!"))
    if "claim all" in turn.dependent:
        claims = claims_after(game, seat, actions)
        if not claims and not actions:
            raise RuleBroken(
                "illegal-action", "nothing-to-claim", N_("No Stone can be claimed now.")
            )
        actions += claims
    if "claim both" in turn.dependent:
        claims = claims_after(game, seat, actions)
        if len(claims) != _BOTH:
            said = f"There are not two Stones to claim now, but {len(claims) or 'none'}."
            raise RuleBroken("illegal-action", "nothing-to-claim", said)
        actions += claims
    actions = _up_to_the_win(game, seat, actions)
    if "done" in turn.dependent and not ends:
        after = _after(game, seat, actions)
        ways = [text for text in legal(after) if text.startswith(_ENDS)]
        if after.turn == seat and after.phase == "finish" and len(ways) == 1:
            ends = ways
        elif not actions:
            raise RuleBroken("illegal-action", "nothing-to-end", N_("There is no turn to end yet."))
    return [*actions, *ends]


def _up_to_the_win(game: Game, seat: Seat, actions: list[str]) -> list[str]:
    """Leave out the claims that only stand behind a claim that wins the round: whoever claims all
    that they can means no more than that. Raises `RuleBroken`."""
    first = next((at for at, text in enumerate(actions) if text.startswith("!")), len(actions))
    if not all(text.startswith("!") for text in actions[first:]):
        return actions
    for end in range(first + 1, len(actions)):
        after = _after(game, seat, actions[:end])
        if after.over or after.round != game.round:
            return actions[:end]
    return actions


def claims_after(game: Game, seat: Seat, actions: list[str]) -> list[str]:
    """Return the claims that are legal after these actions, in action text; empty once the turn has
    passed to the other player. Raises `RuleBroken`."""
    after = _after(game, seat, [text for text in actions if not text.startswith(_ENDS)])
    return [text for text in legal(after) if text.startswith("!")] if after.turn == seat else []


def _after(game: Game, seat: Seat, actions: list[str]) -> Game:
    return advance(game, TakeTurn(seat, actions))[0] if actions else game


def claims_nothing(game: Game, seat: Seat, wanted: WholeTurn) -> bool:
    """Whether the turn is to claim all that it can, and that is nothing."""
    if "claim all" not in wanted.dependent:
        return False
    try:
        return not any(text.startswith("!") for text in actions_of(game, seat, wanted))
    except RuleBroken:
        return False


def claims_left(game: Game, seat: Seat, wanted: WholeTurn) -> list[str]:
    """Return the numbers of the Stones that the turn could claim and does not."""
    if not {"claim all", "claim both"}.isdisjoint(wanted.dependent) or not wanted.is_move:
        return []
    actions = list(wanted.actions)
    try:
        claims = claims_after(game, seat, actions)
    except RuleBroken:
        return []
    return [text.removeprefix("!") for text in claims if text not in actions]
