"""Action text, read and written."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import RuleBroken, legal, parse, parse_turn
from tests.engine.games import Kind, whole_game
from tests.engine.positions import position

CANONICAL = [
    "R7@3", "JOK@5", "MUD@4", "STR:R7@3>5", "STR:JOK@3>x", "BAN:G4@2", "TRA:G4@2>6",
    "REC:CCT", "REC:T", "-R1,JOK", "-R1", "!3", "+C", "+T", "pass", "end",
]  # fmt: skip


@pytest.mark.parametrize("text", CANONICAL)
def test_every_action_is_written_as_it_is_read(text: Any) -> None:
    assert str(parse(text)) == text


@pytest.mark.parametrize("text", CANONICAL)
def test_case_does_not_matter(text: Any) -> None:
    assert parse(text.lower()) == parse(text.upper()) == parse(text)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("7R@3", "R7@3"),
        ("str:7r@3>X", "STR:R7@3>x"),
        ("-1r,jok", "-R1,JOK"),
        ("REC:TCC", "REC:CCT"),
        ("ban:4g@2", "BAN:G4@2"),
    ],
)
def test_what_people_type_is_understood(typed: str, meant: str) -> None:
    assert str(parse(typed)) == meant


@pytest.mark.parametrize(
    "text",
    [
        "", "R7", "R7@0", "R7@10", "R0@3", "X7@3", "REC@3", "STR@1", "BAN@1", "TRA:G4@2>x", "!0",
        "!10", "+X", "REC:", "REC:CCCC", "REC:X", "-", "-R1,R2,R3", "-R1,", "passs", "STR:R7@3",
        "R7@3 ", " R7@3", "STR:R7@3>5>6", "77@3", "RR@3", "R7@3\n", "R7@\u0663", "\uff2aOK@3",
        "-Z9", "-R1,Z9",
    ],
)  # fmt: skip
def test_anything_else_is_unreadable(text: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        parse(text)
    assert (refused.value.code, refused.value.refusal) == ("unreadable-action",) * 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("R10@1", "Clan cards have the strengths 1 to 9."),
        ("R0@1", "Clan cards have the strengths 1 to 9."),
        ("10r@1", "Clan cards have the strengths 1 to 9."),
        ("X7@3", "The colours are R, O, Y, G, B, P."),
        ("KNI@3", "The Tactic cards are JOK, SPY, SHB, BMB, MUD, REC, STR, BAN, TRA."),
        ("R1@0", "Stones are numbered 1 to 9."),
        ("R1@10", "Stones are numbered 1 to 9."),
        ("!0", "Stones are numbered 1 to 9."),
        ("!12", "Stones are numbered 1 to 9."),
        ("STR:R7@3>10", "Stones are numbered 1 to 9."),
        ("STR:R7@0>x", "Stones are numbered 1 to 9."),
        ("BAN:G4@10", "Stones are numbered 1 to 9."),
        ("BAN:G12@1", "Clan cards have the strengths 1 to 9."),
        ("REC:CCCC", "one to three of C and T: REC:CCT."),
        ("rec:", "one to three of C and T: REC:CCT."),
        ("REC@3", "one to three of C and T: REC:CCT."),
        ("STR:R7@3", "STR:R7@3>5, or STR:R7@3>x to discard it."),
        ("STR@1", "STR:R7@3>5, or STR:R7@3>x to discard it."),
        ("TRA:G4@2", "A Traitor says which card comes from which Stone to which"),
        ("TRA:G4@2>x", "A Traitor says which card comes from which Stone to which"),
        ("BAN:G4@2>3", "A Banshee says which card it discards"),
        ("-R1,R2,R3", "At most two cards go back after a Recruiter"),
        ("-R1,R10", "Clan cards have the strengths 1 to 9."),
        ("+X", "+C (Clan deck) or +T (Tactic deck)"),
        ("R7", "Say on which Stone: R7@3."),
        ("hello", "Examples: R7@3 (play)"),
    ],
)
def test_what_is_unreadable_says_why(text: str, words: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        parse(text)
    assert refused.value.detail.startswith(f"{text!r} is not an action. ")
    assert words in refused.value.detail


@given(st.text(max_size=12))
def test_no_text_breaks_the_reader(text: Any) -> None:
    try:
        action = parse(text)
    except RuleBroken:
        return
    assert parse(str(action)) == action


def test_a_turn_is_actions_with_spaces_between() -> None:
    assert [str(action) for action in parse_turn("TRA:G4@2>6  !6 +c")] == ["TRA:G4@2>6", "!6", "+C"]


def test_returns_are_listed_as_pairs_in_canonical_order() -> None:
    game = position(north="JOK R2 G1", phase="return", tactics=True)
    assert legal(game) == ["-R2,G1", "-R2,JOK", "-G1,JOK"]


@pytest.mark.parametrize("seed", range(5))
def test_every_legal_action_reads_back_as_itself(seed: Any) -> None:
    game, _ = whole_game(Kind("bga", tactics=True), seed)
    assert game.over
    table = position(
        {3: "R7 SPY | G1 JOK"}, north="R1 STR BAN TRA REC MUD JOK", tactics=True, tactic="SPY"
    )
    assert [str(parse(text)) for text in legal(table)] == legal(table)
