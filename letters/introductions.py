"""Recognises the name with which somebody without an account introduces themselves: "I'm Ben".

Behind words that only introduce a name (`naming`) any word may stand that can be a name; behind
others, and alone, a listed given name: "I'm Ready" is none.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from letters.mail.given_names import is_given_name
from letters.mail.lines import Line
from letters.mail.phrases import OTHER, is_polite, is_writers_name, straight, takes_back
from letters.mail.sign_offs import is_signed_closing, may_be_name
from letters.words import keyed, words

_CLAUSES: Final = re.compile(r",\s*| [-–—] |(?<=[.!…)])\s+")
_AROUND: Final = " ,.!…"


def _forms(rows: str) -> str:
    return "|".join(keyed(rows).values())


_JOINING: Final = _forms(words("introductions", "joining"))
_NAMING: Final = _forms(words("introductions", "naming"))
_SAYING: Final = _forms(words("introductions", "saying"))
_COURTESY: Final = _forms(words("introductions", "please"))
_PLEASE: Final = re.compile(f" (?:{_COURTESY})$", re.IGNORECASE)
_SAYS: Final = re.compile(
    rf"(?:(?:{_JOINING}) )?(?:(?P<naming>{_NAMING})|{_SAYING})"
    r" (?P<name>[^\W\d_](?:[^\W\d_]|['-]){1,19})",
    re.IGNORECASE,
)


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
    found = {name for line in lines for name in introduced(straight(line.text)).names}
    written = sorted({*lines, *passed_over})
    introduction = found.pop() if len(found) == 1 else None
    return SaidNames(introduction, _signed_with(written, names), _only_name(written, names))


class Introduced(NamedTuple):
    """A text without the clauses that introduce its writer, and the names in them."""

    text: str
    names: frozenset[str]


def introduced(text: str) -> Introduced:
    """Separate the introduction from the rest of a line."""
    found: list[str] = []
    rest, place = [], 0
    cuts = [(each.start(), each.end()) for each in _CLAUSES.finditer(text)]
    for end, after in [*cuts, (len(text), len(text))]:
        clause = text[place:end]
        match = _SAYS.fullmatch(clause.strip(_AROUND))
        name = match["name"] if match else ""
        is_name = match is not None and (
            may_be_name(name) if match["naming"] else is_given_name(name)
        )
        if is_name and name[0].isupper():
            found.append(name)
        else:
            rest.append(text[place:after])
        place = after
    return Introduced("".join(rest).strip(" ,"), frozenset(found))


def _signed_with(lines: Sequence[Line], names: Collection[str]) -> str | None:
    """Return the given name that signs these lines, alone on the last or behind a closing; None for
    none, or for the name of the other player. It is listed, or known as the writer's."""
    if len(lines) < 2:
        return None
    last = lines[-1].text.strip(_AROUND)
    name = last.split()[-1] if last and (" " not in last or is_signed_closing(last, ())) else ""
    is_other = f"{OTHER}{name.casefold()}" in names
    is_own = is_given_name(name) or is_writers_name(name.casefold(), names)
    return name if name[:1].isupper() and is_own and not is_other else None


def _only_name(lines: Sequence[Line], names: Collection[str]) -> str | None:
    """Return the one word that can be a name, where nothing but courtesies stands beside it: "Ben,
    please. Thanks!" None for anything else."""
    texts = [straight(line.text) for line in lines]
    clauses = [part.strip(_AROUND) for text in texts for part in _CLAUSES.split(text)]
    found: set[str] = set()
    for clause in filter(None, clauses):
        said = introduced(clause)
        bare = _PLEASE.sub("", clause)
        if said.names:
            found |= said.names
        elif is_given_name(bare) and bare[0].isupper():
            found.add(bare)
        elif takes_back(clause) or "?" in clause or not is_polite(clause, names):
            return None
    return found.pop() if len(found) == 1 else None
