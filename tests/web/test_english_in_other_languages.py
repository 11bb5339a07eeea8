"""What has no translation is marked as English on a page in another language."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.container import Container
from tests.support.catalogues import reviewed
from tests.web.people import send
from tests.web.shown import Shown

FRENCH = {"Accept": "text/html", "Accept-Language": "fr"}
ENGLISH = {"Accept": "text/html", "Accept-Language": "en"}


@pytest.fixture(autouse=True)
def with_languages(container: Container) -> None:
    container.languages = reviewed()


def in_both(client: FlaskClient, path: str, **options: Any) -> tuple[str, str]:
    return tuple(client.get(path, headers=each, **options).text for each in (FRENCH, ENGLISH))  # type: ignore[return-value]


def test_the_reason_why_a_log_cannot_be_read(
    client: FlaskClient, container: Container, game: Shown
) -> None:
    container.log.events.append(game.id, container.log.events.version(game.id), ['{"x":1}'])
    french, english = in_both(client, f"/games/{game.id}")
    assert '<html lang="fr">' in french
    assert '<p lang="en">' in french
    assert "damaged" in french.partition('<p lang="en">')[2].partition("</p>")[0]
    assert 'lang="en">' not in english.partition("<main")[2].partition("</main>")[0]


def test_an_error_that_has_a_translation_is_not(client: FlaskClient) -> None:
    french, _ = in_both(client, "/mailbox/1.html?x=1")
    assert '<p lang="en">' not in french


@pytest.mark.parametrize(
    ("record", "why"),
    [("{", "This is no record"), ("[Game &", "This is no record"), ('{"seq":1}', "This is no")],
)
def test_what_is_wrong_with_a_record(client: FlaskClient, record: str, why: str) -> None:
    said = []
    for headers in (FRENCH, ENGLISH):
        client.set_cookie("scottenbury_language", headers["Accept-Language"])
        said.append(send(client, "/replay", record=record).text)
    french, english = said
    assert why not in french
    assert why in english
    status = french.partition('id="status">')[2].partition("</p>")[0]
    assert '<span lang="en">' in status
    assert "<span" not in english.partition('id="status">')[2].partition("</p>")[0]


def test_what_is_wrong_with_a_claim(client: FlaskClient) -> None:
    french, english = in_both(client, "/judge?mine=X99&theirs=R1")
    assert '<span lang="en">&#39;X99&#39; is not a card.</span>' in french
    assert "&#39;X99&#39; is not a card." in english
    assert "<span lang" not in english


def test_the_console_is_english_throughout(client: FlaskClient) -> None:
    french, english = in_both(client, "/docs/console")
    assert french == english
    assert '<html lang="en">' in french
