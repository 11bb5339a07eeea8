"""Each catalogue has the messages of the code, whole; `make words` brings it up to date."""

import ast
import re
from itertools import chain
from pathlib import Path

import pytest

from service.core.words import CATALOGUES
from tests.support.catalogues import FOLDERS, PO, ROOT, extracted, problems, update

FILES = sorted(CATALOGUES.glob("*.po"))
NAMED = 'msgid "%(others)s and %(last)s"\nmsgstr "{}"\n'


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_nothing_is_wrong_with_it(path: Path) -> None:
    assert list(problems(path)) == []


def catalogue(folder: Path, entries: str = "", reviewed: str = "") -> Path:
    """A catalogue with all messages of the code, but for these entries not translated."""
    path = folder / "de.po"
    path.write_text(PO.format(name="Deutsch", reviewed=reviewed) + entries)
    update(path)
    return path


def test_what_the_code_does_not_say_is_removed_and_translations_stay(tmp_path: Path) -> None:
    entries = NAMED.format("%(others)s und %(last)s") + '\nmsgid "Long gone"\nmsgstr "Weg"\n'
    text = catalogue(tmp_path, entries).read_text()
    assert "%(others)s und %(last)s" in text
    assert "Long gone" not in text


@pytest.mark.parametrize(
    "wrong", ["%(others)s und", "%(others)s und %(letztes)s", "%(others)s <b>und</b> %(last)s"]
)
def test_places_are_those_of_the_message_and_there_is_no_markup(tmp_path: Path, wrong: str) -> None:
    found = list(problems(catalogue(tmp_path, NAMED.format(wrong))))
    assert found == [f"other places, or markup: {wrong}"]


def test_each_plural_has_as_many_forms_as_the_language(tmp_path: Path) -> None:
    path = catalogue(tmp_path)
    path.write_text(path.read_text().replace("nplurals=2", "nplurals=3"))
    assert "not 3 forms: %(number)s day" in problems(path)
    update(path)
    assert list(problems(path)) == []


def test_a_reviewed_language_lacks_nothing(tmp_path: Path) -> None:
    found = list(problems(catalogue(tmp_path, reviewed="by Eva, 2026")))
    assert "not translated: Rules" in found


def test_what_was_not_collected_is_found(tmp_path: Path) -> None:
    path = catalogue(tmp_path)
    path.write_text(path.read_text().replace('msgid "Rules"', 'msgid "Rulez"'))
    assert sorted(problems(path)) == ["not in the catalogue: Rules", "not in the code: Rulez"]


def test_no_message_is_said_within_an_f_string_where_it_would_not_be_collected() -> None:
    within = re.compile(r"""\bf["'].*\{[^{}]*\b(say|plural|N_)\(["']""")
    folders = (path.rglob("*.py") for path in map(ROOT.joinpath, FOLDERS))
    assert [path.name for path in chain(*folders) if within.search(path.read_text())] == []


def test_each_message_of_a_script_is_collected() -> None:
    """One within another's places would not be."""
    said = {
        (message, path.name)
        for path in (ROOT / "service/web/static").glob("*.js")
        for message in re.findall(r'(?<![\w.])_\("((?:[^"\\]|\\.)+)"', path.read_text())
    }
    collected = {
        (message.one, name) for message, use in extracted().items() for name, _ in use.scripts
    }
    assert said - collected == set()


def test_no_refusal_fills_in_its_message_itself() -> None:
    filled = [
        f"{path.name}:{call.lineno}"
        for path in chain(*(path.rglob("*.py") for path in map(ROOT.joinpath, FOLDERS)))
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call)
        and getattr(call.func, "id", "") in ("RequestRejected", "RuleBroken", "illegal")
        and any(isinstance(given, ast.JoinedStr) for given in call.args)
    ]
    assert filled == []
