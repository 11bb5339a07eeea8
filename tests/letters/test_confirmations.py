"""Confirmations are read with the courtesies that people write around them, and never where they
are denied, doubted or put off."""

import pytest

from letters.commands import Empty, TakenBack, Unread
from letters.letter import Letter, read_letter
from letters.mail.lines import WriterFacts
from letters.wishes import AskedWord
from service.mail_in.message import read
from tests.service.mail_in.replies import OURS, mail

FACTS = WriterFacts({"Ada", "Ada Lovelace", "Lovelace", "@Ben"}, ours=OURS)
CONFIRMATIONS = {
    **dict.fromkeys(("accept", "accepte", "annehmen"), "accept"),
    **dict.fromkeys(("rematch", "revanche"), "rematch"),
    **dict.fromkeys(("yes", "oui", "ja"), "yes"),
}
AROUND = (
    *("{}!", "Hi, {}", "Hi Ben, {}.", "Hello! {}", "Bonjour Ben, {}", "Hallo Ben, {}, danke!"),
    *("{} Ada", "{}, Ada", "{}. Thanks, Ada", "Hi Ben,\n\n{}\n\nBest regards\nAda Lovelace"),
    *("{}\n\nThank you so much for the invitation!\n\nAda", "Thanks for the invitation!\n\n{}"),
    *("{}! Looking forward to it.", "With pleasure!\n{}", "Good game!\n\n{}\n\nAda"),
    *("Hallo Ben,\n\ndanke für die Einladung!\n{}\n\nLiebe Grüße\nAda", "{}\nIch freue mich!"),
    *("Bonjour,\n\nmerci pour l'invitation !\n{}\n\nÀ bientôt\nAda", "{}, avec plaisir !"),
    *("{}\n\nSent from my iPhone", "{}\n\n-- \nAda Lovelace\n12 Main Street"),
)
ORIGINAL = "> Ben invites you to a game of Schotten Totten.\n> Answer “accept” or “decline”.\n"
HEADS = (
    *("On Sun, Ben wrote:", "On Sunday Ben wrote:", "On Sun, Ben invites you\nwrote:"),
    *("Am So schrieb Ben:", "Am Sonntag schrieb Ben:", "Am So., schrieb Ben\nKing:"),
    *("Le dim. Ben a écrit :", "Le dimanche, Ben\na écrit :"),
)


def letter(text: str) -> Letter:
    message = read(mail(text))
    return read_letter(message.body, message.subject, FACTS)


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("word", CONFIRMATIONS)
def test_courtesies_around_it(word: str, around: str) -> None:
    assert letter(around.format(word)).answer == AskedWord(CONFIRMATIONS[word])


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("word", CONFIRMATIONS)
def test_a_quoted_original_below_a_short_head(word: str, head: str) -> None:
    for gap in ("\n", "\n\n"):
        text = f"{word}\n\nThanks,\nAda\n\n{head}{gap}{ORIGINAL}"
        assert letter(text).answer == AskedWord(CONFIRMATIONS[word])


def test_such_a_head_alone_quotes_nothing() -> None:
    assert isinstance(letter("accept\nOn Sunday Ben wrote: he is away").answer, Unread)
    assert isinstance(letter("accept\nOn Sunday Ben wrote:\nhe is away").answer, Unread)
    assert letter(f"On Sun, Ben wrote:\n{ORIGINAL}").answer == Empty()


@pytest.mark.parametrize(
    ("said", "word"),
    [
        *((said, "accept") for said in ("I accept", "I accept!", "Yes, I accept.", "OK, accept")),
        *((said, "accept") for said in ("I gladly accept", "I'd love to accept, thanks")),
        *((said, "accept") for said in ("I accept the invitation", "I accept your challenge.")),
        *((said, "accept") for said in ("J'accepte avec plaisir !", "J'accepte ton invitation")),
        *((said, "accept") for said in ("Ich nehme gerne an", "Ich nehme deine Einladung an")),
        *((said, "rematch") for said in ("Yes, rematch please", "I'd like a rematch, please")),
        *((said, "rematch") for said in ("Rematch?", "A rematch?", "How about a rematch?")),
        *((said, "rematch") for said in ("Revanche ?", "Une revanche ?", "Je veux une revanche")),
        *((said, "rematch") for said in ("Revanche?", "Revanche bitte", "Ich will eine Revanche")),
        *((said, "yes") for said in ("Yes, I'm sure", "Yes, that's right.", "yes, go ahead")),
        *(
            (said, "yes")
            for said in ("Ja, gerne!", "Ja, genau", "Oui, bien sûr", "Oui, volontiers")
        ),
    ],
)
def test_whole_sentences(said: str, word: str) -> None:
    assert letter(said).answer == AskedWord(word)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "said",
    [
        *("I don't accept", "I do not accept.", "I can't accept", "Accept? No.", "accept?"),
        *("accept if you play slowly", "I accept, if Ben agrees", "accept unless it is rated"),
        *(
            "I'd accept, but not this week",
            "I will accept tomorrow",
            "Maybe accept",
            "please accept",
        ),
        *(
            "accept\nNo, wait",
            "accept\n\nActually, not yet.",
            "Should I accept?",
            "yes?",
            "Yes, but",
        ),
        *("no rematch please", "No rematch.", "rematch? No!", "rematch, but not now", "Not yes"),
        *("rematch tomorrow", "I'd like a rematch some day", "rematch if you want", "No yes"),
        *(
            "Do you want a rematch",
            "Ben wants a rematch",
            "Ben, accept",
            "Ada, accept",
            "Hi Ada, yes",
        ),
        *(
            "Je n'accepte pas",
            "J'accepte si tu joues vite",
            "Pas de revanche",
            "oui, mais plus tard",
        ),
        *("Ich nehme nicht an", "annehmen, wenn du willst", "keine Revanche", "ja, aber später"),
        *("accepte ?", "oui ?", "ja?", "annehmen?", "ich nehme an, du kommst", "Ich nehme an"),
        *("I accept that you won", "I accept defeat", "yes and no", "accept or decline"),
    ],
)
def test_denied_doubted_or_conditional(said: str) -> None:
    for text in (said, f"Hi Ben,\n\n{said}\n\nThanks!\nAda"):
        assert isinstance(letter(text).answer, Unread | TakenBack)


@pytest.mark.parametrize(
    "said",
    [
        "accept as Cy",
        "accept as Cy.",
        "Hi Ben, accept as Cy",
        "accept as Cy, thanks!",
        "accept as Cy\nLooking forward to it!",
    ],
)
def test_the_name_ends_where_courtesies_begin(said: str) -> None:
    assert letter(said).answer == AskedWord("accept", "Cy")
