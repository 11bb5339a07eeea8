"""Recognises the name with which somebody without an account introduces themselves: "I'm Ben".

Behind words that only introduce a name (`naming`) any word may stand that can be a name; behind
others, and alone, a listed given name: "I'm Ready" is none. Of a signature the given name counts.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, TypeGuard

from letters.mail.given_names import is_given_name
from letters.mail.lines import Line
from letters.mail.phrases import (
    CLOSINGS,
    OTHER,
    RELATIVES,
    SMILEYS,
    is_polite,
    is_writers_name,
    straight,
    takes_back,
)
from letters.mail.sign_offs import may_be_name
from letters.words import keyed, words

_CLAUSES: Final = re.compile(rf",\s*| [-–—] |(?<=[.!…)])\s+|\s*(?:{SMILEYS.pattern})\s*")
_AROUND: Final = " ,.!…"


def _forms(rows: str) -> str:
    return "|".join(keyed(rows).values())


_JOINING: Final = _forms(words("introductions", "joining"))
_NAMING: Final = _forms(words("introductions", "naming"))
_SAYING: Final = _forms(words("introductions", "saying"))
_HERE: Final = _forms(words("introductions", "here"))
_AND: Final = "and|und|et"
_AS: Final = _forms(words("introductions", "as"))
_COURTESY: Final = _forms(words("introductions", "please"))
_WORD: Final = r"[^\W\d_](?:[^\W\d_]|['-]){1,19}"
_PLEASE: Final = re.compile(f" (?:{_COURTESY})$", re.IGNORECASE)
_FORM: Final = (
    rf"(?:(?:{_JOINING}) )?"
    rf"(?:(?:(?P<naming>{_NAMING})|{_SAYING}) (?P<name>{_WORD}(?: {_WORD})??)"
    rf"(?: (?:{_HERE}|{_COURTESY}))?|(?P<here>{_WORD}(?: {_WORD})??) (?:{_HERE}))"
)
_SAYS: Final = re.compile(_FORM, re.IGNORECASE)
_SAYS_AND: Final = re.compile(rf"{_FORM} (?:{_AND}) (?P<rest>\S.*)", re.IGNORECASE)
_AND_SAYS: Final = re.compile(rf"(?P<rest>\S.*) (?:{_AND}) {_FORM}", re.IGNORECASE)
_SAYS_AS: Final = re.compile(
    rf"(?:(?P<rest>.*?),? )?(?:{_AS}) (?P<name>{_WORD})(?:,? (?:{_COURTESY}))?", re.IGNORECASE
)
_MOST_NAMES: Final = 4
"""Most words of a signature."""


class SaidNames(NamedTuple):
    """Names that the writer of a letter says are theirs: in words of their own, below it, and
    without saying anything else."""

    introduced: str | None = None
    signed: str | None = None
    alone: str | None = None


NO_NAMES: Final = SaidNames()


def said_names(
    lines: Sequence[Line], passed_over: Sequence[Line], names: Collection[str]
) -> SaidNames:
    """Return the names in the writer's own lines, and in others that are `passed_over`."""
    found = own_names([introduced(straight(line.text)) for line in lines])
    written = sorted({*lines, *passed_over})
    introduction = next(iter(found)) if len(found) == 1 else None
    signature = _signature(written, {*passed_over}, names)
    return SaidNames(introduction, signature, _only_name(written, names))


def _signature(
    lines: Sequence[Line], passed_over: Collection[Line], names: Collection[str]
) -> str | None:
    """Return the name that signs the last line, above those that were `passed_over`; None if
    nothing else is said."""
    for line in reversed(lines):
        signed = signed_off(straight(line.text), names)
        if signed.name is not None:
            return signed.name if signed.text or len(lines) > 1 else None
        if line not in passed_over:
            return None
    return None


class Introduced(NamedTuple):
    """A text without the clauses that introduce its writer, and the names in them: those that are
    only `said`, and those by which the writer wants to be called."""

    text: str
    said: frozenset[str]
    called: frozenset[str]


def own_names(introductions: Sequence[Introduced]) -> frozenset[str]:
    """Return the names with which the writer introduces themselves: "I'm Robert, call me Rob" asks
    for the second."""
    called = frozenset().union(*(each.called for each in introductions))
    return called or frozenset().union(*(each.said for each in introductions))


