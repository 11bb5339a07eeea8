"""What people read, in their language.

The code says each sentence in English, as a literal: `words.say("%(name)s resigned.", name=name)`.
That is its message in the catalogues (`service/catalogues/fr.po`), where translators find it whole;
`make words` collects the messages. Whoever makes text is given the `Words` of its reader: a page's
visitor, the recipient of a mail. What programs read has no language.
"""

import gc
import gettext
import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Final

import polib

from engine.errors import N_ as N_

CATALOGUES: Final = Path(__file__).parent.parent / "catalogues"
ENGLISH_CODE: Final = "en"
PSEUDO_CODE: Final = "en-XA"
"""A language for tests, never listed: each message in brackets and longer by two fifths. It shows
what was not translated, and what has no room."""
REVIEWED: Final = "X-Reviewed"
"""The header of a catalogue that says by whom and when it was reviewed; else it is not listed."""
OWN_NAME: Final = "X-Language-Name"
"""The header with the language's name in itself."""


_CLOSED: Final = re.compile(r'"(?:[^"\\]|\\.)*"\s*$')
PLACE: Final = re.compile(r"%\((\w+)\)s")
"""Matches a place of a message."""


class BrokenCatalogue(ValueError):
    """A catalogue that cannot be read; the message is one line that names the file."""


@dataclass(frozen=True, eq=False)
class Words:
    """The words of one language. `language` is its code, as `<html lang>` has it."""

    language: str
    _messages: gettext.NullTranslations

    def say(self, message: str, /, **places: object) -> str:
        """Return the message in this language, or else in English, with its places filled in.

        A place is `%(name)s`; in a message with places, a percent sign is `%%`.
        """
        text = self._messages.gettext(message)
        return text % places if places else text

    def plural(self, one: str, many: str, number: int, /, **places: object) -> str:
        """Return one of two messages, or of as many as the language has, for this number of things:
        the place `%(number)s`."""
        return self.form(one, many, number) % {"number": number, **places}

    def form(self, one: str, many: str, number: int) -> str:
        """Return the message for this number of things, its places not filled in."""
        return self._messages.ngettext(one, many, number)

    def joined(self, items: Iterable[str]) -> str:
        """Return `a`, `a and b`, or `a, b and c`."""
        return self._listed(items, N_("%(others)s and %(last)s"))

    def either(self, items: Iterable[str]) -> str:
        """Return `a`, `a or b`, or `a, b or c`."""
        return self._listed(items, N_("%(others)s or %(last)s"))

    def parts(self, items: Iterable[str]) -> str:
        """Return `a; b; c`: the parts of a sentence, without those that are empty."""
        # Note: between the parts of a sentence
        return self.say("; ").join(filter(None, items))

    def count(self, number: int) -> str:
        """Return a number by its thousands: `1,540`."""
        # Note: between thousands: 1,540
        return f"{number:,}".replace(",", self.say(","))

    def _listed(self, items: Iterable[str], message: str) -> str:
        *others, end = [*items] or [""]
        return self.say(message, others=", ".join(others), last=end) if others else end


