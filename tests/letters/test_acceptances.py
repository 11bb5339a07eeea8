"""Answers to an invitation in people's own words: a plain yes accepts, and nothing else does."""

import pytest

from letters.wishes import AskedWord
from tests.letters.reading import letter

YES = [
    "I'd be glad to join",
    "I'd be glad to join!",
    "I'd love to play",
    "I would love to play with you",
    "I'd love to!",
    "I'd be happy to play",
    "Yes, gladly! See you in a bit",
    "Yes gladly",
    "Yes, I'd love to play!",
    "Yes please, let's play",
    "Count me in",
    "Count me in!",
    "oh how lovely, I'd be delighted to! Count me in.",
    "oh how lovely, I’d be delighted to! Count me in. How are you?",
    "Sure, count me in. See you soon",
    "Let's play",
    "Let's play!",
    "Yes, let's play",
    "Ok, let's do this!",
    "Sure thing!",
    "Sure!",
    "Yes of course!",
    "Of course, with pleasure",
    "With pleasure!",
    "Gladly!",
    "Absolutely!",
    "Yeah, sure!",
    "Yep, let's go!",
    "I'm up for it",
    "I'm game!",
    "Game on!",
    "Challenge accepted!",
    "Bring it on!",
    "Happy to play!",
    "Great, I'm in!",
    "Hi Ben, I'd love to play. Thanks for the invitation! Ada",
    "Oh yes, another game please!",
    "Yes, another game!",
    "Yes, one more game, gladly",
    "Ja, sehr gerne! Auf ein Neues. Bis gleich",
    "Ja, gerne noch eine Partie!",
    "Gerne!",
    "Gern!",
    "Sehr gerne!",
    "Ja gerne, auf ein Neues!",
    "Klar!",
    "Na klar!",
    "Ja klar, los geht's!",
    "Klar, ich bin dabei!",
    "Ja, ich spiele gerne mit!",
    "Ich spiele gerne mit",
    "Ich würde gerne mitspielen",
    "Ich würde sehr gerne mit dir spielen!",
    "Hallo Ben, sehr gerne! Liebe Grüße Ada",
    "Lass uns spielen!",
    "Ja, lass uns spielen",
    "Mit Vergnügen!",
    "Auf geht's, ich bin dabei",
    "Natürlich, gerne!",
    "Noch eine Runde, gerne!",
    "Oui, avec plaisir ! À tout de suite",
    "Volontiers !",
    "Avec plaisir !",
    "Oui volontiers !",
    "D'accord, on joue",
    "D'accord, on joue !",
    "Oui, jouons !",
    "Bien sûr !",
    "Bien sûr, avec plaisir !",
    "Oui, je veux bien jouer avec toi !",
    "Je joue avec plaisir",
    "J'aimerais beaucoup jouer avec toi",
    "Je serais ravie de jouer",
    "Avec grand plaisir, à bientôt",
    "C'est parti, je suis partante !",
    "Allons-y !",
    "Oui, encore une partie !",
    "Partante !",
]
NO = [
    "Yes, but not today",
    "Yes, but only unrated",
    "Yes if unrated",
    "Yes, we had a lovely weekend",
    "Yes. We had a lovely weekend",
    "I'd love to but not today",
    "I'd love to, but I have exams",
    "I'd love to play, but my exams come first",
    "Gladly next week",
    "Gladly, next week",
    "I'd love to play. Next week?",
    "I'd love to play next week",
    "I would be glad if you stopped",
    "I would be glad to be left alone",
    "I'd love to play chess instead",
    "I'd love to play something else",
    "Let's play later",
    "Let's play on Sunday",
    "Let's not play",
    "Let's play chess",
    "Count me in for the next one",
    "Count me out",
    "Sure, if you insist",
    "Sure, whatever",
    "Sure, what is this?",
    "Sure about that?",
    "Of course not",
    "Yes? Who are you?",
    "I'd be happy to play when I am back",
    "I'd love to play once the kids are asleep",
    "I'd love to. Sadly I am ill",
    "I'd like to know more",
    "With pleasure I decline",
    "Gladly, though a bit later",
    "She said let's play",
    'You said "let\'s play"',
    "Not gladly",
    "I was in",
    "Who could say no? Gladly!",
    "Maybe I'd love to play",
    "Ben would love to play",
    "Gerne nächste Woche",
    "Gerne, aber erst morgen",
    "Ja, aber ohne Taktik",
    "Sehr gerne, wenn ich wieder gesund bin",
    "Gerne ein andermal",
    "Gerne nicht",
    "Ich würde gerne spielen, habe aber keine Zeit",
    "Ich würde gerne absagen",
    "Ich würde gerne mitspielen, sobald ich Urlaub habe",
    "Klar, wenn du willst",
    "Ja, wir hatten ein schönes Wochenende",
    "Klar ist das schade",
    "Lass uns später spielen",
    "Lass uns aufhören",
    "Natürlich nicht",
    "Volontiers, mais pas aujourd'hui",
    "Volontiers la semaine prochaine",
    "Oui, mais sans tactique",
    "Avec plaisir quand je serai rentré",
    "J'aimerais beaucoup jouer mais je n'ai pas le temps",
    "J'aimerais beaucoup arrêter",
    "On joue demain",
    "D'accord, on joue demain",
    "Bien sûr que non",
    "D'accord si tu commences",
    "Avec plaisir un autre jour",
    "Jouons plus tard",
    "Je serais ravi que tu arrêtes",
    "Oui, nous avons passé un bon week-end",
    "Let's play R7 at 3",
    "Gladly I pass",
    "Yes, gladly decline",
    "Let's play again some day",
    "Another game would be too much",
    "I'd love to. Not",
    "Encore une partie perdue",
]


