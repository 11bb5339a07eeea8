"""Nothing that anybody can read in our documents creates a token as an idempotency key."""

import re
from pathlib import Path

import pytest

from service.accounts.idempotency import check_unguessable
from service.core.errors import RequestRejected

ROOT = Path(__file__).parents[3]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "openapi.yaml")),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "engine").rglob("*.md"),
    *(ROOT / "service").rglob("*.md"),
]
_LIKE_KEYS = re.compile(r"[A-Za-z0-9_+/=-]{22,200}")


def is_taken(key: str) -> bool:
    try:
        check_unguessable(key)
    except RequestRejected:
        return False
    return True


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_of_a_document_is_a_key(path: Path) -> None:
    """If this fails, add the text to `service/accounts/published_keys.txt`, for ever."""
    texts = set()
    for found in _LIKE_KEYS.findall(path.read_text()):
        texts |= {found, found.strip("=_-/+"), *found.split("="), found.split("_", 2)[-1]}
    assert [text for text in sorted(texts) if is_taken(text)] == []


@pytest.mark.parametrize(
    "key",
    [
        "0b5dbd6c-2f0c-4c4e-9a52-8d6e5f0f7a31",
        "0B5DBD6C-2F0C-4C4E-9A52-8D6E5F0F7A31",
        "0b5dbd6c2f0c4c4e9a528d6e5f0f7a31",
        "s3iT6jw0ZJr2l1Qm8nVYp4bXcUeHk5aGd7oRtMwNzEA=",
        "550e8400-e29b-41d4-a716-446655440000",
    ],
)
def test_what_was_an_example_once_is_refused_however_it_is_written(key: str) -> None:
    assert not is_taken(key)
    assert is_taken(key.replace("5", "6"))
