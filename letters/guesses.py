"""Guesses what unclear lines mean: they hold commands among other words, or misspelt ones. The
writer is asked about a guess; it is never played unasked.

A quick test says first whether a command may begin with a text. Our mails are full of cards,
numbers and words with which commands begin as well, and reading every part of them as a command
would take most of a worker's time.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import compress, pairwise
from typing import Final, NamedTuple, TypeGuard

from engine.cards import full_name
from letters import grammar, languages, patterns, taught
from letters.commands import Answer, Unread, WholeTurn, read_commands
from letters.grammar import spans_of_commands
from letters.inert import COMMAND_WORDS
from letters.languages import NUMBERS, any_of
from letters.mail.html_text import HIDDEN
from letters.mail.lines import Line
from letters.mail.phrases import straight, takes_back
from letters.patterns import BEGINNING_OF_RUSE, CARD, COLOURS, LEAD, NUMBER
from letters.taught import MESSAGE
from letters.wishes import ANY_WORD, BEGINNING_OF_WISH

_OF_TEXT: Final = re.compile(rf"{MESSAGE.pattern}|accept as ", re.IGNORECASE)
"""Matches the beginnings of the commands that may hold any words."""
_FIRST_SIGNS: Final = (
    rf"(?:{CARD}|[a-z]{{3}}:|![1-9]|\+ ?[ct]|-\w\w|[a-z]{{3}}@|[1-9]: |{NUMBER}(?!\w)"
    rf"|(?:{languages.ARTICLES}|{languages.VERBS}|{languages.CLAIMS}|{languages.STONES}|{languages.TAKES}"
    rf"|{languages.DRAWS}|have|{languages.AT}|{languages.FROM}|{languages.CARDS})(?!\w))"
)
_FIRST_WORDS: Final = (
    rf"(?:{'|'.join(sorted(COMMAND_WORDS))}|{any_of(languages.LEADS)}"
    f"|{patterns.RUSES}|{languages.ASKS}|going|here|could|would|can|will|not|using|with)"
)
_FIRST: Final = re.compile(
    rf"\W{{0,2}}(?:(?:\d{{1,2}}[.)]|[a-z]\)) )?\W?(?:{_FIRST_SIGNS}|{_FIRST_WORDS})"
)

_OPENINGS: Final = (
    patterns.PLAY,
    patterns.STONE_FIRST,
    patterns.HALF,
    patterns.NO_CLAIM,
    patterns.STONE_CLAIMED,
    patterns.IS_MINE,
    patterns.DRAW,
    patterns.RETURN,
    patterns.QUOTED,
    grammar.GIVE,
    grammar.DONE,
    ANY_WORD,
    BEGINNING_OF_WISH,
    # Beginnings of the commands whose patterns look at the rest of the line.
    re.compile(
        rf"{LEAD}(?:{languages.CLAIMS}|claim|{languages.CLAIMS_IT}|{languages.TAKES}|have both)"
        r"(?!\w)"
    ),
    patterns.BEGINNING_OF_BARE_PLAY,
    BEGINNING_OF_RUSE,
    re.compile(rf"(?:{languages.ASKS}) "),
)


def may_begin(text: str) -> bool:
    """Whether a line of commands may begin like this text, in plain form, wherever the line is
    broken: with a command, or with courtesies before one. It is True for some other texts too."""
    line = straight(text.lower())
    return (
        _FIRST.match(line) is not None
        or grammar.is_courtesy(line)
        or _OF_TEXT.match(text) is not None
        or taught.may_begin(text)
    )


def may_begin_between_words(text: str) -> bool:
    """Whether a line of commands may begin like this text, in plain form, if lines are broken only
    between words. The text has to be as long as a command may be, if its line is."""
    if not may_begin(text):
        return False
    line = patterns.normalized(text)
    bullet = patterns.BULLET.match(line)
    starts = (0, bullet.end()) if bullet else (0,)
    return any(_opens(line, start) for start in starts) or _OF_TEXT.match(text) is not None


def _opens(line: str, start: int) -> bool:
    return (
        any(pattern.match(line, start) for pattern in _OPENINGS)
        or grammar.is_courtesy(line, start)
        or grammar.action_at(line, start) is not None
        or taught.opens(line, start)
    )


DOUBTS: Final = re.compile(
    r"(?<!\w)(?:if|or|was|were|had|would|could|should|might|may|last|when|why|what|how|he"
    r"|she|they|nearly|almost|tempted|considered|wish|regret|idea|oder|wenn|falls|ou|eller|lub|si"
    r"|se|als|would've|could've|he's|she's|yours|from the (?:right|end|other side)|von rechts"
    r"|von hinten|de droite|en partant de la droite)(?![\w'])"
)
"""Matches words by which a clause tells of another turn, or makes a condition."""
_BEGINS_CONDITION: Final = re.compile(
    r"\W*(?:if|when|unless|once|wenn|falls|sobald|si|quand|se|quando|cuando|als|zodra)(?!\w)"
)
"""Matches the beginning of a sentence in which each clause depends on the first, a condition."""
_CLAUSES: Final = re.compile(
    r"[,;:(){}\[\]!…]|\.\.|(?<=\s)[-–—/|](?=\s)|(?<!\w)(?:and|but|so)(?!\w)"
)
_EITHER: Final = re.compile(r",? ?(?:or|oder|ou|o|of|eller|lub)(?: else)? ?")
_CARD: Final = re.compile(
    r"(?<![a-z0-9@])(?:([roygbp])[ -]*([1-9])|([1-9]) ?([roygbp]))(?![a-z0-9])"
)
_COLOUR_FIRST: Final = re.compile(rf"(?<!\w)(?P<c>{'|'.join(COLOURS)}) ?-? ?(?P<s>[1-9])(?!\w)")
_STRENGTH_FIRST: Final = re.compile(rf"(?<!\w)(?P<s>[1-9]) (?P<c>{'|'.join(COLOURS)})(?!\w)")
_NUMBER: Final = re.compile(r"(?<![a-z0-9.:])([1-9])(?![a-z0-9.:]\d|[a-z0-9])")
_CLAIMS: Final = re.compile(r"(?<!\w)claim(?:ing)?(?!\w)")
_NTH: Final = rf"(?:{any_of(languages.ORDINALS)}|[1-9](?:st|nd|rd|th|\.|e|ème|te[nr]?)?)"
_STONE: Final = re.compile(
    rf"(?<!\w)(?:(?P<nth>{_NTH}) (?:{languages.STONES})"
    rf"|(?:{languages.STONES}) (?P<stone>{any_of(NUMBERS)}|[1-9]))(?!\w)"
)
_TAKEN: Final = re.compile(
    rf"(?<!\w)(?:{languages.TAKES})(?: [^\W\d_]+)?"
    rf" (?:(?:{languages.ARTICLES}) )?(?P<stone>{_NTH}) (?:{languages.STONES})(?!\w)"
)
_ANY_CARD: Final = re.compile(rf"(?<!\w){CARD}(?!\w)")
_BESIDE: Final = re.compile(rf"(?<!\w)(?:{languages.BESIDE})(?: (?:{languages.ARTICLES}))? ?$")
"""Matches words before the card beside which another is to lie."""
_PLACED: Final = re.compile(
    rf"(?<!\w)(?P<at>(?:{languages.AT}) (?:(?:{languages.ARTICLES}) )?)"
    rf"(?P<nth>{any_of(languages.ORDINALS)})(?: one)?(?=[\s.,;!]|$)"
)
"""Matches a Stone that is named by its place alone: "on the third one"."""
_MIDDLE: Final = re.compile(rf"(?<!\w)(?:{languages.MIDDLE})(?!\w| of| von| de)")
_MIDDLE_ONE: Final = re.compile(r"(?<!\w)the middle one(?!\w)")
"""Matches words in which "one" is no number."""
_REQUESTED: Final = re.compile(
    rf"^\W*(?:{languages.REQUESTS}|{languages.ASKS}) (?!have (?:put|laid|set|won|\w{{2,}}ed)(?!\w))"
    r"([^?]+)\?[\s?!]*$"
)
"""Matches a question for leave to play, which is asked back, as "Can I put R7 on 3?"; none about
what might have been, as "Could I have played R7 at 3?"."""
_STRENGTH: Final = re.compile(rf"(?<!\w)(?:{any_of(NUMBERS)}|[1-9])(?!\w)")
_SENTENCES: Final = re.compile(r"(?<=[.!?]) |(?<=[。！])| [-–—]+ ")
_ENGLISH_NUMBERS: Final = dict(list(NUMBERS.items())[:9])
_PLAIN: Final = str.maketrans({"’": "'", "[": "", "]": ""})
_INSTEAD: Final = re.compile(r"(?<!\w)(?:instead|rather|stattdessen|lieber|plutôt|invece)(?!\w)")
"""Matches words such as "instead", which after a play only stress that this play is meant."""
_MOST_WORDS: Final = 18
_LONGEST: Final = 80
_COMMANDS: Final = ("play", "claim", "stone", "place", "claiming")
_NEAR: Final = 0.74
"""How similar (0 to 1) a word has to be to one of these commands to count as misspelt."""
_COMMON_WORDS: Final = """
plan clan lay pay ply pray plays played claims claimed clean climb stop store stones some palace
alone
"""
_COMMON: Final = frozenset(_COMMON_WORDS.split())
"""Words that are no misspelt commands."""
_LONGEST_TEXT: Final = 2000
"""Most characters of a letter that is guessed at."""


class SeveralPlays(NamedTuple):
    """The turns that these lines may mean, each with another play; it is unclear which one is
    meant. `is_of_strength` says that they name a card by its strength alone: of the turns, one for
    each colour, only those count that can be played. `beside` is the card of the writer's own by
    which they name the Stone: of the turns, one for each Stone, only that one counts where it
    lies."""

    turns: tuple[WholeTurn, ...]
    is_of_strength: bool = False
    beside: str | None = None


class _Sentence(NamedTuple):
    """The `commands` in a sentence, and whether its other words may correct earlier commands."""

    commands: Sequence[str]
    corrects: bool


def guessed(lines: Sequence[Line], names: Collection[str]) -> WholeTurn | SeveralPlays | None:
    """Return the turn, or the turns with different plays, that unclear lines may mean; None for no
    guess."""
    is_long = sum(len(line.text) for line in lines) > _LONGEST_TEXT
    if is_long or any(HIDDEN in line.text for line in lines):
        return None
    said = [line for line in lines if MESSAGE.match(line.text)]
    written = "\n".join(line.text for line in lines if line not in said).lower()
    placed = patterns.placed_there(written.translate(_PLAIN))
    if placed is None or not isinstance(read_commands(lines, names), Unread):
        return None
    texts = _MIDDLE_ONE.sub("the middle", placed).split("\n")
    guess = _guessed(texts, said, names)
    if guess is None or not (isinstance(guess, SeveralPlays) or _plays(guess.actions)):
        guess = _guessed([" ".join(texts)], said, names) or guess  # lines that a program broke
    if guess is None and _MIDDLE.search(middle := " ".join(texts)):
        guess = _guessed([_MIDDLE.sub("stone 5", middle)], said, names)
    if guess is None and (plays := _plays_across(" ".join(texts))):
        turns = [read_commands([Line(1, play), *said], names) for play in plays]
        whole = tuple(filter(_is_turn, turns))
        return whole[0] if len(whole) == 1 else SeveralPlays(whole, is_of_strength=True)
    if guess is None and (found := _played_beside(texts)) is not None:
        card, beside = found
        beginnings = [Line(1, f"play {card} at {stone}") for stone in range(1, 10)]
        turns = [read_commands([each, *said], names) for each in beginnings]
        return SeveralPlays(tuple(filter(_is_turn, turns)), beside=beside)
    return guess


def _is_turn(answer: Answer) -> TypeGuard[WholeTurn]:
    return isinstance(answer, WholeTurn)


def _guessed(
    lines: Sequence[str], said: Sequence[Line], names: Collection[str]
) -> WholeTurn | SeveralPlays | None:
    read = [_read(each, names) for line in lines for each in _SENTENCES.split(line)]
    whole = _together(read, said, names)
    last = max((at for at, sentence in enumerate(read) if sentence.corrects), default=0)
    if last and isinstance(whole, SeveralPlays):
        return _together(read[last:], said, names) or whole
    return whole


def _plays(actions: Sequence[str]) -> list[str]:
    return [action for action in actions if action[0] not in "!+-"]


def _together(
    read: Sequence[_Sentence], said: Sequence[Line], names: Collection[str]
) -> WholeTurn | SeveralPlays | None:
    asked = dict.fromkeys(command for sentence in read for command in sentence.commands)
    turn = read_commands([Line(1, ", ".join(asked)), *said], names) if asked else None
    if not isinstance(turn, WholeTurn) or not turn.is_move:
        return None
    actions = tuple(dict.fromkeys(turn.actions))
    plays = _plays(actions)
    turns = tuple(
        replace(turn, actions=tuple(each for each in actions if each == play or each not in plays))
        for play in plays or [""]
    )
    return SeveralPlays(turns) if len(turns) > 1 else turns[0]


def _read(sentence: str, names: Collection[str]) -> _Sentence:
    """Return the commands in a sentence that holds other words too; none if a word in the first
    one's clause says that it is not meant."""
    text = _REQUESTED.sub(r"\1", respelled(sentence))
    spans = list(spans_of_commands(text, names))
    places = [0, *(place for span in spans for place in span), len(text)]
    between = [text[begin:end] for begin, end in zip(places[::2], places[1::2], strict=True)]
    corrects = any(map(takes_back, between))
    if "?" in text or _BEGINS_CONDITION.match(text):
        return _Sentence((), corrects)
    if not spans:
        is_clear = not (corrects or DOUBTS.search(text))
        meant_by = (_corrected_play(text) or _taken_stone(text)) if is_clear else None
        return _Sentence([meant_by] if meant_by else [], corrects)
    clauses = [[""] if _EITHER.fullmatch(each) else _CLAUSES.split(each) for each in between]
    around = [(before[-1], _INSTEAD.sub("", after[0])) for before, after in pairwise(clauses)]
    meant = [not any(takes_back(each) or DOUBTS.search(each) for each in two) for two in around]
    commands = [text[begin:end] for begin, end in compress(spans, meant)]
    return _Sentence(commands if meant[0] else [], corrects)


