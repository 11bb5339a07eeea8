"""/v1/me/answer-addresses: further addresses that a player answers mails from."""

import pytest
from flask.testing import FlaskClient

from tests.support.people import Person, code

PATH = "/me/answer-addresses"
EMAIL = {"email": "ada@example.com"}


def test_they_are_added_listed_exported_and_removed(ada: Person) -> None:
    made = ada.post(PATH, EMAIL)
    assert made.status_code == 201
    assert made.json == {
        "id": made.json["id"],
        **EMAIL,
        "created_at": "2026-11-21T12:00:00Z",
        "verified": False,
    }
    assert ada.post(PATH, EMAIL).json == made.json
    assert ada.get(PATH).json == {"addresses": [made.json]}
    assert ada.get("/me/export").json["answer_addresses"] == [made.json]

    assert ada.delete(f"{PATH}/{made.json['id']}").status_code == 204
    assert ada.get(PATH).json == {"addresses": []}
    assert code(ada.delete(f"{PATH}/{made.json['id']}")) == "address-not-found"


def test_a_fifth_is_refused(ada: Person) -> None:
    for number in range(4):
        assert ada.post(PATH, {"email": f"ada@{number}.example.com"}).status_code == 201
    answer = ada.post(PATH, EMAIL)
    assert (answer.status_code, code(answer)) == (409, "too-many-addresses")


@pytest.mark.parametrize("body", [{}, {"email": None}, {"email": "nowhere"}])
def test_what_is_no_address_is_refused(ada: Person, body: dict[str, str | None]) -> None:
    assert code(ada.post(PATH, body)) == "validation-failed"


def test_changing_them_takes_all_scopes(ada: Person, client: FlaskClient) -> None:
    made = ada.post(PATH, EMAIL).json
    token = ada.post("/me/tokens", {"name": "narrow", "scopes": ["account"]}).json["token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert client.get(f"/v1{PATH}", headers=headers).status_code == 200
    added = client.post(f"/v1{PATH}", json=EMAIL, headers=headers)
    removed = client.delete(f"/v1{PATH}/{made['id']}", headers=headers)
    assert code(added) == code(removed) == "insufficient-scope"
