"""Which answers are compressed: those in which no secret stands beside what a request chooses."""

import gzip
import re

import pytest
from flask.testing import FlaskClient

from tests.support.people import Person, Started

GZIP = {"Accept-Encoding": "gzip"}


@pytest.mark.parametrize(
    "path", ["/rules", "/docs", "/docs/problems", "/docs/api/games", "/help/mail"]
)
def test_what_everybody_reads_alike_is_compressed(client: FlaskClient, path: str) -> None:
    plain, packed = client.get(path), client.get(path, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2
    assert "Accept-Encoding" in plain.vary
    assert packed.vary == plain.vary


def test_a_record_is_compressed_once_its_game_is_over(client: FlaskClient, game: Started) -> None:
    path = f"/v1{game.path}/record"
    assert "Content-Encoding" not in client.get(path, headers=GZIP).headers
    game.ada.post(f"{game.path}/resignation")
    plain, packed = client.get(path), client.get(path, headers=GZIP)
    assert gzip.decompress(packed.data) == plain.data
    tag = packed.headers["ETag"]
    assert tag == f"W/{plain.headers['ETag']}"
    again = client.get(path, headers={**GZIP, "If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("part", ["", "/events", "/messages", "/board"])
def test_what_may_hold_a_secret_is_sent_as_it_is(ada: Person, game: Started, part: str) -> None:
    ada.post(f"{game.path}/messages", {"text": "Well played! " * 60})
    assert "Content-Encoding" not in ada.get(f"{game.path}{part}", headers=GZIP).headers


@pytest.mark.parametrize("path", ["/", "/lobby", "/sign-in"])
def test_tokens_of_forms_are_sent_as_they_are(client: FlaskClient, path: str) -> None:
    page = client.get(path, headers=GZIP)
    whole = gzip.decompress(page.data)
    assert page.headers["Content-Encoding"] == "gzip"
    assert b"<!--" not in whole
    for token in re.findall(rb'name="form" value="[^"]+"', whole):
        assert token in page.data
    assert b"stylesheet" in whole
    assert b"stylesheet" not in page.data
