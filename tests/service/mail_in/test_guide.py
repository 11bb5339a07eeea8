"""What `docs/mail.md` and our help say is what the grammar takes."""

import re

import pytest

from service.mail_in.reading.lines import Line
from service.mail_in.words.commands import FIRST_ONLY, WholeTurn, read_commands
from service.mail_in.words.grammar import Gift
from service.mail_in.words.help import HELP
from service.mail_in.words.single_words import WORDS, AskedWord
from service.mail_in.words.wishes import Wish
from tests.service.mail_in.guide import EXAMPLES, TABLE

TOLD = " ".join(line for lines in HELP.values() for line in lines)


@pytest.mark.parametrize("word", [*WORDS, *FIRST_ONLY, "play", "claim", "draw", "give"])
def test_every_word_is_listed(word: str) -> None:
    assert re.search(rf"`{word}\b", TABLE)
    if word not in ("accept", "decline"):
        assert f"“{word}" in TOLD


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_understood(example: str) -> None:
    assert isinstance(read_commands([Line(1, example)]), WholeTurn | Gift | AskedWord | Wish)


@pytest.mark.parametrize("example", re.findall("“([^”]+)”", TOLD))
def test_every_example_of_the_help_is_understood(example: str) -> None:
    assert isinstance(read_commands([Line(1, example)]), WholeTurn | Gift | AskedWord | Wish)
