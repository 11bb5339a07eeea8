"""Guesses at unclear lines: the commands that stand among other words, or that are nearly written
so. The writer is asked about them; they are never played."""

import re
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from service.mail_in.reading.html_text import HIDDEN
from service.mail_in.reading.lines import MESSAGE, Line
from service.mail_in.reading.taking_back import takes_back
from service.mail_in.words.commands import Unread, WholeTurn, read_commands
from service.mail_in.words.grammar import spans_of_commands
from service.mail_in.words.languages import NUMBERS, any_of
from service.mail_in.words.patterns import COLOURS, RUSES
from service.text.card_names import full_name

_DOUBTS: Final = re.compile(
    r"\?|(?<!\w)(?:if|or|was|were|had|played|would|could|should|might|may|must|after|before|last"
    r"|next(?! to)|when|why|what|how|he|she|they|ben's|is|wish|regret|idea|oder|wenn|ou|eller|lub"
    r"|would've|could've|he's|she's)(?!\w)"
)
"""Signs that a sentence asks, tells of another turn, or makes a condition."""
_CARD: Final = re.compile(
    r"(?<![a-z0-9@])(?:([roygbp])[ -]*([1-9])|([1-9]) ?([roygbp]))(?![a-z0-9])"
)
_NUMBER: Final = re.compile(r"(?<![a-z0-9.:])([1-9])(?![a-z0-9.:]\d|[a-z0-9])")
_CLAIMS: Final = re.compile(r"(?<!\w)claim(?:ing)?(?!\w)")
_OWN_CLAIM: Final = re.compile(r"(?<!\w)i(?:'ll| will)? claim ")
_SENTENCES: Final = re.compile(r"(?<=[.!?:]) |(?<=[。！])")
_OF_GAME: Final = re.compile(
    rf"[roygbp][1-9](?!\w)|(?<!\w)(?:(?:{any_of(COLOURS)}) ?-?(?:[1-9]|{any_of(NUMBERS)})"
    rf"|claim\w*|resign|draw|pass|clan|tactics?|{RUSES})(?!\w)"
)
_FIGURE: Final = re.compile(rf"[1-9]|(?<!\w)(?:{any_of(NUMBERS)})(?!\w)")
_ENGLISH_NUMBERS: Final = dict(list(NUMBERS.items())[:9])
_PLAIN: Final = str.maketrans("’()", "'  ")
_MOST_WORDS: Final = 12
_LONGEST: Final = 80
_SHORT: Final = 4
"""Words of a sentence that is a command, if it holds a figure."""
_COMMANDS: Final = ("play", "claim", "stone", "place", "claiming")
_NEAR: Final = 0.74
"""How alike a word is to one of them that is written with a wrong letter."""
_COMMON_WORDS: Final = """
plan clan lay pay ply pray plays played claims claimed clean climb stop store stones some palace
alone
"""
_COMMON: Final = frozenset(_COMMON_WORDS.split())
"""Words of their own."""
_LONGEST_TEXT: Final = 2000
"""Characters of a letter that is guessed at."""


class _Sentence(NamedTuple):
    """The `commands` in a sentence. It is `unclear` where what else it says is of the game."""

    commands: str
    is_unclear: bool = False


def guessed(lines: Sequence[Line], names: Collection[str]) -> WholeTurn | None:
    """The turn that these lines may mean, of which at least one is unclear; None for no idea."""
    if sum(len(line.text) for line in lines) > _LONGEST_TEXT:
        return None
    if not isinstance(read_commands(lines, names), Unread):
        return None
    said = [line for line in lines if MESSAGE.match(line.text)]
    if any(HIDDEN in line.text for line in lines):
        return None
    texts = [each for line in lines if line not in said for each in _SENTENCES.split(line.text)]
    doubts = [at for at, text in enumerate(texts, 1) if takes_back(text)]
    for begin in (0, max(doubts, default=0)):
        read = [_read(text, names) for text in texts[begin:]]
        if any(sentence.is_unclear for sentence in read):
            continue
        asked = dict.fromkeys(each.commands for each in read if each.commands)
        turn = read_commands([Line(1, ", ".join(asked)), *said], names) if asked else None
        if isinstance(turn, WholeTurn) and turn.is_move and _cards_played(turn) <= 1:
            return turn
    return None


