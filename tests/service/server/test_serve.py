"""`scottenbury serve` in processes of its own: started, stopped, killed and hindered."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from service.core.redis.client import connect
from tests.support.ports import free_port
from tests.support.processes import Running
from tests.support.servers import SocketServer
from tests.support.waiting import until

Start = Callable[..., Running]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts servers that are gone after the test."""
    started: list[Running] = []

    def run(data: Path, **env: str) -> Running:
        started.append(Running(data, **env))
        return started[-1]

    yield run
    for server in started:
        server.kill_all()


def registered(server: Running) -> object:
    """A new player's token."""
    return server.post("/v1/players", {"name": "Ada"})["token"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_cleanly_and_keeps_everything(start: Start, tmp_path: Path, number: int) -> None:
    tmp_path.chmod(0o755)
    server = start(tmp_path).ready()
    token = registered(server)
    kept = [path for path in tmp_path.rglob("*") if not path.is_symlink()]
    assert any(path.suffix == ".aof" for path in kept)
    assert [path for path in kept if path.stat().st_mode & 0o077] == []
    os.killpg(server.process.pid, number)
    assert server.ended() == (0, "")
    assert server.processes() == {}

    again = start(tmp_path).ready()
    assert again.status("/v1/games", token) == 200


def test_whatever_dies_is_started_again(start: Start, tmp_path: Path) -> None:
    server = start(tmp_path).ready()
    token = registered(server)
    for part in ("unixsocket:", "-m workers", "-m service.server.http_server"):
        (victim, *_) = server.pids(part)
        os.kill(victim, signal.SIGKILL)
        until(lambda part=part, victim=victim: set(server.pids(part)) - {victim} != set())
        until(lambda: server.status("/v1/games", token) == 200)
    assert "worker was killed by SIGKILL; starting it again" in server.interrupt()[1]


def test_one_killed_web_worker_is_replaced(start: Start, tmp_path: Path) -> None:
    server = start(tmp_path).ready()
    before = server.pids("-m service.server.http_server")
    os.kill(before[-1], signal.SIGKILL)
    until(lambda: len(set(server.pids("-m service.server.http_server")) - set(before)) == 1)
    assert before[0] in server.pids("-m service.server.http_server")


def test_its_web_processes_count_together(start: Start, tmp_path: Path) -> None:
    server = start(tmp_path, SCOTTENBURY_WEB_WORKERS="2").ready()
    for _ in range(10):
        assert server.status("/v1/me") == 401
    for _ in range(6):  # whichever of them answers
        with urlopen(f"{server.url}/metrics", timeout=10) as answer:
            assert b'scottenbury_problems_total{code="unauthenticated"} 10.0' in answer.read()


def test_a_killed_supervisor_leaves_nothing_running_and_nothing_lost(
    start: Start, tmp_path: Path
) -> None:
    # So deep that the socket finds no room in the data folder.
    data = tmp_path / "a-rather-long-name-for-a-folder" / "that-holds-the-games-of-many-years" / "d"
    server = start(data).ready()
    token = registered(server)
    server.process.kill()
    until(lambda: server.processes() == {})

    again = start(data).ready()
    assert again.status("/v1/games", token) == 200


def test_a_second_start_on_the_same_folder_is_refused(start: Start, tmp_path: Path) -> None:
    first = start(tmp_path).ready()
    code, errors = start(tmp_path).ended()
    assert code == 1
    assert errors == (
        f"Error: the data folder {tmp_path} is in use by another scottenbury"
        f" (process {first.process.pid})\n"
    )
    assert first.status("/healthz") == 200


def test_a_given_secret_key_needs_no_folder_that_is_there(start: Start, tmp_path: Path) -> None:
    """Only making the key made the folder."""
    data = tmp_path / "new" / "data"
    server = start(data, SCOTTENBURY_SECRET_KEY="0123456789abcdef" * 4).ready()
    assert server.status("/readyz") == 200
    assert data.stat().st_mode & 0o077 == 0


def test_its_own_store_under_another_key_is_served_with_a_warning(
    start: Start, tmp_path: Path
) -> None:
    """Nobody else has this store, so web and worker agree; but links made before are dead."""
    start(tmp_path, SCOTTENBURY_SECRET_KEY="k" * 40).ready().interrupt()
    code, said = start(tmp_path, SCOTTENBURY_SECRET_KEY="l" * 40).ready().interrupt()
    assert code == 0
    assert "this store belongs to another secret key" in said
    assert "`scottenbury new-key`" in said


def test_a_taken_port_is_refused(start: Start, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server = start(tmp_path, SCOTTENBURY_PORT=str(port))
        assert server.ended() == (
            1,
            f"Error: port {port} on 127.0.0.1 is taken; choose another with SCOTTENBURY_PORT\n",
        )
    assert server.processes() == {}


def test_a_redis_out_of_reach_is_named_without_its_password(start: Start, tmp_path: Path) -> None:
    url = f"redis://:sesame@127.0.0.1:{free_port()}/0"
    code, errors = start(tmp_path, SCOTTENBURY_REDIS_URL=url).ended()
    assert code == 1
    assert errors.startswith("Error: Redis cannot be reached (redis://127.0.0.1:")
    assert "sesame" not in errors
    assert errors.count("\n") == 1


def test_a_redis_that_cannot_read_its_file_says_so_and_leaves_it(
    start: Start, tmp_path: Path
) -> None:
    manifest = tmp_path / "appendonlydir" / "appendonly.aof.manifest"
    manifest.parent.mkdir()
    manifest.write_text("this is no manifest\n")
    server = start(tmp_path)
    code, errors = server.ended()
    assert code == 1
    assert errors.startswith("Error: redis ended (1) while starting: ")
    assert errors.count("\n") == 1
    assert manifest.read_text() == "this is no manifest\n"
    assert server.processes() == {}


def test_a_bad_setting_is_refused(start: Start, tmp_path: Path) -> None:
    code, errors = start(tmp_path, SCOTTENBURY_PORT="99999").ended()
    assert code == 1
    assert errors.startswith("Error: SCOTTENBURY_PORT is wrong: ")
    assert errors.count("\n") == 1


def test_a_redis_that_may_lose_games_is_told_at_start(
    start: Start, tmp_path: Path, redis_server: SocketServer
) -> None:
    with connect(redis_server.url) as redis:
        redis.flushall()
        redis.config_set("maxmemory-policy", "allkeys-lru")
        redis.config_set("appendfsync", "always")
        try:
            server = start(tmp_path, SCOTTENBURY_REDIS_URL=redis_server.url).ready()
        finally:
            redis.config_set("maxmemory-policy", "noeviction")
            redis.config_set("appendfsync", "no")
    code, errors = server.interrupt()
    assert code == 0
    assert "Set `maxmemory-policy noeviction`" in errors
    assert "append-only" not in errors
