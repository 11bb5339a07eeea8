"""Claim questions as plain data: what `scottenbury judge` reads and answers."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CLAN_CARDS
from engine.judge_io import InvalidSituation, judge_line, judge_situation


def ask(**question: Any) -> Any:
    return judge_situation(
        {"mine": [], "theirs": [], "seen": [], "first": None, "modes": [], **question}
    )


def test_a_claim_that_can_be_beaten_is_answered_with_what_beats_it() -> None:
    asked = '{"mine":["G6","G7","JOK"],"theirs":["R8"],"seen":["B1"],"first":null,"modes":[]}'
    assert json.loads(judge_line(asked).text) == {
        "claimable": False,
        "reason": "beatable",
        "mine": {"rank": "color-run", "total": 21, "as": ["G6", "G7", "G8"]},
        "theirs": None,
        "counterexample": ["R9", "R7"],
    }


def test_a_claim_that_stands_has_no_counter_example() -> None:
    told = ask(mine=["G6", "G7", "JOK"], theirs=["R8"], seen=["R7"])
    assert (told["claimable"], told["reason"]) == (True, "unbeatable")
    assert told["counterexample"] is None


def test_a_complete_opposing_side_is_told_as_it_counts() -> None:
    told = ask(mine=["R1", "G1", "B1"], theirs=["R7", "SPY", "G7"], first="theirs")
    assert told == {
        "claimable": False,
        "reason": "weaker",
        "mine": {"rank": "three-of-a-kind", "total": 3, "as": ["R1", "G1", "B1"]},
        "theirs": {"rank": "three-of-a-kind", "total": 21, "as": ["R7", "R7", "G7"]},
        "counterexample": None,
    }


def test_between_equals_the_side_completed_first_wins() -> None:
    sides = {"mine": ["R1", "R2", "R3"], "theirs": ["G1", "G2", "G3"]}
    assert ask(**sides, first="mine")["claimable"]
    assert not ask(**sides, first="theirs")["claimable"]
    assert ask(**sides, first=None)["reason"] == "tied"


def test_an_incomplete_claimer_is_answered_not_refused() -> None:
    told = ask(mine=["R1", "R2"])
    assert (told["claimable"], told["reason"], told["mine"]) == (False, "incomplete", None)


def test_modes_change_what_counts() -> None:
    assert ask(mine=["R1", "R2", "R3", "R4"], theirs=["G9"], modes=["MUD"])["claimable"] is False
    assert ask(mine=["R9", "G9", "B9"], theirs=["P1"], modes=["BMB"])["claimable"] is True


def test_modes_and_who_was_first_may_be_left_out() -> None:
    assert (
        judge_situation({"mine": ["R9", "R8", "R7"], "theirs": [], "seen": []})["claimable"] is True
    )


def test_cards_may_be_typed_as_people_type_them() -> None:
    assert ask(mine=["7r", "r8", "jok"])["mine"]["as"] == ["R7", "R8", "R9"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "not-json"),
        ("{", "not-json"),
        ("[" * 100_000, "not-json"),
        ("[]", "not-an-object"),
        ("null", "not-an-object"),
        ('"R7"', "not-an-object"),
        ('{"theirs": []}', "missing-key"),
        ('{"mine": []}', "missing-key"),
        ('{"mine": [], "theirs": []}', "missing-key"),
        ('{"mine": [], "mine": ["R7"], "theirs": [], "seen": []}', "key-twice"),
        ('{"mine": [], "theirs": [], "wind": 1}', "unknown-key"),
        ('{"mine": "R7", "theirs": [], "seen": []}', "not-a-list"),
        ('{"mine": {}, "theirs": [], "seen": []}', "not-a-list"),
        ('{"mine": ["Z1"], "theirs": [], "seen": []}', "unknown-card"),
        ('{"mine": [7], "theirs": [], "seen": []}', "unknown-card"),
        ('{"mine": [["R7"]], "theirs": [], "seen": []}', "unknown-card"),
        ('{"mine": ["R1","R2","R3","R4"], "theirs": [], "seen": []}', "too-many-cards"),
        (
            '{"mine": [], "theirs": ["R1","R2","R3","R4","R5"], "modes": ["MUD"], "seen": []}',
            "too-many-cards",
        ),
        ('{"mine": ["MUD"], "theirs": [], "seen": []}', "not-on-a-side"),
        ('{"mine": ["REC"], "theirs": [], "seen": []}', "not-on-a-side"),
        ('{"mine": [], "theirs": [], "seen": ["JOK"]}', "not-a-clan-card"),
        ('{"mine": [], "theirs": [], "modes": ["R7"], "seen": []}', "not-a-mode"),
        ('{"mine": [], "theirs": [], "modes": ["MUD","MUD"], "seen": []}', "card-twice"),
        ('{"mine": [], "theirs": [], "first": "me", "seen": []}', "bad-first"),
        ('{"mine": [], "theirs": [], "first": [], "seen": []}', "bad-first"),
        ('{"mine": ["R7"], "theirs": ["R7"], "seen": []}', "card-twice"),
        ('{"mine": ["R7"], "theirs": [], "seen": ["R7"]}', "card-twice"),
        ('{"mine": ["SPY"], "theirs": ["SPY"], "seen": []}', "card-twice"),
        ('{"mine": ["JOK", "JOK"], "theirs": ["JOK"], "seen": []}', "card-twice"),
    ],
)  # fmt: skip
def test_a_malformed_line_is_answered_with_an_error_object(line: str, code: str) -> None:
    error = json.loads(judge_line(line).text)["error"]
    assert error["code"] == code
    assert error["detail"]


def test_both_jokers_may_lie_on_one_stone() -> None:
    assert ask(mine=["JOK", "JOK", "R1"])["mine"]["total"] == 6
    assert ask(mine=["JOK", "R1", "R2"], theirs=["JOK"])["mine"]["as"] == ["R3", "R1", "R2"]


def test_elite_troops_leave_every_other_clan_card_unseen() -> None:
    seen = [card for card in CLAN_CARDS if card not in ("R1", "R2", "R3", "O1", "Y2")]
    told = ask(mine=["SHB", "O1", "Y2"], theirs=["R2", "R3"], seen=seen)
    assert told["counterexample"] == ["R1"]


@pytest.mark.parametrize("key", ["mine", "theirs", "seen", "modes"])
def test_what_is_no_list_of_cards_is_told_by_its_key(key: str) -> None:
    with pytest.raises(InvalidSituation, match=f'^"{key}" is a list of cards.$'):
        ask(**{key: "R7"})


@pytest.mark.parametrize("key", ["mine", "theirs"])
def test_too_many_cards_are_told_by_their_side(key: str) -> None:
    with pytest.raises(InvalidSituation, match=f'^"{key}" holds more than 3 cards.$'):
        ask(**{key: ["R1", "R2", "R3", "R4"]})


@given(st.recursive(st.none() | st.text(max_size=4) | st.integers(), st.lists, max_leaves=6))
def test_no_value_in_a_question_breaks_the_judge(value: Any) -> None:
    for key in ("mine", "theirs", "seen", "first", "modes"):
        told = json.loads(
            judge_line(json.dumps({"mine": [], "theirs": [], "seen": [], key: value})).text
        )
        assert "claimable" in told or told["error"]["code"]
