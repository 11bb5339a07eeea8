"""Which sentences around a turn are passed over as small talk, and which are asked about."""

import re
from pathlib import Path

import pytest

from service.mail_in.reading.lines import Line
from service.mail_in.reading.taking_back import takes_back
from service.mail_in.words import languages, small_talk
from service.mail_in.words.small_talk import without_small_talk
from service.text.inert import COMMAND_WORDS

_LISTS = Path(small_talk.__file__).with_name("small_talk.txt").read_text("utf-8")


def left_of(text: str, names: tuple[str, ...] = ("ben",)) -> list[str]:
    """The lines of a letter without its small talk."""
    lines = [Line(at, line) for at, line in enumerate(text.split("\n"), 1)]
    return [line.text for line in without_small_talk(lines, names, text).lines]


def _words() -> set[str]:
    lists = re.split(r"^\[\w+\]$", _LISTS.split("[exclamations]")[0], flags=re.MULTILINE)
    return {word for part in lists for word in part.split()}


def test_no_listed_word_is_of_the_game_or_takes_something_back() -> None:
    game = {*COMMAND_WORDS, *languages.NUMBERS, *languages.ORDINALS, *languages.COLOURS}
    said = {*("says", "said", "thinks", "typed", "wrote", "sent", "played", "keyboard", "phone")}
    doubted = {*("this", "that", "would", "could", "should", "might", "must", "or", "soon", "only")}
    assert not {word for word in _words() if takes_back(word)}
    assert _words().isdisjoint(game | said | doubted)


@pytest.mark.parametrize(
    "talk",
    [
        *("Hah! Finally.", "Phew, what a week.", "Woohoooo!", "Fingers crossed", "Your go, Ben"),
        *("The weather is lovely here", "We had a wonderful walk by the river this morning."),
        *(
            "Hope the kids are feeling better.",
            "Mum says hello.",
            "The kids are well",
            "Greetings from sunny Lisbon!",
        ),
        *("How was the concert?", "How's your knee?", "Quelle journée !", "Schöner Zug von dir!"),
        *("It is raining cats and dogs", "You're too good at this", "Ouch. You are ruthless."),
    ],
)
def test_small_talk_is_passed_over(talk: str) -> None:
    assert left_of(f"{talk}\nplay R7 at 3") == ["play R7 at 3"]


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("Hah! Finally. R7 at 3", "R7 at 3"),
        ("Phew, R7 at 3", "R7 at 3"),
        ("R7 at 3 haha", "R7 at 3"),
        ("R7 at 3 (what a day)", "R7 at 3"),
        ("R7 at 3 - lovely day here", "R7 at 3"),
        ("Haha, if it rains, R7 at 3", "if it rains, R7 at 3"),
    ],
)
def test_small_talk_may_stand_beside_a_turn(line: str, left: str) -> None:
    assert left_of(line) == [left]


@pytest.mark.parametrize(
    "line",
    [
        # takes back, doubts, puts off
        *(
            "lol no",
            "nooo",
            "haha not",
            "As if!",
            "Just for fun",
            "For fun",
            "In jest",
            "jk",
            "psych",
        ),
        *("On Friday.", "Tonight, dear, tonight.", "In summer", "At breakfast", "After lunch"),
        *("Dinner first!", "Over tea", "Weather permitting", "Provided the sun shines", "I hope"),
        *("Lovely?", "A good one?", "How about the weather?", "What do you think", "Dream on, Ben"),
        *("Yeah right", "Yeah sure", "In your dreams", "Good joke", "April fool", "Without rain"),
        # somebody else says, or has done it
        *("My husband:", "My clever wife says", "My son.", "My son, haha", "It was my daughter"),
        *(
            "The cat was here",
            "The cat sat on it",
            "My lovely wife likes",
            "In the other game",
        ),
        # a mistake is noticed
        *("Argh!", "Oops", "Yikes", "Drat!", "Um", "Blimey", "Fixed.", "Better."),
        # goes on in the next line, or from the one before
        *("The kids love", "is lovely", "The wonderful weather of"),
        # of the game
        *("Nice red", "Stone three is lovely", "A lovely 7", "Well claimed", "lovely@example.org"),
        # in other languages
        *("War nur Spaß!", "Wenn es regnet", "Je plaisante", "Es broma", "Grapje", "Mal sehen"),
    ],
)
def test_what_may_be_about_the_turn_is_not_passed_over(line: str) -> None:
    assert len(left_of(f"play R7 at 3\n{line}")) == 2


@pytest.mark.parametrize("line", ["The cat is adorable", "My son is a genius"])
def test_nobody_who_may_have_touched_the_keys_is_passed_over_in_a_letter_that_is_sorry(
    line: str,
) -> None:
    assert len(left_of(f"play R7 at 3\n{line}")) == 1
    assert len(left_of(f"play R7 at 3\n{line}\nSorry")) > 1


@pytest.mark.parametrize("line", ["Ouch!", "Oh boy", "Argh!", "Yikes"])
def test_a_cry_above_the_turn_is_about_what_went_before(line: str) -> None:
    assert left_of(f"{line}\nplay R7 at 3") == ["play R7 at 3"]


def test_a_long_letter_is_left_to_be_asked_about() -> None:
    assert len(left_of("\n".join(["Lovely weather"] * 9))) == 9
