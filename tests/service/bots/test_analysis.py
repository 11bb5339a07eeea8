"""What each turn and each draw of a game was worth, weighed by what its player could know."""

import json
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from statistics import fmean, stdev

import pytest

import bench.luck as bench
from bench.weighing import FIGURES, agree, some_turns
from engine import OTHER, Event, Resign, advance, replay
from engine.chain import EncodedEvent, decode, encode
from engine.events import CardDrawn, CardPlayed, Passed, StoneClaimed
from engine.rules import claimable_stones
from service.bots.analysis import Estimate, WeighedTurn, shrunk, turns_of, typical_luck, weigh
from service.bots.deals import GuessedDeal
from tests.engine.games import KINDS, THOROUGHNESS, Kind, whole_game
from tests.engine.twins import twin_of

QUICK = 80
"""An effort for tests: a few deals a turn."""


def weighed(events: Sequence[Event], seat: str | None = None) -> list[WeighedTurn]:
    """The last turns, those of one seat or of both."""
    last = [*turns_of(events)][-4:]
    return [weigh(played, QUICK) for played in last if seat in (None, played.seat)]


def mirrored(events: Sequence[Event]) -> list[Event]:
    """The same game with its seats changed."""
    text = json.dumps([encode(event) for event in events])
    text = text.replace('"north"', '"?"').replace('"south"', '"north"').replace('"?"', '"south"')
    return [decode(EncodedEvent(*coded)) for coded in json.loads(text)]


def to_the_draw(events: Sequence[Event], number: int) -> list[Event]:
    """The events up to this draw of the game."""
    draws = [place for place, event in enumerate(events) if isinstance(event, CardDrawn)]
    return [*events[: draws[number] + 1]]


@pytest.mark.parametrize("kind", [Kind("iello"), Kind("bga", tactics=True)], ids=str)
class TestFairness:
    """The numbers of a seat follow from what it saw."""

    def test_mirrored_games_give_mirrored_numbers(self, kind: Kind) -> None:
        events = to_the_draw(bench.game_of("steward", 1, kind), 12)
        sides = [
            [replace(turn, seat=OTHER[turn.seat]).to_data() for turn in weighed(events)],
            [turn.to_data() for turn in weighed(mirrored(events))],
        ]
        assert sides[0] == sides[1] != []

    def test_nothing_is_read_that_the_seat_could_not_see(self, kind: Kind) -> None:
        game = bench.game_of("steward", 2, kind)
        for number in (12, 31):
            events = to_the_draw(game, number)
            seat = events[-1].by
            assert seat is not None
            twin = twin_of(events, seat, random.Random(number))
            assert twin != events
            assert weighed(events, seat) == weighed(twin, seat) != []

    def test_the_same_game_gives_the_same_numbers(self, kind: Kind) -> None:
        events = to_the_draw(bench.game_of("piper", 3, kind), 5)
        assert weighed(events) == weighed(events)


