"""Puzzles: can this Stone be claimed? Asked, answered, and exact."""

from datetime import date, timedelta

import pytest
from flask.testing import FlaskClient

from engine.game import STONES
from service.core.words import ENGLISH
from service.web.reference.judge import OPPONENT, YOU
from service.web.reference.puzzles import LEVELS, Puzzle, numbers_of, puzzle_of
from tests.engine.invariants import violations
from tests.engine.naive import proof as naive
from tests.web.pressing import read

NUMBERS = [str(number) for number in range(1, 61)]
DAYS = [(date(2026, 11, 16) + timedelta(day)).isoformat() for day in range(14)]


def of(seed: str) -> Puzzle:
    """The puzzle of a seed that has one."""
    found = puzzle_of(seed)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", NUMBERS + DAYS)
def test_the_answer_is_what_brute_force_finds(seed: str) -> None:
    puzzle = of(seed)
    stone = puzzle.game.stone(puzzle.stone)
    lying = {
        card
        for number in STONES
        for side in puzzle.game.stone(number).sides.values()
        for card in side
    }
    stands, _ = naive.claim(stone.sides[YOU], stone.sides[OPPONENT], lying, "mine", stone.modes)
    assert puzzle.claim_state(ENGLISH).claimable == stands
    assert bool(puzzle.claim_state(ENGLISH).because) == stands
    assert bool(puzzle.claim_state(ENGLISH).beaten_by) != stands


def test_a_seed_always_gives_the_same_board() -> None:
    again = puzzle_of.__wrapped__("7")
    assert again is not None
    stones = [(stone.sides, stone.modes) for stone in of("7").game.stones]
    assert [(stone.sides, stone.modes) for stone in again.game.stones] == stones


def test_a_board_is_sound() -> None:
    assert [violations(of(seed).game) for seed in NUMBERS] == [[]] * len(NUMBERS)


def test_puzzles_rise_in_difficulty_and_both_answers_come() -> None:
    levels = [of(seed).level for seed in NUMBERS]
    assert levels == sorted(levels)
    assert set(levels) == set(range(1, len(LEVELS) + 1))
    days = [of(seed).level for seed in DAYS[:7]]
    assert days == sorted(days)
    assert 20 <= sum(of(seed).claim_state(ENGLISH).claimable for seed in NUMBERS) <= 40


def test_one_more_card_in_sight_would_make_a_failing_claim_stand() -> None:
    for seed in NUMBERS:
        puzzle = of(seed)
        if not puzzle.claim_state(ENGLISH).claimable:
            stone = puzzle.game.stone(puzzle.stone)
            assert any(
                stone.verdict(YOU, puzzle.game.unseen & ~(1 << card)).stands for card in range(54)
            )


def test_the_page_asks_and_does_not_give_the_answer_away(client: FlaskClient) -> None:
    page = client.get("/puzzles/8")
    assert page.status_code == 200
    assert "The claim" not in page.text
    assert 'class="because"' not in page.text
    answers = [part.attributes["value"] for part in read(page.text).all("button")]
    assert answers == ["yes", "no"]
    # Neither is the next thing to do: gold would give a hint.
    assert {part.attributes.get("class") for part in read(page.text).all("button")} == {"lesser"}


@pytest.mark.parametrize("seed", NUMBERS[:20])
def test_an_answer_is_told_with_the_proof_or_the_counter_example(
    client: FlaskClient, seed: str
) -> None:
    puzzle = of(seed)
    right, wrong = ("yes", "no") if puzzle.claim_state(ENGLISH).claimable else ("no", "yes")
    page = client.get(f"/puzzles/{seed}?answer={right}").text
    assert ">Right." in page
    assert ">Not so." in client.get(f"/puzzles/{seed}?answer={wrong}").text
    for sentence in puzzle.claim_state(ENGLISH).because:
        assert read(page).text.count(sentence) == 1
    shining = [
        part
        for part in read(page).all("li")
        if "changed" in part.attributes.get("class", "").split() and "data-card" in part.attributes
    ]
    assert {part.attributes["data-card"] for part in shining} == set(
        puzzle.claim_state(ENGLISH).beaten_by
    )


def test_tab_and_heading_ask_the_same_and_one_way_on_is_gold(client: FlaskClient) -> None:
    for seed in ("7", DAYS[0]):
        page = read(client.get(f"/puzzles/{seed}?answer=yes").text)
        (title,), (heading,) = page.all("title"), page.all("h1")
        assert title.text == f"{heading.text} · Scottenbury"
        ways = [a.text for a in page.all("a") if a.attributes.get("class") == "button"]
        assert ways == ["Next puzzle"]


def test_there_is_a_puzzle_a_day(client: FlaskClient) -> None:
    page = client.get("/puzzles")
    assert page.status_code == 200
    assert "Puzzle of the day, level" in page.text


@pytest.mark.parametrize(
    "seed", ["0", "-1", "07", "1000000", "9" * 5000, "2026-13-01", "x", "\u0661"]
)
def test_nothing_else_is_a_puzzle(client: FlaskClient, seed: str) -> None:
    assert client.get(f"/puzzles/{seed}").status_code == 404


@pytest.mark.parametrize("path", ["/", "/rules", "/help"])
def test_a_newcomer_finds_the_puzzles(client: FlaskClient, path: str) -> None:
    assert 'href="/puzzles' in client.get(path).text


def test_a_hard_puzzle_of_the_day_leads_to_an_easy_one(client: FlaskClient) -> None:
    easy, hard = (client.get(f"/puzzles/{day}").text for day in ("2026-11-23", "2026-11-29"))
    assert "level 5 of 5" in hard
    assert 'href="/puzzles/1">An easier one' in hard
    assert "An easier one" not in easy
    assert "An easier one" not in client.get("/puzzles/17").text


def test_each_page_lists_the_puzzles_by_difficulty(client: FlaskClient) -> None:
    page = client.get("/puzzles/6").text
    listed = [part.attributes for part in read(page).all("a") if "data-puzzle" in part.attributes]
    assert [each["data-puzzle"] for each in listed] == [str(number) for number in range(1, 29)]
    assert [each["href"] for each in listed if "aria-current" in each] == ["/puzzles/6"]
    for level in range(1, len(LEVELS) + 1):
        assert {of(str(number)).level for number in numbers_of(level)} == {level}
        assert f"Level {level}" in read(page).text


def test_only_a_right_answer_is_marked_as_solved(client: FlaskClient) -> None:
    right, wrong = ("yes", "no") if of("3").claim_state(ENGLISH).claimable else ("no", "yes")
    assert 'data-solved="3"' in client.get(f"/puzzles/3?answer={right}").text
    assert "data-solved" not in client.get(f"/puzzles/3?answer={wrong}").text
    assert "data-solved" not in client.get("/puzzles/3").text


def test_tactic_cards_at_the_stone_say_what_they_do(client: FlaskClient) -> None:
    effects = {"JOK": "Counts as whichever", "SPY": "Counts as a 7", "SHB": "Counts as a 1, 2"}
    for seed in ("17", "18", "19", "20"):
        stone, page = of(seed).game.stone(of(seed).stone), client.get(f"/puzzles/{seed}").text
        laid = (*stone.modes, *stone.sides[OPPONENT])
        assert [words in page for words in effects.values()] == [card in laid for card in effects]
        assert ("each side takes four cards" in page) == ("MUD" in laid)
    assert 'class="effects"' not in client.get("/puzzles/1").text
