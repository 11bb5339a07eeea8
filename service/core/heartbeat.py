"""Heartbeats of all processes, and the outages that they show.

The server's own outages: when web or worker recorded no heartbeat, or the clock jumped.

    st:{outages}:last         hash: role → unix seconds of its last heartbeat; `latest`: of any,
                              since a clock was last set back
    st:{outages}:ledger       hash: beginning → end of an outage, in whole unix seconds
    st:{outages}:given        hash: the same, for outages refunded to every running game

Nobody loses on time in an outage (`service/games/deadlines.py`). A process records
its heartbeats in a thread of its own; requests only read.

The last heartbeat of each worker process.

st:workers                hash: worker's name → unix seconds
st:base-url               the beginning of links in mails, for minutes after each heartbeat
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, cast

from marshmallow import fields
from redis.typing import EncodableT, FieldT

from service.core.errors import STORE_FAILURE
from service.core.redis.batch import Command, Query, execute_all, run_many
from service.core.redis.client import Client, Lua
from service.core.redis.snapshot_keys import kept_key, text
from service.core.times import DAY

Role = Literal["web", "worker"]

ROLES: Final[tuple[Role, ...]] = ("web", "worker")
PERIOD: Final = 40.0
"""Seconds between the heartbeats of a process. Each costs a write to the disk."""
FRESH: Final = 20.0
"""After a heartbeat of one process, others of its role may omit theirs for this many seconds.

`PERIOD` plus this stays within `SILENCE`.
"""
RETRY: Final = 5.0
"""Seconds until a failed heartbeat is retried."""
SILENCE: Final = 60.0
"""The longest gap between heartbeats of a role, in seconds, that is no outage."""
JUMP: Final = 5.0
"""The least jump of the clock, in seconds, that counts as an outage."""
LIFE: Final = 60 * DAY
"""Seconds for which outages are stored. Running games get them refunded within a minute."""
MOST: Final = 100
"""The most outages stored."""
_LAST: Final = "st:{outages}:last"
_LEDGER: Final = "st:{outages}:ledger"
_GIVEN: Final = "st:{outages}:given"
_SECONDS: Final = r"[0-9]{1,11}"
LAST_HEARTBEATS: Final = kept_key(
    _LAST, "hash", fields.Dict(text("web|worker|latest"), text(rf"{_SECONDS}(\.[0-9]{{1,6}})?"))
)
LASTING_KEYS: Final = (
    LAST_HEARTBEATS,
    kept_key(_LEDGER, "hash", fields.Dict(text(_SECONDS), text(_SECONDS))),
)
"""The keys that a backup holds, so that the time until its restore is an outage too."""


class Outage(NamedTuple):
    """The beginning and end of an outage, in whole unix seconds."""

    begin: int
    end: int


class Liveness(NamedTuple):
    """The state of the server at one moment.

    `fresh`: web and worker have recorded heartbeats just now. `outages` have ended;
    `ongoing_outage` has not: since its beginning web or worker has recorded no heartbeat, or the
    clock has just jumped.
    """

    fresh: bool
    outages: tuple[Outage, ...]
    ongoing_outage: Outage | None


@dataclass(eq=False, repr=False)
class OutageLedger:
    """A ledger of outages, made from the heartbeats of all processes. `now` gives unix seconds.

    `monotonic` gives seconds of a clock that nobody sets, and that stands still while the machine
    is suspended. Safe to use from several threads.
    """

    _heartbeat_script = Lua(__file__, "heartbeat")

    _redis: Client
    _now: Callable[[], float] = time.time
    _monotonic: Callable[[], float] = time.monotonic
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)
    _sample: tuple[float, float] | None = field(init=False, default=None)
    _heartbeats: dict[Role, float] = field(init=False, default_factory=dict)
    _jumps: list[Outage] = field(init=False, default_factory=list)
    _set_back: bool = field(init=False, default=False)
    recorded_outages: tuple[Outage, ...] = field(init=False, default=())
    """The outages at this process's last heartbeat, without a round trip."""

    def record_heartbeat(self, role: Role, before: Sequence[Command] = ()) -> None:
        """Record a heartbeat of this process, and the outage that it ends, if any.

        The commands `before` are sent and saved to disk along with it.
        """
        now, steady = self._read_clocks(begin=True)
        own = now - (steady - self._heartbeats[role]) if role in self._heartbeats else ""
        jumps = list(self._jumps)
        limits = (SILENCE, LIFE, MOST)
        seen = [second for jump in jumps for second in jump]
        args = [role, f"{now:.3f}", own, *limits, int(self._set_back), FRESH, *seen]
        runs = [([_LAST, _LEDGER], args)]
        (stored,) = run_many(self._redis, self._heartbeat_script, runs, before)
        ledger = iter(stored)
        self.recorded_outages = tuple(_read(dict(zip(ledger, ledger, strict=True))))
        with self._lock:
            self._jumps = [jump for jump in self._jumps if jump not in jumps]
            self._set_back = False
            self._heartbeats[role] = steady

    def liveness(self) -> Liveness:
        """The state of the server now, in one round trip. Without any heartbeat ever, it counts as
        fresh."""
        now, _ = self._read_clocks()
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hmget(_LAST, ROLES)
        pipeline.hgetall(_LEDGER)
        heartbeats, ledger = cast(tuple[list[str | None], dict[str, str]], pipeline.execute())
        last = [float(heartbeat) for heartbeat in heartbeats if heartbeat is not None]
        silent = [heartbeat for heartbeat in last if now - heartbeat > SILENCE]
        begins = [*silent, *(jump.begin for jump in self._jumps)]
        fresh = not last or len(last) == len(ROLES) == sum(abs(now - at) <= SILENCE for at in last)
        ongoing = Outage(int(min(begins)), int(now)) if begins else None
        return Liveness(fresh and not self._jumps, tuple(_read(ledger)), ongoing)

    def unapplied(self) -> list[Outage]:
        """The outages not yet refunded to every running game; none during an outage."""
        liveness = self.liveness()
        if not liveness.outages or not liveness.fresh:
            return []
        given = set(_read(cast(dict[str, str], self._redis.hgetall(_GIVEN))))
        return [outage for outage in liveness.outages if outage not in given]

    def mark_applied(self, outages: Iterable[Outage]) -> None:
        """Record that every running game was refunded these outages. May be repeated."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hgetall(_LEDGER)
        pipeline.hgetall(_GIVEN)
        ledger, given = pipeline.execute()
        stored: dict[FieldT, EncodableT] = {outage.begin: outage.end for outage in outages}
        if stored:
            self._redis.hset(_GIVEN, mapping=stored)
        if gone := [begin for begin in given if begin not in ledger]:
            self._redis.hdel(_GIVEN, *gone)

    def last_heartbeat(self) -> int | None:
        """The last moment with heartbeats of both web and worker; None without any heartbeat."""
        heartbeats = cast(list[str | None], self._redis.hmget(_LAST, list(ROLES)))
        return last_heartbeat_of(
            {
                role: heartbeat
                for role, heartbeat in zip(ROLES, heartbeats, strict=True)
                if heartbeat
            }
        )

    def _read_clocks(self, begin: bool = False) -> tuple[float, float]:
        """Both clocks, after recording any jump of the wall clock against the steady one.

        Only a process that records heartbeats compares them.
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
    """The last moment with heartbeats of both roles, from the hash `st:{outages}:last`."""
    heartbeats = [float(stored[role]) for role in ROLES if role in stored]
    return int(min(heartbeats)) if heartbeats else None