def introduced(text: str) -> Introduced:
    """Separate the introduction from the rest of a line."""
    said, called = set[str](), set[str]()
    rest, place = [], 0
    for end, after in _ends_of_clauses(text):
        clause = text[place:end]
        whole, *parts = (form.fullmatch(clause.strip(_AROUND)) for form in _FORMS)
        match = next(filter(_names_writer, (whole, *parts)), None)
        if match is None:
            rest.append(text[place:after])
        else:
            (called if match["naming"] else said).add(match["name"] or match["here"])
            rest += [match["rest"], text[end:after]] if match is not whole else []
        place = after
    return Introduced("".join(rest).strip(" ,"), frozenset(said), frozenset(called))


_FORMS: Final = (_SAYS, _SAYS_AND, _AND_SAYS)


def _names_writer(match: re.Match[str] | None) -> TypeGuard[re.Match[str]]:
    if match is None:
        return False
    return _is_own_name(match["name"] or match["here"], is_listed=not match["naming"])


def _ends_of_clauses(text: str) -> list[tuple[int, int]]:
    """Return where each clause ends, and where the next begins."""
    return [*((each.start(), each.end()) for each in _CLAUSES.finditer(text)), (len(text),) * 2]


def _is_own_name(name: str, *, is_listed: bool) -> bool:
    """Whether these words, with capital letters, are a name, of which the first `is_listed`."""
    first, *others = name.split()
    is_name = is_given_name(first) if is_listed else may_be_name(first)
    return is_name and all(each[0].isupper() for each in (first, *others)) and may_be_name(name)


class Named(NamedTuple):
    """A text without the words that say its writer's `name`; the whole text if none do."""

    text: str
    name: str | None = None


def said_as(text: str) -> Named:
    """Separate "as Ben" from the words before it."""
    match = _SAYS_AS.fullmatch(text.strip(_AROUND))
    if match is None or not _is_own_name(match["name"], is_listed=True):
        return Named(text)
    return Named(match["rest"] or "", match["name"])


def signed_off(text: str, names: Collection[str]) -> Named:
    """Separate the name that signs a line from the sentences before it: "Count me in. Ben". It is
    listed, or known as the writer's, and not the other player's; "Grandma" is none, but signs too.
    Behind a comma it signs a closing only: "thanks, Ben" and "I'm in, Ben" may speak to Ben."""
    cuts = [(0, 0), *_ends_of_clauses(text)[:-1]]
    end, after = cuts[-1]
    before, signature = text[:end], text[after:].strip(_AROUND)
    closing, _, last = signature.rpartition(" ")
    if _is_closing(closing):
        before, signature = f"{before} {closing}".strip(), last
    elif text[end : end + 1] == "," and not _is_closing(text[cuts[-2][1] : end]):
        return Named(text)
    if signature.casefold() in RELATIVES:
        return Named(before)
    first, *others = signature.split() or [""]
    folded = first.casefold()
    is_own = is_given_name(first) or is_writers_name(folded, names)
    is_own = is_own and OTHER + folded not in names and first[0].isupper()
    if not is_own or len(others) >= _MOST_NAMES or not all(map(_may_follow, others)):
        return Named(text)
    return Named(before, first)


def _is_closing(text: str) -> bool:
    return text.strip(_AROUND).casefold() in CLOSINGS


def _may_follow(word: str) -> bool:
    """Whether this word may stand behind a given name: "Hill", "B.", "xx"."""
    word = word.rstrip(".")
    return {*word.lower()} == {"x"} or (word[:1].isupper() and word.isalpha() and may_be_name(word))


def _only_name(lines: Sequence[Line], names: Collection[str]) -> str | None:
    """Return the one word that can be a name, where nothing but courtesies stands beside it: "Ben,
    please. Thanks!" None for anything else."""
    texts = [straight(line.text) for line in lines]
    clauses = [part.strip(_AROUND) for text in texts for part in _CLAUSES.split(text)]
    found: set[str] = set()
    for clause in filter(None, clauses):
        said = introduced(clause)
        bare = _PLEASE.sub("", clause)
        if own := own_names([said]):
            found |= own
        elif is_given_name(bare) and bare[0].isupper():
            found.add(bare)
        elif takes_back(clause) or "?" in clause or not is_polite(clause, names):
            return None
    return found.pop() if len(found) == 1 else None
