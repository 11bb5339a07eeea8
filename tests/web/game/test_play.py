"""Whole games by people who press named buttons, in browsers that run no scripts."""

import random
import re
from collections.abc import Mapping
from typing import Final

import pytest
from flask import Flask

import engine
from engine import Seat
from engine.cards import full_name
from service.container import Container
from service.games import NewGame
from tests.support.shares import share
from tests.web.people import both, visitor
from tests.web.pressing import Visitor
from tests.web.shown import begin

CARD: Final = r"(?:(?:Red|Orange|Yellow|Green|Blue|Purple) [1-9]|[A-Z][a-z'-]+(?: [A-Z][a-z]+)?)"
STEP: Final = re.compile(
    rf"Play on Stone [1-9]|{CARD} on Stone [1-9]|To Stone [1-9]|To the discard|Claim Stone [1-9]"
    r"|Draw a (?:Clan|Tactic) card|Draw [123] .*cards?|Pass"
)
"""The names of what puts a turn together, but for the cards in hand."""


def take_turn(person: Visitor, chance: random.Random) -> list[str]:
    """Put a turn together by what the buttons are called, and send it. What was pressed."""
    pressed: list[str] = []
    while True:
        claims = [name for name in person.buttons if name.startswith("Claim Stone")]
        steps = [name for name in person.buttons if STEP.fullmatch(name) and name not in claims]
        if claims:
            name = chance.choice(claims)
        elif person.can_send:
            name = person.send_button
        elif steps and not (steps == ["Pass"] and chance.random() < 0.5):
            name = chance.choice(steps)
        else:
            able = [card for card in person.hand if person.buttons.count(card) == 1]
            name = chance.choice(able)
        person.press(name)
        assert person.answer.status_code == 200, person.status
        pressed.append(name)
        if name.startswith("Send: "):
            return pressed


def play_out(
    container: Container, people: Mapping[Seat, Visitor], game: str, seed: object
) -> set[str]:
    """Play to the end; every name that was pressed, without the numbers."""
    chance, pressed = random.Random(str(seed)), set()
    while (stored := container.games.load(game)).game.turn is not None:
        mover, other = stored.game.turn, engine.OTHER[stored.game.turn]
        people[mover].go(f"/games/{game}")
        assert people[mover].status.startswith("Your turn")
        pressed |= {re.sub("[0-9]", "N", name) for name in take_turn(people[mover], chance)}
        if chance.random() < 0.1:
            people[other].go(f"/games/{game}")
    return pressed


KINDS: Final = {
    "bga expert": NewGame(edition="bga", tactics=True, expert=True),
    "scottentots": NewGame(edition="scottentots"),
}


@pytest.mark.parametrize("kind", share([*KINDS], 2))
def test_two_people_play_a_whole_game_by_pressing_named_buttons(
    app: Flask, container: Container, kind: str
) -> None:
    wanted = KINDS[kind]
    game = begin(
        container,
        edition=wanted.edition,
        tactics=wanted.tactics,
        expert=wanted.expert,
        rounds=wanted.rounds,
    )
    people = both(app, game)

    pressed = play_out(container, people, game.id, kind)

    stored = container.games.load(game.id)
    names = {"north": "Ann", "south": "Bob"}
    for seat, person in people.items():
        person.go(f"/games/{game.id}")
        winner = stored.game.winner
        said = "Drawn" if winner is None else "You" if winner == seat else names[winner]
        assert person.status.startswith(said if winner is None else f"{said} won")
        assert not [name for name in person.buttons if STEP.fullmatch(name)]
        assert not person.can_send
    assert "Play on Stone N" in pressed
    assert "Claim Stone N" in pressed
    assert {line["via"] for line in container.games.history.lines(stored, game.ann)} == {
        "api",
        "web",
    }
    if wanted.tactics:
        assert "Draw a Tactic card" in pressed


def test_the_recruiter_takes_two_steps(app: Flask, container: Container) -> None:
    """Played until somebody has one."""
    game, chance = begin(container, tactics=True), random.Random(0)
    while True:
        stored = container.games.load(game.id)
        mover, turn = stored.player_to_move(), stored.game.turn
        assert mover is not None
        assert turn is not None
        if "REC" in stored.game.hands[turn] and stored.game.phase == "play":
            break
        legal = [action for action in engine.legal(stored.game) if action[:3] != "REC"]
        container.games.play(game.id, mover, ["+T" if "+T" in legal else chance.choice(legal)])
    _recruit(visitor(app, mover), game.id)


def _recruit(person: Visitor, game: str) -> None:
    person.go(f"/games/{game}")
    held = len(person.hand)
    person.press("Recruiter")
    person.press("Draw 2 Clan cards and 1 Tactic card")
    assert "After sending you see the cards" in person.status
    person.send()

    assert len(person.hand) == held + 2
    assert person.status.startswith("Your turn. Choose two cards to put back under the decks.")
    first = next(card for card in person.hand if card in person.buttons)
    person.press(first)
    assert person.status == "Your turn. Choose one more card to put back under the decks."
    person.press(next(c for c in person.hand if person.buttons.count(c) == 1 and c != first))
    assert "back under the decks" in person.status
    while not person.can_send:
        person.press("Draw a Clan card")
        assert "Your turn ends after sending." in person.status
        assert "you draw" not in person.status
    person.send()

    assert len(person.hand) == 7
    assert person.status.startswith("Waiting for")


def test_a_card_that_cannot_be_played_says_why_and_asks_for_another(
    app: Flask, container: Container
) -> None:
    """Played until somebody has one."""
    game, chance = begin(container, tactics=True), random.Random(0)
    useless: list[str] = []
    while not useless:
        stored = container.games.load(game.id)
        mover, turn = stored.player_to_move(), stored.game.turn
        assert mover is not None
        assert turn is not None
        legal = engine.legal(stored.game)
        held = stored.game.hands[turn] if stored.game.phase == "play" else ()
        useless = [c for c in held if c.isalpha() and not any(t.startswith(c) for t in legal)]
        if not useless:
            container.games.play(game.id, mover, ["+T" if "+T" in legal else chance.choice(legal)])
    person = visitor(app, mover)
    person.go(f"/games/{game.id}")
    (why,) = [each.text for each in person.page.all("p") if each.attributes.get("id") == "idle"]
    person.press(full_name(useless[0]))
    assert any(f"{sentence}." in person.status for sentence in why.split("."))
    assert person.status.endswith(" Choose another card.")
    named = [each.attributes for each in person.page.all("p")]
    assert not [
        each for each in named if each.get("id") == "idle" or "about" in each.get("class", "")
    ]
