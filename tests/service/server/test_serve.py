"""`scottenbury serve` in processes of its own: started, stopped, killed and hindered."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from service.core.redis.client import connect
from tests.support.ports import free_port
from tests.support.processes import COMMAND, Running, clean_environment
from tests.support.servers import SocketServer
from tests.support.waiting import PATIENCE, until

Start = Callable[..., Running]


@contextmanager
def starting() -> Iterator[Start]:
    """Starts servers, with one web process unless told otherwise, that are gone afterwards."""
    with ExitStack() as stack:

        def run(data: Path, **env: str) -> Running:
            server = Running(data, **{"SCOTTENBURY_WEB_WORKERS": "1", **env})
            stack.callback(server.kill_all)
            return server

        yield run


@pytest.fixture
def start() -> Iterator[Start]:
    with starting() as start:
        yield start


@pytest.fixture(scope="module")
def served() -> Iterator[Running]:
    """A server with two web processes, which outlives what the tests do to it."""
    # Not pytest's tmp_path: a socket's path may hold no more than about a hundred characters.
    with TemporaryDirectory(prefix="st-") as folder, starting() as start:
        yield start(Path(folder), SCOTTENBURY_WEB_WORKERS="2").ready()


def registered(server: Running, name: str = "Ada") -> object:
    """A new player's token."""
    return server.post("/v1/players", {"name": name})["token"]


def test_it_keeps_everything_however_it_ends(start: Start, tmp_path: Path) -> None:
    # So deep that the socket finds no room in the data folder, which is made with the key.
    data = tmp_path / "a-rather-long-name-for-a-folder" / "that-holds-the-games-of-many-years" / "d"
    key = {"SCOTTENBURY_SECRET_KEY": "0123456789abcdef" * 4}
    server = start(data, **key).ready()
    assert server.status("/readyz") == 200
    token = registered(server)
    stored = [data, *(path for path in data.rglob("*") if not path.is_symlink())]
    assert any(path.suffix == ".aof" for path in stored)
    assert [path for path in stored if path.stat().st_mode & 0o077] == []
    for number in (signal.SIGINT, signal.SIGTERM):
        os.killpg(server.process.pid, number)
        assert server.ended() == (0, ""), number
        assert server.processes() == {}, number
        server = start(data, **key).ready()
        assert server.status("/v1/games", token) == 200, number
    server.process.kill()
    until(lambda: server.processes() == {})

    # Nobody else has this store, so web and worker agree; but links made before are dead.
    server = start(data, SCOTTENBURY_SECRET_KEY="l" * 40).ready()
    assert server.status("/v1/games", token) == 200
    code, said = server.interrupt()
    assert code == 0
    assert "this store belongs to another secret key" in said
    assert "`scottenbury new-key`" in said


def test_its_web_processes_count_together(served: Running) -> None:
    for _ in range(10):
        assert served.status("/v1/me") == 401
    for _ in range(6):  # whichever of them answers
        with urlopen(f"{served.url}/metrics", timeout=PATIENCE) as answer:
            assert b'scottenbury_problems_total{code="unauthenticated"} 10.0' in answer.read()


STREAMS = 100
MOST_MEMORY = 100
"""KB that a stream may take of the web process while it waits."""


