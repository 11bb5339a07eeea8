"""Formations and proofs against brute force: every identity, every completion."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.cards import ALL_CLAN, BIT, CLAN_CARDS, COLORS, bits
from engine.claims import judge, obstacles
from engine.formations import COLOR, RUN, SUM, Formation, best_of_rank, formation, group, strongest
from tests.engine.games import THOROUGHNESS
from tests.engine.naive import proof as naive

ELITE = ["JOK", "JOK", "SPY", "SHB"]


@st.composite
def sides(draw: Any) -> Any:
    """A complete side, another of any length, other cards seen, and modes."""
    size = draw(st.sampled_from([3, 4]))
    cards = draw(st.permutations(list(CLAN_CARDS)))
    elite = draw(st.permutations(ELITE))
    wild = draw(st.integers(0, 2))
    mine = draw(st.permutations(elite[:wild] + cards[: size - wild]))
    wild_theirs = draw(st.integers(0, 2))
    length = draw(st.integers(0, size))
    theirs = (elite[2 : 2 + wild_theirs] + cards[10:20])[:length]
    seen = cards[20 : 20 + draw(st.integers(0, 34))]
    modes = (["MUD"] if size == 4 else []) + (["BMB"] if draw(st.booleans()) else [])
    first = draw(st.sampled_from(["mine", "theirs"]))
    return tuple(mine), tuple(theirs), tuple(seen), first, tuple(modes)


@settings(max_examples=200 * THOROUGHNESS, deadline=None)
@given(sides())
def test_a_side_is_worth_what_brute_force_finds(question: Any) -> None:
    mine, _, _, _, modes = question
    found = formation(mine, "BMB" in modes)
    assert (found.rank + 1, found.total) == naive.strength(mine, modes)


@settings(max_examples=200 * THOROUGHNESS, deadline=None)
@given(sides())
def test_elite_troops_count_as_values_that_they_may_take(question: Any) -> None:
    mine, _, _, _, modes = question
    found = formation(mine, "BMB" in modes)
    for card, value in zip(mine, found.values, strict=True):
        assert value in BIT
        assert card == value or card in ELITE
        assert card != "SPY" or value[1] == "7"
        assert card != "SHB" or value[1] in "123"
    assert naive.strength(found.values, modes) == (found.rank + 1, found.total)


@settings(max_examples=150 * THOROUGHNESS, deadline=None)
@given(sides())
def test_a_claim_stands_exactly_when_brute_force_finds_nothing_stronger(question: Any) -> None:
    mine, theirs, seen, first, modes = question
    unseen = ALL_CLAN & ~bits(mine + theirs + seen)
    verdict = judge(mine, theirs, unseen, first, modes)
    stands, _ = naive.claim(mine, theirs, set(seen) | set(mine) | set(theirs), first, modes)
    assert verdict.stands == stands, verdict


@settings(max_examples=150 * THOROUGHNESS, deadline=None)
@given(sides())
def test_the_counter_example_is_real(question: Any) -> None:
    mine, theirs, seen, first, modes = question
    unseen = ALL_CLAN & ~bits(mine + theirs + seen)
    added = judge(mine, theirs, unseen, first, modes).counterexample
    if added is not None:
        assert len(set(added)) == len(added)
        assert bits(added) & unseen == bits(added)
        assert len(theirs + added) == len(mine)
        assert naive.strength(theirs + added, modes) > naive.strength(mine, modes)


@settings(max_examples=150 * THOROUGHNESS, deadline=None)
@given(sides())
def test_the_obstacles_prove_every_claim_that_stands_and_no_other(question: Any) -> None:
    mine, theirs, seen, first, modes = question
    unseen = ALL_CLAN & ~bits(mine + theirs + seen)
    verdict = judge(mine, theirs, unseen, first, modes)
    assume(verdict.reason in ("unbeatable", "beatable"))
    assert verdict.mine
    shown = obstacles(verdict.mine, theirs, unseen, modes)
    # Of Blind-Man's Bluff only the sum counts.
    ranks = [SUM] if "BMB" in modes else [4, 3, 2, 1, 0][: 5 - verdict.mine.rank]
    assert [obstacle.rank for obstacle in shown] == ranks
    possible = [each.best for each in shown if each.best]
    assert verdict.stands == (not any(best.beats(verdict.mine) for best in possible))


@settings(max_examples=150 * THOROUGHNESS, deadline=None)
@given(sides())
def test_the_seen_cards_of_an_obstacle_suffice_and_each_is_needed(question: Any) -> None:
    mine, theirs, seen, _, modes = question
    unseen, size = ALL_CLAN & ~bits(mine + theirs + seen), len(mine)
    assume(size > len(theirs) and unseen.bit_count() >= size - len(theirs))
    for each in obstacles(formation(mine, "BMB" in modes), theirs, unseen, modes):
        if each.best is None:
            supposed = ALL_CLAN & ~bits(theirs + each.seen)
            assert best_of_rank(each.rank, theirs, size, supposed) is None
            for card in each.seen:
                assert best_of_rank(each.rank, theirs, size, supposed | BIT[card])


@settings(max_examples=150 * THOROUGHNESS, deadline=None)
@given(sides())
def test_the_strongest_completion_is_the_best_that_brute_force_finds(question: Any) -> None:
    _, theirs, seen, _, modes = question
    size = 4 if "MUD" in modes else 3
    unseen = ALL_CLAN & ~bits(theirs + seen)
    best = strongest(theirs, size, unseen, "BMB" in modes)
    if best is None:
        assert unseen.bit_count() < size - len(theirs)
        return
    assert naive.strength(theirs + best.added, modes) == (best.rank + 1, best.total)
    exactly = (best.rank, best.total)
    assert strongest(theirs, size, unseen, "BMB" in modes, above=exactly) is None
    below = (best.rank, best.total - 1)
    assert strongest(theirs, size, unseen, "BMB" in modes, above=below) == best


def test_a_group_counts_its_cards() -> None:
    found = group(("R7", "JOK", "R9", "SHB"))
    assert found.colors == (0,)
    assert found.strengths == 0b101000000
    assert found.total == 7 + 9 + 9 + 3
    assert found.elite == ("SHB", "JOK")
    assert found.alike == 0


def test_as_many_jokers_as_there_are_each_take_a_missing_strength() -> None:
    assert formation(("JOK", "R5", "JOK"), False).values == ("R7", "R5", "R6")
    assert formation(("JOK", "SPY", "SHB"), False).values == ("R9", "R7", "R3")


@pytest.mark.parametrize("letter", COLORS)
def test_ruling_8_a_side_is_completed_in_its_own_colour(letter: Any) -> None:
    others = [f"{color}8" for color in COLORS if color != letter]
    unseen = bits([f"{letter}{strength}" for strength in (3, 5, 9)] + others[:1])
    found = strongest((f"{letter}1",), 3, unseen, False)
    assert found == Formation(COLOR, 15, (f"{letter}1",), (f"{letter}9", f"{letter}5"))


@pytest.mark.parametrize("letter", COLORS)
def test_ruling_8_a_run_is_completed_by_the_strength_that_lacks_in_any_colour(letter: Any) -> None:
    side = ("R2", "G3") if letter != "R" else ("O2", "G3")
    for strength, total in ((4, 9), (1, 6)):
        card = f"{letter}{strength}"
        assert strongest(side, 3, bits([card]), False) == Formation(RUN, total, side, (card,))
    five = f"{letter}5"
    assert strongest(side, 3, bits([five]), False) == Formation(SUM, 10, side, (five,))


@pytest.mark.parametrize(
    ("unseen", "total", "added"),
    [
        ("G8 B6 O5", 15, "G8 B6"),
        ("G9 B7 O4", 17, "G9 B7"),
        ("P4 O9 Y9 B9", 19, "O9 Y9"),
        ("O1 B9", 11, "B9 O1"),
    ],
)
def test_ruling_8_a_sum_is_completed_with_the_highest_strengths_there_are(
    unseen: str, total: int, added: str
) -> None:
    found = strongest(("R1",), 3, bits(unseen.split()), False)
    assert found == Formation(SUM, total, ("R1",), tuple(added.split()))


@pytest.mark.parametrize(
    ("cards", "values"),
    [
        ("G7 JOK SPY", "G7 R7 R7"),
        ("SHB G3 JOK", "G2 G3 G4"),
        ("SHB G3 B3", "R3 G3 B3"),
        ("JOK P9 P7", "P8 P9 P7"),
        ("O1 SHB P3", "O1 R2 P3"),
        ("G9 G1 SPY", "G9 G1 G7"),
    ],
)
def test_ruling_17_elite_troops_are_shown_as_they_count(cards: str, values: str) -> None:
    assert formation(tuple(cards.split()), False).values == tuple(values.split())
