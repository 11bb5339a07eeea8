"""What the document says of bodies is what the server takes, and a refusal says what is wanted."""

import re
from typing import Any

import pytest

from tests.service.api.declared import CHECKED_IN, misfits, read_document, resolved
from tests.support.people import Person, Started, code

ID = "a" * 16
BODIES = [
    ("GameInput", {}, True),
    ("GameInput", {"opponent": {"bot": "random"}}, True),
    ("GameInput", {"opponent": {}}, False),
    ("GameInput", {"opponent": {"bot": "random", "player": ID}}, False),
    ("GameInput", {"listed": True, "private": True}, False),
    ("GameInput", {"listed": True, "private": False}, True),
    ("GameInput", {"rounds": 3.0}, True),
    ("GameInput", {"rounds": "3"}, False),
    ("GameInput", {"rounds": 3.5}, False),
    ("GameInput", {"edition": "scottentots"}, True),
    ("GameInput", {"edition": "scottentots", "tactics": True}, False),
    ("GameInput", {"edition": "scottentots", "expert": True}, False),
    ("ChallengeInput", {"name": "Bob", "tactics": True}, True),
    ("ChallengeInput", {"tactics": True}, False),
    ("ChallengeInput", {"name": "Bob", "player": ID}, False),
    ("MoveInput", {"card": "R7", "stone": 3}, True),
    ("MoveInput", {"card": "R7", "stone": 3.0, "claims": [4], "draw": "clan"}, True),
    ("MoveInput", {"card": "R7", "stone": 3, "pass": False}, True),
    ("MoveInput", {"card": "STR", "target": {"card": "R7", "stone": 3}, "to": "discard"}, True),
    ("MoveInput", {"card": "BAN", "target": {"card": "R7", "stone": 3}}, True),
    ("MoveInput", {"card": "REC", "draws": ["clan"]}, True),
    ("MoveInput", {"pass": True, "claims": [1]}, True),
    ("MoveInput", {}, False),
    ("MoveInput", {"pass": False}, False),
    ("MoveInput", {"card": "R7"}, False),
    ("MoveInput", {"pass": True, "card": "R7"}, False),
    ("MoveInput", {"card": "R7", "stone": 3, "pass": True}, False),
    ("MoveInput", {"card": "R7", "stone": 3, "draws": ["clan"]}, False),
    ("MoveInput", {"card": "R7", "stone": 3, "to": 4}, False),
    ("ClaimsInput", {"stone": 3}, True),
    ("ClaimsInput", {"stones": [3]}, True),
    ("ClaimsInput", {}, False),
    ("ClaimsInput", {"stone": 3, "stones": [3]}, False),
    ("AccountInput", {"name": "Ada"}, True),
    ("AccountInput", {}, False),
]


@pytest.mark.parametrize(("schema", "body", "fits"), BODIES)
def test_the_document_and_the_server_agree(
    ada: Person, bob: Person, game: Started, schema: str, body: Any, fits: bool
) -> None:
    assert (misfits({"$ref": f"#/components/schemas/{schema}"}, body) == []) == fits
    match schema:
        case "GameInput":
            answer = ada.post("/games", body)
        case "ChallengeInput":
            answer = ada.post("/challenges", body)
        case "MoveInput":
            answer = ada.post(f"{game.path}/moves", body)
        case "ClaimsInput":
            answer = ada.post(f"{game.path}/claims", body)
        case _:
            answer = ada.patch("/me", body)
    # What the rules forbid is 409: the request itself was fine.
    assert (answer.status_code == 422) != fits, answer.text


def test_no_field_of_a_body_has_a_default_for_generators_to_insist_on() -> None:
    """`openapi-typescript` makes a field with the keyword one that every caller must give."""
    schemas = read_document()["components"]["schemas"].values()
    defaults = [
        name
        for schema in schemas
        for name, field in schema.get("properties", {}).items()
        if "default" in field
    ]
    assert defaults == []
    told = read_document()["components"]["schemas"]["GameInput"]["properties"]
    assert resolved(told["edition"])["description"] == "Default: `iello`."
    assert "required" not in read_document()["components"]["schemas"]["GameInput"]


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("post", "/games", [], "body"),
        ("post", "/games", {"": 1}, "body"),
        ("post", "/games", {"_schema": 1}, "body"),
        ("post", "/games", {"opponent": {}}, "opponent"),
        ("post", "/challenges", {}, "body"),
        ("patch", "/me", {}, "body"),
        ("patch", "/me", "Ada", "body"),
    ],
)
def test_what_is_wrong_with_the_whole_has_a_name_too(
    ada: Person, method: str, path: str, body: Any, field: str
) -> None:
    answer = getattr(ada, method)(path, body)
    assert code(answer) == "validation-failed"
    assert list(answer.json["errors"]) == [field]
    assert answer.json["detail"].startswith(f"{field}: ")


def test_a_query_parameter_without_a_name_is_one_of_the_query(ada: Person) -> None:
    assert list(ada.get("/games?=1").json["errors"]) == ["query"]


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/games", {"opponent": {"player": "Bob"}}, "a player's id"),
        ("/challenges", {"player": "Bob"}, "a player's id"),
        ("/games", {"opponent": {}}, "exactly one of: player; email; bot"),
    ],
)
def test_a_refusal_says_what_must_be(
    ada: Person,
    path: str,
    body: dict[str, dict[str, Any]] | dict[str, dict[str, str]] | dict[str, str],
    words: str,
) -> None:
    answer = ada.post(path, body)
    assert re.search(rf"\bMust (be|have) {re.escape(words)}", answer.json["detail"]), answer.json


def test_no_refusal_speaks_of_a_pattern(ada: Person, game: Started) -> None:
    refused = [
        ada.get("/games?opponent=x"),
        ada.get("/me/stream?after=x", headers={"Accept": "application/json"}),
        ada.post(f"{game.path}/moves", {"card": "R7@3", "stone": 3}),
    ]
    assert all("Must be" in answer.json["detail"] for answer in refused)
    assert "expected pattern" not in CHECKED_IN.read_text()
