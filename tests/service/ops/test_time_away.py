"""The time between a backup and its restore is an outage."""

import json
from typing import Any

import pytest

from engine.verify import verify
from service.container import Container
from service.core.redis.client import Client
from service.core.times import timestamp
from service.ops.restore import inspect, restore
from tests.service.games.unattended import DAY, UnattendedGame
from tests.support.backups import KEY, backup
from tests.support.clock import NOON

HOUR = 3600


@pytest.fixture
def site(redis: Client) -> UnattendedGame:
    return UnattendedGame(redis)


def rebuilt(site: UnattendedGame, elsewhere: Container) -> Container:
    """A server over the other store, by the clock of the site's machine."""
    machine = site.machine
    return Container(site.settings, elsewhere.redis, machine.clock, monotonic=machine.monotonic)


def told(container: Container, game: str) -> list[tuple[str, Any]]:
    events = [json.loads(text) for text in container.log.events.read(game, 3)]
    return [(one["type"], one["data"]) for one in events]


def adjusted(begin: float, end: float) -> tuple[str, Any]:
    data = {"seat": None, "reason": "outage", "from": timestamp(begin), "to": timestamp(end)}
    return ("clock_adjusted", data)


def test_in_an_empty_store_the_next_sign_of_life_ends_it(
    site: UnattendedGame, elsewhere: Container
) -> None:
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
        server.outages.record_heartbeat(role)  # type: ignore[arg-type]
    assert server.games.outages.apply_all() == 1
    assert told(server, site.id) == [adjusted(NOON + HOUR, NOON + 3 * DAY + 2 * HOUR)]
    assert server.games.current(site.id).deadline == NOON + 4 * DAY + HOUR


def test_a_store_that_was_watched_meanwhile_gives_it_to_what_comes_back(
    site: UnattendedGame, elsewhere: Container
) -> None:
    site.run(HOUR)
    lines = backup(site.web)
    server = rebuilt(site, elsewhere)
    site.machine.run(3 * DAY)
    for role in ("web", "worker"):
        server.outages.record_heartbeat(role)  # type: ignore[arg-type]
    for _ in range(2):
        assert restore(server, lines, now=site.machine.clock).refused == []
    assert told(server, site.id) == [adjusted(NOON + HOUR, NOON + 3 * DAY + HOUR)]
    assert server.games.current(site.id).deadline == NOON + 4 * DAY
    assert server.games.outages.apply_all() == 0


def test_a_game_that_the_store_has_gets_nothing(site: UnattendedGame) -> None:
    site.run(HOUR)
    lines = backup(site.web)
    site.run(HOUR)
    assert restore(site.web, lines, now=site.machine.clock).refused == []
    assert told(site.web, site.id) == []


def test_a_backup_without_signs_of_life_is_restored_as_ever(
    site: UnattendedGame, elsewhere: Container
) -> None:
    site.web.redis.unlink("st:{outages}:last", "st:{outages}:ledger")
    lines = backup(site.web)
    server = rebuilt(site, elsewhere)
    site.machine.run(HOUR)
    assert restore(server, lines, now=site.machine.clock).refused == []
    assert told(server, site.id) == []


class TestOlderAndNewer:
    """Two backups of one game, restored one after the other into a store that is watched over."""

    @pytest.fixture
    def backups(self, site: UnattendedGame) -> list[list[bytes]]:
        """The older one, and the newer one, in which Ann has played."""
        site.run(HOUR)
        older = backup(site.web)
        site.web.games.play(site.id, site.ann, site.legal(site.ann)[:1])
        site.run(HOUR)
        return [older, backup(site.web)]

    @pytest.fixture
    def server(
        self, site: UnattendedGame, backups: list[list[bytes]], elsewhere: Container
    ) -> Container:
        server = rebuilt(site, elsewhere)
        site.machine.run(3 * DAY)
        for role in ("web", "worker"):
            server.outages.record_heartbeat(role)  # type: ignore[arg-type]
        return server

    def put(self, site: UnattendedGame, server: Container, lines: list[bytes]) -> list[str]:
        refused = restore(server, lines, now=site.machine.clock).refused
        assert verify([json.loads(text) for text in server.log.events.read(site.id)]) is None
        return [fault.problem for fault in refused]

    def types(self, server: Container, game: str) -> list[str]:
        return [json.loads(text)["type"] for text in server.log.events.read(game, 3)]

    @pytest.mark.parametrize("older_first", [True, False])
    def test_the_longer_history_is_there_in_the_end(
        self, site: UnattendedGame, server: Container, backups: list[list[bytes]], older_first: bool
    ) -> None:
        played = self.types(site.web, site.id)
        assert "turn_ended" in played
        for lines in backups if older_first else backups[::-1]:
            assert self.put(site, server, lines) == []
        assert self.types(server, site.id) == [*played, "clock_adjusted"]
        assert told(server, site.id)[-1] == adjusted(NOON + 2 * HOUR, NOON + 3 * DAY + 2 * HOUR)
        assert server.games.current(site.id).deadline == NOON + 4 * DAY + HOUR

    def test_what_was_played_since_an_older_one_was_restored_stays(
        self, site: UnattendedGame, server: Container, backups: list[list[bytes]]
    ) -> None:
        older, newer = backups
        assert self.put(site, server, older) == []
        legal = server.games.view(server.games.load(site.id), site.ann).legal
        server.games.play(site.id, site.ann, legal[-1:])
        before = server.log.events.read(site.id)
        assert self.put(site, server, newer) == ["it is there, but another"]
        assert server.log.events.read(site.id) == before

    def test_a_backup_of_the_restored_store_takes_nothing_from_the_first(
        self, site: UnattendedGame, server: Container, backups: list[list[bytes]]
    ) -> None:
        older, _ = backups
        assert self.put(site, server, older) == []
        restored = backup(server)
        before = site.web.log.events.read(site.id)
        assert restore(site.web, restored, now=site.machine.clock).refused == []
        assert site.web.log.events.read(site.id) == before
