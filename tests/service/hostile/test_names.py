"""Names that would be read again: by mail programs as headers or links."""

import pytest
from flask.testing import FlaskClient

from tests.support.people import Person, code

NAMES = (
    "=?utf-8?b?eA0KUmVwbHktVG86YUBlLnZpbA==?=",
    "win at http://e.vil",
    "evil.example",
    "a\u2066b",
)


@pytest.mark.parametrize("name", NAMES)
def test_nobody_takes_such_a_name(client: FlaskClient, ada: Person, name: str) -> None:
    made = ada.post("/games").json
    seat = {"name": name, "invite": made["invite"]}
    answers = [
        client.post("/v1/players", json={"name": name}),
        ada.patch("/me", {"name": name}),
        client.post(f"/v1/games/{made['id']}/join", json=seat),
    ]
    for answer in answers:
        assert (answer.status_code, code(answer)) == (422, "validation-failed")
        assert "name" in answer.json["errors"]


def test_nobody_takes_an_address_that_decodes(client: FlaskClient) -> None:
    body = {"name": "Ada", "email": "=?utf-8?b?eA0K?=@example.org"}
    answer = client.post("/v1/players", json=body)
    assert (answer.status_code, code(answer)) == (422, "validation-failed")
