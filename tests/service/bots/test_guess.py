"""Hands keep the cards that help least."""

import random
from dataclasses import replace

import bench.luck as bench
from engine import OTHER, replay, view
from engine.cards import BIT
from engine.events import CardDrawn
from service.bots.position import held_weights, position_in
from tests.engine.games import Kind, begin


def test_a_card_that_completes_a_strong_side_is_less_likely_in_the_hand_than_others() -> None:
    game, _ = begin(Kind("iello"), random.Random(1), first_player="creator")
    seen = view(game, "north")
    stones = [*seen.stones]
    stones[4] = replace(stones[4], south=["R7", "R8"])
    hands = {**seen.hands, "north": replace(seen.hands["north"], cards=["O1"] * 6)}
    weights = held_weights(position_in(replace(seen, stones=stones, hands=hands)))
    assert weights[BIT["R9"]] < weights[BIT["G2"]]
    assert BIT["R7"] not in weights
    assert BIT["O1"] not in weights


def test_the_cards_that_bots_hold_weigh_more_than_those_in_the_deck() -> None:
    held, others = [], []
    for seed in range(6):
        events = bench.game_of("steward", seed)
        draws = [place for place, event in enumerate(events) if isinstance(event, CardDrawn)]
        for place in draws[len(draws) // 2 :: 6]:
            game = replay(events[:place])
            seat = events[place].by
            assert seat is not None
            for bit, weight in held_weights(position_in(view(game, seat))).items():
                in_hand = any(BIT[card] == bit for card in game.hands[OTHER[seat]])
                (held if in_hand else others).append(weight)
    assert sum(held) / len(held) > 1.02 * sum(others) / len(others)