def respelled(text: str) -> str:
    """Return a text in lower case with misspelt words of commands corrected: "clam 5"."""
    return re.sub(r"[^\W\d_]{4,8}", lambda match: _respelled(match[0]), text)


def _respelled(word: str) -> str:
    if word in _COMMON or word in _COMMANDS:
        return word
    return next(iter(get_close_matches(word, _COMMANDS, 1, _NEAR)), word)


def names_card(text: str) -> bool:
    """Whether a text names a card, whatever else it says."""
    return _ANY_CARD.search(text.lower()) is not None


_TAUGHT: Final = {
    "+C": "draw_clan",
    "+T": "draw_tactic",
    "pass": "pass",
    "end": "end",
    "claim all": "claim_all",
    "claim both": "claim_both",
    "done": "done",
}
"""Names of the commands that are taught for actions and dependent commands without a place."""


def words_of(turn: WholeTurn, language: str) -> list[str]:
    """Return the turn as our mails in this language write it, with one command in each string."""
    return [_in_words(each, language) for each in (*turn.actions, *turn.dependent)]


def _in_words(action: str, language: str) -> str:
    card, _, stone = action.partition("@")
    if stone and ":" not in card:
        named = card if len(card) == 2 else full_name(card)
        return taught.command(language, "play", card=named, stone=stone)
    if action.startswith("!"):
        return taught.command(language, "claim", stone=action[1:])
    return taught.command(language, _TAUGHT[action]) if action in _TAUGHT else action


