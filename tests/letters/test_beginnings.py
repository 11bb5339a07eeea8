"""Every command is suspected from its first words on, and hardly anything else is."""

import pytest

from letters.commands import Empty, Unread, read_commands
from letters.guesses import may_begin, may_begin_between_words
from letters.mail.lines import Line, plain_form
from letters.wishes import WORDS
from tests.service.mail_in.guide import EXAMPLES

WISHES = (
    "new game with Bo, 3 days",
    "offer a pause until 3 March",
    "vacation to 3 March",
    "time zone Europe/Berlin",
    "mails about turns off",
    "give 2 days",
    "accept as Eve",
    "say: well played",
)
TURNS = (
    "I'll go with the red 7 on stone 3.",
    "Card: green 4, Stone: 1",
    "On stone 7 I play my yellow 8",
    "Red 7 next to red 8 on stone 3 it is",
    "gelbe acht auf stein eins",
    "le 4 vert sur la première borne",
    "il sette rosso sulla pietra 3",
    "R7 at 3 and with that I claim the stone",
    "R7 on 3, I claim both 3 and 5",
    "use the Spy on stone 2 and draw from the clan deck",
    "Strategist: discard my R8 from stone 3, draw clan",
)
COMMANDS = sorted({*EXAMPLES, *TURNS, *WORDS, *WISHES})


def is_command(text: str) -> bool:
    return not isinstance(read_commands([Line(1, plain_form(text))]), Unread | Empty)


def test_the_wishes_are_commands() -> None:
    assert [wish for wish in WISHES if not is_command(wish)] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_suspected_whatever_words_follow(command: str) -> None:
    for after in ("", " it was 5 then.", " ? That is so", " 3 and 4 or not", " ... and 7 at 2"):
        assert may_begin(plain_form(command + after))
        assert may_begin_between_words(plain_form(command + after))


@pytest.mark.parametrize("command", COMMANDS)
def test_each_part_that_is_a_command_by_itself_is_suspected(command: str) -> None:
    words = command.split(" ")
    for start in range(len(words)):
        rest = words[start:]
        parts = (" ".join(rest[: end + 1]) for end in range(len(rest)))
        if any(map(is_command, parts)):
            assert may_begin_between_words(plain_form(" ".join(rest)))


@pytest.mark.parametrize(
    "words",
    [
        *("R5 O3 P4 · claimed 3, 5 and 9", "3, 5, 6 and 9 · claimed by you", "a hand: Y2 Y4"),
        *("claimed Stone 8 with a sum of 20", "by Bo: 2 and 8", "and 20 would beat it", "to Bo"),
    ],
)
def test_cards_numbers_and_words_of_a_mail_are_not_suspected(words: str) -> None:
    assert not may_begin_between_words(words)
