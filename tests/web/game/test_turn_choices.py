"""Buttons for a turn, without a browser."""

import random
from collections.abc import Iterator

import pytest

import engine
from engine.notation import Return
from service.core.words import ENGLISH
from service.games.turn_draft import draft_turn
from service.web.game.turn_choices import Button, Choices, choices
from tests.engine.games import KINDS, Kind, begin


def all_buttons(found: Choices) -> Iterator[Button]:
    yield from (card.button for card in found.hand if card.button)
    for buttons in (found.places, found.claims, found.targets):
        yield from buttons.values()
    yield from found.others


def reachable(hand: list[str], legal: list[str], chosen: str = "") -> set[str]:
    """Every action that some buttons lead to, from where this is chosen."""
    found: set[str] = set()
    for button in all_buttons(choices(ENGLISH, hand, legal, chosen)):
        if button.field == "turn":
            found.add(button.value)
        elif button.value.startswith(chosen) and button.value != chosen and button.value:
            found |= reachable(hand, legal, button.value)
    return found


def normal(text: str) -> str:
    action = engine.parse(text)
    return str(Return(tuple(sorted(action.cards)))) if isinstance(action, Return) else text


def test_a_card_is_chosen_and_then_its_place() -> None:
    legal = ["R7@1", "R7@3", "O2@1", "O2@3", "!4"]

    before = choices(ENGLISH, ["R7", "O2"], legal)
    after = choices(ENGLISH, ["R7", "O2"], legal, "R7")

    assert [card.button for card in before.hand] == [
        Button("Red 7", "chosen", "R7"),
        Button("Orange 2", "chosen", "O2"),
    ]
    assert before.places == {}
    assert after.places == {
        1: Button("Play on Stone 1", "turn", "R7@1", "Play"),
        3: Button("Play on Stone 3", "turn", "R7@3", "Play"),
    }
    assert after.claims == {4: Button("Claim Stone 4", "turn", "!4")}
    assert [card.is_chosen for card in after.hand] == [True, False]
    assert after.hand[0].button == Button("Red 7", "chosen", "")


def test_a_ruse_takes_a_card_and_then_a_place() -> None:
    legal = ["STR:R7@3>5", "STR:R7@3>x", "STR:JOK@2>5", "TRA:G4@2>6", "BAN:G4@2"]
    hand = ["STR", "BAN", "TRA"]

    assert choices(ENGLISH, hand, legal, "STR").targets == {
        (3, "R7"): Button("Red 7 on Stone 3", "chosen", "STR:R7@3"),
        (2, "JOK"): Button("Joker on Stone 2", "chosen", "STR:JOK@2"),
    }
    moved = choices(ENGLISH, hand, legal, "STR:R7@3")
    assert moved.places == {5: Button("To Stone 5", "turn", "STR:R7@3>5", "Here")}
    assert moved.others == [Button("To the discard", "turn", "STR:R7@3>x")]
    assert choices(ENGLISH, hand, legal, "BAN").targets == {
        (2, "G4"): Button("Green 4 on Stone 2", "turn", "BAN:G4@2")
    }
    assert choices(ENGLISH, hand, legal, "TRA:G4@2").places == {
        6: Button("To Stone 6", "turn", "TRA:G4@2>6", "Here")
    }


def test_a_recruiter_draws_and_then_returns_two() -> None:
    drawing = choices(ENGLISH, ["REC"], ["REC:CCC", "REC:CCT"], "REC").others
    assert [button.name for button in drawing] == [
        "Draw 3 Clan cards",
        "Draw 2 Clan cards and 1 Tactic card",
    ]

    hand, legal = ["R1", "R2", "JOK"], ["-R1,R2", "-R1,JOK", "-R2,JOK"]
    first = choices(ENGLISH, hand, legal, "-JOK").hand
    assert [card.button for card in first] == [
        Button("Red 1", "turn", "-JOK,R1"),
        Button("Red 2", "turn", "-JOK,R2"),
        Button("Joker", "chosen", ""),
    ]


@pytest.mark.parametrize(
    ("legal", "chosen"),
    [
        (["R7@1", "JOK@1"], "-R7"),
        (["-R7,O2"], "R7"),
        (["-R7,O2"], "-JOK"),
        (["!3", "+C", "+T"], "R7"),
    ],
)
def test_what_was_chosen_at_another_moment_is_not_chosen(legal: list[str], chosen: str) -> None:
    assert choices(ENGLISH, ["R7", "O2", "JOK"], legal, chosen).chosen == ""


def test_there_is_a_draw_to_choose_only_where_there_are_two() -> None:
    assert choices(ENGLISH, [], ["!3", "+C"]).others == []
    assert [button.name for button in choices(ENGLISH, [], ["+C", "+T"]).others] == [
        "Draw a Clan card",
        "Draw a Tactic card",
    ]


def test_one_of_two_jokers_is_chosen() -> None:
    hand = choices(ENGLISH, ["JOK", "JOK"], ["JOK@1"], "JOK").hand
    assert [card.is_chosen for card in hand] == [True, False]
    assert choices(ENGLISH, ["JOK", "JOK", "R1"], ["-JOK,JOK", "-R1,JOK"], "-JOK").hand[
        1
    ].button == Button("Joker", "turn", "-JOK,JOK")


@pytest.mark.parametrize("chosen", ["G9", "TRA:G4@2", "-R1", "x" * 500, "@", "R7@1", "<b>"])
def test_what_nobody_can_choose_is_not_chosen(chosen: str) -> None:
    assert choices(ENGLISH, ["R7"], ["R7@1"], chosen).chosen == ""


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_legal_action_has_its_buttons_and_no_other_does(kind: Kind) -> None:
    """Through whole games, played by sending what can be sent."""
    chance = random.Random(str(kind))
    game, _ = begin(kind, chance)
    while not game.over:
        seat = game.turn
        assert seat is not None
        texts: list[str] = []
        while (whole := (draft := draft_turn(game, seat, texts)).whole) is None:
            hand = engine.view(draft.game, seat).hands[seat].cards
            offered = {normal(text) for text in reachable(hand, draft.legal)}
            legal = {normal(text) for text in draft.legal}
            assert offered <= legal
            assert legal - offered <= {"end", "+C", "+T"}
            texts.append(chance.choice(sorted(offered)))
        assert draft.refusal is None
        game, _ = engine.advance(game, engine.TakeTurn(seat, list(whole)))
