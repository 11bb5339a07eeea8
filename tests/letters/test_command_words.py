"""One list of the words that commands begin with: what it lacks, a name could pass as a command."""

import re

import pytest

from letters.inert import UNSEEN_MARK, inert_name
from letters.wishes import WORDS
from service.core.words import ENGLISH
from service.mail_in.wording import guide

TOLD = " ".join(line for lines in guide(ENGLISH).values() for line in lines)
IN_WORDS = [said for said in re.findall("“([^”]+)”", TOLD) if said[:2].isalpha()]


@pytest.mark.parametrize("command", [*WORDS, *(each for each in IN_WORDS if ":" not in each[:4])])
def test_a_player_called_like_a_command_is_shown_in_unseen_marks(command: str) -> None:
    assert inert_name(command).startswith(UNSEEN_MARK)
