"""The time between a backup and its restore is an outage."""

import json
from typing import Any

import pytest

from service.container import Container, build
from service.core.redis.client import Client
from service.core.timestamps import timestamp
from service.ops.restore import inspect, restore
from tests.service.games.deadlines.unattended import DAY, Site
from tests.support.backups import KEY, backup
from tests.support.clock import NOON

HOUR = 3600


@pytest.fixture
def site(redis: Client) -> Site:
    return Site(redis)


def rebuilt(site: Site, elsewhere: Container) -> Container:
    """A server over the other store, by the clock of the site's machine."""
    machine = site.machine
    return build(site.settings, elsewhere.redis, machine.clock, monotonic=machine.monotonic)


def told(container: Container, game: str) -> list[tuple[str, Any]]:
    events = [json.loads(text) for text in container.log.events.read(game, 3)]
    return [(one["type"], one["data"]) for one in events]


def adjusted(begin: float, end: float) -> tuple[str, Any]:
    data = {"seat": None, "reason": "outage", "from": timestamp(begin), "to": timestamp(end)}
    return ("clock_adjusted", data)


def test_in_an_empty_store_the_next_sign_of_life_ends_it(site: Site, elsewhere: Container) -> None:
    site.run(HOUR)
    lines = backup(site.web)
    assert inspect(lines, KEY).faults == []
    server = rebuilt(site, elsewhere)
    site.machine.run(3 * DAY)
    for _ in range(2):
        assert restore(server, lines, now=site.machine.clock).refused == []
    site.machine.run(HOUR)  # until the server is started
    assert not server.games.current(site.id).game.over
    for role in ("web", "worker"):
        server.outages.beat(role)  # type: ignore[arg-type]
    assert server.games.outages.give_all() == 1
    assert told(server, site.id) == [adjusted(NOON + HOUR, NOON + 3 * DAY + 2 * HOUR)]
    assert server.games.current(site.id).deadline == NOON + 4 * DAY + HOUR


def test_a_store_that_was_watched_meanwhile_gives_it_to_what_comes_back(
    site: Site, elsewhere: Container
) -> None:
    site.run(HOUR)
    lines = backup(site.web)
    server = rebuilt(site, elsewhere)
    site.machine.run(3 * DAY)
    for role in ("web", "worker"):
        server.outages.beat(role)  # type: ignore[arg-type]
    for _ in range(2):
        assert restore(server, lines, now=site.machine.clock).refused == []
    assert told(server, site.id) == [adjusted(NOON + HOUR, NOON + 3 * DAY + HOUR)]
    assert server.games.current(site.id).deadline == NOON + 4 * DAY
    assert server.games.outages.give_all() == 0


def test_a_game_that_the_store_has_gets_nothing(site: Site) -> None:
    site.run(HOUR)
    lines = backup(site.web)
    site.run(HOUR)
    assert restore(site.web, lines, now=site.machine.clock).refused == []
    assert told(site.web, site.id) == []


def test_a_backup_without_signs_of_life_is_restored_as_ever(
    site: Site, elsewhere: Container
) -> None:
    site.web.redis.unlink("st:{outages}:last", "st:{outages}:ledger")
    lines = backup(site.web)
    server = rebuilt(site, elsewhere)
    site.machine.run(HOUR)
    assert restore(server, lines, now=site.machine.clock).refused == []
    assert told(server, site.id) == []
