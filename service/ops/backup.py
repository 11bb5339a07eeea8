"""Writes a whole store as JSON Lines: see `backup_form`.

It leaves out everything that can be rebuilt from games and players (deadlines, lists, indexes), and
idempotency keys, the local mailbox and queued jobs.
"""

import json
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from typing import IO, Final, NamedTuple

from engine import UnknownEvent
from engine.chain import canonical
from engine.record_form import BadRecord, check_form
from service.container import Container
from service.core.redis.snapshot_keys import SnapshotKey
from service.eventlog.snapshot import Snapshot, Snapshots
from service.games.challenge import read_challenge
from service.games.drafts import CHALLENGE
from service.ops.backup_form import HEADER, BackupSeal
from service.ops.key_snapshots import (
    FIRST_KINDS,
    MARKS,
    OTHER_KINDS,
    REMOVALS,
    KeySnapshot,
    read_keys,
)

_ROUNDS: Final = 2
"""The number of searches for items added since the last search. Each takes a fraction of the time
of the one before."""


class Unreadable(NamedTuple):
    """An item left out of a backup, and the reason."""

    what: str
    problem: str

    def __str__(self) -> str:
        return f"{self.what}: {self.problem}"


class Written(NamedTuple):
    """The numbers of games, challenges and keys written, and the items left out."""

    games: int
    challenges: int
    keys: int
    left_out: list[Unreadable]


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

    Each game is written as it is at one moment, with its notes and
    notices. Challenges are read again after the games, then everything new. Players come after
    them, so that every player of a written game is included. Counter-offers come last, because a
    challenge is closed before its counter-offer is created.
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
                games.left_out.append(Unreadable(checked.line["key"], checked.problem))
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
        self.left_out: list[Unreadable] = []

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
                self.left_out.append(Unreadable(f"game {snapshot.game}", problem))
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
