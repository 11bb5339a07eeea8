"""Who may wait, and how many: the clients of one process, and those of a caller over all web
processes of one server.

A client that waits for news, or takes time to read a large response, takes places of its process
and slots of its player and address. A caller's views run one after the other.

The processes share the table of slots. Each counts in its own row, and a limit applies to the sum
of all rows. When a process dies, the next one to start clears its row.
"""

import fcntl
import mmap
import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from queue import SimpleQueue
from tempfile import mkstemp
from time import monotonic, sleep
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

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


MAX_WAITING: Final = 512
"""The most clients that may wait in one process."""
MAX_WAITING_VISITORS: Final = 256
"""The most of them without a player's token, so that visitors from many addresses leave places to
players."""
LAST_PLACES: Final = 128
"""Of the places of clients who wait in one process, those kept for addresses that have few, so that
nobody takes all of them with the accounts and visitors of a few addresses."""
FEW_OF_ADDRESS: Final = 8
"""An address with fewer waiting clients than this, over all processes, may take a last place."""
MAX_LARGE: Final = 128
"""The most large responses that one process sends at the same time."""
MAX_WAITING_OF_PLAYER: Final = 32
"""The most clients that may wait with tokens of one player, over all processes."""
MAX_WAITING_OF_ADDRESS: Final = 256
"""The most clients that may wait from one network address, over all processes.

Clients with a player's token and clients without one have separate limits of this size, so that
visitors take no slots from players.
"""
MAX_LARGE_OF_PLAYER: Final = 8
"""The most large responses being sent to one player, over all processes."""
MAX_LARGE_OF_ADDRESS: Final = 16
"""The most large responses being sent to one network address, over all processes; players and
visitors have separate limits of this size."""
REST: Final = 4
"""The wait after a rerun for a caller, as a multiple of the rerun's duration.

So a caller with many streams or games takes at most a fifth of a lane. All the news during the wait
causes a single rerun of a stream.
"""
LONGEST_REST: Final = 1.0
"""The longest wait after a rerun, in seconds."""


class Caller(NamedTuple):
    """The sender of a request: the player's id, if known, and the network address."""

    player: str | None
    address: str


class Lanes:
    """Lets a number of threads in at a time: `with lanes`."""

    def __init__(self, number: int) -> None:
        self._free: SimpleQueue[None] = SimpleQueue()
        for _ in range(number):
            self._free.put(None)

    def __enter__(self) -> None:
        self._free.get()

    def __exit__(self, *_: object) -> None:
        self._free.put(None)


class Places:
    """Counts who is inside: `with places`. Nobody waits to enter; ask `is_full` before."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._inside = 0

    @property
    def left(self) -> int:
        """How many more may enter."""
        return self._most - self._inside

    @property
    def is_full(self) -> bool:
        """Whether as many are inside as may be."""
        return self.left <= 0

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1


class CallerTurns:
    """Lets a caller's streams and long polls run their views one after the other, with a rest after
    each."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free_at = 0.0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn, and for the rest after the one before."""
        with self._lock:
            if (left := self._free_at - monotonic()) > 0:
                sleep(left)
            began = monotonic()
            try:
                yield
            finally:
                now = monotonic()
                self._free_at = now + min(REST * (now - began), LONGEST_REST)


class WaitingRoom:
    """Admits clients that wait, and clients that take time to read."""

    def __init__(self, slots: SlotTable) -> None:
        self._slots = slots
        self._waiting, self._sending = Places(MAX_WAITING), Places(MAX_LARGE)
        self._waiting_visitors = Places(MAX_WAITING_VISITORS)
        self._turns: WeakValueDictionary[str, CallerTurns] = WeakValueDictionary()
        self._turns_lock = threading.Lock()

    def rejection(self, caller: Caller | None, *, waits: bool) -> str | None:
        """Return the problem code if this client may not wait, or read slowly, else None."""
        if any(room.is_full for room in self._rooms(caller, waits=waits)):
            return "server-busy"
        is_crowded = self._waiting.left <= LAST_PLACES
        if any(map(self._slots.is_full, _slots_for(caller, waits=waits, is_crowded=is_crowded))):
            return "too-many-streams" if waits else "too-many-requests"
        return None

    @contextmanager
    def inside(self, caller: Caller | None, *, waits: bool) -> Iterator[None]:
        """Hold the client's places and slots while the context lasts."""
        with ExitStack() as places:
            for room in self._rooms(caller, waits=waits):
                places.enter_context(room)
            places.enter_context(self._slots.taken(*_slots_for(caller, waits=waits)))
            yield

    def turns_of(self, caller: Caller | None) -> CallerTurns:
        """Return the turns shared by all streams and long polls of a caller; new ones if the caller
        is unknown."""
        if caller is None:
            return CallerTurns()
        with self._turns_lock:
            return self._turns.setdefault(caller.player or caller.address, CallerTurns())

    def _rooms(self, caller: Caller | None, *, waits: bool) -> list[Places]:
        """Return the places of this process that the client takes."""
        if not waits:
            return [self._sending]
        is_visitor = caller is not None and caller.player is None
        return [self._waiting, *([self._waiting_visitors] if is_visitor else [])]


def _slots_for(caller: Caller | None, *, waits: bool, is_crowded: bool = False) -> list[Slot]:
    """Return the slots that a client takes: of its player, if it has one, and of its network
    address, which may have few if only the last places are left."""
    if caller is None:
        return []
    player, address = caller
    kind, of_player, of_address = "waiting", MAX_WAITING_OF_PLAYER, MAX_WAITING_OF_ADDRESS
    if not waits:
        kind, of_player, of_address = "large", MAX_LARGE_OF_PLAYER, MAX_LARGE_OF_ADDRESS
    elif is_crowded:
        of_address = FEW_OF_ADDRESS
    if player is None:
        return [Slot(f"{kind} visitor {address}", of_address)]
    return [
        Slot(f"{kind} player {player}", of_player),
        Slot(f"{kind} address {address}", of_address),
    ]
