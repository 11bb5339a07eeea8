"""Guesses at unclear lines: a card and a Stone, to ask the writer about and never to play."""

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from typing import Final

from service.mail_in.reading.html_text import HIDDEN
from service.mail_in.reading.lines import MESSAGE, Line
from service.mail_in.reading.taking_back import takes_back
from service.mail_in.words.commands import Unread, WholeTurn, read_commands
from service.mail_in.words.languages import COLOURS, NUMBERS
from service.text.card_names import full_name

_COLOURS: Final = {"red": "R", "yellow": "Y", "green": "G", "blue": "B", "purple": "P", **COLOURS}
DOUBTS: Final = re.compile(
    r"\?|(?<!\w)(?:if|or|was|were|has|had|played|would|could|should|might|may|must|can|but|after"
    r"|before|next(?! to)|last|when|why|what|how|he|she|they|you|your|ben's|is|too|wish|regret|idea"
    r"|oder|wenn|ou|si|o|se|eller|of|lub)(?!\w)"
)
"""Signs that a sentence asks, tells of another turn, or makes a condition."""
_CARD: Final = re.compile(
    r"(?<![a-z0-9@])(?:([roygbp])[ -]*([1-9])|([1-9]) ?([roygbp]))(?![a-z0-9])"
)
_NUMBER: Final = re.compile(r"(?<![a-z0-9.:])([1-9])(?![a-z0-9.:]\d|[a-z0-9])")
_CLAIMS: Final = re.compile(r"(?<!\w)claim(?:ing)?(?!\w)")
_SENTENCES: Final = re.compile(r"(?<=[.!:]) |(?<=[。！])")
_GAME_WORDS: Final = (
    *NUMBERS,
    *_COLOURS,
    "stones?",
    "claim",
    "resign",
    "draw",
    "pass",
    "end",
    "done",
    "show",
)
_OF_GAME: Final = re.compile(rf"[1-9?]|(?<!\w)(?:{'|'.join(_GAME_WORDS)})(?!\w)")
_MOST_WORDS: Final = 12
_LONGEST: Final = 80


def guessed(lines: Sequence[Line], names: Collection[str]) -> WholeTurn | None:
    """The turn that these lines may mean, of which at least one is unclear; None for no idea."""
    answer = read_commands(lines, names)
    if not isinstance(answer, Unread):
        return None
    if not any(takes_back(line.text) for line in lines):
        found = _corrected_turn(lines, answer, names)
        if found is not None:
            return found
    return _readable_turn(lines, names)


def _corrected_turn(
    lines: Sequence[Line], answer: Unread, names: Collection[str]
) -> WholeTurn | None:
    """The turn where each unclear sentence that speaks of the game holds one play."""
    unclear = {line.number for line in answer.lines}
    clearer = []
    for line in lines:
        if line.number not in unclear:
            clearer.append(line)
            continue
        for sentence in _SENTENCES.split(line.text):
            if not _speaks_of_game(sentence):
                continue
            text = _clear(sentence)
            if text is None:
                return None
            clearer.append(line._replace(text=text))
    again = read_commands(clearer, names)
    return again if isinstance(again, WholeTurn) and again.is_move else None


def _readable_turn(lines: Sequence[Line], names: Collection[str]) -> WholeTurn | None:
    """The one turn that can be read among other sentences; of several the one below the last words
    that take something back."""
    sentences = [
        line._replace(text=sentence)
        for line in lines
        for sentence in ([line.text] if MESSAGE.match(line.text) else _SENTENCES.split(line.text))
    ]
    if any(HIDDEN in line.text for line in lines):
        return None
    doubts = [at for at, each in enumerate(sentences, 1) if takes_back(each.text)]
    for begin in (0, max(doubts, default=0)):
        found = [each for each in sentences[begin:] if _is_readable(each, names)]
        turn = read_commands(found, names) if found else None
        if isinstance(turn, WholeTurn) and sum("@" in action for action in turn.actions) == 1:
            return turn
    return None


def _is_readable(sentence: Line, names: Collection[str]) -> bool:
    """Whether it is a command, or a message."""
    if MESSAGE.match(sentence.text):
        return True
    answer = read_commands([sentence], names)
    return isinstance(answer, WholeTurn) and answer.is_move


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


def _speaks_of_game(sentence: str) -> bool:
    """Whether a sentence may say something of cards or Stones, or asks something."""
    is_known = any(mark in sentence for mark in (HIDDEN, "say:"))
    return is_known or _OF_GAME.search(sentence.lower()) is not None


def _clear(line: str) -> str | None:
    """The one play that an unclear line holds, in our words."""
    text = line.lower()
    if len(text) > _LONGEST or MESSAGE.match(line) or HIDDEN in line or DOUBTS.search(text):
        return None
    words = re.findall(r"[^\W\d_]+|\d+|[^\w\s]", text)
    if sum(word.isalnum() for word in words) > _MOST_WORDS:
        return None
    text = " ".join(map(_corrected, words))
    text = re.sub(
        rf"(?<!\w)({'|'.join(_COLOURS)}) ?-? ?([1-9])(?!\w)",
        lambda found: f"{_COLOURS[found[1]]}{found[2]}".lower(),
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
    if word in NUMBERS:
        return str(NUMBERS[word])
    if word in _COLOURS or not word.isalpha() or len(word) < 2:
        return word
    near = get_close_matches(word, ("red", "three", "seven", "eight", "yellow", "orange"), 1, 0.8)
    return str(NUMBERS.get(near[0], near[0])) if near else word
