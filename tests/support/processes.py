"""A whole Scottenbury in processes of its own, as an operator starts it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from urllib.error import URLError
from urllib.request import Request, urlopen

from tests.support.ports import free_port
from tests.support.waiting import PATIENCE, until

ROOT = Path(__file__).parents[2]
COMMAND = Path(sys.executable).with_name("scottenbury")


class Running:
    """`scottenbury serve`, or another command that comes to the same, in a process group."""

    def __init__(
        self, data: Path, command: Sequence[object] = (COMMAND, "serve"), **env: str
    ) -> None:
        self.data = data
        self.port = int(env.setdefault("SCOTTENBURY_PORT", str(free_port())))
        self.url = f"http://127.0.0.1:{self.port}"
        self._said = TemporaryFile("w+")  # noqa: SIM115
        self._complained = TemporaryFile("w+")  # noqa: SIM115
        self.process = subprocess.Popen(
            [str(part) for part in command],
            cwd=ROOT,
            env=clean_environment() | {"SCOTTENBURY_DATA": str(data)} | env,
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            stderr=self._complained,
            start_new_session=True,
        )

    def ready(self) -> Running:
        """Wait until it says so, or fail with what it said instead."""
        until(lambda: "Ctrl-C stops it" in _text(self._said) or self.process.poll() is not None)
        assert self.process.returncode is None, _text(self._complained)
        return self

    def interrupt(self) -> tuple[int, str]:
        """What Ctrl-C in a terminal does: SIGINT to all of the group; exit code and stderr."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        """Wait for the end: exit code and standard error."""
        return self.process.wait(PATIENCE), self.complaints()

    def complaints(self) -> str:
        """What stands on standard error by now."""
        return _text(self._complained)

    def processes(self) -> dict[int, str]:
        """All living processes that were started for this data folder: their command lines."""
        return processes_of(self.data)

    def pids(self, part: str) -> list[int]:
        """The processes with this in their command line, the oldest first."""
        return sorted(pid for pid, line in self.processes().items() if part in line)

    def post(self, path: str, body: object) -> dict[str, object]:
        """The answer to a JSON request."""
        request = Request(self.url + path, json.dumps(body).encode())
        request.add_header("Content-Type", "application/json")
        with urlopen(request, timeout=PATIENCE) as answer:
            return dict(json.load(answer))

    def status(self, path: str, token: object = None) -> int:
        """The status of a GET; 0 while there is no answer."""
        request = Request(self.url + path)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                return int(answer.status)
        except URLError as error:
            return getattr(error, "code", 0)
        except OSError:
            return 0

    def kill_all(self) -> None:
        """Leave nothing behind, whatever a test did."""
        self.process.kill()
        self.process.wait()
        while pids := self.processes():
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        self._said.close()
        self._complained.close()


def processes_of(data: Path) -> dict[int, str]:
    """All living processes that were started for this data folder: their command lines."""
    return {pid: line for pid in _pids() if (line := _command_line(pid, data))}


def said_by(command: Sequence[object], folder: Path) -> list[str]:
    """The lines that the command says. It has to succeed, without a complaint."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout.splitlines()


def clean_environment() -> dict[str, str]:
    """This process's environment without settings, and without a make around it."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SCOTTENBURY_", "MAKE", "MFLAGS", "PYTEST_"))
    }


def _text(file: IO[str]) -> str:
    # The process writes at the place that the descriptor shares: read without moving it.
    return os.pread(file.fileno(), 1_000_000, 0).decode()


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _command_line(pid: int, data: Path) -> str:
    folder = Path(f"/proc/{pid}")
    try:
        # Redis writes its title over its environment, but it works in the data folder.
        environment = (folder / "environ").read_bytes().split(b"\0")
        mine = f"SCOTTENBURY_DATA={data}".encode() in environment
        mine = mine or (folder / "cwd").readlink() == data
        return (folder / "cmdline").read_text().replace("\0", " ") if mine else ""
    except OSError:  # it has ended
        return ""
