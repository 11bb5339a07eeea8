"""The naive proof's shortcuts against trying everything, and random rounds."""

import random

import pytest

from tests.engine.games import THOROUGHNESS
from tests.engine.naive.model import NaiveGame, Options, other
from tests.engine.naive.proof import (
    CLAN,
    TACTIC,
    look_through_ranked,
    strength,
    strength_with_shared_colour,
    try_each_completion,
)
from tests.engine.naive.tables import claims


def test_choosing_only_values_finds_the_same_strength_as_trying_every_identity() -> None:
    rng = random.Random(17)
    for _ in range(60):
        troops = rng.sample(["JOK", "SPY", "SHB"], rng.randint(1, 2))
        modes = rng.sample(["MUD", "BMB"], rng.randint(0, 2))
        side = troops + rng.sample(CLAN, (4 if "MUD" in modes else 3) - len(troops))
        assert strength_with_shared_colour(side, modes) == strength(side, modes)


@pytest.mark.parametrize("modes", [[], ["BMB"], ["MUD"], ["MUD", "BMB"]])
def test_the_ranked_list_and_trying_each_completion_agree(modes: list[str]) -> None:
    rng = random.Random(14)
    size = 4 if "MUD" in modes else 3
    for _ in range(10 * THOROUGHNESS):
        shuffled = rng.sample(CLAN, 54)
        mine = [shuffled.pop() for _ in range(size)]
        theirs = [shuffled.pop() for _ in range(rng.randint(size - 3, size - 1))]
        theirs[:1] = rng.choice([theirs[:1], ["JOK"][: len(theirs)], ["SHB"][: len(theirs)]])
        unseen = shuffled[: rng.randint(0, 22)]
        arguments = (strength(mine, modes), theirs, unseen, modes)
        fast, slow = look_through_ranked(*arguments), try_each_completion(*arguments)
        assert (fast is None) == (slow is None)
        if fast is not None:
            assert set(fast) <= set(unseen)
            assert strength((*theirs, *fast), modes) > strength(mine, modes)


@pytest.mark.parametrize("timing", ["after_play", "before_play", "any_time"])
@pytest.mark.parametrize("joker_limit", ["one_per_game", "one_on_table"])
def test_random_rounds_keep_every_card_and_come_to_an_end(timing: str, joker_limit: str) -> None:
    rng = random.Random(timing + joker_limit)
    for _ in range(5):
        decks = rng.sample(CLAN, 54), rng.sample(TACTIC, 10)
        game = NaiveGame(Options(7, True, timing, joker_limit), "north", *decks)
        while not game.over:
            assert all_cards(game) == sorted(CLAN + TACTIC)
            game.do(rng.choice(sorted(claims(game) or game.legal())))
        assert game.reason in {"three-adjacent", "five-stones", "stalemate"}
        assert game.winner is None or game.scores[game.winner] == 5
        assert game.winner is None or game.scores[other(game.winner)] < 5


def all_cards(game: NaiveGame) -> list[str]:
    lying = [s[where] for s in game.stones for where in ("north", "south", "modes")]
    piles = [*lying, *game.hands.values(), game.discard, game.clan_deck, game.tactic_deck]
    return sorted(card for pile in piles for card in pile)
