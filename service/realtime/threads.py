"""Threads that work for an event loop.

An executor would cost each request a work item, two futures and their callbacks: about as much as
running a small view.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """A number of threads that start at the first call. Only one event loop may call `run`."""

    def __init__(self, number: int, name: str) -> None:
        self._unstarted = [Thread(target=self._work, name=name, daemon=True) for _ in range(number)]
        self._jobs: SimpleQueue[tuple[asyncio.Future[Any], Callable[[], Any]]] = SimpleQueue()

    def run(self, do: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Call `do` in one of the threads; the future receives its result or exception."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put((done, lambda: do(*args, **kwargs)))
        while self._unstarted:
            self._unstarted.pop().start()
        return done

    def _work(self) -> None:
        while True:
            done, do = self._jobs.get()
            result, error = None, None
            try:
                result = do()
            except BaseException as raised:
                error = raised
            with suppress(RuntimeError):  # the loop has ended: nobody waits any more
                done.get_loop().call_soon_threadsafe(_settle, done, result, error)
            del done, do, result, error  # a waiting thread must not hold an answer in memory


def _settle(done: asyncio.Future[object], result: object, error: BaseException | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(result)
    else:
        done.set_exception(error)
