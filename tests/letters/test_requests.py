"""Turns as people ask for them, politely and beside friendly sentences."""

import pytest

from letters.commands import Unread, WholeTurn
from tests.letters.test_confirmations import letter

PLAYED = WholeTurn(("G4@1",))


@pytest.mark.parametrize(
    "said",
    [
        *("Spiel bitte die grüne 4 auf Stein 1.", "Spiel bitte die grüne 4 an Stein 1."),
        *("Leg die grüne 4 auf Stein 1, danke!", "Lege bitte G4 an 1", "G4 nach 1"),
        "Kannst du bitte die grüne 4 auf Stein 1 legen?",
        "Könntest du die grüne 4 auf Stein 1 legen, bitte? Danke!",
        "Kannst du für mich die grüne 4 an Stein 1 spielen?",
        "Hier meine Antwort: G4 nach 1.",
        "Joue s'il te plaît la verte 4 sur la borne 1.",
        "Peux-tu jouer la verte 4 sur la borne 1, s'il te plaît ?",
        "Pourrais-tu poser le 4 vert sur la borne 1 pour moi ?",
        "Could you please play the green 4 on stone 1 for me?",
    ],
)
def test_a_polite_request_is_a_turn(said: str) -> None:
    assert letter(said).answer == PLAYED


@pytest.mark.parametrize(
    "said",
    [
        "Kannst du bitte nicht die grüne 4 auf Stein 1 legen?",
        "Kannst du die grüne 4 auf Stein 1 legen?",
        "Ben, kannst du bitte die grüne 4 auf Stein 1 legen?",
        "Kannst du bitte Stein 3 beanspruchen?",
        "Kannst du bitte aufgeben?",
        "Das Spiel die grüne 4 auf Stein 1",
        "G4 nach 1 Tag",
        "Peux-tu, s'il te plaît, ne pas jouer G4 en 1 ?",
    ],
)
def test_what_is_no_such_request_is_asked_about(said: str) -> None:
    assert isinstance(letter(said).answer, Unread)


@pytest.mark.parametrize(
    "friendly",
    [
        *("Bei uns hat es heute geschneit!", "No hurry from my side.", "Glad you're playing!"),
        *("Schön, dass du mitmachst!", "Lass dir ruhig Zeit.", "Il a neigé chez nous !"),
        *("Rien ne presse de mon côté.", "Das wird spannend!"),
    ],
)
def test_friendly_sentences_beside_a_turn(friendly: str) -> None:
    assert letter(f"{friendly} G4 @ 1").answer == PLAYED
    assert letter(f"{friendly}\nG4 @ 1\nAda").answer == PLAYED


@pytest.mark.parametrize(
    "said",
    ["Nice idea of Carol's! G4 @ 1", "Schön, dass du nicht mitmachst! G4 @ 1"],
)
def test_others_are_asked_about(said: str) -> None:
    assert isinstance(letter(said).answer, Unread)