def _corrected_play(text: str) -> str | None:
    """Return the only play that a line nearly holds, as our mails write it; None if there is not
    exactly one."""
    if len(text) > _LONGEST:
        return None
    text = _PLACED.sub(lambda match: f"{match['at']}{languages.ORDINALS[match['nth']]}", text)
    words = re.findall(r"[^\W\d_]+|\d+|[^\w\s]", text)
    if sum(word.isalnum() for word in words) > _MOST_WORDS:
        return None
    text = re.sub(r"(?<!\w)0(?=[1-9](?!\w))", "o", " ".join(map(_corrected, words)))
    for form in (_COLOUR_FIRST, _STRENGTH_FIRST):
        text = form.sub(lambda match: f"{COLOURS[match['c']]}{match['s']}".lower(), text)
    cards = {f"{a or d}{b or c}".upper() for a, b, c, d in _CARD.findall(text)}
    stones = set(_NUMBER.findall(_CARD.sub(" ", text)))
    if len(cards) != 1 or len(stones) != 1:
        return None
    claims = " and claim it" if _CLAIMS.search(text) else ""
    return f"play {cards.pop()} at {stones.pop()}{claims}"


def _taken_stone(text: str) -> str | None:
    """Return the claim of a line that takes a Stone by its place: "I take the sixth stone too"."""
    match = _TAKEN.search(text) if len(text) <= _LONGEST else None
    return f"claim {_number(match['stone'])}" if match else None


