"""Threads that work for an event loop."""

import asyncio
import threading

import pytest

from service.realtime.threads import Threads


def test_a_call_runs_in_a_thread_and_gives_what_it_returns() -> None:
    async def run() -> tuple[tuple[int, int], str]:
        threads = Threads(1, "hand")
        return await threads.run(divmod, 7, 2), await threads.run(
            lambda: threading.current_thread().name
        )

    assert asyncio.run(run()) == ((3, 1), "hand")


def test_what_a_call_raises_is_raised_and_the_thread_goes_on() -> None:
    async def run() -> int:
        threads = Threads(1, "hand")
        with pytest.raises(ZeroDivisionError):
            await threads.run(divmod, 1, 0)
        return await threads.run(abs, -3)

    assert asyncio.run(run()) == 3


def test_calls_run_at_the_same_time_in_so_many_threads() -> None:
    async def run() -> list[int]:
        threads, meeting = Threads(2, "hand"), threading.Barrier(2)
        calls = [threads.run(meeting.wait, 10) for _ in range(2)]
        return sorted(await asyncio.gather(*calls))

    assert asyncio.run(run()) == [0, 1]


def test_nobody_has_to_wait_for_a_call() -> None:
    done = threading.Event()

    async def run() -> int:
        threads = Threads(1, "hand")
        threads.run(done.set).cancel()
        return await threads.run(abs, -3)

    assert asyncio.run(run()) == 3
    assert done.is_set()
