"""Jobs as a worker takes and runs them."""

import logging
import threading
from collections.abc import Sequence

import pytest
from redis import Redis
from redis.exceptions import ConnectionError  # noqa: A004

from service.core.redis import failures as reports
from service.ops.status import PLAY
from workers import jobs
from workers.queue import JobQueue, Worker

LEASE_END = 1_800_000_000.0


@pytest.fixture
def queue(queue_redis: Redis) -> JobQueue:
    return JobQueue(queue_redis, PLAY, timeout=5)


def drain(queue_redis: Redis) -> None:
    Worker(queue_redis, PLAY, threading.Event()).drain()


def test_a_job_runs_once_and_leaves_nothing_behind(
    queue: JobQueue, queue_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[object] = []
    monkeypatch.setattr(jobs, "deliver_notices", lambda *of: done.append(of))
    queue.enqueue("deliver_notices", ["a.1.b.mail.turn"], LEASE_END)
    drain(queue_redis)
    drain(queue_redis)
    assert done == [(["a.1.b.mail.turn"], LEASE_END)]
    assert list(queue_redis.scan_iter("rq:job:*")) == []
    assert queue_redis.exists(f"rq:queue:{PLAY}", f"rq:queue:{PLAY}:intermediate") == 0


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (ZeroDivisionError("none"), "ERROR job time_out-one-1800000000000 failed"),
        (
            ConnectionError("it is away"),
            "WARNING job time_out-one-1800000000000 waits: Redis cannot be reached (it is away)",
        ),
    ],
)
def test_a_job_that_fails_is_logged_and_the_next_one_runs(
    trouble: Exception,
    said: str,
    queue: JobQueue,
    queue_redis: Redis,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    done: list[Sequence[str]] = []

    def fail(game: str, lease_end: float) -> None:
        raise trouble

    monkeypatch.setattr(reports, "_last", {})  # as if nothing had been reported lately
    monkeypatch.setattr(jobs, "time_out", fail)
    monkeypatch.setattr(jobs, "deliver_notices", lambda notices, end: done.append(notices))
    queue.enqueue("time_out", "one", LEASE_END)
    queue.enqueue("deliver_notices", ["a.1.b.mail.turn"], LEASE_END)
    with caplog.at_level(logging.WARNING, "workers.queue"):
        drain(queue_redis)
    assert done == [["a.1.b.mail.turn"]]
    assert [f"{one.levelname} {one.getMessage()}" for one in caplog.records] == [said]
