"""Requests that only look right: what nearly fits a field is not taken for it."""

import re
from typing import Any
from urllib.parse import quote

import pytest

from service.api.parsing import ID_KINDS
from service.api.schemas.fields import cursor_at
from tests.service.api.declared import DOCUMENT, METHODS
from tests.support.people import Person, Started, code

JSON = {"Accept": "application/json"}


CURSOR = cursor_at(f"1700000000.{'a' * 20}")
NUMBERS = ("1_0", "\u0661", "\uff11", " 1", "1 ", "1\n", "+1", "1.0", "-", "")
FLAGS = ("yes", "on", "1", "t", "True", "TRUE", "0", "true\n", "")
QUERIES = [
    ("/games?opponent=", "a" * 16, f"{'a' * 16}\n"),
    *((f"/{path}?cursor=", CURSOR, f"{CURSOR}\n") for path in ("games", "lobby", "challenges")),
    ("/me/stream?after=", f"{'a' * 8}.1", f"{'a' * 8}.1\n"),
    *((f"{{game}}?{name}=", "1", bad) for name in ("at", "wait") for bad in NUMBERS),
    *((f"/{path}?limit=", "10", "1_0") for path in ("games", "lobby", "challenges", "me/stream")),
    ("/me/stream?wait=", "10", "1_0"),
    *((f"{{game}}/events?{name}=", "0", "1_0") for name in ("after", "wait")),
    *(("/games?mine=", "true", bad) for bad in FLAGS),
    ("/games?mine=", "false", "no"),
]
"""Queries, what fits them, and what nearly does."""
BODIES: list[tuple[str, Any]] = [
    ("{game}/moves", {"card": "R7\n", "stone": 3}),
    ("{game}/moves", {"card": "Ba", "target": {"card": "R7\n", "stone": 3}, "to": 4}),
    ("/games", {"opponent": {"player": f"{'a' * 16}\n"}}),
]


@pytest.mark.parametrize(("path", "fits", "nearly"), QUERIES)
def test_what_nearly_fits_a_query_is_refused(
    game: Started, path: str, fits: str, nearly: str
) -> None:
    asked = path.format(game=game.path)
    assert game.ada.get(asked + fits, headers=JSON).status_code == 200
    answer = game.ada.get(asked + quote(nearly), headers=JSON)
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


@pytest.mark.parametrize(("path", "body"), BODIES)
def test_a_line_break_in_a_body_is_refused(game: Started, path: str, body: Any) -> None:
    answer = game.ada.post(path.format(game=game.path), body)
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


@pytest.mark.parametrize(
    ("method", "path"),
    [(m, p) for p, methods in DOCUMENT["paths"].items() for m in METHODS if m in methods],
)
@pytest.mark.parametrize("query", ["limit=1&limit=2", "limit=1&limit=1", "x&x"])
def test_a_query_parameter_comes_once(ada: Person, method: str, path: str, query: str) -> None:
    ids = {each: kind.example for each, kind in ID_KINDS.items()} | {"bot": ada.id}
    asked = re.sub(r"{([a-z]+)_\w+}", lambda part: ids[part[1]], path.removeprefix("/v1"))
    options = {} if method == "get" else {"json": {}}
    answer = ada.send(method, f"{asked}?{query}", headers=JSON, **options)
    assert (answer.status_code, code(answer)) == (400, "malformed-request")
    assert query.partition("=")[0].partition("&")[0] in answer.json["detail"]


@pytest.mark.parametrize(
    "body", ['{"rounds": 1, "rounds": 2}', '{"clock": {"days_per_move": 1, "days_per_move": 1}}']
)
def test_a_member_of_a_body_comes_once(ada: Person, body: str) -> None:
    answer = ada.send("POST", "/games", data=body, content_type="application/json")
    assert (answer.status_code, code(answer)) == (400, "malformed-json")
    assert ada.get("/games").json["games"] == []


def test_a_number_out_of_range_is_told_the_range(ada: Person, game: Started) -> None:
    answer = ada.get(f"{game.path}?at=-1")
    assert answer.json["errors"] == {
        "at": ["Must be greater than or equal to 1 and less than or equal to 999999999."]
    }


@pytest.mark.parametrize("what", ["token", "account", "stream"])
def test_an_answer_without_content_has_no_type_of_it(game: Started, what: str) -> None:
    ada, headers = game.ada, {}
    if what == "token":
        made = ada.post("/me/tokens", {"name": "my bot", "scopes": ["games:read"]}).json
        answer = ada.delete(f"/me/tokens/{made['id']}")
    elif what == "account":
        answer = ada.delete("/me")
    else:
        ada.post(f"{game.path}/resignation")
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(game.view()["version"])}
        answer = ada.get(f"{game.path}/events", headers=headers)
    assert (answer.status_code, answer.headers.get("Content-Type")) == (204, None)
