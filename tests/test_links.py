"""What the documents name is there: links, their headings, and modules."""

import re
from pathlib import Path

import pytest

from service.core.words import CATALOGUES
from tests.support.processes import ROOT

TRANSLATIONS = {ROOT / "docs" / path.stem for path in CATALOGUES.glob("*.po")}
"""Folders of documents with the anchors of their originals (`tests/web/docs/test_translations.py`).
"""
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if path.parent not in TRANSLATIONS),
    ROOT / "client" / "README.md",
    ROOT / "tests" / "support" / "README.md",
    ROOT / "engine" / "rules.md",
]


UPGRADE = "Before you upgrade"


def headings(document: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)


def anchors(document: Path) -> list[str]:
    """Those of its headings, as GitHub makes them."""
    return [
        re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings(document)
    ]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\((?!\w+:)([^)\s]+)\)", document.read_text()):
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        assert not anchor or anchors(target).count(anchor) == 1, link


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_heading_named_beside_a_link_is_there(document: Path) -> None:
    """A sentence that leads to a document names its headings in italics."""
    prose = re.sub(r"^ {4}.*$|`[^`]*`", "", document.read_text(), flags=re.MULTILINE)
    for sentence in re.split(r"(?<=[.:;])\s", prose):
        linked = re.findall(r"\]\(([^)\s#:]+\.md)[^)]*\)", sentence)
        there = [heading for path in linked for heading in headings(document.parent / path)]
        named = re.findall(r"(?<![*\w])\*([^*\n]+[^*:\n])\*(?![*\w])", sentence) if linked else []
        assert [name for name in named if name not in there] == []


def test_what_is_to_be_read_before_an_upgrade_stands_first() -> None:
    versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]
    assert f"*{UPGRADE}*" in (ROOT / "docs" / "operate" / "upgrade.md").read_text()
    assert any(UPGRADE in version for version in versions)
    for version in versions:
        first = re.findall(r"^### (.+)$", version, re.MULTILINE)[0]
        assert version.lower().count(UPGRADE.lower()) == (first == UPGRADE)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_module_named_exists(document: Path) -> None:
    """By its path from the root, or by the end of its path: `reading/views.py`."""
    named = re.findall(r"`([\w/]+\.(?:py|lua))`", document.read_text())
    folders = ("engine", "letters", "service", "workers", "client", "tests", "bench", "docs")
    files = [path.as_posix() for folder in folders for path in (ROOT / folder).rglob("*.*")]
    missing = [name for name in named if not any(file.endswith(f"/{name}") for file in files)]
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_folder_named_exists(document: Path) -> None:
    named = re.findall(
        r"`((?:engine|service|workers|tests|bench)/(?:[\w/]+/)?)`", document.read_text()
    )
    assert [name for name in named if not (ROOT / name).is_dir()] == []


def test_the_house_names_every_folder_of_the_service() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    folders = [*(ROOT / "service").iterdir(), *(ROOT / "service" / "games").iterdir()]
    names = [path.name for path in folders if (path / "__init__.py").exists()]
    assert len(names) > 10
    assert [name for name in names if f"{name}/`" not in text] == []
