"""Small talk around a turn: which sentences are passed over, as a greeting is.

A sentence is small talk if each of its words stands in `small_talk.txt`, and they stand in it as in
a sentence that can say nothing about the turn. The lists are closed: they hold no word of the game,
none that takes something back, puts it off or doubts it, and none for what somebody says, thinks or
has typed. A sentence with any other word is one that was not understood.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from service.mail_in.reading.html_text import HIDDEN
from service.mail_in.reading.lines import MESSAGE, Line
from service.mail_in.reading.phrases import SMILEYS, is_polite
from service.mail_in.reading.taking_back import takes_back

_LISTS: Final = Path(__file__).with_name("small_talk.txt")
_LONGEST: Final = 100
"""Characters of a sentence."""
_MOST: Final = 8
"""Sentences in a mail: who writes more writes a letter, and somebody should read it."""
_APART: Final = re.compile(r"(?<=[.!?…。！])\s+|\s+(?=\()|(?<=\))\s+|\s+[-–—]+\s+")
_CLAUSES: Final = re.compile(
    r"[\s,;.!?()…¡~·*\"-]*(?:[,;.!?()…¡~]|(?<!\w)-+(?!\w)|\s[–—]\s)[\s,;.!?()…¡~*-]*"
)
_PERIODS: Final = "(?:morning|afternoon|evening|weekend|week|year|month|day|summer|winter)"
_ALIKE: Final = tuple(
    (re.compile(rf"(?<!\w)(?:{form})(?!\w)"), word)
    for form, word in (
        # "This" stands nowhere else, for it may be the turn; nor does "new", which is a command.
        (f"(?:this|every|the|all|last) {_PERIODS}", "today"),
        ("off to|back (?:to|from)|looking forward to", "from"),
        ("(?:says|say) (?:hi|hello)", "greetings"),
        (
            "(?:sends|send) (?:his|her|their|you|our|my) (?:love|regards|greetings|best wishes)",
            "greetings",
        ),
        ("raining cats and dogs", "raining"),
        ("new(?= (?:job|baby|house|home|flat|car|bike|kitten|puppy|school|coat|shoes))", ""),
        ("little ones?", "child"),
        (
            "(?:feeling|doing) (?:so |much |a bit |very |really )?(?:better|well|fine|great)",
            "healthy",
        ),
        ("(?:have|had|having|finally have) (?:some |the )?time for", "love"),
        ("(?:is|are|was|were) (?:all |very |quite )?(?:well|fine)", "are healthy"),
        ("time of year", "season"),
    )
)
"""What stands for words that may not stand alone."""
_ASKS_AFTER: Final = re.compile(
    r"(?:(?:and|btw|by the way),? )?(?:how (?:is|are|was|were|did)|how's) (?:you|your|the)(?!\w)"
    r"[^?]*\?"
)
"""Asks how somebody or something is, which cannot be about the turn with such words alone."""
_STRETCHED: Final = re.compile(r"(.)\1{2,}")
_NEVER_FIRST: Final = frozenset(
    ("is", "are", "was", "were", "has", "had", "of", "and", "than", "as")
)
_PREPOSITIONS: Final = frozenset(("in", "at", "on", "for", "with", "to", "by", "over", "under"))
_REGRETS: Final = re.compile("sorry|excuse|apolog|pardon")


class Separated(NamedTuple):
    """The lines without their small talk, and the small talk itself."""

    lines: list[Line]
    talk: list[Line]


def without_small_talk(lines: Sequence[Line], names: Collection[str], all_said: str) -> Separated:
    """Separate the small talk of these lines from the rest, with as much of it as there is.

    `names`, in lower case, may be addressed; `all_said` is all that the letter says, to see whether
    its writer is sorry: a child or a cat is no harmless topic then.
    """
    rest: list[Line] = []
    talk: list[Line] = []
    is_sorry = _REGRETS.search(all_said.casefold()) is not None
    for line in lines:
        if MESSAGE.match(line.text) or HIDDEN in line.text:
            rest.append(line)
            continue
        left = ""
        for sentence in _APART.split(line.text):
            place = _Surroundings(names, is_above=not rest and not left, is_sorry=is_sorry)
            own = "" if _is_small_talk(sentence, place) else _trimmed(sentence, place)
            left = f"{left} {own}".strip()
            if own != sentence:
                talk.append(line._replace(text=sentence.replace(own, "…") if own else sentence))
        if left:
            rest.append(line._replace(text=left))
    return Separated(rest, talk) if len(talk) <= _MOST else Separated([*lines], [])


class _Surroundings(NamedTuple):
    """Where a sentence stands: whether above all that is none, and in a letter that is sorry."""

    names: Collection[str]
    is_above: bool
    is_sorry: bool


def _is_small_talk(sentence: str, place: _Surroundings) -> bool:
    text = _plain(sentence)
    if len(text) > _LONGEST or ":" in text or re.search(r"\d", text):
        return False
    if "?" in text and _ASKS_AFTER.fullmatch(text) is None:
        return False
    clauses = [" ".join(part.split()) for part in _CLAUSES.split(text)]
    clauses = [clause for clause in clauses if clause]
    return bool(clauses) and all(
        is_polite(clause, place.names)
        or _is_listed(clause, place)
        or (not takes_back(text) and _is_harmless(clause, place))
        for clause in clauses
    )


def _trimmed(sentence: str, place: _Surroundings) -> str:
    """The sentence without listed phrases before its first comma and behind its last one, and
    without the sounds with which it begins and ends."""
    first, comma, others = sentence.partition(", ")
    if comma and _is_listed(_plain(first), place):
        sentence = others
    others, comma, final = sentence.rpartition(", ")
    if comma and _is_listed(_plain(final), place):
        sentence = others
    words = sentence.split(" ")
    while len(words) > 1 and _is_listed(_plain(words[0]), place):
        words = words[1:]
    while len(words) > 1 and _kind_of(_plain(words[-1])) == "sounds":
        words = words[:-1]
    return " ".join(words)


def _plain(sentence: str) -> str:
    text = SMILEYS.sub(" ", sentence).casefold().replace("’", "'").replace("p.s.", "ps")
    return text.strip(" '*_,;.!…¡~()")


def _is_listed(clause: str, place: _Surroundings) -> bool:
    """Whether a clause is one of the phrases, as a whole, or a sound; with sounds before it."""
    known = _known()
    if clause in known.phrases or (place.is_above and clause in known.exclamations):
        return True
    first, _, others = clause.partition(" ")
    before, _, final = clause.rpartition(" ")
    if before and final in place.names:
        return _is_listed(before, place)
    is_joint = _STRETCHED.sub(r"\1", first) in _CONNECTING and (others or place.is_above)
    kinds = ("sounds", "cries") if place.is_above else ("sounds",)
    is_begun = is_joint or _kind_of(first) in kinds
    return bool(is_begun) and (not others or _is_listed(others, place))


def _is_harmless(clause: str, place: _Surroundings) -> bool:
    """Whether a clause is made of listed words, and one of them is a topic of its own."""
    for form, word in _ALIKE:
        clause = form.sub(word, clause)
    words = clause.split()
    while len(words) > 1 and (words[0] in (*place.names, *_CONNECTING) or words[-1] in place.names):
        words = words[:-1] if words[-1] in place.names else words[1:]
    kinds = [_kind_of(word) for word in words]
    if None in kinds or kinds[-1] == "links" or words[0] in _NEVER_FIRST:
        return False
    if "cries" in kinds and not place.is_above:
        # Below a turn it may be what somebody says who sees a mistake.
        return False
    is_person = "persons" in kinds
    if is_person and ("topics" not in kinds or place.is_sorry or not _IT.isdisjoint(words)):
        return False
    if words[0] in _PREPOSITIONS:
        return "topics" in kinds and words[1] in _PLACED and {"times", "events"}.isdisjoint(kinds)
    is_exclaimed = words[0] in ("what", "such", "happy") and len(words) > 1
    return is_exclaimed or not {"topics", "sounds", "cries", "events"}.isdisjoint(kinds)


_CONNECTING: Final = frozenset(
    ("and", "so", "but", "well", "ok", "okay", "anyway", "btw", "right", "also")
)
_IT: Final = frozenset(("it", "it's", "there", "here", "mine"))
_PLACED: Final = frozenset(("the", "a", "my", "our"))


def _kind_of(word: str) -> str | None:
    """The list in which a word stands, in one of its forms."""
    kinds = _known().kinds
    single, double = _STRETCHED.sub(r"\1", word), _STRETCHED.sub(r"\1\1", word)
    for form in (word, single, double, word.removesuffix("'s")):
        if form in kinds:
            return kinds[form]
    if word.endswith("s") and kinds.get(word[:-1]) in ("topics", "events", "persons"):
        return kinds[word[:-1]]
    return None


class _Known(NamedTuple):
    kinds: Mapping[str, str]
    phrases: frozenset[str]
    exclamations: frozenset[str]


@lru_cache(1)
def _known() -> _Known:
    """The lists, read with the first mail that needs them."""
    _, *parts = re.split(r"^\[(\w+)\]$", _LISTS.read_text("utf-8"), flags=re.MULTILINE)
    lists = dict(zip(parts[::2], parts[1::2], strict=True))
    phrases, exclamations = (
        frozenset(re.split(r"[|\n]", lists.pop(name).strip()))
        for name in ("phrases", "exclamations")
    )
    return _Known(
        {word: kind for kind, text in lists.items() for word in text.split()}, phrases, exclamations
    )
