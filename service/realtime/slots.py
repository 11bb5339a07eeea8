"""Limits on the responses in progress to one caller, counted over all web processes of one server.

A response takes a slot while its client waits, or while a large body is being sent. The processes
share a table. Each counts in its own row, and a limit applies to the sum of all rows. When a
process dies, the next one to start clears its row.
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
"""The number of columns of a row. Slot names are hashed to columns. Two names may share a column:
that is rare, and makes a limit slightly stricter."""


class Slot(NamedTuple):
    """A slot name, such as `waiting player ID`, and the most responses that may hold it at once."""

    name: str
    limit: int


class SlotTable:
    """Counts of the slots in use, by process and slot name. Create it before forking, so that the
    processes share its memory and hash names alike."""

    def __init__(self, processes: int) -> None:
        # While a process is being replaced, both the old one and the new one run.
        self._rows = 2 * processes
        self._counts = memoryview(mmap.mmap(-1, self._rows * _WIDTH * 4)).cast("I")
        self._owners, path = mkstemp()
        os.unlink(path)
        weakref.finalize(self, os.close, self._owners)
        self._row: int | None = None

    def claim_row(self) -> None:
        """Reserve a row of the shared table, where this process counts its open responses from now
        on, and clear the rows of processes that have died."""
        self._row = None
        for row in range(self._rows):
            if self._lock(row):
                start = row * _WIDTH
                self._counts[start : start + _WIDTH] = memoryview(bytes(4 * _WIDTH)).cast("I")
                if self._row is None:
                    self._row = row  # it stays locked as long as this process lives
                else:
                    fcntl.lockf(self._owners, fcntl.LOCK_UN, 1, row)

    def is_full(self, slot: Slot) -> bool:
        """Whether as many slots of this name are taken as its limit allows."""
        column = hash(slot.name) % _WIDTH
        taken = sum(self._counts[row * _WIDTH + column] for row in range(self._rows))
        return taken >= slot.limit

    @contextmanager
    def taken(self, *slots: Slot) -> Iterator[None]:
        """Take these slots while the context lasts."""
        columns = [hash(slot.name) % _WIDTH for slot in slots]
        self._add(columns, 1)
        try:
            yield
        finally:
            self._add(columns, -1)

    def _add(self, columns: list[int], number: int) -> None:
        start = (self._row or 0) * _WIDTH
        for column in columns:
            self._counts[start + column] += number

    def _lock(self, row: int) -> bool:
        try:
            # Such a lock belongs to the process, and ends with it.
            fcntl.lockf(self._owners, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, row)
        except OSError:
            return False
        return True


_shared: SlotTable | None = None


def share(processes: int) -> None:
    """Create the table for the processes that will be forked from this one."""
    global _shared
    _shared = SlotTable(processes)


def shared() -> SlotTable:
    """Return the table created before this process was forked, else one for this process alone."""
    return _shared or SlotTable(1)
