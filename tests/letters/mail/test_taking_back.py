"""Words that take a turn back, and those that only look so."""

import pytest

from letters.mail.phrases import surely_takes_back, takes_back


@pytest.mark.parametrize(
    "line",
    [
        *("Gesendet: Dienstag, 07. Mai 2024 um 10:00 Uhr", "mercredi 15 mai 2024 19:14"),
        *("Den 7. mai 2024 kl. 10:00 skrev", "ter., 7 de mai. de 2024 às 10:00"),
    ],
)
def test_a_date_in_may_takes_nothing_back(line: str) -> None:
    assert not takes_back(line)


@pytest.mark.parametrize("line", ["mai", "Mai!", "mai più", "mai 3", "più che mai 7 luglio 2024"])
def test_never_in_italian_does(line: str) -> None:
    assert takes_back(line)


@pytest.mark.parametrize(
    "text",
    [
        *("undo that", "I was only joking", "Typo!", "Please ignore"),
        *(
            "Vergiss das",
            "bitte nicht spielen",
            "nimm das zurück",
            "War nur ein Scherz",
            "vertippt, sorry",
        ),
        *("Bitte ignorieren!", "ich meinte R8", "habe es mir anders überlegt", "nur Spaß"),
        *("annule ça", "Oublie ça !", "je plaisante", "je voulais dire R8", "j’ai changé d’avis"),
        *("ne pas jouer", "je me suis trompée", "Ne joue pas ça", "ignore ce mail"),
    ],
)
def test_what_surely_takes_back_counts_in_every_language_of_our_mails(text: str) -> None:
    assert surely_takes_back(text)


@pytest.mark.parametrize(
    "text",
    [
        *("gut gespielt, das macht Spaß", "ich meine es gut", "nicht schlecht", "das war ein Spaß"),
        *("pas mal !", "tu joues bien", "n'oublie pas demain", "quel plaisir", "bien joué"),
    ],
)
def test_talk_does_not(text: str) -> None:
    assert not surely_takes_back(text)
