"""A backup: a whole store as JSON Lines, with a seal at the end.

{"format": 2, "scottenbury": "backup"}
    {"game": ID, "record": [EVENT, …], "notices": [[ID, DUE], …], "notes": {FIELD: TEXT, …}}
    {"beside": ID, "notes": …, "notices": …, "expires": …}             a challenge, no game yet
    {"expires": …, "key": NAME, "type": …, "value": …}     see `core.redis.snapshot_keys`
    {"lines": NUMBER, "mac": MAC, "sha256": DIGEST}                    of all lines before this

`expires` is in unix seconds, null for ever. A game or challenge may come again, in its later state.
The MAC is an HMAC-SHA256 under a key derived from the server's secret key: it proves that the file
was written here. It is null if the command had no secret key. Format 1 had no MAC, kept the notes
as keys that were read apart from the logs, and held lists that are rebuilt today.

A backup leaves out everything that can be rebuilt from games and players (deadlines, lists,
indexes), and idempotency keys, the local mailbox and queued jobs.
"""

import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from typing import IO, Any, Final, NamedTuple

from engine import UnknownEvent
from engine.chain import canonical
from engine.record_form import BadRecord, check_form
from service.container import Container
from service.core import ids
from service.core.redis.snapshot_keys import SnapshotKey
from service.eventlog.snapshot import Snapshot, Snapshots
from service.games.challenge import read_challenge
from service.games.drafts import CHALLENGE
from service.ops.key_snapshots import (
    FIRST_KINDS,
    MARKS,
    OTHER_KINDS,
    REMOVALS,
    KeySnapshot,
    read_keys,
)

HEADER: Final = {"scottenbury": "backup", "format": 2}
READABLE_HEADERS: Final = (HEADER, {"scottenbury": "backup", "format": 1})
_LONGEST_HEADER: Final = 1000
_LONGEST_LINE: Final = 256 * 1024 * 1024
"""Longest line, in bytes: far longer than any game, yet small enough for memory."""
_EVENT_END: Final = re.compile(rb'"via":"[^"]*"\}')
_ROUNDS: Final = 2
"""The number of searches for items added since the last search. Each takes a fraction of the time
of the one before."""


class NotABackup(Exception):
    """The file is not a backup; the text says why."""


class Written(NamedTuple):
    """The numbers of games, challenges and keys written, and the items left out, each with the
    reason."""

    games: int
    challenges: int
    keys: int
    left_out: list[str]


def write_backup(
    store: Container,
    game_ids: Collection[str],
    out: IO[bytes],
    tick: Callable[[], object] = lambda: None,
    *,
    marks_only: bool = False,
) -> Written:
    """Write a store, beginning with these games and challenges; `tick` is called for each.

    With `marks_only`, write only the marks of deletions and revocations.

    Each game is written as it is at one moment, with its notes and notices. Challenges are read
    again after the games, then everything new. Players come after them, so that every player of a
    written game is included. Counter-offers come last, because a challenge is closed before its
    counter-offer is created.
    """
    seal = BackupSeal(store.settings.secret_key)
    out.write(seal.add(_line(HEADER)))
    games, keys = _Games(store, tick), 0

    def write_keys(kinds: Sequence[SnapshotKey]) -> int:
        count = 0
        for checked in read_keys(store.redis, time.time, kinds):
            if checked.problem is None:
                out.write(seal.add(_line(checked.line)))
                count += 1
            else:
                games.left_out.append(f"{checked.line['key']}: {checked.problem}")
        return count

    keys += write_keys((*MARKS, *REMOVALS) if marks_only else FIRST_KINDS)
    if not marks_only:
        for line in games.lines(game_ids):
            out.write(seal.add(line))
        keys += write_keys(OTHER_KINDS)
        for line in games.counter_offers():
            out.write(seal.add(line))
    out.write(seal.line())
    return Written(games.written, len(games.challenges), keys, games.left_out)


