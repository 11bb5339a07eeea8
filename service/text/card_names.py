"""Card names in sentences, where players may be called like a card."""

import re
from collections.abc import Mapping
from typing import Final

from engine.cards import CLAN_CARDS, TACTIC_CARDS, full_name

BY_NAME: Final = {full_name(code): code for code in (*CLAN_CARDS, *TACTIC_CARDS)}
NAMED: Final = re.compile(rf"\b({'|'.join(map(re.escape, BY_NAME))})\b(?! \(bot\))")
"""Matches a card's name in a sentence, and no bot's: one is called `Strategist (bot)`."""
_MARK: Final = "\u2060"
"""The invisible character by which a player's name differs from a card's, until it is shown."""


def people(names: Mapping[str, str]) -> dict[str, str]:
    """Players' names made safe for sentences in which card names are highlighted: a player may be
    called `Red 7`. `unmarked` takes the marks out again."""
    return {seat: NAMED.sub(_parted, name) for seat, name in names.items()}


def unmarked(words: str) -> str:
    """These words without the marks that `people` sets, to be read, copied and searched."""
    return words.replace(_MARK, "")


def _parted(match: re.Match[str]) -> str:
    return match[0][0] + _MARK + match[0][1:]
