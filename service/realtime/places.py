"""What callers hold open at this moment, counted over all web processes of one server.

Each process counts in a row of its own of a shared table, and adds up all rows. The row of a
process that has died is cleared when the next one takes its place.
"""

import fcntl
import mmap
import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import mkstemp
from typing import Final, NamedTuple

_WIDTH: Final = 1 << 15
"""Of a row; two names may share a number, which is rare, and makes a limit a little stricter."""


class Place(NamedTuple):
    """One of the places that there are under a name: `most` of them."""

    name: str
    most: int


class Places:
    """The table; made before the processes are forked, so that they share it and the hash."""

    def __init__(self, processes: int) -> None:
        # While a process is replaced, the old one and the new one are there.
        self._rows = 2 * processes
        self._counts = memoryview(mmap.mmap(-1, self._rows * _WIDTH * 4)).cast("I")
        self._owners, path = mkstemp()
        os.unlink(path)
        weakref.finalize(self, os.close, self._owners)
        self._row: int | None = None

    def enter(self) -> None:
        """Count for this process from now on, and no longer for those that have died."""
        self._row = None
        for row in range(self._rows):
            if self._lock(row):
                begin = row * _WIDTH
                self._counts[begin : begin + _WIDTH] = memoryview(bytes(4 * _WIDTH)).cast("I")
                if self._row is None:
                    self._row = row  # it stays locked as long as this process lives
                else:
                    fcntl.lockf(self._owners, fcntl.LOCK_UN, 1, row)

    def full(self, place: Place) -> bool:
        """Whether all places of this kind are taken."""
        column = hash(place.name) % _WIDTH
        taken = sum(self._counts[row * _WIDTH + column] for row in range(self._rows))
        return taken >= place.most

    @contextmanager
    def taken(self, *places: Place) -> Iterator[None]:
        """Hold these places for as long as the context lasts."""
        columns = [hash(place.name) % _WIDTH for place in places]
        self._add(columns, 1)
        try:
            yield
        finally:
            self._add(columns, -1)

    def _add(self, columns: list[int], number: int) -> None:
        begin = (self._row or 0) * _WIDTH
        for column in columns:
            self._counts[begin + column] += number

    def _lock(self, row: int) -> bool:
        try:
            # Such a lock is the process's own, and ends with it.
            fcntl.lockf(self._owners, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, row)
        except OSError:
            return False
        return True


_shared: Places | None = None


def share(processes: int) -> None:
    """Make the table of the processes that are forked from this one."""
    global _shared
    _shared = Places(processes)


def shared() -> Places:
    """The table made before this process was forked; one of its own where there is none."""
    return _shared or Places(1)