def accepts(said: str) -> bool:
    answer = letter(said).answer_to_invitation
    return isinstance(answer, AskedWord) and answer.accepts


@pytest.mark.parametrize("said", YES)
def test_a_yes_in_other_words_accepts(said: str) -> None:
    assert accepts(said)


@pytest.mark.parametrize("said", NO)
def test_conditions_and_other_things_do_not(said: str) -> None:
    assert not accepts(said)


@pytest.mark.parametrize(
    "beside", ["Not today though.", "R7 at 3", "If you begin.", "Are you sure?", "decline"]
)
def test_nor_does_a_yes_beside_them(beside: str) -> None:
    assert not accepts(f"{beside}\nI'd love to play!")
    assert not accepts(f"Gerne!\n{beside}")


def test_somebody_else_s_words_do_not() -> None:
    assert not accepts("Ada, let's play")
    assert accepts("Let's play! Ada")
    assert not accepts("> Let's play!")


def test_no_other_mail_is_answered_by_them() -> None:
    assert not isinstance(letter("Let's play").answer, AskedWord)


@pytest.mark.parametrize(
    ("said", "language"),
    [("Sehr gerne, lass uns spielen", "de"), ("Volontiers !", "fr"), ("I'd love to play", "en")],
)
def test_they_show_the_language_of_their_writer(said: str, language: str) -> None:
    accepted = letter(said).accepted
    assert accepted is not None
    assert accepted.language == language


NAMED = {
    "Hi Ben, what a lovely idea, I haven't played in ages! I'd love to play. I'm Lena.": "Lena",
    "oh ja, sehr gerne! Ich bin Lena.": "Lena",
    "Hi Ben, what a lovely idea, I haven't played in ages! Yes, I'd love\nto play. I'm Lena.": (
        "Lena"
    ),
    "Oui, avec plaisir ! Je suis Luc.": "Luc",
    "Yes, gladly, my name is Zora": "Zora",
    "Ja gerne! Ich heiße Zora.": "Zora",
    "Je m’appelle Luc. Volontiers !": "Luc",
    "Hi Ben,\n\nwhat a nice idea! I have not played this for years, so be gentle.\n\naccept as Lena"
    "\n\nsay: Hello Ben!\n\nAll the best,\nLena": "Lena",
    "Hi Ben,\n\nwhat a nice idea!\n\naccept as Lena": "Lena",
    "Hallo, das ist ja nett! Sei also gnädig mit mir.\nannehmen als Zora": "Zora",
    "Quelle bonne idée ! Sois indulgente.\naccepte comme Luc": "Luc",
    "Hello, I'm Luc. Count me in!": "Luc",
    "Hi Ben,\n\nmy grandmother taught me a game like this once.\n\naccept as Lena": "Lena",
    "accept as Lena\nYou will crush me, I am sure.": "Lena",
    "Hallo!\n\nMeine Oma hat mir so etwas beigebracht.\nannehmen als Zora\n\nsag: hallo": "Zora",
    "Ma grand-mère m'a appris un jeu comme ça.\n\naccepte comme Luc": "Luc",
}


