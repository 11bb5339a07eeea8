"""Keeps a handful of programs running, and ends them in order. Nothing outlives a supervisor that
was killed.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

_PR_SET_PDEATHSIG = 1
# Loaded here, in the parent: between fork and exec as little as possible may happen.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def end_with_parent(parent: int) -> None:
    """Ask the kernel for SIGTERM when the process `parent`, which started this one, ends.

    Only Linux offers this; elsewhere it does nothing. The kernel watches the thread that forked,
    so a supervisor must start its children from its main thread.
    """
    if _LIBC is None:
        return
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it ended before prctl was called
        os._exit(1)


log = logging.getLogger(__name__)

# Seconds.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
STEADY = 30.0  # a program that ran this long does not fail repeatedly: the next pause is short
POLL = 0.05
REPORT_EVERY = 60.0  # between two lines about a program that keeps failing
OWNER_ONLY = 0o077
"""The umask of our processes: their files are readable by the owner only."""


class EndedEarly(Exception):
    """A program ended before all had started; the message names it."""

    def __init__(self, program: Program, status: int) -> None:
        super().__init__(f"{program.name} {_described(status)} while starting")
        self.program = program


@dataclass(frozen=True)
class Program:
    """A program to run. `grace` is the seconds that it may take to end after SIGTERM."""

    name: str
    command: Sequence[str]
    grace: float
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ), repr=False)
    log: Path | None = None
    explain: Callable[[], str] = str
    """Returns the likely reason for its end; `""` if unknown."""
    inherit: Sequence[int] = ()
    options: Callable[[], Sequence[str]] = tuple
    """Returns further arguments, asked at each start."""


class Supervisor:
    """Runs programs; ends them in the opposite order of their start.

    Until `settled`, a program that ends counts as a failure to start (`EndedEarly` from the waiting
    methods). Afterwards it is started again, after a pause that grows while it fails repeatedly.
    Use it on the main thread: the programs are tied to the thread that starts them.
    """

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._settled = False

    def keep(self, program: Program) -> None:
        """Start the program now, and again whenever it ends."""
        self._tasks.append(asyncio.create_task(self._keep(program)))

    async def answered(self, asked: Callable[[], Awaitable[bool]]) -> bool:
        """Poll until `asked` returns True; return False if `stop` is called before."""
        while not self._over.done():
            if await asked():
                return True
            await asyncio.sleep(POLL)
        self._over.result()
        return False

    def settled(self) -> None:
        """End the starting phase: from now on, ended programs are restarted."""
        self._settled = True

    def stop(self) -> None:
        """End `answered` and `stopped`. A signal handler: may be called at any time, and
        repeatedly."""
        if not self._over.done():
            self._over.set_result(None)

    async def stopped(self) -> None:
        """Wait for `stop`."""
        await self._over

    async def close(self) -> None:
        """End all programs, the last started first, waiting for each before the next."""
        for task in reversed(self._tasks):
            task.cancel()
            await asyncio.wait([task])

    async def _keep(self, program: Program) -> None:
        pause = FIRST_PAUSE
        logged_at = float("-inf")
        clock = asyncio.get_running_loop().time
        while True:
            began = clock()
            async with _running(program) as process:
                status = await process.wait()
            if not self._settled:
                if not self._over.done():
                    self._over.set_exception(EndedEarly(program, status))
                return
            pause = FIRST_PAUSE if clock() - began > STEADY else min(2 * pause, LONGEST_PAUSE)
            if clock() - logged_at >= REPORT_EVERY:
                logged_at = clock()
                reason = f" ({said})" if (said := program.explain()) else ""
                ended = f"{program.name} {_described(status)}{reason}"
                log.warning("%s; starting it again in %g s", ended, pause)
            await asyncio.sleep(pause)


@asynccontextmanager
async def _running(program: Program) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the program. When the context ends, so do its process and all children of that."""
    with open(program.log or os.devnull, "ab", opener=partial(os.open, mode=0o600)) as output:
        process = await asyncio.create_subprocess_exec(
            *program.command,
            *program.options(),
            env=program.env,
            stdin=subprocess.DEVNULL,
            stdout=output if program.log else None,
            stderr=output if program.log else None,
            pass_fds=program.inherit,
            umask=OWNER_ONLY,
            # A group of its own: Ctrl-C reaches the supervisor alone, which ends all in order.
            process_group=0,
            preexec_fn=partial(end_with_parent, os.getpid()),
        )
    try:
        yield process
    finally:
        await _end(process, program.grace)


async def _end(process: asyncio.subprocess.Process, grace: float) -> None:
    if process.returncode is None:
        process.terminate()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), grace)
    # The rest of its group: the process itself or its children.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _described(status: int) -> str:
    return f"was killed by {signal.Signals(-status).name}" if status < 0 else f"ended ({status})"
