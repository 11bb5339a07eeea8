"""Problems speak the language that the client accepts; their codes have none."""

from pathlib import Path

import pytest

from service.container import Container
from service.core.words import Languages
from tests.support.catalogues import PO
from tests.support.people import Started

GERMAN = """
msgid "You do not hold %(card)s."
msgstr "Du hast %(card)s nicht auf der Hand."

msgid "The rules forbid this action"
msgstr "Die Regeln verbieten diese Aktion"
"""


@pytest.fixture(autouse=True)
def with_german(tmp_path: Path, container: Container) -> None:
    (tmp_path / "de.po").write_text(PO.format(name="Deutsch", reviewed="by Eva, 2026") + GERMAN)
    container.languages = Languages(tmp_path)


@pytest.mark.parametrize(
    ("accepted", "detail"),
    [
        ("de-AT, en;q=0.5", "Du hast {} nicht auf der Hand."),
        ("fr, it", "You do not hold {}."),
        ("", "You do not hold {}."),
    ],
)
def test_a_refusal_is_said_in_the_language_and_its_code_stays(
    game: Started, accepted: str, detail: str
) -> None:
    theirs = game.bob.get(game.path).json["hands"]["south"]["cards"][0]
    refused = game.ada.post(
        f"{game.path}/moves", {"card": theirs, "stone": 1}, headers={"Accept-Language": accepted}
    )
    assert refused.status_code == 409
    assert refused.json["code"] == "illegal-action"
    assert refused.json["refusal"] == "card-not-in-hand"
    assert refused.json["detail"] == detail.format(theirs)
    assert "Accept-Language" in refused.headers["Vary"]
