"""Recognises small talk next to commands: sentences that cannot change what is meant.

The vocabulary is closed, as the grammar is. A sentence is small talk only if each of its words is
one of everyday life, all in one language, and none of them is about the game, doubts, denies,
reports what others say, puts off, or points at the command ("that", "it"). The server asks about
any other sentence.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from letters.commands import WholeTurn, read_commands
from letters.grammar import items_of, may_hold
from letters.mail.html_text import HIDDEN
from letters.mail.lines import Line
from letters.mail.phrases import (
    PRAISE,
    SMILEYS,
    announces,
    calls,
    is_named,
    is_polite,
    is_signed_with,
    is_writers_name,
    straight,
    takes_back,
)
from letters.mail.sign_offs import may_be_name
from letters.patterns import QUOTED
from letters.taught import MESSAGE, may_begin
from letters.wishes import AskedWord, ChooseLanguage
from letters.words import words

_FOLDER: Final = Path(__file__).parent / "everyday"
_SECTIONS: Final = ("topics", "little", "people", "phrases", "openings")
SENTENCE_ENDS: Final = re.compile(rf"(?<=[.!?…)])\s+|\s*(?:{SMILEYS.pattern})\s*")
_CLAUSES: Final = re.compile(r",\s+| [-–—] |;\s+|\s+(?=\()")
_CLAUSES_AND_SO: Final = re.compile(rf"{_CLAUSES.pattern}|,? so (?=\S)")
_MOST_CLAUSES: Final = 6
_LONGEST: Final = 240
MARKS: Final = re.compile(r"[\"“”„«»`‹›<>@#/:=+*_\d\[\]{}|]")
"""Matches marks of quotations and commands, and figures."""
_UNREAD: Final = re.compile(r"[^\w\s,.!'&-]|\.\.")
_NAME: Final = "NAME"
_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*'?")
_PART: Final = re.compile(r"[^\W\d_]+")
_LEADING: Final = words("small_talk", "leading")
_LED: Final = re.compile(rf"^(?:(?:{_LEADING})[,:.]? )+", re.IGNORECASE)
_THIS: Final = re.compile(
    r"\bthis (?=(?:morning|afternoon|evening|week|weekend|month|year)\b)", re.IGNORECASE
)
_LITTLE_ONES: Final = re.compile(r"\blittle ones\b", re.IGNORECASE)
_INTRODUCES: Final = re.compile(r"(?:(?:hi+|hello|hey),? )?(?:it'?s|this is)")
"""Matches the words with which the writer introduces themselves, before the name."""
_ASKS: Final = re.compile(r"(?:how|wie|alles|comment|ça|qué|cómo|come|hoe)(?:'s)? ")
"""Matches the beginning of a question such as "how are you"."""
_APOSTROPHE: Final = re.compile(r"(?<=[^\W\d_])['’](?=[^\W\d_])")
_THANKING: Final = words("small_talk", "thanks")
_THANKS: Final = re.compile(rf"(?:{_THANKING})(?!\w)", re.IGNORECASE)
_WISHING: Final = words("small_talk", "wishing").replace("\n", "|")
_WISHES_WELL: Final = re.compile(rf"(?:{_WISHING})(?!\w)", re.IGNORECASE)
_TOO_MUCH: Final = words("small_talk", "too_much").replace("\n", "|")
TOO_MUCH: Final = re.compile(rf"(?<!\w)(?:{_TOO_MUCH})(?!\w)", re.IGNORECASE)
"""Matches what people give as the reason not to play."""
_EXCLAMATIONS: Final = words("small_talk", "dismay")
_DISMAY: Final = re.compile(rf"(?:{_EXCLAMATIONS})[\s.,!…]*", re.IGNORECASE)
"""Matches what people exclaim over the other player's turn, though it holds a no."""
STRETCHED: Final = re.compile(r"([^\W\d_])\1{2,}")
"""Matches letters drawn out, as in "yesss"."""
_WORDS_BEFORE_NAMES: Final = """
at in to with and near for of see seeing sunny rainy snowy windy wet cold warm hot foggy freezing
chilly stormy aus uit desde
"""
_BEFORE_NAMES: Final = frozenset(_WORDS_BEFORE_NAMES.split())
_AROUND_WORDS: Final = words("small_talk", "around_words")
_AROUND: Final = frozenset(_AROUND_WORDS.split())
"""A sentence that begins with one of these may continue the command before it: "on Sunday"."""
_STATE_WORDS: Final = words("small_talk", "state_words")
_STATES: Final = frozenset(_STATE_WORDS.split())
"""Words that make a statement. Without one of them nouns alone, as in "Dentist on Monday", may say
when something is played."""
_ENDING: Final = """
here today home everyone everybody heute hier ici oggi qui hoy aquí vandaag
"""
_ENDS: Final = frozenset(_ENDING.split())