def test_a_waiting_stream_takes_little_memory(start: Start, tmp_path: Path) -> None:
    server = start(tmp_path, SCOTTENBURY_RATE_LIMITS="off").ready()
    headers = {"Authorization": f"Bearer {registered(server)}", "Accept": "text/event-stream"}
    following = Request(f"{server.url}/v1/me/stream", headers=headers)
    with ExitStack() as streams:
        for _ in range(STREAMS // 5):  # whatever the first ones load
            streams.enter_context(urlopen(following, timeout=PATIENCE))
        before = web_memory(server)
        for _ in range(STREAMS):
            streams.enter_context(urlopen(following, timeout=PATIENCE))
        assert (web_memory(server) - before) / STREAMS <= MOST_MEMORY


def web_memory(server: Running) -> int:
    """KB of the web processes; a page that several share counts in parts."""
    rollups = [
        Path(f"/proc/{pid}/smaps_rollup").read_text()
        for pid in server.pids("-m service.server.http_server")
    ]
    return sum(int(text.split("Pss:")[1].split()[0]) for text in rollups)


def test_one_killed_web_worker_is_replaced(served: Running) -> None:
    before = served.pids("-m service.server.http_server")
    os.kill(before[-1], signal.SIGKILL)
    until(lambda: len(set(served.pids("-m service.server.http_server")) - set(before)) == 1)
    assert before[0] in served.pids("-m service.server.http_server")


def test_whatever_dies_is_started_again(served: Running) -> None:
    token = registered(served)
    for part in ("unixsocket:", "-m workers", "-m service.server.http_server"):
        (victim, *_) = served.pids(part)
        os.kill(victim, signal.SIGKILL)
        until(lambda part=part, victim=victim: set(served.pids(part)) - {victim} != set())
        until(lambda: served.status("/v1/games", token) == 200)
    assert "worker was killed by SIGKILL; starting it again" in served.complaints()


def test_a_second_start_on_the_same_folder_is_refused(start: Start, served: Running) -> None:
    # The last of those that share the server: `start` leaves no process of the folder behind.
    code, errors = start(served.data).ended()
    assert code == 1
    assert errors == (
        f"Error: the data folder {served.data} is in use by another scottenbury"
        f" (process {served.process.pid})\n"
    )
    until(lambda: served.status("/healthz") == 200)


def test_a_taken_port_is_refused(start: Start, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server = start(tmp_path, SCOTTENBURY_PORT=str(port))
        assert server.ended() == (
            1,
            f"Error: port {port} on 127.0.0.1 is taken; choose another with SCOTTENBURY_PORT\n",
        )
    assert server.processes() == {}


ROOM = """
import os, shutil
usage = shutil.disk_usage
def disk_usage(path):
    return usage(path)._replace(total=1 << 40, free=os.path.getsize(os.environ["ROOM"]) << 30)
shutil.disk_usage = disk_usage
"""
"""A disk with as many free gigabytes as this file has bytes, for all processes of a server."""


def test_on_a_full_disk_reads_go_on_and_writes_come_back_by_themselves(
    start: Start, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(ROOM)
    room, data = tmp_path / "room", tmp_path / "data"
    env = {"ROOM": str(room), "PYTHONPATH": str(tmp_path)}
    room.write_text("x")
    server = start(data, **env).ready()
    token = registered(server)
    # Today's deal has been drawn.
    until(lambda: server.status("/daily") == 200)

    def refused() -> dict[str, object]:
        with pytest.raises(HTTPError) as answer:
            registered(server, "Bob")
        return dict(json.load(answer.value))

    room.write_text("")
    until(lambda: server.status("/readyz") == 503)
    for _ in range(2):
        assert refused()["code"] == "store-unavailable"
        assert "the disk of Redis is full" in str(refused()["detail"])
        assert [server.status(path, token) for path in ("/v1/me", "/daily")] == [200, 200]
        told = subprocess.run(
            [COMMAND, "doctor", "--mail-wait", "0"],
            env=clean_environment() | env | {"SCOTTENBURY_DATA": str(data)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "it is full, 0 MiB free\n         → Make room" in told.stdout
        (redis,) = server.pids("unixsocket")
        os.kill(redis, signal.SIGKILL)
        until(lambda: server.pids("unixsocket") not in ([], [redis]))  # noqa: B023
        until(lambda: server.status("/v1/me", token) == 200)
    assert server.complaints().count(f"disk of {data}: it is full, 0 MiB free. Make room") == 1

    room.write_text("x")
    until(lambda: server.status("/readyz") == 200)
    assert registered(server, "Bob")


def test_a_redis_out_of_reach_is_named_without_its_password(start: Start, tmp_path: Path) -> None:
    url = f"redis://:sesame@127.0.0.1:{free_port()}/0"
    code, errors = start(tmp_path, SCOTTENBURY_REDIS_URL=url).ended()
    assert code == 1
    assert errors.startswith("Error: SCOTTENBURY_REDIS_URL (redis://127.0.0.1:")
    assert "Redis cannot be reached. Start Redis there, or correct host and port." in errors
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
