"""What a player may do, in words."""

import pytest

import engine
from engine.claims import Verdict
from engine.formations import COLOR_RUN, RUN, Formation
from service.core.words import ENGLISH
from service.text.options import claim_lines, order_words, play_lines
from tests.service.text.table import begun


def test_cards_that_may_go_to_the_same_stones_share_a_line() -> None:
    game, _ = begun()

    assert play_lines(ENGLISH, engine.legal(game)) == [
        "Red 4, Orange 8, Green 5, Blue 2, Blue 9 and Purple 8"
        " on Stones 1, 2, 3, 4, 5, 6, 7, 8 and 9"
    ]


def test_one_stone_is_not_many() -> None:
    assert play_lines(ENGLISH, ["MUD@4"]) == ["Mud Fight on Stone 4"]


def test_ruses_name_what_they_take_and_where_it_may_go() -> None:
    legal = ["STR:R7@3>5", "STR:R7@3>x", "TRA:G4@2>6", "BAN:G4@2", "BAN:JOK@7"]

    assert play_lines(ENGLISH, legal) == [
        "Strategist: Red 7 from Stone 3 to Stone 5 or the discard",
        "Traitor: Green 4 from Stone 2 to Stone 6",
        "Banshee: discard Green 4 on Stone 2 or Joker on Stone 7",
    ]


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        ("257", "Stone 2, 5 or 7"),
        ("257x", "Stone 2, 5 or 7, or the discard"),
        ("5x", "Stone 5 or the discard"),
        ("x", "the discard"),
    ],
)
def test_where_a_card_may_go_is_told_shortly(ends: str, told: str) -> None:
    legal = [f"STR:R7@3>{end}" for end in ends]
    assert play_lines(ENGLISH, legal) == [f"Strategist: Red 7 from Stone 3 to {told}"]


def test_each_choice_is_one_sentence_however_long() -> None:
    legal = [f"BAN:R{number}@{number}" for number in range(1, 10)]

    (line,) = play_lines(ENGLISH, legal)
    assert line.endswith("or Red 9 on Stone 9")


def test_the_recruiters_draws_are_counted() -> None:
    assert play_lines(ENGLISH, ["REC:CC", "REC:CT"]) == [
        "Recruiter: draw 2 Clan cards or 1 Clan card and 1 Tactic card"
    ]


def test_draws_returns_passes_and_ends_are_told() -> None:
    assert play_lines(ENGLISH, ["+C", "+T"]) == [
        "You may draw from the Clan deck.",
        "You may draw from the Tactic deck.",
    ]
    assert play_lines(ENGLISH, ["-R1,R2", "-R1,R3"]) == [
        "You put two cards from your hand back under their decks."
    ]
    assert play_lines(ENGLISH, ["pass"]) == ["You cannot place any Clan card: you may pass."]
    assert play_lines(ENGLISH, ["!3", "end"]) == ["There is nothing to draw: you may end the turn."]


def test_claims_come_with_what_beats_them() -> None:
    mine, better = (
        Formation(RUN, 12, ("R5", "B4", "G3")),
        Formation(COLOR_RUN, 24, ("R9", "R8", "R7")),
    )
    refutation = Formation(COLOR_RUN, 15, ("G4",), added=("G6", "G5"))
    verdicts = {
        2: Verdict(True, "stronger", better, mine, None),
        3: Verdict(False, "beatable", mine, None, refutation),
    }

    lines = [
        "Stone 2. Yours: your colour run of 24 beats the other side’s run of 12.",
        "Stone 3. Green 5 and Green 6 would make a colour run of 15 and beat your run of 12: not"
        " proven yet.",
    ]
    assert claim_lines(ENGLISH, verdicts, ["G7", "R9"]) == lines
    held = "Your own hand proves nothing: only cards that lie face-up do."
    assert claim_lines(ENGLISH, verdicts, ["G6", "R9"]) == [lines[0], f"{lines[1]} {held}"]


def test_an_order_is_told_in_words_that_are_no_command() -> None:
    assert order_words(ENGLISH, ["STR:R7@3>x", "!3", "+C"]) == (
        "Strategist: Red 7 from Stone 3 to the discard, a claim to Stone 3, a Clan card"
    )
    assert order_words(ENGLISH, ["-R1,JOK"]) == "Red 1 and Joker back under the decks"
    assert order_words(ENGLISH, ["R7@3", "end"]) == "Red 7 on Stone 3, no further claim"
    assert order_words(ENGLISH, ["pass"]) == "no card"


def test_nothing_to_claim_is_no_line() -> None:
    assert claim_lines(ENGLISH, {}, []) == []
