"""`GET /v1/games/{id}/board`: the board as text and as pictures, for everybody the same."""

import pytest
from flask.testing import FlaskClient

from service.accounts.faces import drawing, face_of
from tests.support.people import Person, Started

SIGNATURES = {"svg": b"<svg ", "png": b"\x89PNG"}


@pytest.fixture
def path(game: Started) -> str:
    game.play_any()
    return f"{game.path}/board"


def test_the_text_has_both_names_and_fits_a_terminal(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/v1{path}")
    assert answer.mimetype == "text/plain"
    assert "Ada" in answer.text
    assert "Bob's hand: 6 Clan cards" in answer.text
    assert max(map(len, answer.text.splitlines())) <= 72


@pytest.mark.parametrize("form", SIGNATURES)
def test_pictures_come_by_format_or_by_accept(client: FlaskClient, path: str, form: str) -> None:
    mimetype = {"svg": "image/svg+xml", "png": "image/png"}[form]
    by_format = client.get(f"/v1{path}?format={form}")
    assert by_format.mimetype == mimetype
    assert by_format.data.startswith(SIGNATURES[form])
    assert client.get(f"/v1{path}", headers={"Accept": mimetype}).data == by_format.data


def test_a_picture_has_no_variables_of_a_stylesheet(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/v1{path}?format=svg")
    assert "var(" not in answer.text
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'"


def test_a_picture_has_the_marks_of_both_players(
    client: FlaskClient, ada: Person, bob: Person, path: str
) -> None:
    picture = client.get(f"/v1{path}?format=svg").text
    assert all(drawing(face_of(person.id)) in picture.replace("\n", "") for person in (ada, bob))


def test_a_player_sees_what_a_spectator_sees(client: FlaskClient, ada: Person, path: str) -> None:
    for form in ("text", "svg"):
        assert ada.get(f"{path}?format={form}").data == client.get(f"/v1{path}?format={form}").data


def test_any_step_can_be_drawn(client: FlaskClient, path: str) -> None:
    now = client.get(f"/v1{path}")
    before = client.get(f"/v1{path}?at=3")
    assert (before.headers["ETag"], now.headers["ETag"]) == ('"3"', '"6"')
    assert before.text != now.text
    assert client.get(f"/v1{path}?at=99").json["code"] == "version-not-found"
    known = {"If-None-Match": '"6"'}
    assert client.get(f"/v1{path}", headers=known).status_code == 304