def _read(stored: dict[str, str]) -> list[Outage]:
    return sorted(Outage(int(begin), int(end)) for begin, end in stored.items())


_log = logging.getLogger(__name__)


def start_heartbeat(ledger: OutageLedger) -> None:
    """Record a heartbeat of this web process now and every few seconds, as long as it lives.

    While Redis is away none is recorded: the server is out of order then.
    """
    threading.Thread(target=_run, args=[ledger], name="heartbeat", daemon=True).start()


def _run(ledger: OutageLedger) -> None:
    pause = threading.Event()
    while True:
        try:
            ledger.record_heartbeat("web")
            pause.wait(PERIOD)
        except STORE_FAILURE as error:
            _log.debug("no sign of life: %r", error)
            pause.wait(RETRY)


_KEY = "st:workers"
_BASE_URL = "st:base-url"

# Seconds. A worker without a heartbeat for so long counts as gone.
FORGOTTEN_AFTER = 3600.0
_BASE_URL_LIFE = int(4 * PERIOD)


@dataclass(eq=False, repr=False)
class Heartbeat:
    """The heartbeats of all workers. `now` gives unix seconds.

    Each heartbeat also goes to the `outages` ledger, if given.
    """

    _redis: Client
    _now: Callable[[], float] = time.time
    _base_url: str | None = None
    _outages: OutageLedger | None = None

    def record(self, worker: str) -> None:
        """Record a heartbeat of this worker, and delete workers silent for `FORGOTTEN_AFTER`."""
        commands: list[Command] = [("HSET", _KEY, worker, str(self._now()))]
        if self._base_url is not None:
            commands.append(("SET", _BASE_URL, self._base_url, "EX", _BASE_URL_LIFE))
        if self._outages is None:
            execute_all(self._redis, [Query(command, bool) for command in commands])
        else:
            self._outages.record_heartbeat("worker", commands)
        if gone := [name for name, age in self.ages().items() if age > FORGOTTEN_AFTER]:
            self._redis.hdel(_KEY, *gone)

    def stop(self, worker: str) -> None:
        """Record that this worker ended normally."""
        self._redis.hdel(_KEY, worker)

    def base_url(self) -> str | None:
        """The beginning of the running server's links; None while no worker runs."""
        return cast(str | None, self._redis.get(_BASE_URL))

    def ages(self) -> dict[str, float]:
        """Seconds since the last heartbeat of each worker."""
        last = cast(dict[str, str], self._redis.hgetall(_KEY))
        return {worker: self._now() - float(at) for worker, at in last.items()}