class _Language(NamedTuple):
    """The everyday words of one language. A sentence needs one of the `topics`, or begins with one
    of the `openings`, after which it may also name `people`."""

    code: str
    topics: frozenset[str]
    little: frozenset[str]
    people: frozenset[str]
    phrases: re.Pattern[str]
    openings: re.Pattern[str]


@lru_cache(1)
def languages() -> Sequence[_Language]:
    """Return the languages. Their files are read with the first letter that needs them."""
    return [_language(path) for path in sorted(_FOLDER.glob("*.txt"))]


def _language(path: Path) -> _Language:
    lines: dict[str, list[str]] = {name: [] for name in _SECTIONS}
    section = lines["topics"]
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("# "):
            section = lines[re.split("[ :]", line)[1]]
        elif line:
            section.append(line)
    topics, little, people = (frozenset(" ".join(lines[name]).split()) for name in _SECTIONS[:3])
    phrases, openings = (
        re.compile("|".join(f"(?:{each})" for each in lines[name])) for name in _SECTIONS[3:]
    )
    return _Language(path.stem, topics, little, people, phrases, openings)


def share_of_words(sentence: str, language: str) -> float:
    """Return which part of the words of a sentence are everyday words of this language, by its
    code."""
    parts, said = _parts(language), _PART.findall(sentence.casefold())
    return sum(each in parts for each in said) / max(1, len(said))


@cache
def _parts(language: str) -> frozenset[str]:
    """Return the everyday words of a language, without their apostrophes and hyphens."""
    listed = next(each for each in languages() if each.code == language)
    return frozenset(_PART.findall(" ".join(listed.topics | listed.little | listed.people)))


def without_small_talk(
    lines: Sequence[Line], names: Collection[str]
) -> tuple[list[Line], list[Line]]:
    """Return the lines without small talk, and the sentences that were left out. Nothing is left
    out of a text that quotes or hides anything, or below a message. Of a clear turn, a sentence of
    dismay before it is all that is left out."""
    first, *rest = SENTENCE_ENDS.split(lines[0].text, maxsplit=1)
    if _DISMAY.fullmatch(first):
        below = [*(lines[0]._replace(text=text) for text in rest if text), *lines[1:]]
        turn = read_commands(below, names)
        if isinstance(turn, WholeTurn) and turn.actions:
            return below, [lines[0]._replace(text=first)]
    place = next((at for at, line in enumerate(lines) if MESSAGE.match(line.text)), len(lines))
    if any(HIDDEN in line.text or _quotes(line.text) for line in lines[:place]):
        return [*lines], []
    remaining: list[Line] = []
    left_out: list[Line] = []
    for at, line in enumerate(lines[:place]):
        commands, talk = _parted(line.text, names, bool(remaining), goes_on=at + 1 < place)
        left_out += [line._replace(text=each) for each in talk]
        remaining += [line._replace(text=". ".join(commands))] if commands else []
    return [*remaining, *lines[place:]], left_out


