"""The commands as each language says them: `words/commands/CODE.txt`, a file for a language.

Mails teach the first form of a command in their reader's language; the reader of answers takes
every form of every language, whoever writes. There is one grammar, the English one: a whole line
that is a form of another language is read as the English form, with the same places.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from letters.languages import any_of
from letters.words import words

_FOLDER: Final = Path(__file__).parent / "words" / "commands"
ENGLISH: Final = "en"
LANGUAGES: Final = tuple(sorted(path.stem for path in _FOLDER.glob("*.txt")))
OTHERS: Final = tuple(language for language in LANGUAGES if language != ENGLISH)
_PLACE: Final = re.compile(r"\{(\w+)\}")
_SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "card": ("cards",),
    **dict.fromkeys(("first", "last", "until"), ("dates",)),
    "time": ("times",),
    "options": ("options", "times"),
    "group": ("groups",),
    "text": ("texts",),
}
"""The sections with the words of places; what stands in other places has no language."""
_ANYTHING: Final[Mapping[str, str]] = {
    "stone": "[1-9]",
    "name": ".{1,80}",
    "whom": "[^,]{1,254}",
    "zone": "[a-z0-9_+/-]{2,40}",
    "language": r"[^\W\d_]{2,12}",
    "options": "(?:,.{1,200})?",
}
"""Patterns of places that are left to the English grammar."""
_OPEN_ENDS: Final = ("{name}", "{whom}", "{options}")
_FIRST_WORD: Final = re.compile(r"[^\s,.:!]+")
_BULLET: Final = r"\W{0,2}(?:(?:\d{1,2}[.)]|[a-z]\)) )?\W?"

Vocabulary = Mapping[str, tuple[str, ...]]
"""The forms of each English word or command, the one that is written first."""


class _ForeignForm(NamedTuple):
    """A form of another language: its pattern, the English form, and its language."""

    pattern: re.Pattern[str]
    english: str
    language: str


@cache
def rows(language: str, section: str) -> Vocabulary:
    """Return a section of a language's file."""
    pairs = (row.split(" = ", 1) for row in words(f"commands/{language}", section).split("\n"))
    return {english: tuple(forms.split(" | ")) for english, forms in pairs}


def command(language: str, name: str, /, **places: str) -> str:
    """Return a command as mails teach it: in this language, or in English if it has none. The
    places are given in English."""
    code = language if language in LANGUAGES else ENGLISH
    form = rows(code, "commands")[name][0]
    return form.format(**{place: spoken(code, place, text) for place, text in places.items()})


def spoken(language: str, place: str, text: str) -> str:
    """Return what stands in a place, such as "2 days" or "Spy", in this language."""
    if language not in OTHERS or place not in _SECTIONS:
        return text
    vocabulary = _vocabulary(language, place)
    if "day" in vocabulary and text:
        day, month = text.split(" ")
        return vocabulary["day"][0].format(day=day, month=vocabulary[month][0])
    pattern = rf"(?<!\w)(?:{any_of(vocabulary)})(?!\w)"
    return re.sub(pattern, lambda match: vocabulary[match[0]][0], text)


def any_form(command: str, **places: str) -> str:
    """Return a pattern of the command as it is taught in any language, in lower case, with these
    patterns in its places."""
    return "|".join(rows(each, "commands")[command][0].format(**places) for each in LANGUAGES)


@cache
def hints(command: str) -> str:
    """Return a pattern of the words, of any language, that show that a line is about a command."""
    about = (form for each in LANGUAGES for form in rows(each, "hints").get(command, ()))
    return rf"(?<!\w)(?:{'|'.join(about)})(?!\w)"


def names_of(card: str) -> tuple[str, ...]:
    """Return the names of a Tactic card in other languages, by its English name."""
    others = (rows(each, "cards") for each in OTHERS)
    return tuple(name for named in others for name in named.get(card, ()))


def language_of(line: str) -> str | None:
    """Return the language of a line in plain form that is a command of one other language alone."""
    text = _lowered(line)
    languages = {form.language for form in _forms_at(text, 0) if form.pattern.fullmatch(text)}
    return languages.pop() if len(languages) == 1 else None


@lru_cache(1 << 10)
def in_english(line: str) -> str | None:
    """Return the English form of a line in plain form that is a command of another language, from
    its beginning to its end; None if it is none. Thanks may follow."""
    # Imported here, as processes that only write mail need none of what reads it.
    from letters.mail.phrases import is_polite

    text = _lowered(line)
    for form in _forms_at(text, 0):
        match = form.pattern.fullmatch(text)
        if match is None or not is_polite(match["rest"] or "", ()):
            continue
        places = {
            name: _understood(form.language, name, line[match.start(name) : match.end(name)])
            for name in form.pattern.groupindex
            if name != "rest"
        }
        return form.english.format(**places)
    return None


def may_begin(line: str) -> bool:
    """Whether a line in plain form begins with the first word of such a command."""
    return _beginning().match(_folded(line)) is not None


def opens(line: str, start: int) -> bool:
    """Whether such a command begins at this index of a line in plain form, whatever follows."""
    text = _lowered(line)
    return any(form.pattern.match(text, start) for form in _forms_at(text, start))


def _forms_at(text: str, start: int) -> Sequence[_ForeignForm]:
    first = _FIRST_WORD.match(text, start)
    return _forms().get(_folded(first[0]), ()) if first else ()


