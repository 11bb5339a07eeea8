"""A worker killed between any two steps: what is due is done by another, at least once."""

from collections.abc import Iterator
from threading import Event

import pytest
from redis import Redis

from service.core.heartbeat import Heartbeat
from service.core.redis.client import Client
from service.ops.status import QUEUES
from tests.faults.mortal import Act, Steps, deaths, of_games, of_writes
from tests.faults.world import World
from tests.support.servers import SocketServer, bundled_binary, running
from workers import jobs
from workers import queue as queues
from workers.leases import LEASE
from workers.queue import JobQueue
from workers.relay import JobQueues, Relay

DAY = 24 * 3600


@pytest.fixture(scope="module")
def redis_server() -> Iterator[SocketServer]:
    """A server of its own: this package's web processes show their heartbeat in the other, and
    nobody loses on time while a worker shows none."""
    with running(bundled_binary()) as server:
        yield server


@pytest.fixture
def world(redis: Client, monkeypatch: pytest.MonkeyPatch) -> World:
    world = World(redis)
    monkeypatch.setattr(jobs, "get_context", lambda: world.context)
    return world


class Worker:
    """What one worker process does, a part at a time."""

    def __init__(self, world: World, queue: Redis) -> None:
        self._world, self._queue = world, queue

    def relay(self) -> None:
        """From what is due to jobs in the queue."""
        world, heartbeat = self._world, Heartbeat(self._world.redis, self._world.clock)
        context = world.context
        queues = JobQueues(*(JobQueue(self._queue, name, 30) for name in QUEUES))
        log, sending = context.container.log, context.container.send_limits
        leases, data = context.leases, context.container.settings.data
        Relay(log, sending, leases, queues, heartbeat, "worker", data, world.clock).poll()

    def work(self) -> None:
        """Do the jobs in the queue."""
        for queue in QUEUES:
            queues.Worker(self._queue, queue, Event()).drain()

    def do_all(self) -> None:
        """As a process that has been started after another's death, when its leases have ended."""
        for _ in range(2):  # what a clock does is to be told by mail
            self._world.clock.time += LEASE
            self.relay()
            self.work()


@pytest.fixture
def worker(world: World, redis_server: SocketServer) -> Worker:
    return Worker(world, Redis.from_url(redis_server.url))


def prepare(world: World) -> dict[str, str]:
    """Mail to be sent, a clock that has run out, a log to compact; the games, by what is due."""
    resigned = world.begun()
    world.send("Bob", f"/games/{resigned['id']}/resignation", {})
    world.relay_all()
    late = world.begun(clock={"days_per_move": 7})
    world.relay_all()
    world.clock.time += 7 * DAY
    played = world.begun()
    world.send("Ann", f"/games/{played['id']}/turns", {"actions": played["legal"][:1]})
    return {"pack": resigned["id"], "time out": late["id"], "mail": played["id"]}


def test_a_dead_relay_is_made_up_for_by_the_next(world: World, worker: Worker) -> None:
    check_deaths(world, worker, worker.relay, of_writes, prepare(world))


def test_a_job_s_dead_worker_is_made_up_for_by_the_next(world: World, worker: Worker) -> None:
    games = prepare(world)
    worker.relay()
    check_deaths(world, worker, worker.work, of_games, games)


def check_deaths(
    world: World, worker: Worker, act: Act, steps: Steps, games: dict[str, str]
) -> None:
    before = world.keep()

    def again() -> Act:
        world.go_back_to(before)
        return act

    died = 0
    for _ in deaths(again, steps):
        died += 1
        worker.do_all()
        assert_all_done(world, games)
    assert died >= 10, "there are steps between which to die"
    worker.do_all()
    assert_all_done(world, games)


def assert_all_done(world: World, games: dict[str, str]) -> None:
    world.check()
    compacted, late, played = (world.load(games[name]) for name in ("pack", "time out", "mail"))
    (log_key,) = world.redis.scan_iter(f"*{compacted.id}:log")
    assert world.redis.type(log_key) == "string"
    ended = [line["type"] for line in world.store.games.history.lines(late, None)]
    assert ended.count("timed_out") == 1
    assert (late.game.winner, late.game.reason) == ("south", "time-out")
    assert all(world.mailed(late.id, late.version, name, "over") for name in ("Ann", "Bob"))
    assert world.mailed(played.id, played.version, "Bob", "turn")
    assert [notice.id for notice in world.store.log.outbox.pending() if ".mail." in notice.id] == []
    assert world.store.log.deadlines.claim(limit=9, lease=0) == []
