"""The server under test: its processes by role, and its store."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from redis import Redis

from service.server.embedded import running_url
from tests.support.processes import Running


class Server:
    """A whole Scottenbury as `make run` starts it, on one port through all restarts."""

    def __init__(self, data: Path, env: dict[str, str]) -> None:
        self.data, self._env = data, env
        self._running = Running(data, **env).ready()
        self.port = self._running.port
        self._env["SCOTTENBURY_PORT"] = str(self.port)

    @property
    def redis_url(self) -> str:
        return str(running_url(self.data))

    def pids(self, role: str) -> Sequence[int]:
        """The living processes of a role: `redis`, `worker`, `web` or `web worker`."""
        found = self._running
        web = found.pids("http_server")
        match role:
            case "redis":
                return [*found.pids("valkey"), *found.pids("redis-server")][:1]
            case "worker":
                return found.pids("-m workers")
            case "web":
                return web[:1]
            case _:
                return web[1:]

    def alive(self) -> bool:
        """Whether its supervisor lives."""
        return self._running.process.poll() is None

    def is_ready(self) -> bool:
        """Whether it answers, and its store too."""
        return self._running.status("/readyz") == 200

    def restart(self) -> None:
        """Kill all processes, and start anew."""
        self.stop()
        self.start()

    def start(self) -> None:
        self._running = Running(self.data, **self._env).ready()

    def stop(self) -> None:
        self._running.kill_all()

    @contextmanager
    def redis(self) -> Iterator[Redis]:
        """A client of its store, to do harm to it."""
        with Redis.from_url(self.redis_url, socket_timeout=2) as redis:
            yield redis


def children(pid: int) -> list[int]:
    """The processes that this one has started and that live."""
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
