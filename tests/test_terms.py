"""The catalogues say the terms of `docs/terms.md`, each language those of its column."""

import re
from itertools import chain

import polib
import pytest

from service.core.words import CATALOGUES
from tests.support.processes import ROOT
from tests.support.translations import LANGUAGES

TABLES = re.findall(
    r"^(\| English \|.*\n)\| ---.*\n((?:\|.*\n)+)", (ROOT / "docs" / "terms.md").read_text(), re.M
)


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


HEADS = [cells(head) for head, _ in TABLES]
ROWS = [cells(line) for _, lines in TABLES for line in lines.splitlines()]


def test_each_language_has_its_column_and_each_term_its_sources() -> None:
    assert all(head == HEADS[0] for head in HEADS)
    codes = [re.findall(r"^\w+ \((\w+)\)$", name) for name in HEADS[0][1::2]]
    assert sorted(chain(*codes)) == LANGUAGES
    assert len(ROWS) > 25
    assert all(len(row) == len(HEADS[0]) and all(row) for row in ROWS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_that_is_a_term_is_said_with_it(language: str) -> None:
    """Or not yet, while nobody has reviewed the language."""
    column = next(at for at, name in enumerate(HEADS[0]) if name.endswith(f"({language})"))
    terms = {row[0]: row[column].lower() for row in ROWS}
    said = {each.msgid: each.msgstr for each in polib.pofile(str(CATALOGUES / f"{language}.po"))}
    assert terms.keys() <= said.keys()
    other = {term for term, word in terms.items() if said[term].lower() not in ("", word)}
    assert other == set()