class _Games:
    """The lines of games and challenges, and the number of games written."""

    def __init__(self, store: Container, tick: Callable[[], object]) -> None:
        self._snapshots = Snapshots(store.redis, store.log.events)
        self._tick = tick
        self._done: set[str] = set()
        self._counter_offers: set[str] = set()
        """The ids of counter-offers that challenges name. Each is created a moment after its
        challenge is closed."""
        self.written = 0
        self.challenges: dict[str, int] = {}
        """Challenges that have not become games, each with a hash of its notes as written."""
        self.left_out: list[str] = []

    def lines(self, game_ids: Collection[str]) -> Iterator[bytes]:
        """The lines of these games, then of new ones."""
        yield from self._read(game_ids)
        yield from self._read(list(self.challenges))
        for _ in range(_ROUNDS):
            yield from self._read(self._snapshots.ids() - self._done)

    def counter_offers(self) -> Iterator[bytes]:
        """The lines of counter-offers that challenges name and that were not written before."""
        for _ in range(_ROUNDS):
            yield from self._read(self._counter_offers - self._done)

    def _read(self, game_ids: Collection[str]) -> Iterator[bytes]:
        for snapshot in self._snapshots.of(game_ids):
            self._tick()
            self._done.add(snapshot.game)
            line = b"" if snapshot.fault else self._line(snapshot)
            problem = snapshot.fault or _problem(line)
            if problem is not None:
                self.left_out.append(f"game {snapshot.game}: {problem}")
            elif self._is_new(snapshot):
                yield line

    def _is_new(self, snapshot: Snapshot) -> bool:
        """Return False for a challenge already written with the same content. Count what is new.

        Challenges may come twice: they are read again at the end, since they can turn into games.
        """
        if snapshot.events:
            self.written += 1
            self.challenges.pop(snapshot.game, None)
            return True
        with suppress(ValueError, TypeError, LookupError):
            counter_offer = read_challenge(snapshot.side_state[CHALLENGE]).counter_offer
            self._counter_offers.update(filter(None, [counter_offer]))
        content = hash(tuple(sorted(snapshot.side_state.items())))
        before = self.challenges.get(snapshot.game)
        self.challenges[snapshot.game] = content
        return before != content

    def _line(self, snapshot: Snapshot) -> bytes:
        game = json.dumps(snapshot.game)
        beside = (
            f'"notes":{json.dumps(snapshot.side_state)},"notices":{json.dumps(snapshot.notices)}'
        )
        if snapshot.events:
            # The events are JSON already, and are written unchanged.
            line = f'{{"game":{game},"record":[{",".join(snapshot.events)}],{beside}}}\n'
        else:
            expires = None if snapshot.life is None else int(time.time()) + snapshot.life
            line = f'{{"beside":{game},{beside},"expires":{json.dumps(expires)}}}\n'
        return line.encode()


def _problem(line: bytes) -> str | None:
    """The reason why a restore would refuse this line of a game or challenge; None if it would
    not."""
    try:
        record = json.loads(line).get("record")
    except (ValueError, RecursionError) as error:
        return f"an event is not JSON: {error}"
    try:
        if record is not None:
            check_form(record)
    except (BadRecord, UnknownEvent) as error:
        return str(error)
    return "an event holds a line break" if line.count(b"\n") > 1 else None


def _line(value: KeySnapshot | dict[str, object]) -> bytes:
    return f"{canonical(value)}\n".encode()


class BackupSeal:
    """The last line of a backup, which proves that the other lines are complete and shows their
    origin."""

    def __init__(self, secret_key: str) -> None:
        self._key = ids.derive(secret_key, "backup") if secret_key else None
        self._lines = 0
        self._sha256 = hashlib.sha256()

    def add(self, line: bytes) -> bytes:
        """Include this line in the seal, and return it."""
        self._lines += 1
        self._sha256.update(line)
        return line

    def line(self) -> bytes:
        """Return the last line of the backup: the seal over all lines added."""
        return _line({**self._facts(), "mac": self._mac()})

    def is_whole(self, last: object) -> bool:
        """Whether this last line, as parsed JSON, matches the lines added."""
        return isinstance(last, dict) and {**last, **self._facts()} == last

    def is_ours(self, last: object) -> bool:
        """Whether this last line, as parsed JSON, was written with this server's secret key."""
        mac, right = (last.get("mac") if isinstance(last, dict) else None), self._mac()
        if not isinstance(mac, str) or right is None:
            return False
        return hmac.compare_digest(mac.encode("ascii", "replace"), right.encode())

    def _facts(self) -> dict[str, object]:
        return {"lines": self._lines, "sha256": self._sha256.hexdigest()}

    def _mac(self) -> str | None:
        if self._key is None:
            return None
        return hmac.new(self._key, canonical(self._facts()).encode(), "sha256").hexdigest()


def read_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a backup, the header first.

    Raises `NotABackup` after reading at most a header's length of another file.
    """
    header = file.readline(_LONGEST_HEADER)
    try:
        is_header = json.loads(header) in READABLE_HEADERS
    except (ValueError, RecursionError):
        is_header = False
    if not is_header:
        raise NotABackup("It does not begin like a backup of a form known here.")
    yield header
    while line := file.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE:
            raise NotABackup("It has a line that is longer than any of a backup.")
        yield line


def parsed(line: bytes) -> Any:
    """Parse a line as JSON. Raises ValueError, which names the first unreadable event of a game's
    line."""
    try:
        return json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except ValueError as error:
        where = f"event {_event_at(line, error)}: " if line.startswith(b'{"game"') else ""
        raise ValueError(f"{where}it is not JSON: {error}") from None


def _event_at(line: bytes, error: ValueError) -> int:
    """The number of the unreadable event, from 1: each event before it ends in its `via`."""
    if isinstance(error, UnicodeDecodeError):
        place = error.start
    elif isinstance(error, json.JSONDecodeError):
        place = len(error.doc[: error.pos].encode("utf-8", "surrogatepass"))
    else:
        place = 0
    return len(_EVENT_END.findall(line, 0, place)) + 1
