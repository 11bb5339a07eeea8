"""The table as text, for mails, pages and the terminal."""

from dataclasses import replace
from typing import Any

import pytest

import engine
from engine import Seat, SeenStone, View
from service.core.words import ENGLISH
from service.text.board import (
    WIDTH,
    board_lines,
    board_text,
    hand_and_deck_lines,
    seat_names,
    wrapped,
)
from tests.service.text.table import NAMES, at_random, begun


def view(seat: Seat | None, **stones: Any) -> View:
    """The first view of a game, with these Stones (`s3=...`) put into it."""
    game, _ = begun(tactics=True)
    empty = SeenStone(0, None, [], [], [], None)
    put = [replace(empty, number=n, **stones.get(f"s{n}", {})) for n in range(1, 10)]
    return replace(engine.view(game, seat), stones=put)


def test_the_board_shows_cards_claims_modes_and_who_was_first() -> None:
    shown = view(
        "south",
        s2={
            "owner": "north",
            "north": ["R7", "R8", "JOK"],
            "south": ["G4"],
            "completed_first": "north",
        },
        s3={"north": ["B1"], "south": ["Y5", "Y6"], "modes": ["BMB", "MUD"]},
        s9={
            "owner": "south",
            "north": ["O1"],
            "south": ["P1", "P2", "P3"],
            "completed_first": "south",
        },
    )

    assert board_lines(ENGLISH, shown, NAMES) == [
        "                   JOK*",
        "                    R8",
        "Ann           .     R7    B1    .     .     .     .     .     O1",
        "             ---   ---   ---   ---   ---   ---   ---   ---   ---",
        "Stone         1    ^2^    3     4     5     6     7     8    v9v",
        "Mode                     BMB",
        "                         MUD",
        "             ---   ---   ---   ---   ---   ---   ---   ---   ---",
        "Bob           .     G4    Y5    .     .     .     .     .     P1",
        "                          Y6                                  P2",
        "                                                              P3*",
        "^  claimed by Ann: 2",
        "v  claimed by Bob: 9",
        "*  this side was completed first, which wins between equals",
    ]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Steward (bot)", "Steward"),
        ("Ann (bot)", "Ann (bot)"),
        ("Christopher Robin", "Christophe~"),
    ],
)
def test_a_long_name_loses_its_brackets_first(name: str, shown: str) -> None:
    lines = board_lines(ENGLISH, view("south"), {**NAMES, "north": name})
    assert lines[0] == f"{shown:<14}" + ".     " * 8 + "."


def test_the_reader_sits_below() -> None:
    shown = view("north", s1={"north": ["R1"], "south": ["G9"]})

    rows = [line.split()[:2] for line in board_lines(ENGLISH, shown, NAMES)]

    assert rows.index(["Bob", "G9"]) < rows.index(["Stone", "1"]) < rows.index(["Ann", "R1"])


def test_only_the_readers_own_hand_is_told() -> None:
    game, _ = begun(tactics=True)

    assert hand_and_deck_lines(ENGLISH, engine.view(game, "north"), NAMES) == [
        "Your hand: R4  R7  O8  G5  B2  B9  P8",
        "Bob’s hand: 7 Clan cards",
        "In the decks: 40 Clan and 10 Tactic cards.",
    ]
    assert hand_and_deck_lines(ENGLISH, engine.view(game, None), NAMES)[:2] == [
        "Bob’s hand: 7 Clan cards",
        "Ann’s hand: 7 Clan cards",
    ]


def test_without_tactics_nothing_speaks_of_them() -> None:
    game, _ = begun()

    assert hand_and_deck_lines(ENGLISH, engine.view(game, None), NAMES)[1:] == [
        "Ann’s hand: 6 Clan cards",
        "In the decks: 42 Clan cards.",
    ]


@pytest.mark.parametrize("tactics", [False, True])
def test_no_line_is_wider_than_a_mail(tactics: bool) -> None:
    names = {"north": "The Honourable Bartholomew McAllister", "south": "Bob"}
    game, _ = begun(tactics=tactics, edition="bga")

    for later in at_random(game, seed=7, actions=60):
        lines = board_text(ENGLISH, engine.view(later, "south"), names).splitlines()
        assert max(map(len, lines)) <= WIDTH


def test_a_seat_without_a_name_is_called_by_its_side() -> None:
    assert seat_names({"north": "a", "south": None}, {"a": "Ann"}) == {
        "north": "Ann",
        "south": "South",
    }


def test_a_long_list_goes_on_in_the_next_line_indented() -> None:
    lines = wrapped("In the discard: ", ["JOK"] * 20)

    assert lines[0].startswith("In the discard: JOK  JOK")
    assert all(line.startswith("    JOK") for line in lines[1:])
    assert " ".join(lines).split().count("JOK") == 20
