"""Turns as people ask for them, politely and beside friendly sentences."""

import pytest

from letters.commands import Unread, WholeTurn
from letters.wishes import AskedWord, Word
from tests.letters.reading import letter

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
        "Would you mind putting my green 4 on stone 1?",
        *(
            "Ich würde gern die grüne 4 an Stein 1 legen.",
            "Für mich bitte die grüne 4 auf Stein 1!",
        ),
        *("Setz mir bitte G4 auf die 1.", "Pour ce tour, je voudrais poser le 4 vert en 1"),
        "My move for today is green 4 to stone 1. Greetings from rainy Leeds!",
        "Sorry for my late answer, the kids were ill. I play the green 4 at stone 1.",
        "Entschuldige die späte Antwort, hier war viel los. Ich lege die grüne 4 an Stein 1.",
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
    [
        "I would love to\nplay G4 at 1",
        "Nice idea of Carol's! G4 @ 1",
        "Schön, dass du nicht mitmachst! G4 @ 1",
    ],
)
def test_others_are_asked_about(said: str) -> None:
    assert isinstance(letter(said).answer, Unread)


@pytest.mark.parametrize(
    ("said", "word"),
    [
        *((said, "help") for said in ("What can I do?", "Was kann ich hier machen?")),
        *((said, "help") for said in ("Wie geht das hier?", "Comment ça marche ?")),
        *((said, "show") for said in ("Show me the board, please", "Zeig mir bitte das Spielfeld")),
        *(
            (said, "rematch")
            for said in (
                "Rematch please!",
                "Can we play again?",
                "On rejoue ?",
                "Thanks! Shall we go again?",
            )
        ),
        ("Thanks for the game! Can we have a rematch please?", "rematch"),
        ("Danke für die Partie! Können wir noch eine Partie spielen?", "rematch"),
        ("Merci pour la partie ! On peut faire une revanche ?", "rematch"),
        ("Bonjour, peux-tu me montrer le plateau ?", "show"),
        ("Kannst du mir bitte das Spielfeld zeigen?", "show"),
        ("Can I see the board again please?", "show"),
        ("Is it my turn again?", "show"),
        *((said, "show") for said in ("Whose turn is it?", "Is it my turn yet?", "Bin ich dran?")),
        *((said, "show") for said in ("Wer ist an der Reihe?", "À qui le tour ?")),
        *((said, "show") for said in ("C'est à qui de jouer?", "C'est mon tour ?")),
        *((said, "rematch") for said in ("One more game?", "Noch eine Runde?")),
        *((said, "resign") for said in ("Ich muss leider aufgeben.", "Je dois abandonner")),
        *((said, "accept") for said in ("I'm in!", "Count me in, thanks", "Ich bin dabei!")),
        ("Leider keine Zeit, ich lehne ab.", "decline"),
    ],
)
def test_words_in_other_words(said: str, word: Word) -> None:
    assert letter(said).answer == AskedWord(word)


def test_a_sentence_in_which_somebody_gives_up_is_asked_about_unless_it_depends() -> None:
    assert letter("J'abandonne, mon ami, bravo à toi !").resigns
    assert letter("Nun denn, ich gebe auf").resigns
    assert not letter("Ich gebe auf, wenn du magst").resigns
    assert not letter("Ben, resign").resigns


@pytest.mark.parametrize(
    "said",
    [
        *("I give up, well played Ben!", "I give up, you win", "I give up, good game"),
        *("I give up - good game, Ben", "Well played Ben, I give up!", "I concede, you win."),
        *("Ich gebe auf, gut gespielt Ben!", "Gut gespielt, Ben, ich gebe auf!"),
        *("Ich gebe auf, du hast gewonnen", "Ich gebe mich geschlagen, schönes Spiel!"),
        *("J'abandonne, bien joué Ben !", "J'abandonne, tu as gagné", "Bien joué, j'abandonne !"),
    ],
)
def test_whoever_gives_up_may_add_friendly_words(said: str) -> None:
    assert letter(said).resigns or letter(said).answer == AskedWord("resign")


@pytest.mark.parametrize(
    "said",
    [
        *("I give up, if you do", "I give up, not!", "If I give up, you win"),
        *("I give up, rematch tomorrow?", "If I give up, rematch?", "I give up? Rematch?"),
        *("Ben, give up", "Give up!", "I give up on stone 3", "Sorry, I give up chocolate."),
        *("I give up, don't I?", "I give up sugar, you win", "Never give up, you say"),
    ],
)
def test_whoever_only_speaks_of_giving_up_is_not_asked_about_it(said: str) -> None:
    read = letter(said)
    assert not read.resigns
    assert read.answer != AskedWord("resign")


@pytest.mark.parametrize(
    "said",
    [
        *("Dear Ben, green 4 at stone 1. Love, A.", "green 4 at stone 1. Love, A. xx"),
        *("Hi Ben, G4 at 1. Best wishes, A. L.", "G4 at 1, cheers, A", "G4 auf 1. LG L."),
        *("G4 at 1. Love, Heike", "G4 at 1\n\nLove, A.", "G4 at 1\n\nAll the best, AL x"),
    ],
)
def test_a_closing_and_initials_of_the_writer_may_follow(said: str) -> None:
    assert letter(said).answer == PLAYED


@pytest.mark.parametrize(
    "closing",
    [
        *("Love it, or should I wait?", "Love to, A.", "Love to play it, A.", "Love it, A."),
        *("Love, A. Or should I wait?", "Love, A. 8", "Love, A. if you agree", "Love, O. 4"),
        *("Love a", "LG a", "Love, B.", "Best, B. B.", "Cheers, M.", "A. Love", "Love, no A."),
        *("Later, A.", "But B., love, A.", "Love, A.: no", "love, if A."),
    ],
)
def test_what_goes_on_behind_a_closing_is_asked_about(closing: str) -> None:
    assert isinstance(letter(f"Dear Ben, G4 at 1. {closing}").answer, Unread)


@pytest.mark.parametrize("closing", ["Love, A.", "LG Heike", "Love, Ben"])
def test_what_somebody_else_wrote_to_the_writer_is_asked_about(closing: str) -> None:
    assert isinstance(letter(f"Ada, G4 at 1. {closing}").answer, Unread)