def _quotes(text: str) -> bool:
    """Whether a text holds a quotation; the apostrophes in "you're" and "I'll" mark none."""
    return QUOTED.search(_APOSTROPHE.sub("", text)) is not None


def is_thanks(text: str) -> bool:
    """Whether small talk is nothing but thanks, which need no mention."""
    return _THANKS.match(text) is not None


def wishes_well(text: str) -> bool:
    """Whether small talk is a good wish, which says nothing about a word beside it."""
    return _WISHES_WELL.match(text) is not None


def _parted(
    text: str, names: Collection[str], is_below: bool, *, goes_on: bool
) -> tuple[list[str], list[str]]:
    """Return the commands in a line, which perhaps `is_below` others, and its small talk; the whole
    line and no small talk if it holds anything else."""
    if len(text) > _LONGEST * 3 or items_of(text, names):
        return [text], []
    sentences = [each for each in SENTENCE_ENDS.split(text) if re.search(r"[\w?]", each)]
    commands: list[str] = []
    talk: list[str] = []
    for at, sentence in enumerate(sentences):
        is_last = at == len(sentences) - 1
        is_open = is_last and goes_on and sentence[-1] not in ".!?)"
        sentence = sentence if goes_on or not is_last else sentence.rstrip(",")
        if _is_command(command := sentence.rstrip(" .…"), names):
            commands.append(command)
        elif not ((is_below or commands) and announces(sentence, names)) and any(
            is_small_talk(each, names, is_open=is_open) for each in _forms(sentence, names)
        ):
            talk.append(sentence)
        elif (parts := _clauses(_unled(sentence), names)) is not None:
            commands.append(parts[0])
            talk += parts[1]
        else:
            return [text], []
    return commands, talk


def _is_command(text: str, names: Collection[str]) -> bool:
    """Whether the text is a command of a turn, or a word that confirms or begins something, in any
    of the languages."""
    wanted = AskedWord | ChooseLanguage
    return bool(items_of(text, names)) or isinstance(read_commands([Line(1, text)], names), wanted)


def _forms(sentence: str, names: Collection[str]) -> tuple[str, ...]:
    """Return the sentence as it is, and without the words that introduce it and without a name at
    its end."""
    before, _, last = (led := _unled(sentence)).rpartition(", ")
    is_named_last = bool(before) and is_named(last.strip(" .!").lower(), names)
    if is_named_last and (calls(before) or is_signed_with(before)):
        return (sentence,)
    return sentence, before if is_named_last else led


def _unled(sentence: str) -> str:
    """Return the sentence without words that introduce it: "Right, ..."."""
    return _LED.sub("", sentence, count=1)


def _clauses(sentence: str, names: Collection[str]) -> tuple[str, list[str]] | None:
    """Return the command in a sentence whose other clauses are small talk, and those clauses; None
    if there is no such command."""
    cuts = [0, *(match.end() for match in _CLAUSES_AND_SO.finditer(sentence)), len(sentence)]
    if not 2 < len(cuts) <= _MOST_CLAUSES + 1 or not (
        may_hold(sentence) or any(may_begin(sentence[cut:]) for cut in cuts[:-1])
    ):
        return None
    for begin, end in _stretches(len(cuts) - 1):
        command = sentence[cuts[begin] : cuts[end]].strip(" ,;-–—")
        command = re.sub(r",? so$", "", command)
        if _is_command(command, names):
            around = [(a, b) for a, b in ((0, begin), (end, len(cuts) - 1)) if a < b]
            others = [sentence[cuts[a] : cuts[b]].strip(" ,;-–—") for a, b in around]
            others = [re.sub(r",? so$", "", each) for each in others]
            is_praised = any(each.casefold().strip(" .!") in PRAISE for each in others)
            if not is_praised and all(is_small_talk(each, names, is_open=True) for each in others):
                return command, others
    return None


def _stretches(count: int) -> Iterator[tuple[int, int]]:
    """Yield the first and end index of each run of clauses among `count`, the longest first,
    without the run of all."""
    for length in range(count - 1, 0, -1):
        for begin in range(count - length + 1):
            yield begin, begin + length


