"""What happens to a clock is no turn: a turn that is put together on a page goes on."""

import pytest
from flask import Flask

from service.container import EXTENSION, Container
from service.core.heartbeat import ROLES
from service.core.times import DAY, HOUR
from tests.support.clock import Clock
from tests.web.people import both, put_together, visitor
from tests.web.shown import Shown, begin


@pytest.fixture
def timed(container: Container) -> Shown:
    return begin(container, clock={"days_per_move": 1})


def outage(container: Container) -> None:
    """The server was away for an hour, and has given that back."""
    now = int(container.now())
    container.redis.hset("st:{outages}:ledger", str(now - HOUR), str(now))
    for role in ROLES:
        container.redis.hset("st:{outages}:last", role, str(now))
    assert container.games.outages.apply_all() == 1


def clock_of(app: Flask) -> Clock:
    clock = app.extensions[EXTENSION].now
    assert isinstance(clock, Clock)
    return clock


def test_an_unsent_turn_is_sent_as_it_is(app: Flask, container: Container, timed: Shown) -> None:
    people = both(app, timed)
    put_together(people["north"])
    clock_of(app).time += 2 * HOUR
    outage(container)
    people["north"].send()
    assert people["north"].answer.status_code == 200
    assert people["north"].status.startswith("Waiting for Bob")
    assert container.games.load(timed.id).player_to_move() == timed.bob


def test_the_page_that_comes_anew_says_nothing_of_a_game_that_moved(
    app: Flask, container: Container, timed: Shown
) -> None:
    people = both(app, timed)
    put_together(people["north"])
    address = people["north"].answer.request.full_path
    clock_of(app).time += 2 * HOUR
    outage(container)
    people["north"].go(address)
    assert "Not sent yet" in people["north"].status
    assert "moved on" not in people["north"].status


def test_the_opponent_sees_why_nothing_ends(app: Flask, container: Container, timed: Shown) -> None:
    people = both(app, timed)
    put_together(people["north"])
    people["north"].send()
    clock_of(app).time += DAY
    assert container.games.time_out(timed.id) is not None
    people["north"].go(f"/games/{timed.id}")
    assert people["north"].status == (
        "Waiting for Bob, who was not told of the turn: the time is up, "
        "but nothing ends before Sun 29 Nov 2026, 12:00 (UTC)."
    )
    assert "has not been told of the turn" in people["north"].answer.text
    bob = visitor(app, timed.bob)
    bob.go(f"/games/{timed.id}")
    assert bob.status.startswith("Your turn")
    assert container.games.load(timed.id).untold_until is None
