"""What `docs/mail.md` and our help say is what the grammar takes."""

import re

import pytest

from letters.commands import FIRST_ONLY, WholeTurn, read_commands
from letters.grammar import Gift
from letters.mail.lines import Line
from letters.wishes import WORDS, AskedWord, Wish
from service.core.words import ENGLISH
from service.mail_in.wording import guide
from tests.service.mail_in.guide import EXAMPLES, TABLE

TOLD = " ".join(line for lines in guide(ENGLISH).values() for line in lines)


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
