"""The names of cards in a reader's language, and where sentences name them.

Players may be called like a card: `people` and `unmarked` keep their names apart.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.cards import (
    BANSHEE,
    BIT,
    BLIND_MANS_BLUFF,
    JOKER,
    MUD_FIGHT,
    ORDER,
    RECRUITER,
    SHIELD_BEARER,
    SPY,
    STRATEGIST,
    TRAITOR,
)
from service.core.words import N_, Words

_CLANS: Final = {
    "R": N_("Red"),
    "O": N_("Orange"),
    "Y": N_("Yellow"),
    "G": N_("Green"),
    "B": N_("Blue"),
    "P": N_("Purple"),
}
_TACTICS: Final = {
    JOKER: N_("Joker"),
    SPY: N_("Spy"),
    SHIELD_BEARER: N_("Shield-Bearer"),
    BLIND_MANS_BLUFF: N_("Blind-Man’s Bluff"),
    MUD_FIGHT: N_("Mud Fight"),
    RECRUITER: N_("Recruiter"),
    STRATEGIST: N_("Strategist"),
    BANSHEE: N_("Banshee"),
    TRAITOR: N_("Traitor"),
}
_MARK: Final = "\u2060"
"""The invisible character by which a player's name differs from a card's, until it is shown."""
_LANGUAGES: Final = 64
"""More than any server has: their card names stay in memory."""


class _Named(NamedTuple):
    """The full names by code, and the codes by name; `pattern` finds the names in a sentence."""

    names: Mapping[str, str]
    codes: Mapping[str, str]
    pattern: re.Pattern[str]


def clan_name(words: Words, clan: str) -> str:
    """The colour of a clan, by its letter: `Red`."""
    return words.say(_CLANS[clan])


def card_name(words: Words, code: str) -> str:
    """A card's full name: `Red 7`, `Joker`. An unknown code is its own name."""
    return _named(words).names.get(code, code)


def short_name(words: Words, code: str) -> str:
    """A card's name for those who know the codes: `R7`, `Joker`."""
    return code if code in BIT else card_name(words, code)


def with_article(words: Words, code: str, name: str) -> str:
    """The `name` of a card in a sentence, where some languages have an article."""
    if code in BIT:
        # Note: a Clan card in a sentence, with its article if there is one: "played Red 7"
        return words.say("%(card)s", card=name)
    # Note: a Tactic card in a sentence, with its article if there is one: "drew Joker"
    return words.say("%(tactic)s", tactic=name)


def the_card(words: Words, code: str) -> str:
    """A card in a sentence: `Red 7`."""
    return with_article(words, code, card_name(words, code))


def the_cards(words: Words, codes: Iterable[str]) -> str:
    """Cards in a sentence: `Red 7 and Green 2`."""
    return words.joined(the_card(words, code) for code in codes)


_EFFECTS: Final = {
    "JOK": N_("Counts as whichever Clan card is best when the Stone is claimed."),
    "SPY": N_("Counts as a 7 of any colour."),
    "SHB": N_("Counts as a 1, 2 or 3 of any colour."),
    "BMB": N_("On this Stone only the sums count, whatever the cards form."),
    "MUD": N_("On this Stone each side takes four cards."),
    "REC": N_("Draw three cards of either deck, then put two of your hand back under them."),
    "STR": N_("Move one of your cards to another unclaimed Stone or to the discard."),
    "BAN": N_("Discard one of your opponent’s cards from an unclaimed Stone."),
    "TRA": N_("Take one of your opponent’s Clan cards to your side of an unclaimed Stone."),
}


def tactic_words(words: Words, code: str) -> str:
    """What a Tactic card does, in a sentence."""
    return words.say(_EFFECTS[code])


def count_cards(words: Words, clan: int, tactic: int) -> str:
    """The number of cards from each deck: `2 Clan cards and 1 Tactic card`."""
    counts = (
        clan and words.plural("%(number)s Clan card", "%(number)s Clan cards", clan),
        tactic and words.plural("%(number)s Tactic card", "%(number)s Tactic cards", tactic),
    )
    return words.joined(count for count in counts if count)


def parts(words: Words, sentence: str) -> list[tuple[str, str]]:
    """A sentence in parts: each is the code of a card and its name, or `""` and other text."""
    codes, pattern = _named(words).codes, _named(words).pattern
    return [(codes.get(part, ""), part) for part in pattern.split(sentence) if part]


def people(words: Words, names: Mapping[str, str]) -> dict[str, str]:
    """Players' names made safe for sentences in which card names are highlighted: a player may be
    called `Red 7`. `unmarked` takes the marks out again."""
    return {seat: _named(words).pattern.sub(_apart, name) for seat, name in names.items()}


def unmarked(text: str) -> str:
    """The text without the marks that `people` sets, to be read, copied and searched."""
    return text.replace(_MARK, "")


def _apart(match: re.Match[str]) -> str:
    return match[0][0] + _MARK + match[0][1:]


@lru_cache(_LANGUAGES)
def _named(words: Words) -> _Named:
    names = {code: _full_name(words, code) for code in ORDER}
    longest_first = sorted(map(re.escape, names.values()), key=len, reverse=True)
    # No bot's name: one is called `Strategist (bot)`.
    pattern = rf"(?<!\w)({'|'.join(longest_first)})(?!\w)(?! \(bot\))"
    codes = {name: code for code, name in names.items()}
    return _Named(MappingProxyType(names), codes, re.compile(pattern))


def _full_name(words: Words, code: str) -> str:
    if code not in BIT:
        return words.say(_TACTICS[code])
    # Note: a Clan card: "Red 7"
    return words.say("%(clan)s %(strength)s", clan=clan_name(words, code[0]), strength=code[1])