def _plays_across(text: str) -> list[str]:
    """Return the play of a short text that names its card and its Stone anywhere, perhaps in two
    sentences; one for each colour if it names the card by its strength alone; else none."""
    if len(text) > _LONGEST or "?" in text or takes_back(text) or DOUBTS.search(text):
        return []
    stones = {_number(match["nth"] or match["stone"]) for match in _STONE.finditer(text)}
    if len(stones) != 1 or _TAKEN.search(text) or _CLAIMS.search(text):
        return []
    stone, rest = stones.pop(), _STONE.sub(" stone ", text)
    if (play := _corrected_play(f"{rest} {stone}")) is not None:
        return [play]
    strengths = {_number(match[0]) for match in _STRENGTH.finditer(rest)}
    if len(strengths) != 1 or any(word in COLOURS for word in re.findall(r"\w+", rest)):
        return []
    strength = strengths.pop()
    return [f"play {colour}{strength} at {stone}" for colour in "ROYGBP"]


def _played_beside(texts: Sequence[str]) -> tuple[str, str] | None:
    """Return the card that a sentence plays, and the card beside which it is to lie: "The purple 4
    goes next to the purple 1". None unless exactly one sentence says so, and nothing is taken
    back."""
    sentences = [each for text in texts for each in _SENTENCES.split(text)]
    if any(map(takes_back, sentences)):
        return None
    found = [pair for each in sentences if (pair := _beside(each)) is not None]
    return found[0] if len(found) == 1 else None


