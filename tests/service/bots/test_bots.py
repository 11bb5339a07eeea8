"""The bots play whole games by themselves, and the steward knows how."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

import bench.bots as bench
from engine import Game, Seat, TakeTurn, advance, replay, view
from service.bots import BOTS, bot_at, bot_named, steward, strategist
from tests.engine.games import KINDS, THOROUGHNESS, Kind, begin, steps
from tests.engine.twins import twin_of

LONGEST_GAME = 400
"""Actions: more than any game of the bots has needed."""


def game_between(kind: Kind, seed: int, bots: Mapping[Seat, str]) -> Game:
    """A whole game, the same for the same seed; each bot sees the view of its seat alone."""
    rng = random.Random(seed)
    game, _ = begin(kind, rng)
    for _ in range(LONGEST_GAME):
        if game.turn is None:
            return game
        seen = view(game, game.turn)
        action = BOTS[bots[game.turn]].choose(seen, rng)
        assert action in seen.legal
        game, _ = advance(game, TakeTurn(game.turn, [action]))
    raise AssertionError("the bots never come to an end")


def test_the_steward_beats_random_in_nine_games_of_ten() -> None:
    won = 0
    for seed in range(30):
        kind = KINDS[seed % len(KINDS)]
        seat: Seat = "north" if seed % 2 else "south"
        bots: dict[Seat, str] = {"north": "random", "south": "random", seat: "steward"}
        won += game_between(kind, seed, bots).winner == seat
    assert won >= 27


@pytest.mark.parametrize(("kind", "deals"), [("base", 15), ("tactics", 6)])
def test_the_steward_beats_a_simple_rule_in_60_games_of_100(kind: str, deals: int) -> None:
    share = bench.won(
        bench.KINDS[kind], BOTS["steward"].choose, steward.strongest_side, range(deals)
    )
    assert share >= 0.6


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strategist thinks for a moment only, of a few plays."""
    monkeypatch.setattr(strategist, "CANDIDATES", 4)
    monkeypatch.setattr(strategist, "GAMES", 4)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("name", BOTS)
def test_no_bot_ever_gets_stuck_or_breaks_a_rule(kind: Any, name: Any) -> None:
    for seed in range(THOROUGHNESS):
        assert game_between(kind, seed, {"north": name, "south": "random"}).over


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("kind", [Kind("iello"), Kind("bga", tactics=True)], ids=str)
def test_hidden_cards_change_no_choice(kind: Kind, name: str) -> None:
    rng = random.Random(7)
    begun, events = begin(kind, rng)
    for number, (_, game, more) in enumerate(steps(begun, rng)):
        events = [*events, *more]
        if number % 8 or game.turn is None:
            continue
        twin = replay(twin_of(events, game.turn, rng))
        choices = {
            BOTS[name].choose(replace(view(one, game.turn), commitment=""), random.Random(number))
            for one in (game, twin)
        }
        assert len(choices) == 1


def test_a_match_of_several_rounds_is_played_to_its_end() -> None:
    match = Kind("iello", tactics=True, rounds=3)
    game = game_between(match, 1, {"north": "steward", "south": "random"})
    assert (game.status, game.round) == ("finished", 3)


def test_the_same_chance_makes_the_same_game() -> None:
    games = [game_between(KINDS[0], 7, {"north": "steward", "south": "random"}) for _ in range(2)]
    assert games[0].stones[0].sides == games[1].stones[0].sides
    assert games[0].version == games[1].version


class TestTheSteward:
    """What it does in a position that leaves no doubt."""

    def choice(self, hand: list[str], sides: Mapping[int, tuple[list[str], list[str]]]) -> str:
        game, _ = begin(Kind("iello"), random.Random(1), first_player="creator")
        seen = view(game, "north")
        stones = [*seen.stones]
        for number, (mine, theirs) in sides.items():
            stones[number - 1] = replace(stones[number - 1], north=mine, south=theirs)
        hands = {**seen.hands, "north": replace(seen.hands["north"], cards=hand)}
        room = [stone.number for stone in stones if len(stone.north) < 3]
        legal = [f"{card}@{number}" for card in hand for number in room]
        seen = replace(seen, stones=stones, hands=hands, legal=legal)
        return BOTS["steward"].choose(seen, random.Random(1))

    def test_completes_a_color_run(self) -> None:
        hand = ["R9", "O2", "Y4", "G1", "B6", "P3"]
        assert self.choice(hand, {5: (["R7", "R8"], ["G4", "G5"])}) == "R9@5"

    def test_keeps_a_good_card_from_a_lost_stone(self) -> None:
        hand = ["R9", "P1", "O1", "Y1", "G1", "B1"]
        choice = self.choice(hand, {5: (["R7", "R8"], []), 1: (["P2", "O4"], ["G7", "G8", "G9"])})
        assert choice == "R9@5"

    def test_claims_before_anything_else(self) -> None:
        game, _ = begin(Kind("iello"), random.Random(1), first_player="creator")
        seen = replace(view(game, "north"), legal=["R1@1", "!4", "!6"])
        assert BOTS["steward"].choose(seen, random.Random(1)) == "!4"


def test_a_bot_is_found_by_name_and_by_its_player() -> None:
    for name, bot in BOTS.items():
        assert bot_named(name) == bot_at(bot.player) == bot
        assert len(bot.player) == 16
    assert bot_named("nobody") is bot_named(None) is bot_at("aaaabbbbccccdddd") is None
