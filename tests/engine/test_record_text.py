"""The text form of a record, read back: what it says when something in it is not right."""

import re
from typing import Any

import pytest

from engine import Abandon, CreateGame, JoinGame, advance
from engine.record import BadRecord, from_text, to_text
from tests.engine.games import Kind, record_of, whole_game

SECRET = "ab" * 32


@pytest.fixture(scope="module")
def text() -> Any:
    game, events = whole_game(Kind("iello"), 7)
    return to_text(record_of(events, game.secret))


def told(text: str) -> str:
    with pytest.raises(BadRecord) as bad:
        from_text(text)
    return str(bad.value)


def test_a_line_that_is_neither_header_nor_turn_is_told_by_its_number(text: Any) -> None:
    assert told('[Edition "iello"]\n\nwhat?\n') == "Line 3 is neither a header nor a turn."
    assert told("what?\n" + text) == "Line 1 is neither a header nor a turn."


def test_a_value_that_cannot_be_read_is_told_by_its_number(text: Any) -> None:
    assert told(text.replace('"iello"', '"\\x"')) == "Line 1 has no readable value."


def test_a_game_that_cannot_be_made_is_refused_with_the_reason(text: Any) -> None:
    assert "The rules refuse this game: There is no edition 'house'" in told(
        text.replace('[Edition "iello"]', '[Edition "house"]')
    )


def test_a_turn_that_the_rules_refuse_is_told_by_its_number_with_the_reason(text: Any) -> None:
    for number in (1, 5):
        turn = re.search(rf"^{number}\. (.*)$", text, re.MULTILINE)
        changed = text.replace(turn[0], f"{number}. TRA:R1@1>2")
        assert (
            told(changed) == f"Turn {number}, TRA:R1@1>2: There are no Tactic cards in this game."
        )


@pytest.mark.parametrize("key", ["Edition", "Rounds", "Terms", "Secret", "North", "From", "Head"])
def test_a_record_without_one_of_its_headers_is_refused(text: Any, key: str) -> None:
    assert told(re.sub(rf"^\[{key} .*\]\n", "", text, flags=re.MULTILINE))


def test_the_creator_and_whoever_resigns_are_players_of_the_game(text: Any) -> None:
    assert "east is no seat" in told(text.replace('[Creator "north"]', '[Creator "east"]'))
    assert "east is no seat" in told(re.sub(r"^1\. .*$", "1. resign:east", text, flags=re.M))


def test_line_ends_of_other_systems_are_read_too(text: Any) -> None:
    assert to_text(from_text(text.replace("\n", "\r\n"))) == text


def test_a_drawn_game_names_no_winner() -> None:
    made = CreateGame("ann", "south", "iello", False, False, 2, "random", SECRET, "salt of ann")
    game, events = advance(None, made)
    for command in (JoinGame("bob", "salt of bob", "2026-01-02"), Abandon(None)):
        game, more = advance(game, command)
        events += more
    drawn = to_text(record_of(events, SECRET))
    assert '[Winner "none"]\n[Reason "agreement"]\n[Score "0-0"]\n' in drawn
    assert '[NorthVisited "2026-01-02"]' in drawn
    assert "SouthVisited" not in drawn
    assert drawn.endswith("]\n\n1. agreement\n")
    assert to_text(from_text(drawn)) == drawn
