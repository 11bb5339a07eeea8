"""Browsers are told in pages, programs in problems."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.container import Container
from service.server.app import create_app
from tests.support.settings import settings

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
PROGRAMS = [{}, {"Accept": "*/*"}, {"Accept": "application/json"}]


def is_page(answer: Any) -> bool:
    return answer.mimetype == "text/html" and "<h1" in answer.text


@pytest.mark.parametrize("path", ["/nothing", "/games/x/y", "/docs/nothing", "/v10"])
def test_what_is_not_there(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers=BROWSER)
    assert (answer.status_code, is_page(answer)) == (404, True)
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    for headers in PROGRAMS:
        assert client.get(path, headers=headers).mimetype == "application/problem+json"


@pytest.mark.parametrize("path", ["/docs", "/rules", "/nothing", "/healthz"])
def test_a_method_that_is_not_for_an_address(client: FlaskClient, path: str) -> None:
    answer = client.post(path, headers=BROWSER)
    assert is_page(answer)
    assert answer.status_code == (404 if path == "/nothing" else 405)
    assert (answer.status_code == 405) == ("Allow" in answer.headers)


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/players/nobody", "/v1/me"])
def test_the_api_answers_browsers_as_it_answers_programs(client: FlaskClient, path: str) -> None:
    assert client.get(path, headers=BROWSER).mimetype == "application/problem+json"


def test_a_failure_tells_nothing_of_itself(
    client: FlaskClient, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise KeyError("secret words")

    monkeypatch.setattr(container.snapshots, "finish", fail)
    answer = client.get(f"/games/{'a' * 20}", headers=BROWSER)
    assert (answer.status_code, is_page(answer)) == (500, True)
    assert "secret words" not in answer.text


def test_while_the_store_is_away(tmp_path: Path) -> None:
    away = Redis(unix_socket_path=str(tmp_path / "nothing"), retry=Retry(NoBackoff(), 0))
    app: Flask = create_app(settings(), away)
    answer = app.test_client().get(f"/games/{'a' * 20}", headers=BROWSER)
    assert (answer.status_code, is_page(answer)) == (503, True)
    assert int(answer.headers["Retry-After"]) > 0
    player = app.test_client()
    player.set_cookie("scottenbury_session", "of-somebody")
    assert player.get("/rules", headers=BROWSER).status_code == 200
    assert player.get("/nothing", headers=BROWSER).status_code == 404


def test_a_player_sees_pages_that_need_no_store_while_it_is_away(
    container: Container, tmp_path: Path
) -> None:
    ann = container.registrations.register("Ann").player.id
    token = container.tokens.open_session(ann, "a browser")
    away = Redis(unix_socket_path=str(tmp_path / "nothing"), retry=Retry(NoBackoff(), 0))
    player = create_app(settings(), away).test_client()
    player.set_cookie("scottenbury_session", token)
    assert player.get("/rules", headers=BROWSER).status_code == 200
    assert player.get("/nothing", headers=BROWSER).status_code == 404
    answer = player.get("/", headers=BROWSER)
    assert (answer.status_code, is_page(answer)) == (503, True)


def test_an_address_is_shown_and_not_obeyed(client: FlaskClient) -> None:
    answer = client.post("/docs", query_string="<script>x</script>", headers=BROWSER)
    assert "<script>x" not in answer.text
    answer = client.open("/docs", method="<B>", headers=BROWSER)
    assert "<B>" not in answer.text


@pytest.mark.parametrize("path", ["/sign-in/nothing", "/verify/nothing"])
def test_a_link_that_is_over(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers=BROWSER)
    assert (answer.status_code, is_page(answer)) == (410, True)