class TestMoments:
    """The turns of a game, in their order."""

    def test_each_play_is_one_with_its_draw(self) -> None:
        game, events = whole_game(Kind("iello"), 1)
        found = [*turns_of(events)]
        plays = [n for n, event in enumerate(events, 1) if isinstance(event, CardPlayed | Passed)]
        drawn = [n for n, event in enumerate(events, 1) if isinstance(event, CardDrawn)]
        assert [played.seq for played in found] == plays
        assert [played.drawn_at for played in found if played.drawn] == drawn
        assert found[-1].is_won == (game.reason in ("three-adjacent", "five-stones"))

    @pytest.mark.parametrize("kind", KINDS, ids=str)
    def test_every_kind_of_game_can_be_weighed(self, kind: Kind) -> None:
        _, events = whole_game(kind, 4)
        for played in [*turns_of(events)][:: 18 // THOROUGHNESS or 1]:
            turn = weigh(played, 40)
            assert 0 <= turn.chance.value <= 1
            assert (turn.luck is None) == (played.drawn is None or played.is_won)
            data = json.loads(json.dumps(turn.to_data()))
            assert json.dumps(WeighedTurn.from_data(data).to_data()) == json.dumps(data)

    def test_a_match_goes_on_in_its_next_round(self) -> None:
        _, events = whole_game(Kind("iello", rounds=2), 5)
        assert [*dict.fromkeys(played.round for played in turns_of(events))] == [1, 2]

    def test_a_turn_that_its_player_gave_up_in_is_not_won(self) -> None:
        _, events = whole_game(Kind("community"), 1)
        place = next(n for n, event in enumerate(events) if isinstance(event, StoneClaimed))
        before = replay(events[:place])
        assert before.turn is not None
        _, end = advance(before, Resign(before.turn))
        *_, last = turns_of([*events[:place], *end])
        assert (last.seq, last.is_won, last.drawn) == (place, False, None)

    def test_a_claim_that_could_have_been_made_is_missed_until_it_is(self) -> None:
        events = bench.game_of("random", 6)
        found = [*turns_of(events)]
        claims = {
            event.stone: n for n, event in enumerate(events, 1) if isinstance(event, StoneClaimed)
        }
        missed = {stone: played for played in reversed(found) for stone in played.missed}
        assert missed
        for stone, played in missed.items():
            assert stone in claimable_stones(replay(events[: played.seq]), played.seat)
            assert claims.get(stone, len(events)) > played.seq

    def test_bots_that_claim_at_once_miss_nothing(self) -> None:
        assert not any(played.missed for played in turns_of(bench.game_of("steward", 1)))


@cache
def weighed_twice() -> list[tuple[WeighedTurn, WeighedTurn]]:
    """Turns of many games, each weighed twice with other guesses."""
    turns = islice(some_turns(), 60 * THOROUGHNESS)
    return [(weigh(turn, 400), weigh(turn, 400, seed=1)) for turn in turns]


class TestErrors:
    """What is shown beside a figure. `bench/weighing.py` measures it at full effort."""

    @pytest.mark.parametrize("figure", FIGURES)
    def test_weighed_again_95_of_100_figures_lie_within_it(self, figure: str) -> None:
        pairs = weighed_twice()
        found = [(getattr(one, figure), getattr(again, figure)) for one, again in pairs]
        found = [(one, again) for one, again in found if one is not None and again is not None]
        assert sum(agree(*pair) for pair in found) >= 0.95 * len(found)
        assert len(found) > len(pairs) / 2
        assert any(one.value != again.value for one, again in found)

    def test_it_is_0_of_what_is_solved_alone(self) -> None:
        for one, again in weighed_twice():
            if one.chance.error == 0:
                assert again.chance == one.chance
                assert one.chance.value in (0, 0.5, 1)
            elif one.loss is not None:
                assert one.loss.error > 0

    def test_plays_that_cannot_be_told_apart_are_all_named(self) -> None:
        pairs = weighed_twice()
        for turn in (turn for pair in pairs for turn in pair if turn.loss is not None):
            assert turn.loss is not None
            is_worse = turn.loss.is_certain and turn.loss.value > 0
            assert (turn.played in turn.best) != is_worse
            assert turn.best
        named = [(one.best, again.best) for one, again in pairs if one.best]
        assert sum({*one}.isdisjoint(again) for one, again in named) < 0.2 * len(named)


class TestLuck:
    """How lucky a draw was."""

    def test_it_is_nothing_on_the_average(self) -> None:
        """`bench/luck.py` measures it over ten thousand games, and whole ones."""
        sums = [
            sum(luck for _, luck, _ in bench.draws(bench.game_of("piper", seed), 80, largest=8))
            for seed in range(20 * THOROUGHNESS)
        ]
        assert abs(fmean(sums)) < 3 * stdev(sums) / math.sqrt(len(sums))

    def test_a_hand_that_lacks_the_card_drawn_holds_the_next_likely_one(self) -> None:
        deal = GuessedDeal([11, 12, 13, 21, 22], next_held=12, seed=0.5)
        assert deal.with_on_top(21, deck=3) == [11, 13, 21, 12, 22]
        assert deal.with_on_top(12, deck=3) == [11, 13, 12, 21, 22]
        assert deal.with_on_top(13, deck=3) == [11, 12, 13, 21, 22]

    def test_what_is_uncertain_is_taken_for_little(self) -> None:
        sure, unsure = shrunk(Estimate(0.2, 0.01), 0.1), shrunk(Estimate(0.2, 0.1), 0.1)
        assert sure.value == pytest.approx(0.2, rel=0.02)
        assert unsure == pytest.approx(Estimate(0.1, 0.1 * math.sqrt(0.5)))
        assert shrunk(Estimate(0.2, 0.1), 0.0) == (0.0, 0.0)

    def test_the_last_cards_matter_most(self) -> None:
        assert 0 < typical_luck(42, 0.5) < typical_luck(14, 0.5) < typical_luck(1, 0.5)
        assert typical_luck(1, 1.0) == typical_luck(1, 0.0) == 0