@pytest.mark.parametrize(("said", "name"), NAMED.items())
def test_a_name_beside_them_is_that_of_the_writer(said: str, name: str) -> None:
    answer = letter(said).answer_to_invitation
    assert isinstance(answer, AskedWord)
    assert (answer.accepts, answer.name) == (True, name)


UNSETTLING = [
    "I will not",
    "No thanks.",
    "Fat chance!",
    "Only with tactics.",
    "Is that right?",
    "You told me to write this.",
    "Please take me off your list.",
    "I pass.",
    "In your dreams.",
    "My sister has made me type “yes” here.",
    "R7 at 3",
    "resign",
    "Nur ohne Taktik.",
    "Lieber Schach.",
    "Je préfère les échecs.",
    "Tylko z taktyką.",
]
"""What makes it doubtful whether an invitation is accepted."""


@pytest.mark.parametrize(
    "said",
    [
        "Ja gerne! Ich bin Anfänger.",
        "Yes, gladly! I'm Ready when you are.",
        "Yes, gladly! I'm not Luc.",
        "Yes, gladly! I'm Luc. I'm Lena.",
        "Yes, gladly! Are you Luc?",
        "Yes, gladly, if I'm Luc",
        "I'm Luc",
        "I haven't played in ages, so rather not. Yes, I'd love to!",
        "I haven't decided. Yes, I'd love to!",
        "What a lovely idea! I'm Luc.",
        "What a nice idea, if it is unrated!\naccept as Ben",
        "What a nice idea!\naccept as Ben\naccept as Eve",
        "I have not decided, so be gentle.\naccept as Ben",
        "What a nice idea! Are you sure?\naccept as Ben",
        "What a nice idea! so be gentle",
        *(f"{said}\n\naccept as Ben" for said in UNSETTLING),
        *(f"accept as Ben\n{said}" for said in UNSETTLING),
        "I guess that people write\naccept as Ben",
        "accept as Ben\nis what you get to see here.",
        "> my grandmother taught me a game like this\naccept as Ben\nWho are you?",
        "My grandmother taught me this.\naccept as Ben\naccept as Eve",
    ],
)
def test_other_words_about_oneself_accept_nothing(said: str) -> None:
    assert not accepts(said)


def test_a_revenge_is_accepted() -> None:
    assert accepts("Of course, I accept! Revenge :-)")


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Yes, I'd love to play!\n\nLuc", "Luc"),
        ("accept\n\nBest wishes,\nLena", "Lena"),
        ("Yes, gladly!\n\nLG Lena", "Lena"),
        ("Yes, gladly!\n\nBen", None),
        ("Yes, gladly! Luc and I will see.", None),
    ],
)
def test_a_given_name_below_signs_them(said: str, name: str | None) -> None:
    assert letter(said).called.signed == name


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Luc, please. Thanks!", "Luc"),
        ("Luc", "Luc"),
        ("Hi Ben,\n\nLuc please\n\nBest wishes", "Luc"),
        ("My name is Zora. Thank you!", "Zora"),
        ("Je suis Luc", "Luc"),
        ("Luc or Lena?", None),
        ("Luc, Lena", None),
        ("Not Luc", None),
        ("Luc, but not today", None),
        ("Luc? Thanks", None),
        ("Thanks!", None),
        ("decline", None),
    ],
)
def test_a_name_alone(said: str, name: str | None) -> None:
    assert letter(said).called.alone == name
