"""`engine/rules.md` leads from each ruling to tests that exist, and names each test of one."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.rulings import DOCUMENT, RULINGS

HERE = Path(__file__).parent

ROWS = re.findall(r"^\|.*\| \[(\d+)\]\(#ruling-(\d+)\) \|(.*)\|$", DOCUMENT, flags=re.MULTILINE)
NAMED = {(int(ruling), test) for ruling, _, tests in ROWS for test in re.findall(r"`(.+?)`", tests)}


def names_in(path: Path) -> set[str]:
    names = re.findall(r"^\s*def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {f"{path.name}::{name}" for name in names}


EXISTING = {test for path in HERE.glob("test_*.py") for test in names_in(path)}
"""Of the engine itself: the naive model's own tests, a folder below, are not among them."""


@pytest.mark.parametrize("ruling", RULINGS)
def test_each_ruling_is_stated_and_leads_to_a_test(ruling: Any) -> None:
    assert re.search(rf"^### Ruling {ruling}\n\n\*\*\w", DOCUMENT, re.MULTILINE)
    assert any(number == ruling for number, _ in NAMED)


def test_rows_link_to_the_ruling_they_name() -> None:
    assert all(number == anchor and int(number) in RULINGS for number, anchor, _ in ROWS)


def test_every_test_named_exists() -> None:
    assert {test for _, test in NAMED} <= EXISTING


def test_every_test_of_a_ruling_is_named_with_it() -> None:
    numbered = {
        (int(found[1]), test)
        for test in EXISTING
        if (found := re.search(r"::test_ruling_(\d+)_", test))
    }
    assert numbered
    assert numbered <= NAMED
