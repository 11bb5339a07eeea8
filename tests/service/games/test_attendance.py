"""Nobody loses on time while the server itself is out of order; real Redis, a clock that is set."""

import json
from types import MappingProxyType
from typing import Any

import pytest

from service.container import Container, build
from service.core.redis.client import Client
from service.core.timestamps import timestamp
from service.games import NewGame, StoredGame
from tests.support.clock import NOON, Machine
from tests.support.settings import settings
from tests.support.telling import tell_all

DAY = 86400
A_DAY = MappingProxyType({"days_per_move": 1})


class Site:
    """Web and worker of one server, and a game in which Ann has a day for her move."""

    def __init__(self, redis: Client, clock: Any = A_DAY, **changes: object) -> None:
        self.machine = Machine()
        self.settings = settings(**changes)
        self.web, self.worker = (self.process(redis) for _ in range(2))
        ann, bob = (self.web.players.register_guest(name).player.id for name in ("Ann", "Bob"))
        made = self.web.games.create(
            ann, NewGame(first_player="creator", clock=clock and dict(clock))
        )
        invite = self.web.games.invitations.token(made.id)
        self.id = self.web.games.join(made.id, bob, invite=invite).id
        tell_all(self.web)
        self.ann, self.bob = ann, bob
        self.beat()

    def process(self, redis: Client) -> Container:
        return build(self.settings, redis, self.machine.clock, monotonic=self.machine.monotonic)

    def beat(self, web: bool = True, worker: bool = True) -> None:
        if web:
            self.web.outages.beat("web")
        if worker:
            self.worker.outages.beat("worker")

    def run(self, seconds: float, web: bool = True, worker: bool = True) -> None:
        """Let time pass in which web, worker or both give their signs of life."""
        self.machine.run(seconds)
        steadily = {"web": web, "worker": worker}
        for role in (role for role, is_well in steadily.items() if is_well):
            self.web.redis.hset("st:{outages}:last", role, str(self.machine.clock.time))
        self.beat(web, worker)

    def legal(self, player: str) -> list[str]:
        return list(self.web.games.view(self.web.games.load(self.id), player)["legal"])

    def looked_at(self) -> StoredGame:
        return self.web.games.current(self.id)

    def moments(self) -> list[str]:
        return [json.loads(text)["at"] for text in self.web.log.events.read(self.id)]


@pytest.fixture
def site(redis: Client) -> Site:
    return Site(redis)


def test_a_server_in_order_ends_the_game_on_time(site: Site) -> None:
    site.run(DAY - 1)
    assert site.worker.games.time_out(site.id) is None
    site.machine.run(1)
    ended = site.worker.games.time_out(site.id)
    assert ended is not None
    assert ended.game.reason == "time-out"


@pytest.mark.parametrize(("web", "worker"), [(False, True), (True, False), (False, False)])
def test_nothing_ends_while_web_or_worker_is_silent(site: Site, web: bool, worker: bool) -> None:
    site.run(DAY - 100)
    site.run(300, web, worker)
    assert site.worker.games.time_out(site.id) is None
    assert not site.looked_at().game.over


def test_nothing_ends_by_a_clock_that_has_just_jumped(site: Site) -> None:
    site.run(DAY - 30)
    site.machine.run(5)
    site.machine.set_clock(40)
    assert not site.looked_at().game.over
    assert site.worker.games.time_out(site.id) is None


def test_no_event_is_earlier_than_the_one_before_it(site: Site) -> None:
    site.run(600)
    stored = site.web.games.play(site.id, site.ann, site.legal(site.ann)[:1])
    site.machine.set_clock(-3600)
    for reader in (site.web, site.process(site.web.redis)):
        assert reader.games.load(site.id).latest == timestamp(NOON + 600)
    site.web.games.play(site.id, site.bob, site.legal(site.bob)[:1])
    assert site.moments() == sorted(site.moments())
    assert site.moments()[stored.version] == timestamp(NOON + 600)
    # Nobody has less time by it.
    assert site.looked_at().deadline == NOON + 600 + DAY