def is_small_talk(sentence: str, names: Collection[str], *, is_open: bool = False) -> bool:
    """Whether a sentence says nothing about the game. If it `is_open`, the next line may continue
    it, so it has to end in a word with which sentences end."""
    text = " ".join(straight(SMILEYS.sub(" ", sentence)).split()).strip("() ¡¿")
    clauses = [each for each in _CLAUSES.split(text) if each.strip(" .!")]
    if not clauses or any(
        calls(one) and is_writers_name(other.strip(" .!").lower(), names)
        for one, other in pairwise(clauses)
    ):
        return False  # "...", or somebody else speaks to the writer
    if text.endswith((":", ",")) and is_polite(clauses[-1], names):
        text, clauses = text.rstrip(":,"), clauses[:-1]
    if not text or len(text) > _LONGEST or text.endswith((":", ",")) or MARKS.search(text):
        return False
    if TOO_MUCH.search(text):
        return False
    return any(
        all(
            is_polite(STRETCHED.sub(r"\1", each), names)
            or _is_clause(each, language, names, is_open=is_open)
            for each in clauses
        )
        for language in languages()
    )


def _is_clause(clause: str, language: _Language, names: Collection[str], *, is_open: bool) -> bool:
    said = _LITTLE_ONES.sub("kids", _THIS.sub("today ", clause)).rstrip(".!? )").lstrip("( ")
    if language.phrases.fullmatch(said.lower()):
        return "?" not in clause or _ASKS.match(said.lower()) is not None
    said = _unled(said)
    before, _, last = said.rpartition(" ")
    if last.lower() in names and _INTRODUCES.fullmatch(before.lower()):
        return True
    said = before if before and is_named(last.lower(), names) else said
    line = said.lower()
    if "?" in clause and _ASKS.match(line) is None:
        return False
    if language.phrases.fullmatch(line) or language.phrases.fullmatch(STRETCHED.sub(r"\1", line)):
        return True
    opening = language.openings.match(line)
    if len(line) != len(said) or ("?" in clause and opening is None):
        return False
    rest = said[opening.end() :] if opening else said
    if may_hold(rest) or takes_back(rest) or _UNREAD.search(rest):
        return False
    return _are_everyday([*_words(rest)], language, names, opens=bool(opening), is_open=is_open)


def _words(text: str) -> Iterator[str]:
    """Yield the words in lower case, and `NAME` for a name after a word such as "in" or "with"."""
    before = ""
    for match in _WORD.finditer(text):
        word = match[0]
        is_name = before in _BEFORE_NAMES and word[0].isupper() and not text.isupper()
        yield _NAME if is_name and may_be_name(word.removesuffix("'s")) else word.lower()
        before = word.lower()


def _are_everyday(
    words: Sequence[str], language: _Language, names: Collection[str], *, opens: bool, is_open: bool
) -> bool:
    if not words:
        return opens and not is_open
    topics = language.topics | (language.people if opens else frozenset())
    if not opens and words[0] in _AROUND:
        return False
    if not opens and not all(
        any(_is_in(word, each) for word in words) for each in (topics, _STATES)
    ):
        return False
    ends = topics | _ENDS
    if is_open and not _is_in(words[-1], ends):
        return False
    listed = topics | language.little | {_NAME}
    return all(_is_in(word, listed) or is_named(word, names) for word in words)


def _is_in(word: str, listed: frozenset[str]) -> bool:
    """Whether the word is listed: as it is, with letters drawn out, or with a short word and an
    apostrophe before it."""
    short, mark, base = word.partition("'")
    return (
        not {word, STRETCHED.sub(r"\1", word), STRETCHED.sub(r"\1\1", word)}.isdisjoint(listed)
        or (base == "s" and short in listed)
        or bool(mark and f"{short}{mark}" in listed and base in listed)
    )
