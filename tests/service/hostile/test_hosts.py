"""Names under which this server is asked, and what every answer tells browsers."""

import pytest
from flask import Flask

from service.core.redis.client import Client
from service.core.settings import BadSetting, Settings
from service.server.app import HEADERS, create_app
from tests.support.settings import settings


@pytest.fixture
def app(redis: Client) -> Flask:
    return create_app(
        settings(
            host="192.0.2.7",
            base_url="https://play.example:8443/games",
            allowed_hosts=("scottenbury.lan", "2001:db8::7"),
        ),
        redis,
    )


@pytest.mark.parametrize(
    "host",
    [
        *("play.example", "play.example:8443", "PLAY.example.", "play.example:1"),
        *("localhost:8080", "ada.localhost", "127.0.0.1:8080", "127.1.2.3", "[::1]:8080"),
        *("192.0.2.7:8080", "scottenbury.lan:80", "[2001:db8::7]:8080"),
    ],
)
def test_a_name_of_this_server_is_answered(app: Flask, host: str) -> None:
    assert app.test_client().get("/docs", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8080", "play.example.evil.example", "192.0.2.8"),
        *("localhost.evil.example", "notlocalhost", "127.0.0.1.evil.example", "", "[", "a b", "@"),
        *("play.example,evil.example", "evil.example@localhost", "[::2]", "[::1", "[::1]x"),
        *("evil.example/.localhost", "evil.example\\.localhost", "evil.example?.localhost"),
        *("localhost:80:80", "localhost:evil.example", "127.0.0.1:x"),
    ],
)
def test_another_name_is_refused(app: Flask, host: str) -> None:
    for path in ("/", "/mailbox", "/v1/me", "/nothing", "/assets/scottenbury.css"):
        answer = app.test_client().get(path, headers={"Host": host})
        assert (answer.status_code, answer.json["code"]) == (421, "unknown-host"), path


def test_health_checks_may_use_any_host(app: Flask) -> None:
    for path in ("/healthz", "/readyz"):
        assert app.test_client().get(path, headers={"Host": "10.1.2.3:8080"}).status_code == 200
    assert app.test_client().get("/metrics", headers={"Host": "10.1.2.3"}).status_code == 421


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/docs", "/openapi.yaml", "/healthz", "/metrics", "/mailbox", "/assets/stone.svg"),
        *("/v1/me", "/v1/players", "/nothing", "/v1/games/x/events", "/docs/static/docs.js"),
    ],
)
def test_every_answer_tells_browsers_to_be_careful(app: Flask, path: str) -> None:
    for method in ("GET", "POST", "OPTIONS"):
        answer = app.test_client().open(path, method=method, data=b"{", headers=LOCAL)
        answer.close()
        assert set(HEADERS) <= set(answer.headers), answer.status


def test_so_does_one_that_failed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.view_functions, "health.alive", lambda: 1 / 0)
    answer = app.test_client().get("/healthz", headers=LOCAL)
    assert answer.status_code == 500
    assert set(HEADERS) <= set(answer.headers)


LOCAL = {"Host": "localhost"}


def test_allowed_hosts_are_names_without_ports(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("SCOTTENBURY_DATA", str(tmp_path))
    monkeypatch.setenv("SCOTTENBURY_ALLOWED_HOSTS", "Play.example, [2001:db8::7] ,10.0.0.1")
    assert Settings.from_env().allowed_hosts == ("play.example", "2001:db8::7", "10.0.0.1")
    for wrong in ("play.example:8080", "https://play.example", "a b"):
        monkeypatch.setenv("SCOTTENBURY_ALLOWED_HOSTS", wrong)
        with pytest.raises(BadSetting, match="SCOTTENBURY_ALLOWED_HOSTS"):
            Settings.from_env()
