"""The lists of words in files: each is read by the grammar, and holds something in each row."""

import re
from pathlib import Path

import pytest

import letters
from letters import words as lists
from letters.words import words

ROOT = Path(letters.__file__).parent
FILES = sorted(Path(lists.__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_list_is_read_by_the_grammar(path: Path) -> None:
    source = "\n".join(module.read_text() for module in ROOT.rglob("*.py"))
    sections = re.findall(r"^\[(\w+)\]$", path.read_text(), re.M)

    assert len({*sections}) == len(sections) > 0
    for section in sections:
        assert f'words("{path.stem}", "{section}")' in source
        assert all(row.strip() for row in words(path.stem, section).split("\n"))
