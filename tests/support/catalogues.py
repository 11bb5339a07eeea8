"""`make words`: the catalogues have each message of the code, and no other.

`problems` is what CI asks of them.
"""

import atexit
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Final, NamedTuple

import polib
from babel.messages.extract import extract_from_dir

from service.core.words import CATALOGUES, OWN_NAME, PLACE, REVIEWED, Languages

ROOT: Final = Path(__file__).parent.parent.parent
FOLDERS: Final = ("engine", "letters", "service", "workers")
METHODS: Final = [
    ("**.py", "python"),
    ("**/static/*.js", "javascript"),
    ("**.html", "jinja2"),
    ("**.txt", "jinja2"),
]
OPTIONS: Final = {"**/static/*.js": {"parse_template_string": "yes"}}
WORDS: Final = {
    **dict.fromkeys(("N_", "say", "_")),
    "plural": (1, 2),
    **dict.fromkeys(("ProblemType", "RequestRejected", "illegal", "problem"), (2,)),
    "RuleBroken": (3,),
}
"""The functions that take messages, and which of their arguments these are: the first, if None."""
PO: Final = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"X-Language-Name: {name}\\n"
"X-Reviewed: {reviewed}\\n"
"""
"""The head of a catalogue."""


def reviewed() -> Languages:
    """The languages of the code, all of them listed."""
    return Languages(_reviewed())


@cache
def _reviewed() -> Path:
    """The folder of their catalogues, which are read once."""
    folder = Path(mkdtemp())
    atexit.register(rmtree, folder, ignore_errors=True)
    for path in CATALOGUES.glob("*.po"):
        head = f'"{OWN_NAME}:'
        text = path.read_text().replace(head, f'"{REVIEWED}: by a test\\n"\n{head}', 1)
        (folder / path.name).write_text(text)
    return folder


class Message(NamedTuple):
    """A message of the code, in singular and plural: `many` is empty where there is one form."""

    one: str
    many: str


class Use(NamedTuple):
    """How the code uses a message: the notes for its translators, and the scripts that say it."""

    notes: list[str]
    scripts: list[tuple[str, str]]


@cache
def extracted() -> dict[Message, Use]:
    """The messages of the code, in the order of the files."""
    found = dict[Message, Use]()
    for folder in FOLDERS:
        for file, _, message, notes, _ in extract_from_dir(
            ROOT / folder, METHODS, keywords=WORDS, comment_tags=("Note:",), options_map=OPTIONS
        ):
            forms = (message, "") if isinstance(message, str) else message
            use = found.setdefault(Message(*forms), Use([], []))
            use.notes.extend(notes)
            if file.endswith(".js"):
                use.scripts.append((Path(file).name, ""))
    return found


def update(path: Path) -> None:
    """Add to a catalogue what the code has and it lacks, and remove what the code has no more."""
    catalogue, messages = polib.pofile(str(path), wrapwidth=100), extracted()
    by_message = {Message(entry.msgid, entry.msgid_plural): entry for entry in catalogue}
    catalogue.clear()
    for message, use in messages.items():
        entry = by_message.get(message) or polib.POEntry(msgid=message.one)
        if message.many:
            forms = {form: entry.msgstr_plural.get(form, "") for form in range(_forms(catalogue))}
            entry.msgid_plural, entry.msgstr_plural = message.many, forms
        notes = (note.removeprefix("Note: ") for note in use.notes)
        entry.comment = "\n".join(dict.fromkeys(notes))
        entry.occurrences = [*dict.fromkeys(use.scripts)]  # by which the server gives them to pages
        catalogue.append(entry)
    catalogue.save()


def _forms(catalogue: polib.POFile) -> int:
    """How many forms a plural has in this language."""
    count = re.search(r"nplurals=(\d)", catalogue.metadata["Plural-Forms"])
    assert count, "Plural-Forms lacks nplurals"
    return int(count[1])


def problems(path: Path) -> Iterator[str]:
    """What is wrong with a catalogue; where it is not reviewed, messages may be missing."""
    catalogue, code = polib.pofile(str(path)), extracted()
    messages = {Message(entry.msgid, entry.msgid_plural) for entry in catalogue}
    yield from (f"not in the catalogue: {one}" for one, _ in code.keys() - messages)
    yield from (f"not in the code: {one}" for one, _ in messages - code.keys())
    yield from (f"no {name}" for name in (OWN_NAME, "Plural-Forms") if not catalogue.metadata[name])
    for entry in catalogue:
        forms = [*entry.msgstr_plural.values()] if entry.msgid_plural else [entry.msgstr]
        if entry.msgid_plural and len(forms) != _forms(catalogue):
            yield f"not {_forms(catalogue)} forms: {entry.msgid}"
        elif entry.fuzzy or not all(forms):
            if catalogue.metadata.get(REVIEWED):
                yield f"not translated: {entry.msgid}"
        elif wrong := [form for form in forms if not _fits(entry, form)]:
            yield f"other places, or markup: {wrong[0]}"


def _fits(entry: polib.POEntry, form: str) -> bool:
    """Whether a translation has the places of its message, and no markup. The number of a plural
    may be a word."""
    places = set(PLACE.findall(f"{entry.msgid} {entry.msgid_plural}"))
    missing = places ^ set(PLACE.findall(form))
    has_loose = bool(places) and "%" in PLACE.sub("", form).replace("%%", "")
    return (
        missing <= ({"number"} if entry.msgid_plural else set())
        and not has_loose
        and not (re.search(r"[<>]|&\w+;", form))
    )


if __name__ == "__main__":
    for catalogue in sorted(CATALOGUES.glob("*.po")):
        update(catalogue)
    sys.exit(0)
