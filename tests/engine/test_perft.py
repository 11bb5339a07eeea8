"""Perft: how many sequences of actions there are from fixed beginnings, to a small depth.

A rule that changes by accident changes a count. A count may change only with a ruling.
"""

import random
from typing import Any

import pytest

from engine import Game, TakeTurn, advance, legal
from tests.engine.games import Kind, begin, steps

LATE = {False: 40, True: 65}
"""Actions played before counting, without and with tactics (where a turn is two actions or more):
then claims, full sides, Ruses with targets and short decks are met as well."""


def perft(game: Game, depth: int) -> int:
    """The number of sequences of `depth` actions; a game that ends sooner counts once."""
    if depth == 0 or game.turn is None:
        return 1
    if depth == 1:
        return len(legal(game))
    return sum(
        perft(advance(game, TakeTurn(game.turn, [action]))[0], depth - 1) for action in legal(game)
    )


def late(kind: Kind, seed: int) -> Game:
    rng = random.Random(seed)
    game, _ = begin(kind, rng)
    for number, (_, after, _) in enumerate(steps(game, rng), 1):
        game = after
        if number == LATE[kind.tactics]:
            break
    return game


# Early at depths 1 and 2; late at depths 1 and 2; another late one at depth 2.
TABLE = {
    Kind("iello"): (54, 2916, 30, 704, 48),
    Kind("iello", expert=True): (54, 2916, 25, 509, 758),
    Kind("iello", tactics=True, rules_version=1): (63, 126, 2, 79, 375),
    Kind("iello", tactics=True): (63, 126, 2, 79, 375),
    Kind("iello", tactics=True, expert=True, rules_version=1): (63, 126, 40, 2259, 363),
    Kind("iello", tactics=True, expert=True): (63, 126, 40, 2259, 363),
    Kind("bga"): (54, 2916, 30, 704, 48),
    Kind("bga", expert=True): (54, 2916, 25, 509, 758),
    Kind("bga", tactics=True, rules_version=1): (63, 126, 2, 79, 375),
    Kind("bga", tactics=True): (63, 126, 56, 1409, 380),
    Kind("bga", tactics=True, expert=True, rules_version=1): (63, 126, 40, 2259, 363),
    Kind("bga", tactics=True, expert=True): (63, 126, 33, 1579, 451),
    Kind("reference-card"): (54, 2916, 30, 704, 48),
    Kind("reference-card", expert=True): (54, 2916, 25, 509, 758),
    Kind("reference-card", tactics=True, rules_version=1): (63, 126, 2, 79, 375),
    Kind("reference-card", tactics=True): (63, 126, 2, 79, 375),
    Kind("reference-card", tactics=True, expert=True, rules_version=1): (63, 126, 40, 2259, 363),
    Kind("reference-card", tactics=True, expert=True): (63, 126, 40, 2259, 363),
    Kind("community"): (54, 2916, 30, 709, 72),
    Kind("community", expert=True): (54, 2916, 25, 509, 758),
    Kind("community", tactics=True, rules_version=1): (63, 126, 2, 79, 402),
    Kind("community", tactics=True): (63, 126, 2, 79, 402),
    Kind("community", tactics=True, expert=True, rules_version=1): (63, 126, 40, 2259, 363),
    Kind("community", tactics=True, expert=True): (63, 126, 40, 2259, 363),
    Kind("scottentots"): (54, 2916, 25, 509, 758),
}


@pytest.mark.parametrize("kind", TABLE, ids=str)
def test_perft(kind: Any) -> None:
    early = begin(kind, random.Random(11))[0]
    counts = [perft(early, 1), perft(early, 2), perft(late(kind, 11), 1), perft(late(kind, 11), 2)]
    assert (*counts, perft(late(kind, 12), 2)) == TABLE[kind]
