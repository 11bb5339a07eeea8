"""`python -m workers`, for tests."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.processes import clean_environment

PATIENCE = 30.0


class WorkerProcess:
    """A worker process."""

    def __init__(self, redis_url: str, data: Path, **env: str) -> None:
        store = {"SCOTTENBURY_REDIS_URL": redis_url, "SCOTTENBURY_DATA": str(data)}
        own = clean_environment() | store | env
        self._said = data / f"{len(list(data.iterdir()))}.stderr"
        with self._said.open("wb") as stderr:
            command = [sys.executable, "-m", "workers"]
            self.process = subprocess.Popen(command, env=own, stderr=stderr)

    def signal(self, number: int) -> int:
        """Send a signal; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def complaints(self) -> str:
        return self._said.read_text()


@contextmanager
def worker(redis_url: str, data: Path, **env: str) -> Iterator[WorkerProcess]:
    """A worker, for as long as the context lasts at most."""
    started = WorkerProcess(redis_url, data, **env)
    try:
        yield started
    finally:
        started.process.kill()
        started.process.wait()
