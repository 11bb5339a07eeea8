"""From what falls due to jobs in the queue, and to what the jobs do."""

import threading
from typing import cast

import pytest
from redis import Redis
from rq import Queue, SimpleWorker
from rq.job import Job

from service.connections import Client
from service.games import StoredGame
from service.heartbeat import Heartbeat
from service.mailbox import Mailbox
from tests.servers import Server
from tests.service.clock import Clock
from tests.workers.conftest import Match, begin
from workers import jobs, relay
from workers.jobs import TIMEOUT
from workers.office import Office
from workers.queue import NAME, Transport
from workers.relay import BACKLOG, LEASE, Relay

DAY = 24 * 3600


@pytest.fixture
def queue_redis(redis: Client, redis_server: Server) -> Redis:
    """The queue's client of the server that `redis` has emptied."""
    return Redis.from_url(redis_server.url)


@pytest.fixture
def the_relay(office: Office, queue_redis: Redis, redis: Client, clock: Clock) -> Relay:
    heartbeat = Heartbeat(redis, clock)
    return Relay(office.log, Transport(queue_redis), heartbeat, "worker-1", clock)


@pytest.fixture
def worked(office: Office, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are done with this test's office and clock."""
    monkeypatch.setattr(jobs, "own_office", lambda: office)
    monkeypatch.setattr(jobs.time, "time", clock)


def queued(queue_redis: Redis) -> list[Job]:
    return cast(list[Job], Queue(NAME, connection=queue_redis).jobs)


def work(queue_redis: Redis) -> list[str]:
    """Do the queued jobs; what each told."""
    waiting = queued(queue_redis)
    SimpleWorker([NAME], connection=queue_redis).work(burst=True, logging_level="CRITICAL")
    return [str(job.return_value(refresh=True)) for job in waiting]


def test_a_due_notice_becomes_one_job(
    the_relay: Relay, match: Match, queue_redis: Redis, clock: Clock
) -> None:
    match.play("R4@3")
    (notice,) = match.due()

    assert the_relay.look() == 1
    assert the_relay.look() == 0

    (job,) = queued(queue_redis)
    assert job.func_name == "workers.jobs.deliver"
    assert job.args == (notice, clock.time + LEASE)


def test_a_job_that_was_lost_falls_due_again(
    the_relay: Relay,
    match: Match,
    queue_redis: Redis,
    clock: Clock,
    mailbox: Mailbox,
    worked: None,
) -> None:
    match.play("R4@3")
    the_relay.look()
    queue_redis.delete(*[job.key for job in queued(queue_redis)], f"rq:queue:{NAME}")

    clock.time += LEASE
    assert the_relay.look() == 1

    assert work(queue_redis) == ["sent"]
    assert len(mailbox.newest()) == 1
    assert match.due() == []


def test_a_job_that_comes_too_late_leaves_it_to_the_next(
    the_relay: Relay, match: Match, queue_redis: Redis, clock: Clock, worked: None
) -> None:
    match.play("R4@3")
    the_relay.look()
    clock.time += LEASE - TIMEOUT + 1
    assert work(queue_redis) == ["too late"]

    clock.time += TIMEOUT
    the_relay.look()

    assert work(queue_redis) == ["sent"]


def test_a_job_that_the_client_library_sends_twice_is_queued_once(
    queue_redis: Redis, clock: Clock
) -> None:
    transport = Transport(queue_redis)

    transport.carry("deliver", "g.1.p.mail.turn", clock.time, TIMEOUT)
    transport.carry("deliver", "g.1.p.mail.turn", clock.time, TIMEOUT)

    assert transport.waiting() == 1


def test_no_more_is_claimed_than_can_be_worked_within_the_lease(
    the_relay: Relay, match: Match, queue_redis: Redis, clock: Clock
) -> None:
    match.play("R4@3")
    transport = Transport(queue_redis)
    for number in range(BACKLOG):
        transport.carry("deliver", f"g.{number}.p.mail.turn", clock.time, TIMEOUT)

    assert the_relay.look() == 0


def timed_out(match: Match) -> StoredGame:
    stored = match.now()
    assert stored.game.over
    return stored


def test_a_player_out_of_time_loses_by_the_clock(
    the_relay: Relay, office: Office, queue_redis: Redis, clock: Clock, worked: None
) -> None:
    match = begin(office, days_per_move=1)
    clock.time += DAY

    the_relay.look()
    assert work(queue_redis) == ["timed-out"]

    stored = timed_out(match)
    assert (stored.game.winner, stored.game.reason) == ("south", "time-out")
    line = office.games.events(stored, None)[-3]
    assert (line["type"], line["via"]) == ("timed_out", "clock")


def test_a_player_who_moves_at_the_last_moment_does_not_lose(
    the_relay: Relay, office: Office, queue_redis: Redis, clock: Clock, worked: None
) -> None:
    match = begin(office, days_per_move=1)
    clock.time += DAY
    the_relay.look()
    match.play("R4@3")

    assert work(queue_redis) == ["in-time"]
    assert not match.now().game.over


def test_the_relay_gives_signs_of_life(
    the_relay: Relay, redis: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_once(the_relay, monkeypatch)
    clock.time += 7

    assert Heartbeat(redis, clock).ages() == {"worker-1": 7}


def test_the_relay_survives_any_trouble(
    the_relay: Relay, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> int:
        raise ConnectionError("Redis is away")

    monkeypatch.setattr(the_relay, "look", fail)
    run_once(the_relay, monkeypatch)

    assert "Redis is away" in caplog.text


def run_once(the_relay: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run until the relay would pause for the first time."""
    stop = threading.Event()
    monkeypatch.setattr(stop, "wait", lambda period: stop.set())
    the_relay.run(stop)


def test_a_worker_long_silent_is_forgotten(redis: Client, clock: Clock) -> None:
    heartbeat = Heartbeat(redis, clock)
    heartbeat.beat("old")
    clock.time += 2 * 3600
    heartbeat.beat("new")
    assert heartbeat.ages() == {"new": 0}

    heartbeat.stop("new")
    assert heartbeat.ages() == {}


def test_the_relay_looks_at_least_twice_a_second() -> None:
    assert relay.PERIOD <= 0.5
