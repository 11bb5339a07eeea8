"""A backup as an operator makes it: of one running server, into others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import Result

from service.core.heartbeat import Heartbeat
from service.core.redis.client import connect
from service.server import embedded
from tests.cli import runner
from tests.support.processes import COMMAND, ROOT, Running
from tests.support.servers import bundled_binary, running
from tests.support.waiting import until

RECORD = ROOT / "tests" / "golden" / "bga+expert-played-0.jsonl"


def run(data: Path, *arguments: object, **env: str) -> Result:
    """A command of the operator on the server of this data folder, or on an external one."""
    return runner.run(*arguments, SCOTTENBURY_DATA=str(data), **env)


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[Running, Running]]:
    """A server with a secret key of its own, and another one."""
    with ExitStack() as stack:
        started = []
        for name, *options in (("one",), ("other", "--web-only")):
            command = (COMMAND, "serve", *options)
            started.append(Running(tmp_path / name, command, SCOTTENBURY_WEB_WORKERS="1"))
            stack.callback(started[-1].kill_all)
        one, other = (server.ready() for server in started)
        yield one, other


def test_from_one_server_into_another_and_into_an_external_redis(
    servers: tuple[Running, Running], tmp_path: Path
) -> None:
    one, other = servers
    file = tmp_path / "backup"
    ada = one.post("/v1/players", {"name": "Ada"})["token"]
    with connect(embedded.running_url(one.data) or "") as redis:
        until(lambda: Heartbeat(redis).base_url() is not None)
    imported = run(one.data, "import", RECORD)
    assert imported.stdout.startswith(f"{one.url}/games/"), imported.stderr

    assert run(one.data, "backup", file).exit_code == 0
    assert file.stat().st_mode & 0o077 == 0
    anew = other.post("/v1/players", {"name": "Ada"})["token"]
    refused = run(other.data, "restore", file)
    assert (refused.exit_code, refused.stderr.count("--trust-foreign-backup")) == (1, 1)
    assert other.status("/v1/me", ada) == 401
    for _ in range(2):
        done = run(other.data, "restore", file, "--trust-foreign-backup")
        assert (done.exit_code, done.stdout.split(",")[0]) == (0, "In the store: 1 game")
    assert other.status("/v1/me", ada) == other.status("/v1/me", anew) == 200
    assert other.status(imported.stdout.strip().removeprefix(one.url)) == 200

    with running(bundled_binary()) as redis:
        done = run(one.data, "restore", file, SCOTTENBURY_REDIS_URL=redis.url)
        assert done.exit_code == 0, done.stderr
        again = run(one.data, "backup", tmp_path / "again", SCOTTENBURY_REDIS_URL=redis.url)
        assert "holds 1 game," in again.stdout
