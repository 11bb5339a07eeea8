"""What is wrong with a request is said in the language that the client accepts; the names of its
members are not."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.validation_words import MESSAGES, fault_words
from service.container import Container
from service.core.words import ENGLISH, PSEUDO_CODE, Languages
from tests.support.catalogues import reviewed
from tests.support.people import Person

GERMAN = {"Accept-Language": "de-AT, en;q=0.5"}


@pytest.fixture
def with_languages(container: Container) -> None:
    container.languages = reviewed()


@pytest.mark.usefixtures("with_languages")
@pytest.mark.parametrize(
    ("path", "body", "errors"),
    [
        ("/players", {}, {"name": ["Dieses Pflichtfeld fehlt."]}),
        ("/games", {"rounds": "x"}, {"rounds": ["Keine gültige ganze Zahl."]}),
        ("/games", {"rounds": 100}, {"rounds": ["Muss von 1 bis 99 gehen."]}),
        ("/games", {"colour": 1}, {"colour": ["Unbekanntes Feld."]}),
        ("/games", {"seat": "east"}, {"seat": ["Muss eines davon sein: north, south."]}),
        ("/games", {"language": "tlh"}, {"language": ["Muss eines davon sein: en, de, fr."]}),
        ("/games", {"tactics": None}, {"tactics": ["Dieses Feld darf nicht null sein."]}),
        (
            "/games",
            {"opponent": {"email": "nobody"}},
            {"opponent.email": ["Keine gültige E-Mail-Adresse."]},
        ),
    ],
)
def test_errors_and_detail_are_said_in_it(
    ada: Person, path: str, body: dict[str, Any], errors: dict[str, list[str]]
) -> None:
    refused = ada.post(path, body, headers=GERMAN)
    assert (refused.status_code, refused.json["code"]) == (422, "validation-failed")
    assert refused.json["errors"] == errors
    ((field, (said,)),) = errors.items()
    assert refused.json["detail"] == f"{field}: {said}"
    assert refused.headers["Content-Language"] == "de"
    in_english = ada.post(path, body)
    assert list(in_english.json["errors"]) == [field]
    assert in_english.json["errors"][field] != [said]
    assert in_english.headers["Content-Language"] == "en"


@pytest.mark.usefixtures("with_languages")
def test_how_many_more_there_are_is_said_too(ada: Person) -> None:
    body = dict.fromkeys(("a", "b", "c", "d"), 1)
    assert ada.post("/games", body).json["detail"].endswith("And 1 more.")
    assert ada.post("/games", body, headers=GERMAN).json["detail"].endswith("Und 1 weiterer.")


@pytest.mark.usefixtures("with_languages")
def test_what_is_not_there_is_said_in_it(client: FlaskClient) -> None:
    refused = client.get("/v1/nothing", headers=GERMAN)
    assert refused.json["detail"].startswith("Unter /v1/nothing gibt es nichts.")
    assert refused.headers["Content-Language"] == "de"
    refused = client.delete("/v1/players", headers=GERMAN)
    assert refused.json["detail"].startswith("/v1/players nimmt DELETE nicht an.")


@pytest.mark.parametrize("message", MESSAGES)
def test_each_message_is_found_again_with_its_places_filled_in(message: str) -> None:
    places = dict.fromkeys(("choices", "least", "most", "length"), "1, 2")
    pseudo = Languages().words(PSEUDO_CODE)
    assert fault_words(ENGLISH, message % places) == message % places
    assert fault_words(pseudo, message % places) == pseudo.say(message, **places)


def test_anything_else_stays_as_it_is() -> None:
    assert fault_words(Languages().words(PSEUDO_CODE), "5 % of %s") == "5 % of %s"
