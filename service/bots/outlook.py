"""Estimates the chance of winning from a table on which a few more turns were played."""

import math
from typing import Final

from service.bots.playout import Table
from service.bots.sides import Odds, complete_worth

# Fitted to games that the rule of `playout` played with itself.
_PROMISED: Final = 0.35
_SECURED: Final = 0.5
_OWNED: Final = 0.35
"""The weights of the chance to take a Stone, from -1 to 1: while both sides lack cards; while one
side is complete; once the Stone is taken."""
_TO_MOVE: Final = 0.085
_STEEPNESS: Final = 2.75
_AHEAD: Final = 1.55
_CATCH_UP: Final = 2.2
"""A complete side wins with this lead, minus the value that the other side may reach."""
_PATIENCE: Final = 0.9
"""The factor for a card in the hand of a side that lacks another card as well."""


def chance(table: Table, winner: int, player: int, odds: Odds) -> float:
    """The chance that player 0 wins. `winner` is the player who has won, or -1: then it is
    `player`'s turn."""
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
    """The expected value of a side: at most 1, or `sides.WON` if the other side is complete."""
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