def _cards_played(turn: WholeTurn) -> int:
    return sum(action[0] not in "!+-" for action in turn.actions)


def _read(sentence: str, names: Collection[str]) -> _Sentence:
    """The commands that stand in a sentence, with other words around them."""
    text = respelled(sentence.lower().translate(_PLAIN))
    spans = list(spans_of_commands(text, names))
    rest = "".join(_between(text, spans))
    if takes_back(rest) and spans:  # it may correct the sentence before
        return _Sentence("", is_unclear=True)
    if "?" in text or takes_back(rest) or _DOUBTS.search(rest):
        return _Sentence("", is_unclear=_OWN_CLAIM.search(text) is not None and "?" not in text)
    if spans:
        commands = ", ".join(text[begin:end] for begin, end in spans)
        return _Sentence(commands, bool(_OF_GAME.search(rest) or _FIGURE.search(rest)))
    if (corrected := _corrected_play(text)) is not None:
        return _Sentence(corrected)
    is_short_figure = len(text.split()) <= _SHORT and _FIGURE.search(text) is not None
    return _Sentence("", is_short_figure or _OF_GAME.search(text) is not None)


def respelled(text: str) -> str:
    """The text, in small letters, with the words of commands that have a wrong letter put right:
    "clam 5"."""
    return re.sub(r"[^\W\d_]{4,8}", lambda found: _respelled(found[0]), text)


def _respelled(word: str) -> str:
    if word in _COMMON or word in _COMMANDS:
        return word
    return next(iter(get_close_matches(word, _COMMANDS, 1, _NEAR)), word)


def _between(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    place = 0
    for begin, end in spans:
        yield f"{text[place:begin]} "
        place = end
    yield text[place:]


def words_of(turn: WholeTurn) -> list[str]:
    """The turn as our mails write it, a command in each."""
    return [*map(_in_words, turn.actions), *turn.standing]


def _in_words(action: str) -> str:
    card, _, stone = action.partition("@")
    if stone and ":" not in card:
        return f"play {card if len(card) == 2 else full_name(card)} at {stone}"
    if action.startswith("!"):
        return f"claim {action[1:]}"
    return {"+C": "draw clan", "+T": "draw tactic"}.get(action, action)


def _corrected_play(text: str) -> str | None:
    """The one play that a line holds which is nearly one, in our words."""
    if len(text) > _LONGEST:
        return None
    words = re.findall(r"[^\W\d_]+|\d+|[^\w\s]", text)
    if sum(word.isalnum() for word in words) > _MOST_WORDS:
        return None
    text = " ".join(map(_corrected, words))
    text = re.sub(
        rf"(?<!\w)({'|'.join(COLOURS)}) ?-? ?([1-9])(?!\w)",
        lambda found: f"{COLOURS[found[1]]}{found[2]}".lower(),
        text,
    )
    cards = {f"{a or d}{b or c}".upper() for a, b, c, d in _CARD.findall(text)}
    stones = set(_NUMBER.findall(_CARD.sub(" ", text)))
    if len(cards) != 1 or len(stones) != 1:
        return None
    claims = " and claim it" if _CLAIMS.search(text) else ""
    return f"play {cards.pop()} at {stones.pop()}{claims}"


def _corrected(word: str) -> str:
    """The word, or the number or colour that it is nearly written like."""
    if word in _ENGLISH_NUMBERS:
        return str(_ENGLISH_NUMBERS[word])
    if word in COLOURS or not word.isalpha() or len(word) < 2:
        return word
    near = get_close_matches(
        word, ("red", "three", "seven", "eight", "yellow", "orange", "purple", "violet"), 1, 0.8
    )
    return str(NUMBERS.get(near[0], near[0])) if near else word
