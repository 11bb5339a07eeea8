"""Nobody loses on time while the server itself is out of order; real Redis, a clock that is set."""

import pytest

from service.core.redis.client import Client
from service.core.times import timestamp
from tests.service.games.unattended import DAY, UnattendedGame
from tests.support.clock import NOON


@pytest.fixture
def site(redis: Client) -> UnattendedGame:
    return UnattendedGame(redis)


def test_a_server_in_order_ends_the_game_on_time(site: UnattendedGame) -> None:
    site.run(DAY - 1)
    assert site.worker.games.time_out(site.id) is None
    site.machine.run(1)
    ended = site.worker.games.time_out(site.id)
    assert ended is not None
    assert ended.game.reason == "time-out"


@pytest.mark.parametrize(("web", "worker"), [(False, True), (True, False), (False, False)])
def test_nothing_ends_while_web_or_worker_is_silent(
    site: UnattendedGame, web: bool, worker: bool
) -> None:
    site.run(DAY - 100)
    site.run(300, web, worker)
    assert site.worker.games.time_out(site.id) is None
    assert not site.looked_at().game.over


def test_nothing_ends_by_a_clock_that_has_just_jumped(site: UnattendedGame) -> None:
    site.run(DAY - 30)
    site.machine.run(5)
    site.machine.set_clock(40)
    assert not site.looked_at().game.over
    assert site.worker.games.time_out(site.id) is None


def test_no_event_is_earlier_than_the_one_before_it(site: UnattendedGame) -> None:
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
