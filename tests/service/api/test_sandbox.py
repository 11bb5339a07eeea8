"""A sandbox: programs let time pass in their games at once."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.people import Person, Started, code
from tests.support.settings import settings

HOUR = 3600
DAY = 24 * HOUR


@pytest.fixture
def app(redis: Client, clock: Clock) -> Flask:
    """In place of the usual one, for all fixtures here."""
    return create_app(settings(sandbox=True), redis, clock)


def move(person: Person, game: Started, seconds: int) -> dict[str, Any]:
    answer = person.post(f"{game.path}/clock", {"seconds": seconds})
    assert answer.status_code == 200, answer.text
    view: dict[str, Any] = answer.json
    return view


def due_now(container: Container, game: Started, clock: Clock) -> set[str]:
    """The kinds of notices about the game that are due."""
    pending = container.log.outbox.pending()
    return {n.id.rpartition(".")[2] for n in pending if game.id in n.id and n.due <= clock.time}


def test_the_server_says_that_it_is_one(client: FlaskClient) -> None:
    assert client.get("/v1").json["sandbox"] is True
    for page in ("/", "/rules", "/docs", "/nothing"):
        shown = client.get(page, headers={"Accept": "text/html"}).text
        assert "Sandbox: clocks here can be moved." in shown


@pytest.mark.parametrize(
    "clock_of_game",
    [{"days_per_move": 3}, {"bank_days": 3}, {"until": "2026-12-31T00:00:00Z"}],
    ids=str,
)
def test_the_deadline_comes_so_much_nearer(
    ada: Person, bob: Person, clock: Clock, clock_of_game: dict[str, Any]
) -> None:
    game = Started(ada, bob, clock=clock_of_game)
    before = game.view()["deadline"]
    after = move(bob, game, 7 * HOUR)["deadline"]
    game.view()
    clock.time += 1
    assert (_hours(before) - _hours(after)) % 24 == 7
    event = ada.get(f"{game.path}/events").json["events"][-1]
    assert (event["type"], event["by"], event["data"]) == (
        "clock_moved",
        "south",
        {"seconds": 7 * HOUR},
    )


def _hours(moment: str) -> int:
    return int(moment[11:13])


def test_time_that_passes_brings_reminders_and_the_time_out(
    ada: Person, bob: Person, container: Container, clock: Clock
) -> None:
    ada.patch("/me", {"email": "ada@example.org"})
    game = Started(ada, bob, clock={"days_per_move": 3})
    begun = due_now(container, game, clock)
    move(ada, game, 2 * DAY)
    assert due_now(container, game, clock) - begun == {"reminder"}
    move(ada, game, 18 * HOUR)
    assert due_now(container, game, clock) - begun == {"reminder", "last-reminder"}
    for notice in list(container.log.outbox.pending()):
        container.log.outbox.finish(notice.id)
    over = move(ada, game, 6 * HOUR)
    assert (over["status"], over["winner"], over["reason"]) == ("finished", "south", "time-out")


def test_a_bank_is_used_up_by_it(ada: Person, bob: Person) -> None:
    game = Started(ada, bob, clock={"bank_days": 3})
    move(ada, game, DAY)
    game.play_any()
    assert game.view()["clock_state"]["banks"] == {"north": 2 * DAY, "south": 3 * DAY}


def test_only_the_players_of_a_running_game_move_its_clock(
    ada: Person, bob: Person, eve: Person
) -> None:
    game, timeless = Started(ada, bob, clock={"days_per_move": 3}), Started(ada, bob)
    assert code(eve.post(f"{game.path}/clock", {"seconds": 1})) == "not-a-player"
    assert code(ada.post(f"{timeless.path}/clock", {"seconds": 1})) == "no-clock"
    assert code(ada.post(f"{game.path}/clock", {"seconds": 0})) == "validation-failed"
    ada.post(f"{game.path}/resignation")
    assert code(ada.post(f"{game.path}/clock", {"seconds": 1})) == "game-over"


def test_a_move_of_the_clock_can_be_repeated(ada: Person, bob: Person) -> None:
    game = Started(ada, bob, clock={"days_per_move": 3})
    key = {"Idempotency-Key": "once"}
    first = ada.post(f"{game.path}/clock", {"seconds": DAY}, headers=key).json
    assert first == ada.post(f"{game.path}/clock", {"seconds": DAY}, headers=key).json


def test_elsewhere_there_is_no_such_operation(redis: Client, clock: Clock) -> None:
    client = create_app(settings(), redis, clock).test_client()
    ann, bob = Person(client, "Ann"), Person(client, "Bo")
    game = Started(ann, bob, clock={"days_per_move": 3})
    assert code(ann.post(f"{game.path}/clock", {"seconds": 1})) == "not-found"
    assert client.get("/v1").json["sandbox"] is False
    assert "Sandbox" not in client.get("/").text
