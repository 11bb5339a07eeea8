"""What an operator reads of a store that does not serve: its cause, in one line a minute."""

import logging
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from redis.exceptions import (
    AuthenticationError,
    ClusterDownError,
    ConnectionError,  # noqa: A004
    InvalidResponse,
    MasterDownError,
    MovedError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
    TimeoutError,  # noqa: A004
)

from service.core.redis.client import Client, unavailable
from service.core.redis.failures import about_url, cause_of, report
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
        (OutOfMemoryError("command not allowed"), "the memory of Redis is full (its maxmemory)"),
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


def test_a_store_without_room_is_told_from_one_without_replicas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused, away = ResponseError("NOREPLICAS Not enough good replicas"), ConnectionError("refused")
    monkeypatch.setenv("SCOTTENBURY_DATA", str(tmp_path))
    assert cause_of(refused) == "Redis has too few replicas"
    usage = shutil.disk_usage(tmp_path)._replace(total=1 << 40, free=1 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    assert cause_of(refused) == "the disk of Redis is full"
    assert cause_of(away) == "Redis cannot be reached, and the disk is full"


@pytest.mark.parametrize(
    ("url", "error", "cause", "remedy"),
    [
        (
            "redis://nohost.invalid:6379",
            ConnectionError(
                "Error -2 connecting to nohost.invalid:6379. Name or service not known."
            ),
            "its host name leads nowhere",
            "Correct the host name.",
        ),
        (
            "redis://127.0.0.1:1",
            ConnectionError("Error 111 connecting to 127.0.0.1:1. Connection refused."),
            "Redis cannot be reached",
            "Start Redis there, or correct host and port.",
        ),
        (
            "redis://somebody:sesame@127.0.0.1:1",
            AuthenticationError("invalid username-password pair or user is disabled."),
            "Redis refuses the password",
            "Write it as SCHEME://USER:PASSWORD@HOST; the user may be empty.",
        ),
        (
            "redis://127.0.0.1:1",
            AuthenticationError("HELLO must be called with the client already authenticated"),
            "Redis refuses the password",
            "Write it as SCHEME://USER:PASSWORD@HOST; the user may be empty.",
        ),
        (
            "redis://127.0.0.1:1",
            ConnectionError("Error while reading from 127.0.0.1:1: Connection reset by peer"),
            "Redis cannot be reached",
            "If it expects TLS, write rediss:// instead of redis://.",
        ),
        (
            "rediss://127.0.0.1:1",
            TimeoutError("Timeout connecting to server"),
            "Redis does not answer in time",
            "If it speaks no TLS, write redis:// instead of rediss://.",
        ),
        (
            "rediss://127.0.0.1:1",
            ConnectionError("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed"),
            "the certificate of Redis is not trusted",
            "ssl_ca_certs=FILE",
        ),
        (
            "redis://127.0.0.1:1",
            InvalidResponse('Protocol error, got "H" as reply type byte'),
            "what answers there is not Redis",
            "Correct host and port.",
        ),
        (
            "redis-cluster://nohost.invalid:7000",
            RedisClusterException("Please provide at least one node: Name or service not known."),
            "its host name leads nowhere",
            "Correct the host name.",
        ),
        ("redis://h?foo=bar", TypeError("got 'foo'"), "it cannot be read", "follows the host"),
    ],
)
def test_a_url_that_does_not_work_is_named_with_its_remedy_and_without_its_password(
    url: str, error: Exception, cause: str, remedy: str
) -> None:
    line = about_url("SCOTTENBURY_REDIS_URL", url, error)
    shown = url.replace("somebody:sesame@", "").partition("?")[0]
    assert line.startswith(f"SCOTTENBURY_REDIS_URL ({shown}): {cause}")
    assert remedy in line
    assert "sesame" not in line
    assert "\n" not in line


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
