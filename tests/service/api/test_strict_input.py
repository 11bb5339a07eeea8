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


@pytest.mark.parametrize(
    ("path", "good"),
    [
        ("/games?opponent=", "a" * 16),
        ("/games?cursor=", cursor_at(f"1700000000.{'a' * 20}")),
        ("/lobby?cursor=", cursor_at(f"1700000000.{'a' * 20}")),
        ("/challenges?cursor=", cursor_at(f"1700000000.{'a' * 20}")),
        ("/me/stream?after=", f"{'a' * 8}.1"),
    ],
)
def test_a_line_break_after_what_fits_is_refused(ada: Person, path: str, good: Any) -> None:
    assert ada.get(path + good, headers=JSON).status_code == 200
    answer = ada.get(f"{path}{good}%0A", headers=JSON)
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


@pytest.mark.parametrize(
    "move",
    [{"card": "R7\n", "stone": 3}, {"card": "Ba", "target": {"card": "R7\n", "stone": 3}, "to": 4}],
)
def test_a_line_break_after_a_card_is_refused(game: Started, move: dict[str, Any]) -> None:
    answer = game.ada.post(f"{game.path}/moves", move)
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


def test_a_line_break_after_an_opponents_id_is_refused(ada: Person, bob: Person) -> None:
    answer = ada.post("/games", {"opponent": {"player": f"{bob.id}\n"}})
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


@pytest.mark.parametrize(
    "number", ["1_0", "\u0661", "\uff11", " 1", "1 ", "1\n", "+1", "1.0", "-", ""]
)
@pytest.mark.parametrize("name", ["at", "wait"])
def test_a_number_in_a_query_has_ascii_digits_only(game: Started, name: str, number: str) -> None:
    assert game.ada.get(f"{game.path}?{name}=1").status_code == 200
    answer = game.ada.get(f"{game.path}?{name}={quote(number)}")
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


@pytest.mark.parametrize(
    "path",
    [
        "/games?limit=",
        "/lobby?limit=",
        "/challenges?limit=",
        "/me/stream?limit=",
        "/me/stream?wait=",
    ],
)
def test_so_has_every_other_number_in_a_query(ada: Person, path: str) -> None:
    assert ada.get(f"{path}10", headers=JSON).status_code == 200
    answer = ada.get(f"{path}1_0", headers=JSON)
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


@pytest.mark.parametrize("query", ["after=1_0", "wait=1_0"])
def test_and_so_have_those_for_events(ada: Person, game: Started, query: str) -> None:
    answer = ada.get(f"{game.path}/events?{query}", headers=JSON)
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


def test_a_number_out_of_range_is_told_the_range(ada: Person, game: Started) -> None:
    answer = ada.get(f"{game.path}?at=-1")
    assert answer.json["errors"] == {
        "at": ["Must be greater than or equal to 1 and less than or equal to 999999999."]
    }


@pytest.mark.parametrize("flag", ["true", "false"])
def test_a_flag_in_a_query_is_true_or_false(ada: Person, flag: str) -> None:
    assert ada.get(f"/games?mine={flag}").status_code == 200


@pytest.mark.parametrize("flag", ["yes", "on", "1", "t", "True", "TRUE", "no", "0", "true\n", ""])
def test_no_other_word_stands_for_it(ada: Person, flag: str) -> None:
    answer = ada.get(f"/games?mine={quote(flag)}")
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


class TestNoContent:
    """An answer that has no content has no type of it either."""

    def test_a_token_revoked(self, ada: Person) -> None:
        made = ada.post("/me/tokens", {"name": "my bot", "scopes": ["games:read"]}).json
        answer = ada.delete(f"/me/tokens/{made['id']}")
        assert (answer.status_code, answer.headers.get("Content-Type")) == (204, None)

    def test_an_account_deleted(self, ada: Person) -> None:
        answer = ada.delete("/me")
        assert (answer.status_code, answer.headers.get("Content-Type")) == (204, None)

    def test_a_stream_that_is_over(self, ada: Person, game: Started) -> None:
        ada.post(f"{game.path}/resignation")
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(game.view()["version"])}
        answer = ada.get(f"{game.path}/events", headers=headers)
        assert (answer.status_code, answer.headers.get("Content-Type")) == (204, None)
