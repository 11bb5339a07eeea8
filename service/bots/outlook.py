"""The chance of winning from a table that has been played on for a few turns."""

import math
from typing import Final

from service.bots.playout import Table
from service.bots.sides import Odds, complete_worth

# Fitted to games that the rule of `playout` played with itself.
_PROMISED: Final = 0.35
_SECURED: Final = 0.5
_OWNED: Final = 0.35
"""What the chance of taking a Stone, from -1 to 1, is worth while both sides lack cards, while one
is complete, and once it is taken."""
_TO_MOVE: Final = 0.085
_STEEPNESS: Final = 2.75
_AHEAD: Final = 1.55
_CATCH_UP: Final = 2.2
"""A complete side wins with this lead, less what the other side may come to."""
_PATIENCE: Final = 0.9
"""What a card in the hand is worth for a side that lacks another one, too."""


def chance(table: Table, winner: int, player: int, odds: Odds) -> float:
    """The chance that player 0 wins; `winner` has won, or nobody (-1) and it is `player`'s turn."""
    if winner >= 0:
        return 1.0 - winner
    total = -_TO_MOVE if player else _TO_MOVE
    for stone, weight in enumerate(table.weights()):
        owner = table.owners[stone]
        total += weight * (
            _OWNED * (1 - 2 * owner) if owner >= 0 else _prospect(table, stone, odds)
        )
    return 1 / (1 + math.exp(-total))


def _prospect(table: Table, stone: int, odds: Odds) -> float:
    mine, theirs = (_side(table, player, stone, odds) for player in (0, 1))
    if not table.lacking[1][stone]:
        return _SECURED * math.tanh(_CATCH_UP * mine - _AHEAD)
    if not table.lacking[0][stone]:
        return _SECURED * math.tanh(_AHEAD - _CATCH_UP * theirs)
    return _PROMISED * math.tanh(_STEEPNESS * (mine - theirs))


def _side(table: Table, player: int, stone: int, odds: Odds) -> float:
    """The value to expect of a side: of one that faces a complete one, up to `sides.WON`."""
    kind, mask, hand = table.kinds[stone], table.sides[player][stone], table.hands[player]
    lacking = table.lacking[player][stone]
    if not lacking:
        return complete_worth(kind, mask)[1]
    to_beat, unseen, held = table.to_beat(player, stone), table.unseen, sum(hand)
    if lacking == 1:
        return odds.expected(kind, mask, unseen, held, to_beat)[0]
    value = odds.hope(kind, mask, lacking, to_beat)
    if lacking == 2:
        for card in hand:
            if not mask & card:
                after = odds.expected(kind, mask | card, unseen, held ^ card, to_beat)[0]
                value = max(value, _PATIENCE * after)
    return value
