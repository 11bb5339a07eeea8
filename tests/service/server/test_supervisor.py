"""Programs are kept running, and ended in the opposite order."""

import asyncio
import functools
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from service.server import supervisor as subject
from service.server.supervisor import EndedEarly, Program, Supervisor
from tests.support.waiting import PATIENCE


def in_event_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run the asynchronous test in a loop of its own."""

    @functools.wraps(test)
    def run(*arguments: object, **fixtures: object) -> None:
        asyncio.run(test(*arguments, **fixtures))

    return run


def program(name: str, script: str, *arguments: object, grace: float = 5) -> Program:
    """A Python program: each argument is in `sys.argv`."""
    return Program(name, [sys.executable, "-c", script, *map(str, arguments)], grace)


def diary(name: str, path: Path) -> Program:
    """A program that writes down when it begins and when it is asked to end."""
    script = """if True:
        import signal, sys
        diary = open(sys.argv[1], "a", buffering=1)
        signal.signal(signal.SIGTERM, lambda *_: (diary.write(f"{sys.argv[2]} ends\\n"), exit(0)))
        diary.write(f"{sys.argv[2]} begins\\n")
        while True: signal.pause()
    """
    return program(name, script, path, name)


def says(path: Path, *lines: str) -> Callable[[], Awaitable[bool]]:
    """Whether the file has exactly these lines so far."""

    async def asked() -> bool:
        return path.exists() and path.read_text().splitlines() == list(lines)

    return asked


@in_event_loop
async def test_the_last_started_ends_first(tmp_path: Path) -> None:
    path = tmp_path / "diary"
    supervisor = Supervisor()
    supervisor.keep(diary("redis", path))
    assert await supervisor.answered(says(path, "redis begins"))
    supervisor.keep(diary("web", path))
    assert await supervisor.answered(says(path, "redis begins", "web begins"))
    await supervisor.close()
    assert path.read_text().splitlines()[2:] == ["web ends", "redis ends"]


@in_event_loop
async def test_a_program_that_dies_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "FIRST_PAUSE", 0.01)
    path = tmp_path / "diary"
    supervisor = Supervisor()
    supervisor.keep(program("web", "import sys; open(sys.argv[1], 'a').write('up\\n')", path))
    supervisor.settled()
    assert await supervisor.answered(says(path, "up", "up", "up"))
    await supervisor.close()


@in_event_loop
async def test_a_program_that_keeps_dying_is_explained_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(subject, "FIRST_PAUSE", 0.01)
    path = tmp_path / "diary"
    dying = program("redis", "import sys; open(sys.argv[1], 'a').write('up\\n'); exit(1)", path)
    supervisor = Supervisor()
    supervisor.keep(replace(dying, explain=lambda: "the disk of /data is full"))
    supervisor.settled()
    assert await supervisor.answered(says(path, "up", "up", "up"))
    await supervisor.close()
    assert [record.getMessage() for record in caplog.records] == [
        "redis ended (1) (the disk of /data is full); starting it again in 0.02 s"
    ]


@in_event_loop
async def test_a_program_that_ends_before_all_is_up_is_a_failure_to_start() -> None:
    supervisor = Supervisor()
    supervisor.keep(program("worker", "exit(3)"))
    with pytest.raises(EndedEarly, match=r"^worker ended \(3\) while starting$"):
        await supervisor.answered(never)
    await supervisor.close()


@in_event_loop
async def test_stopping_ends_the_waiting_for_an_answer() -> None:
    supervisor = Supervisor()
    supervisor.stop()
    supervisor.stop()
    assert not await supervisor.answered(never)


@in_event_loop
async def test_a_program_deaf_to_sigterm_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "diary"
    script = """if True:
        import signal, sys
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        open(sys.argv[1], "w").write("deaf\\n")
        while True: signal.pause()
    """
    supervisor = Supervisor()
    supervisor.keep(program("web", script, path, grace=0.1))
    assert await supervisor.answered(says(path, "deaf"))
    await asyncio.wait_for(supervisor.close(), PATIENCE)


@in_event_loop
async def test_children_left_behind_by_a_program_are_ended_with_it(tmp_path: Path) -> None:
    path = tmp_path / "child"
    script = """if True:
        import subprocess, sys, signal
        child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
        open(sys.argv[1], "w").write(str(child.pid))
        signal.pause()
    """
    supervisor = Supervisor()
    supervisor.keep(program("worker", script, path))
    assert await supervisor.answered(lambda: written(path))
    await supervisor.close()
    await until_gone(int(path.read_text()))


@in_event_loop
async def test_nothing_outlives_a_killed_supervisor(tmp_path: Path) -> None:
    """The supervisor here is a process of its own, so that it can be killed."""
    path = tmp_path / "diary"
    script = """if True:
        import asyncio, sys
        from service.server.supervisor import Program, Supervisor
        child = "import os, sys, signal; open(sys.argv[1], 'w').write(str(os.getpid()));"
        child += "signal.pause()"
        async def main():
            supervisor = Supervisor()
            supervisor.keep(Program("web", [sys.executable, "-c", child, sys.argv[1]], 5))
            await supervisor.stopped()
        asyncio.run(main())
    """
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", script, path)
    while not await written(path):
        await asyncio.sleep(0.02)
    process.kill()
    await process.wait()
    await until_gone(int(path.read_text()))


def test_an_end_is_described_in_words() -> None:
    assert subject._described(1) == "ended (1)"
    assert subject._described(-signal.SIGKILL) == "was killed by SIGKILL"


async def never() -> bool:
    return False


async def written(path: Path) -> bool:
    return path.exists() and path.read_text().strip() != ""


async def until_gone(pid: int) -> None:
    """Wait until the process has ended; one that nobody reaps (a zombie) has."""
    async with asyncio.timeout(10):
        while os.path.exists(f"/proc/{pid}") and state(pid) != "Z":
            await asyncio.sleep(0.02)


def state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"
