"""The server's own outages: when web or worker gave no sign of life, or the clock jumped ahead.

    st:{outages}:last         hash: role → unix seconds of its last sign of life; `latest`: of any,
                              since a clock was last set back
    st:{outages}:ledger       hash: when an outage began → when it ended, in whole unix seconds
    st:{outages}:given        hash: the same, of those that every running game has got back

Nobody loses on time in an outage (`service/games/deadlines/fairness.py`). A process gives its signs
in a thread of its own; a request reads at most.
"""

import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, cast

from marshmallow import fields

from service.core.durations import DAY
from service.core.redis.batch import Command, run_many
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import SnapshotKey, text
from service.core.scripts import load

Role = Literal["web", "worker"]

ROLES: Final[tuple[Role, ...]] = ("web", "worker")
PERIOD: Final = 40.0
"""Seconds between the signs of life of a process. Each costs a write to the disk."""
FRESH: Final = 20.0
"""Seconds for which the sign of another process of the same role will do. With `PERIOD` they stay
within `SILENCE`."""
RETRY: Final = 5.0
"""Seconds until a sign that failed is given again."""
SILENCE: Final = 60.0
"""Seconds without a sign of life of a role that are an outage, if they are exceeded."""
JUMP: Final = 5.0
"""Seconds by which the clock has to jump ahead for that to be an outage."""
KEPT: Final = 60 * DAY
"""Seconds for which outages are kept. Running games get them back within a minute."""
MOST: Final = 100
"""Outages that are kept."""
_LAST: Final = "st:{outages}:last"
_LEDGER: Final = "st:{outages}:ledger"
_GIVEN: Final = "st:{outages}:given"
_SECONDS: Final = r"[0-9]{1,11}"
LAST_HEARTBEATS: Final = SnapshotKey(
    scan=_LAST,
    name=re.escape(_LAST),
    type="hash",
    content=fields.Dict(text("web|worker|latest"), text(rf"{_SECONDS}(\.[0-9]{{1,6}})?")),
)
LASTING_KEYS: Final = (
    LAST_HEARTBEATS,
    SnapshotKey(
        scan=_LEDGER,
        name=re.escape(_LEDGER),
        type="hash",
        content=fields.Dict(text(_SECONDS), text(_SECONDS)),
    ),
)
"""Keys that a backup holds: so the time between it and its restore is an outage too."""


class Outage(NamedTuple):
    """From when to when the server was away, in whole unix seconds."""

    begin: int
    end: int


class Liveness(NamedTuple):
    """How well the server is watched over at a moment.

    `fresh`: web and worker have given signs of life just now. `outages` have ended;
    `ongoing_outage` has not: since its beginning web or worker has been silent, or the clock has
    just jumped.
    """

    fresh: bool
    outages: tuple[Outage, ...]
    ongoing_outage: Outage | None


class OutageLedger:
    """Outages by the signs of life of all processes. `now` gives unix seconds.

    `monotonic` gives seconds of a clock that nobody sets, and that stands still while the machine
    is suspended. Safe to use from several threads.
    """

    def __init__(
        self,
        redis: Client,
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._redis = redis
        self._now = now
        self._monotonic = monotonic
        self._heartbeat_script = redis.register_script(load("heartbeat"))
        self._lock = threading.Lock()
        self._sample: tuple[float, float] | None = None
        self._heartbeats: dict[Role, float] = {}
        self._jumps: list[Outage] = []
        self._set_back = False
        self._known_outages: tuple[Outage, ...] = ()

    @property
    def known_outages(self) -> tuple[Outage, ...]:
        """The outages as this process knew them at its last sign of life; it costs nothing."""
        return self._known_outages

    def record_heartbeat(self, role: Role, before: Sequence[Command] = ()) -> None:
        """Give a sign of life for this process, and record what outage has ended with it.

        The commands to send `before` wait for the disk together with it.
        """
        now, steady = self._look(begin=True)
        own = now - (steady - self._heartbeats[role]) if role in self._heartbeats else ""
        jumps = list(self._jumps)
        limits = (SILENCE, KEPT, MOST)
        seen = [second for jump in jumps for second in jump]
        args = [role, f"{now:.3f}", own, *limits, int(self._set_back), FRESH, *seen]
        runs = [([_LAST, _LEDGER], args)]
        (found,) = run_many(self._redis, self._heartbeat_script, runs, before)
        ledger = iter(found)
        self._known_outages = tuple(_read(dict(zip(ledger, ledger, strict=True))))
        with self._lock:
            self._jumps = [jump for jump in self._jumps if jump not in jumps]
            self._set_back = False
            self._heartbeats[role] = steady

    def liveness(self) -> Liveness:
        """How it is now, in one round trip. A server that was never watched counts as attended."""
        now, _ = self._look()
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hmget(_LAST, ROLES)
        pipeline.hgetall(_LEDGER)
        signs, ledger = cast(tuple[list[str | None], dict[str, str]], pipeline.execute())
        last = [float(sign) for sign in signs if sign is not None]
        silent = [sign for sign in last if now - sign > SILENCE]
        begins = [*silent, *(jump.begin for jump in self._jumps)]
        fresh = not last or len(last) == len(ROLES) == sum(abs(now - at) <= SILENCE for at in last)
        return Liveness(
            fresh and not self._jumps,
            tuple(_read(ledger)),
            Outage(int(min(begins)), int(now)) if begins else None,
        )

    def unapplied(self) -> list[Outage]:
        """The outages that not every running game has got back yet; none while one goes on."""
        liveness = self.liveness()
        if not liveness.outages or not liveness.fresh:
            return []
        given = set(_read(cast(dict[str, str], self._redis.hgetall(_GIVEN))))
        return [outage for outage in liveness.outages if outage not in given]

    def mark_applied(self, outages: Iterable[Outage]) -> None:
        """Every running game has got these back. May be repeated."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hgetall(_LEDGER)
        pipeline.hgetall(_GIVEN)
        ledger, given = pipeline.execute()
        stored: dict[Any, Any] = {outage.begin: outage.end for outage in outages}
        if stored:
            self._redis.hset(_GIVEN, mapping=stored)
        if gone := [begin for begin in given if begin not in ledger]:
            self._redis.hdel(_GIVEN, *gone)

    def last_heartbeat(self) -> int | None:
        """Until when web and worker have both given signs of life; None where neither ever has."""
        signs = cast(list[str | None], self._redis.hmget(_LAST, list(ROLES)))
        return last_heartbeat_of(
            {role: sign for role, sign in zip(ROLES, signs, strict=True) if sign}
        )

    def _look(self, begin: bool = False) -> tuple[float, float]:
        """Both clocks, once it is noted whether the one has jumped ahead of the other, or back.

        Only a process that gives signs of life compares them.
        """
        with self._lock:
            steady = self._monotonic()
            now = self._now()
            after = self._monotonic()
            if self._sample is not None:
                then, then_steady = self._sample
                expected = then + (after - then_steady)
                if now - expected >= JUMP:
                    self._jumps.append(Outage(int(expected), int(now)))
                    self._sample = now, steady
                if begin and expected - now >= JUMP:
                    self._set_back = True
            if begin:
                self._sample = now, steady
            return now, steady


def last_heartbeat_of(stored: Mapping[str, str]) -> int | None:
    """Until when both roles have given signs of life, by the hash `st:{outages}:last`."""
    signs = [float(stored[role]) for role in ROLES if role in stored]
    return int(min(signs)) if signs else None


def _read(stored: dict[str, str]) -> list[Outage]:
    return sorted(Outage(int(begin), int(end)) for begin, end in stored.items())
