"""What others, or an earlier version, put into the queues."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from redis import Redis
from rq import Queue

from service.ops.status import FORMER, QUEUES, queue_named
from tests.support.clock import Clock
from tests.workers.jobs_in_queue import work
from tests.workers.match import Match
from workers.leases import LEASE
from workers.queue import Worker, forget_former_queue
from workers.relay import Relay


class TestForeignJobs:
    """What others, or an earlier version, put into the queues."""

    def hands(self, queue_redis: Redis, queue: str) -> Worker:
        return Worker(queue_redis, queue, threading.Event())

    @pytest.mark.parametrize("queue", QUEUES)
    def test_a_pickle_is_dropped_unread(
        self, queue_redis: Redis, queue: str, tmp_path: Path, worked: None
    ) -> None:
        trace = tmp_path / "trace"
        Queue(queue, connection=queue_redis).enqueue("os.mkdir", str(trace))
        Queue(queue, connection=queue_redis).enqueue(Evil(str(trace)))
        queue_named(queue, queue_redis).enqueue("os.mkdir", str(trace))

        self.hands(queue_redis, queue).drain()

        assert not trace.exists()
        assert list(queue_redis.scan_iter("rq:job:*")) == []
        assert queue_redis.exists(f"rq:queue:{queue}", f"rq:queue:{queue}:intermediate") == 0

    def test_what_an_earlier_version_queued_is_dropped_unread_and_due_again(
        self, the_relay: Relay, match: Match, queue_redis: Redis, clock: Clock, worked: None
    ) -> None:
        match.play("R4@3")
        (notice,) = match.context.container.log.outbox.claim(1, LEASE)
        former = Queue(FORMER, connection=queue_redis)
        former.enqueue("workers.jobs.deliver", notice, clock.time + LEASE, unique=True, job_id="x")

        forget_former_queue(queue_redis)

        assert former.count == 0
        assert list(queue_redis.scan_iter("rq:job:*")) == []
        clock.time += LEASE
        the_relay.poll()
        assert work(queue_redis) == ["sent"]


class Evil:
    """Does something as soon as it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (self.path,)

    def __call__(self) -> None:
        """Never reached."""
