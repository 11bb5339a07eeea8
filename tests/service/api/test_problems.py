"""Whatever goes wrong is told as `application/problem+json` with a stable code."""

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError
from redis.retry import Retry

from service.api.problems import PROBLEMS, problem
from service.api.schemas.outputs import ProblemShape
from service.container import Container
from service.core.errors import MEMBERS, RequestRejected
from service.server.app import MAX_BODY, create_app
from tests.support.people import Person, code
from tests.support.settings import settings


def test_a_problem_has_the_members_of_rfc_9457(client: FlaskClient) -> None:
    problem = client.get("/v1/me").json
    assert problem.keys() == {"type", "title", "status", "detail", "code"}
    assert problem["type"] == "/docs/problems#unauthenticated"
    assert problem["status"] == 401


@pytest.mark.parametrize(
    "path",
    [
        "/games/x",
        "/games/x/events",
        f"/games/{'A' * 20}",
        f"/games/{'a' * 20}",
        f"/games/{'a' * 19}%7d",
    ],
)
def test_an_id_that_no_game_has(ada: Person, path: str) -> None:
    answer = ada.get(path)
    assert (answer.status_code, code(answer)) == (404, "game-not-found")


def test_wrong_fields_are_told_in_the_detail_too(ada: Person) -> None:
    answer = ada.post("/games", {"rounds": 0, "clock": {"days_per_move": "x"}, "listed": 1})
    assert (answer.status_code, code(answer)) == (422, "validation-failed")
    assert answer.json["errors"].keys() == {"rounds", "clock.days_per_move", "listed"}
    told = " ".join(f"{field}: {message}" for field, (message,) in answer.json["errors"].items())
    assert answer.json["detail"] == told


def test_the_detail_tells_some_of_many_wrong_fields(ada: Person) -> None:
    answer = ada.post("/games", dict.fromkeys("abcde", 1))
    assert answer.json["detail"].endswith("And 2 more.")
    assert len(answer.json["errors"]) == 5


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/", "/v1/games/", "/nothing"])
def test_an_unknown_address(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, code(answer)) == (404, "not-found")


def test_a_method_that_is_not_for_an_address(client: FlaskClient) -> None:
    answer = client.delete("/v1/games")
    assert (answer.status_code, code(answer)) == (405, "method-not-allowed")
    allowed = {method.strip() for method in answer.headers["Allow"].split(",")}
    assert allowed == {"GET", "HEAD", "OPTIONS", "POST"}
    assert answer.json["detail"] == "/v1/games does not take DELETE. See the Allow header."


def test_a_body_that_is_too_large(client: FlaskClient) -> None:
    body = b'{"name": "' + b"x" * MAX_BODY + b'"}'
    answer = client.post("/v1/players", data=body, content_type="application/json")
    assert (answer.status_code, code(answer)) == (413, "body-too-large")
    assert answer.json["detail"] == "A body may have at most 64 KiB."


def test_a_body_in_chunks(client: FlaskClient) -> None:
    body = io.BytesIO(b'{"name": "Ada"}')
    chunked = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    answer = client.post(
        "/v1/players", input_stream=body, content_type="application/json", environ_overrides=chunked
    )
    assert (answer.status_code, code(answer)) == (411, "length-required")


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", None])
def test_a_body_that_is_not_said_to_be_json(client: FlaskClient, content_type: str | None) -> None:
    answer = client.post("/v1/players", data=b'{"name": "Ada"}', content_type=content_type)
    assert (answer.status_code, code(answer)) == (415, "unsupported-media-type")
    assert "Content-Type: application/json" in answer.json["detail"]


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"{'name': 'Ada'}",
        b'{"name": "\xff"}',
        b'{"name": "\\ud800"}',
        b'{"name": NaN}',
        b"[" * 30_000,
        b'{"rounds": ' + b"9" * 10_000 + b"}",
    ],
)
@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "k1"}])
def test_a_body_that_is_no_json(
    client: FlaskClient, body: bytes, headers: dict[str, Any] | dict[str, str]
) -> None:
    answer = client.post("/v1/players", data=body, content_type="application/json", headers=headers)
    assert (answer.status_code, code(answer)) == (400, "malformed-json")


