"""What an operator reads of a store that does not serve: its cause, in one line a minute."""

import logging
from collections.abc import Callable

import pytest
from redis.exceptions import (
    ClusterDownError,
    ConnectionError,  # noqa: A004
    MasterDownError,
    MovedError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
    TimeoutError,  # noqa: A004
)

from service.core.redis.client import Client, unavailable
from service.core.redis.failures import cause_of, report
from tests.support.clock import Clock

log = logging.getLogger("failures")

FULL = "MISCONF Errors writing to the AOF file: No space left on device"
SNAPSHOT = "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist"


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (ResponseError(FULL), "the disk of Redis is full"),
        (ResponseError(SNAPSHOT), "Redis cannot write to its disk"),
        (
            ResponseError(f"Command # 1 (SET a b) of pipeline caused error: {SNAPSHOT}"),
            "Redis cannot write to its disk",
        ),
        (
            ResponseError(f"ERR Error running script: @user_script:1: -{SNAPSHOT}"),
            "Redis cannot write to its disk",
        ),
        (ResponseError("NOREPLICAS Not enough good replicas"), "Redis has too few replicas"),
        (OutOfMemoryError("command not allowed"), "the memory of Redis is full"),
        (ReadOnlyError("You can't write"), "Redis is a replica, which takes no writes"),
        (
            MasterDownError("Link with MASTER is down and replica-serve-stale-data is 'no'"),
            "Redis is a replica without its master",
        ),
        (ClusterDownError("The cluster is down"), "the Redis cluster is down"),
        (
            MovedError("7000 127.0.0.1:7002"),
            "a Redis cluster is given as a single server (use redis-cluster://)",
        ),
        (
            RedisClusterException("ERROR sending 'cluster slots': Cluster mode is not enabled"),
            "a single Redis server is given as a cluster (use redis://)",
        ),
        (ConnectionError("refused"), "Redis cannot be reached"),
        (TimeoutError("no answer"), "Redis does not answer in time"),
    ],
)
def test_each_refusal_of_the_store_has_a_cause_and_may_pass(error: Exception, cause: str) -> None:
    assert cause_of(error) == cause
    assert unavailable(error)


def test_a_server_that_refuses_writes_is_understood_in_a_command_a_pipeline_and_a_script(
    redis: Client,
) -> None:
    script = redis.register_script("return redis.call('SET', KEYS[1], '1')")

    def pipelined() -> None:
        with redis.pipeline(transaction=False) as pipeline:
            pipeline.set("a", "1")
            pipeline.execute()

    writes: list[Callable[[], object]] = [
        lambda: redis.set("a", "1"),
        pipelined,
        lambda: script(keys=["a"]),
    ]
    redis.config_set("min-replicas-to-write", 1)
    try:
        for write in writes:
            with pytest.raises(ResponseError) as failure:
                write()
            assert unavailable(failure.value)
            assert cause_of(failure.value) == "Redis has too few replicas"
    finally:
        redis.config_set("min-replicas-to-write", 0)


def test_one_trouble_is_one_line_a_minute(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    def told() -> list[str]:
        lines = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return lines

    for second in range(60):
        report(log, f"request {second} waits", ResponseError(FULL), clock)
        clock.time += 0.9
    assert told() == [f"request 0 waits: the disk of Redis is full ({FULL})"]

    report(log, "another", ReadOnlyError("You\ncan't write"), clock)
    assert told() == ["another: Redis is a replica, which takes no writes (You can't write)"]

    clock.time += 10
    report(log, "still", ResponseError(FULL), clock)
    assert told() == [f"still: the disk of Redis is full ({FULL})"]
