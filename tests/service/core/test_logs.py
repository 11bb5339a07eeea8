"""The log: one form, plain or JSON, with ids."""

import json
import logging
import re
from collections.abc import Iterator

import pytest
from flask import Flask

from service.api import request_ids
from service.core import logs
from service.core.redis.client import Client
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.people import Person, Started
from tests.support.settings import settings

log = logging.getLogger("scottenbury.test")


@pytest.fixture(autouse=True)
def handlers_put_back() -> Iterator[None]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.splitlines()


def test_a_plain_line_has_moment_level_process_and_ids(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("worker", settings())
    with logs.bound(game="abc"), logs.bound(player="def"):
        log.warning("it is %s", "late")
    log.warning("no more")
    one, other = lines(capsys)
    moment = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    assert re.fullmatch(
        rf"{moment} WARNING worker scottenbury.test: it is late \(game=abc player=def\)", one
    )
    assert other.endswith("no more")


def test_a_json_line_is_an_object_with_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("web", settings(log_format="json"), lambda: {"request": "r1"})
    with logs.bound(game="abc"):
        log.error("Übel")
    (line,) = lines(capsys)
    told = json.loads(line)
    assert told.pop("time").endswith("Z")
    assert told == {
        "level": "ERROR",
        "process": "web",
        "logger": "scottenbury.test",
        "message": "Übel",
        "request": "r1",
        "game": "abc",
    }


def test_a_traceback_stays_in_its_object(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("web", settings(log_format="json"))
    try:
        raise ValueError("why")
    except ValueError:
        log.exception("failed")
    (line,) = lines(capsys)
    assert "ValueError: why" in json.loads(line)["exc_info"]


@pytest.mark.parametrize("log_format", ["plain", "json"])
def test_requests_are_logged_by_route_with_ids_and_without_secrets(
    redis: Client, clock: Clock, capsys: pytest.CaptureFixture[str], log_format: str
) -> None:
    wanted = settings(access_log=True, log_format=log_format)
    app: Flask = create_app(wanted, redis, clock)
    logs.configure("web", wanted, request_ids.about)
    client = app.test_client()
    ada, bob = (Person(client, name, email=f"{name}@example.org") for name in ("Ada", "Bob"))
    game = Started(ada, bob)
    cards = re.findall(r"[A-Z][0-9]\b", ada.get(game.path).text)
    assert len(cards) >= 6
    assert game.play_any().status_code == 200
    client.get(f"/games/{game.id}?invite={game.invite}")
    written = capsys.readouterr().err
    assert "POST /v1/games/<game:game_id>/turns 200" in written
    assert game.id in written
    assert ada.id in written
    secrets = (ada.token, bob.token, game.invite, "example.org", "Ada", *cards)
    assert [secret for secret in secrets if re.search(rf"\b{re.escape(secret)}\b", written)] == []


def test_requests_are_not_logged_unless_wanted(
    redis: Client, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("web", settings(), request_ids.about)
    create_app(settings(), redis, clock).test_client().get("/v1/editions")
    assert capsys.readouterr().err == ""
