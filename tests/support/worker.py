"""`python -m workers`, for tests; and the jobs of a queue without it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from tests.support.processes import clean_environment
from tests.support.waiting import PATIENCE


class _UnorderedWorker(SimpleWorker):
    """A worker that nobody gives orders to: it takes a second to stop listening for them."""

    def subscribe(self) -> None:
        """Listen to nobody."""

    def unsubscribe(self) -> None:
        """There is nothing to be ended."""

    def _install_signal_handlers(self) -> None:
        """Leave those of the tests' own process."""


def do_jobs(redis: Redis, queue: str) -> None:
    """Do what is queued, in this thread."""
    worker = _UnorderedWorker([queue], connection=redis, serializer=JSONSerializer)
    worker.work(burst=True, logging_level="CRITICAL")


class WorkerProcess:
    """A worker process. `module`: what Python runs."""

    def __init__(self, redis_url: str, data: Path, *, module: str = "workers", **env: str) -> None:
        store = {"SCOTTENBURY_REDIS_URL": redis_url, "SCOTTENBURY_DATA": str(data)}
        own = clean_environment() | store | env
        self._said = data / f"{len(list(data.iterdir()))}.stderr"
        with self._said.open("wb") as stderr:
            command = [sys.executable, "-m", module]
            self.process = subprocess.Popen(command, env=own, stderr=stderr)

    def signal(self, number: int) -> int:
        """Send a signal; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def said(self) -> list[str]:
        """Its log, line by line."""
        return self._said.read_text().splitlines(keepends=True)

    def complaints(self) -> str:
        """Its log without what it notes of each mail in good order."""
        return "".join(
            line for line in self.said() if " INFO worker workers.mail.mailer: " not in line
        )


@contextmanager
def worker(
    redis_url: str, data: Path, *, module: str = "workers", **env: str
) -> Iterator[WorkerProcess]:
    """A worker, for as long as the context lasts at most."""
    started = WorkerProcess(redis_url, data, module=module, **env)
    try:
        yield started
    finally:
        started.process.kill()
        started.process.wait()