def _understood(language: str, place: str, text: str) -> str:
    """Return what stands in a place in English."""
    if place not in _SECTIONS:
        return text
    folded = _folded(text)
    if "dates" in _SECTIONS[place]:
        folded = re.sub(rf"(?<=\d){_after_day(language)} *(?=[^\W\d])", " ", folded)
    english = _english_words(language, place)
    pattern = rf"(?<!\w)(?:{any_of(english)})(?!\w)"
    return re.sub(pattern, lambda match: english[match[0]], folded)


def date_in_english(language: str, text: str) -> str:
    """Return a day in lower case that is written in this language, with its month in English."""
    return text if language == ENGLISH else _understood(language, "until", text).lower()


@cache
def months() -> str:
    """Return a pattern of the names of months, without accents, in all other languages."""
    return "|".join(any_of(_english_words(language, "until")) for language in OTHERS)


@cache
def _vocabulary(language: str, place: str) -> Vocabulary:
    return {key: forms for each in _SECTIONS[place] for key, forms in rows(language, each).items()}


@cache
def _english_words(language: str, place: str) -> Mapping[str, str]:
    return {
        _folded(form): english
        for english, forms in _vocabulary(language, place).items()
        for form in forms
        if english != "day"
    }


@cache
def _forms() -> Mapping[str, list[_ForeignForm]]:
    """Return the forms of other languages by their first words. A message is no form: any words may
    follow, and they are not read."""
    english = {command: forms[0] for command, forms in rows(ENGLISH, "commands").items()}
    found: dict[str, list[_ForeignForm]] = {}
    for language, command, form in _other_forms():
        if command == "say":
            continue
        first = _FIRST_WORD.match(_folded(form.partition("{")[0]))
        assert first is not None, "a form begins with a word"
        each = _ForeignForm(_pattern(language, form), english[command], language)
        found.setdefault(first[0], []).append(each)
    return found


def _other_forms() -> Iterator[tuple[str, str, str]]:
    for language in OTHERS:
        for command, forms in rows(language, "commands").items():
            yield from ((language, command, form) for form in forms)


def _pattern(language: str, form: str) -> re.Pattern[str]:
    parts = _PLACE.split(form)
    parts[::2] = map(_tolerant, parts[::2])
    parts[1::2] = [f"(?P<{place}>{_in_place(language, place)})" for place in parts[1::2]]
    rest = "(?P<rest>)" if form.endswith(_OPEN_ENDS) else r"(?P<rest>[ ,.!].*)?"
    return re.compile("".join(parts) + rest)


def _tolerant(text: str) -> str:
    """Return a pattern of the text, whose accents may be left out, and the space before a question
    mark. No accent may be added, for "abandonné" says that it has happened."""
    letters = (re.escape(c) if c == _base(c) else f"[{c}{_base(c)}]" for c in _lowered(text))
    return "".join(letters).replace(r"\ \?", r"\ ?\?")


def _in_place(language: str, place: str) -> str:
    if place in _ANYTHING:
        return _ANYTHING[place]
    forms = (form for forms in _vocabulary(language, place).values() for form in forms)
    listed = "|".join(map(_tolerant, sorted(forms, key=len, reverse=True)))
    match place:
        case "card":
            return f"[roygbp][1-9]|{listed}"
        case "time":
            return rf"(?:\d{{1,4}}|{listed}) (?:{listed})"
        case "group":
            return listed
    return rf"\d\d?{_after_day(language)} ?(?:{listed})\.?(?: \d{{4}})?|\d[\d. -]{{3,11}}"


@cache
def _after_day(language: str) -> str:
    """Return a pattern of what may stand between the number of a day and its month, as in
    "24 de diciembre"; a full stop may in every language."""
    forms = rows(language, "dates")["day"]
    own = (form.removeprefix("{day}").removesuffix("{month}").rstrip() for form in forms)
    return rf"(?:\.|{'|'.join(map(_tolerant, filter(None, own)))})?"


@cache
def _beginning() -> re.Pattern[str]:
    return re.compile(rf"{_BULLET}(?:{any_of(_forms())})(?!\w)")


def _lowered(text: str) -> str:
    """Return the text in lower case, with plain apostrophes, each character in its place."""
    lower = text.lower().replace("’", "'")
    return lower if len(lower) == len(text) else "".join(each.lower()[0] for each in text)


def _folded(text: str) -> str:
    """Return the text in lower case without accents, each character in its place."""
    lower = _lowered(text)
    return lower if lower.isascii() else "".join(map(_base, lower))


def _base(character: str) -> str:
    return unicodedata.normalize("NFD", character)[0]


def _first_words() -> Iterator[str]:
    # Words with which forms begin, and names too.
    little = {word for each in OTHERS for word in words(f"commands/{each}", "little").split()}
    for _, _, form in _other_forms():
        named = re.findall(r"[^\W\d_]{2,}", form.partition("{")[0].casefold())
        yield next((word for word in named if word not in little), named[0])


WITHOUT_PLACES: Final = tuple(
    command for command, forms in rows(ENGLISH, "commands").items() if "{" not in forms[0]
)
_SAYS: Final = {
    form.partition(":")[0].rstrip(): ""
    for each in LANGUAGES
    for form in rows(each, "commands")["say"]
}
MESSAGE: Final = re.compile(rf"(?:{any_of(_SAYS)}) ?:", re.IGNORECASE)
"""Matches the beginning of a line that is passed on to the other player, whatever it says."""
COMMAND_WORDS: Final = frozenset(_first_words())
"""Words with which the commands of other languages than English begin."""
OF_OUR_LINKS: Final = frozenset(
    label for each in LANGUAGES for label in words(f"commands/{each}", "labels").split("\n")
)
"""Labels of links in our mails as HTML that hold a word of taking back, in lower case."""
