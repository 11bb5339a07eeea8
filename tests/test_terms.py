"""The catalogues say the terms of `docs/terms.md`."""

import re

import polib
import pytest

from service.core.words import CATALOGUES
from tests.support.processes import ROOT
from tests.support.translations import LANGUAGES

NAMES = {"French": "fr", "German": "de"}
COLUMN = {language: at for at, language in enumerate(NAMES.values(), 1)}
TABLES = re.findall(
    r"^\| English \|.*\n\| ---.*\n((?:\|.*\n)+)", (ROOT / "docs" / "terms.md").read_text(), re.M
)
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for table in TABLES
    for line in table.splitlines()
]


def test_each_language_has_its_column_and_each_term_its_sources() -> None:
    assert sorted(COLUMN) == LANGUAGES
    assert len(ROWS) > 25
    assert all(len(row) == 1 + 2 * len(NAMES) and all(row) for row in ROWS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_that_is_a_term_is_said_with_it(language: str) -> None:
    catalogue = polib.pofile(str(CATALOGUES / f"{language}.po"))
    said = {entry.msgid: entry.msgstr for entry in catalogue}
    other = {
        row[0]: said.get(row[0])
        for row in ROWS
        if (said.get(row[0]) or "").lower() != row[COLUMN[language]].lower()
    }
    assert other == {}