def _beside(sentence: str) -> tuple[str, str] | None:
    if len(sentence) > _LONGEST or "?" in sentence or DOUBTS.search(sentence):
        return None
    cards = [match for match in _ANY_CARD.finditer(sentence) if patterns.card_of(match[0])]
    named = [patterns.card_of(match[0]) for match in cards]
    behind = [_BESIDE.search(sentence[: match.start()]) is not None for match in cards]
    if len(cards) != 2 or behind.count(True) != 1 or _NUMBER.search(_ANY_CARD.sub(" ", sentence)):
        return None
    card, beside = named[behind.index(False)], named[behind.index(True)]
    return (card, beside) if card and beside else None


def _number(word: str) -> int:
    """Return the number that a word or a digit means."""
    return int(word[0]) if word[0].isdigit() else (NUMBERS.get(word) or languages.ORDINALS[word])


def _corrected(word: str) -> str:
    """Return the word, or the number or colour of which it is a misspelling."""
    if word in _ENGLISH_NUMBERS:
        return str(_ENGLISH_NUMBERS[word])
    if word in COLOURS or not word.isalpha() or len(word) < 2:
        return word
    near = get_close_matches(
        word, ("red", "three", "seven", "eight", "yellow", "orange", "purple", "violet"), 1, 0.8
    )
    return str(NUMBERS.get(near[0], near[0])) if near else word