class _Pseudo(gettext.NullTranslations):
    """Every message in brackets, and longer: a German word may be as long."""

    def gettext(self, message: str) -> str:
        # In words as long as German has them.
        more = (f"{'~' * 14} " * 20)[: 2 * len(message) // 5]
        return f"[{message}{more.rstrip()}]"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


class _Untranslated(gettext.NullTranslations):
    """What a catalogue lacks: English, and reported."""

    def __init__(self, report: Callable[[], None]) -> None:
        super().__init__()
        self._report = report

    def gettext(self, message: str) -> str:
        self._report()
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self._report()
        return super().ngettext(msgid1, msgid2, n)


ENGLISH: Final = Words(ENGLISH_CODE, gettext.NullTranslations())
_PSEUDO: Final = Words(PSEUDO_CODE, _Pseudo())


class Languages:
    """The languages of a server, read from their catalogues once. Raises `BrokenCatalogue`."""

    def __init__(self, catalogues: Path = CATALOGUES) -> None:
        self.on_untranslated: Callable[[str], None] = _ignore
        """Told the language each time that a catalogue lacks a message, which is said in English;
        a process that counts them sets it."""
        paths = sorted(catalogues.glob("*.po"))
        read = [_read(path, partial(self._report, path.stem)) for path in paths]
        self.listed: Final[Mapping[str, str]] = {
            ENGLISH_CODE: "English",
            **{words.language: name for words, name, is_reviewed, _ in read if is_reviewed},
        }
        """The languages that readers may choose, with their names in themselves: English, and those
        whose catalogue was reviewed."""
        every = (ENGLISH, _PSEUDO, *(words for words, *_ in read))
        self._words: Final = {words.language: words for words in every}
        in_scripts = {message for *_, messages in read for message in messages}
        self.scripts: Final[Mapping[str, Mapping[str, str]]] = {
            code: {message: words.say(message) for message in sorted(in_scripts)}
            for code, words in self._words.items()
            if words is not ENGLISH
        }
        """What the scripts of pages say, by language and message."""

    def _report(self, language: str) -> None:
        self.on_untranslated(language)

    def words(self, language: str | None) -> Words:
        """Return the words of this language, listed or not; those of English where it has none."""
        return self._words.get(language or "", ENGLISH)

    def best(self, wanted: Iterable[str]) -> str | None:
        """Return the first listed language of `wanted`, codes such as `de-CH` in the order in which
        a browser prefers them; None if none is listed."""
        codes = (code.lower().partition("-")[0] for code in wanted)
        return next((code for code in codes if code in self.listed), None)


def _ignore(language: str) -> None:
    """Do nothing."""


def _read(path: Path, report: Callable[[], None]) -> tuple[Words, str, bool, list[str]]:
    """Return the words of a catalogue, which report what they lack, the language's own name,
    whether it was reviewed, and the messages that scripts say."""
    try:
        read, name, is_reviewed, in_scripts = _catalogue(path, path.stat().st_mtime_ns)
    except (OSError, ValueError, KeyError, IndexError) as error:
        why = " ".join(str(error).split())
        raise BrokenCatalogue(f"The catalogue {path.name} cannot be read: {why}") from None
    messages = copy(read)  # with the same texts
    messages.add_fallback(_Untranslated(report))
    return Words(path.stem, messages), name, is_reviewed, in_scripts


@cache
def _catalogue(path: Path, written_at: int) -> tuple[gettext.GNUTranslations, str, bool, list[str]]:
    """Return a catalogue's messages, and what `_read` says besides, once for each time at which the
    file was written."""
    compiled, name, is_reviewed, in_scripts = _compiled(path)
    gc.collect()  # polib's parser refers to itself: 2 MB, in whose place the messages go
    return gettext.GNUTranslations(compiled), name, is_reviewed, in_scripts


def _compiled(path: Path) -> tuple[BytesIO, str, bool, list[str]]:
    """Return a catalogue's messages as gettext reads them, and what `_read` says besides."""
    _check_lines(path.read_text(encoding="utf-8"))
    catalogue = polib.pofile(str(path))
    for entry in catalogue:
        _check_places(entry)
    head = catalogue.metadata
    in_scripts = [entry.msgid for entry in catalogue if entry.occurrences]
    return BytesIO(catalogue.to_binary()), head[OWN_NAME], bool(head.get(REVIEWED)), in_scripts


def _check_lines(text: str) -> None:
    """Raise ValueError if a text in the catalogue has no end: polib would leave it out."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(('"', "msg")) and not _CLOSED.search(line):
            raise ValueError(f"the text in line {number} has no end")


def _check_places(entry: polib.POEntry) -> None:
    """Raise ValueError if a translation cannot be filled in as its message is."""
    message = f"{entry.msgid} {entry.msgid_plural}"
    places = dict.fromkeys(PLACE.findall(message), "")
    for said in (entry.msgstr, *entry.msgstr_plural.values()) if places else ():
        try:
            _ = said % places
        except (KeyError, ValueError, TypeError):
            raise ValueError(f"other places than in {entry.msgid!r}: {said!r}") from None