@pytest.mark.parametrize(
    "body", [b"[" * 30_000 + b"]" * 30_000, b'{"rounds": ' + b"9" * 6_000 + b"}"]
)
def test_a_json_text_that_goes_too_far_is_told_so(client: FlaskClient, body: bytes) -> None:
    answer = client.post("/v1/players", data=body, content_type="application/json")
    assert (answer.status_code, code(answer)) == (400, "malformed-json")
    assert "a number in it is too long" in answer.json["detail"]
    assert "nested too deep" in answer.json["detail"]


def test_every_code_has_a_status_that_fits() -> None:
    assert all(400 <= problem.status <= 503 for problem in PROBLEMS.values())


OF_ALL = {"type", "title", "status", "detail", "code"}


class TestMembers:
    """A program that reads problems strictly, by their schema, understands all of them."""

    def test_the_schema_has_those_declared_and_no_others(self) -> None:
        assert set(ProblemShape.__annotations__) == OF_ALL.union(*MEMBERS.values())
        assert MEMBERS.keys() <= PROBLEMS.keys()

    @pytest.mark.parametrize("tell", [RequestRejected, problem])
    def test_no_other_can_be_told(self, tell: Callable[..., object]) -> None:
        for code_ in PROBLEMS:
            with pytest.raises(ValueError, match=f"{code_} has no undeclared:"):
                tell(code_, "Detail.", undeclared=1)

    def test_no_refusal_in_the_code_has_another(self) -> None:
        seen = set()
        for where, code_, members in raised():
            assert members <= MEMBERS.get(code_, frozenset()), where
            seen |= {(code_, member) for member in members}
        expected = {(code_, member) for code_, all_ in MEMBERS.items() for member in all_}
        elsewhere = {"refusal", "rule", "rule_url", "counterexample", "request_id"}
        assert seen == {pair for pair in expected if pair[1] not in elsewhere}


RAISED = re.compile(
    r"(?:RequestRejected|Overtaken|problem|super\(\)\.__init__)"
    r'\(\s*"([a-z-]+)",((?:[^()]|\([^()]*\))*)\)'
)


def raised() -> Iterator[tuple[str, str, set[str]]]:
    """Each refusal in the code: where, its code, and the names of its members."""
    for path in (Path(__file__).parents[3] / "service").rglob("*.py"):
        for found in RAISED.finditer(path.read_text()):
            yield str(path), found[1], set(re.findall(r"[\s,](\w+)=(?!=)", found[2]))


class TestStore:
    @pytest.fixture(params=[False, True], ids=["no limits", "rate limits"])
    def cut_off(self, request: pytest.FixtureRequest, tmp_path: Path) -> Flask:
        """An application whose Redis is away."""
        path = str(tmp_path / "nothing")
        away = Redis(unix_socket_path=path, retry=Retry(NoBackoff(), 0))
        return create_app(settings(rate_limits=request.param, redis_url=f"unix://{path}"), away)

    @pytest.mark.parametrize("path", ["/readyz", f"/v1/games/{'a' * 20}"])
    def test_while_it_is_away_clients_are_asked_to_come_again(
        self, cut_off: Flask, path: str
    ) -> None:
        answer = cut_off.test_client().get(path)
        assert (answer.status_code, code(answer)) == (503, "store-unavailable")
        assert int(answer.headers["Retry-After"]) > 0

    def test_the_process_is_alive_meanwhile(self, cut_off: Flask) -> None:
        assert cut_off.test_client().get("/healthz").status_code == 200

    def test_what_it_refuses_is_a_failure_of_ours(
        self, client: FlaskClient, ada: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*args: object, **kwargs: object) -> None:
            raise ResponseError("WRONGTYPE secret words")

        monkeypatch.setattr(ada.container.players, "find", refuse)
        answer = ada.get("/me")
        assert (answer.status_code, code(answer)) == (500, "internal-error")
        assert "secret words" not in answer.text


def test_a_fault_of_ours_tells_nothing_of_itself(
    container: Container, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise KeyError("secret words")

    monkeypatch.setattr(container.players, "find", fail)
    answer = ada.get("/me")
    assert (answer.status_code, code(answer)) == (500, "internal-error")
    assert "secret words" not in answer.text
