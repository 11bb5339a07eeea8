"""What befalls the server under test, one mishap after the other."""

import os
import random
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from bench.faults.disk import Disk
from bench.faults.server import Server, children
from tests.support.sick_mail_server import SickMailServer, Step

LASTS: Final = (1.0, 5.0)
"""Seconds that a mishap lasts which does not kill."""
RECOVERY: Final = 30.0
"""Seconds for which the next mishap waits at most until the server is ready again."""
JUMP: Final = 30
"""Seconds by which the clock jumps ahead, and back again."""


class Mishaps:
    """Carries mishaps out on one server; each is over when its method returns."""

    def __init__(
        self, server: Server, mails: SickMailServer, disk: Disk, clock: Path, chance: random.Random
    ) -> None:
        self._server, self._mails, self._disk = server, mails, disk
        self._clock, self._chance = clock, chance

    def happen(self, name: str) -> bool:
        """Whether this mishap could be carried out; a killed process may not be back yet."""
        if name in KILLED:
            return self._kill(name)
        return OTHERS[name](self)

    def await_recovery(self) -> None:
        """Wait until the server is ready for requests again, for half a minute at most."""
        end = time.monotonic() + RECOVERY
        while not self._server.is_ready() and time.monotonic() < end:
            time.sleep(0.1)

    def _last(self) -> None:
        time.sleep(self._chance.uniform(*LASTS))

    def _kill(self, role: str) -> bool:
        if role == "supervisor":
            self._server.restart()
            return True
        pids = self._server.pids(role)
        if not pids:
            return False
        with suppress(ProcessLookupError):
            os.kill(self._chance.choice(pids), signal.SIGKILL)
            return True
        return False

    def forget_and_die(self) -> bool:
        """Let Redis write nothing more to its append-only file, and kill it a second later."""
        with suppress(RedisError), self._server.redis() as redis:
            redis.config_set("appendonly", "no")
            time.sleep(1.0)
        return self._kill("redis")

    def _power_cut(self) -> bool:
        """Kill all at once, and lose all that was not synced to the disk."""
        self._server.stop()
        self._disk.forget()
        self._server.start()
        return True

    def _full_disk(self) -> bool:
        self._disk.fill()
        self._last()
        self._disk.clear()
        if not self._server.alive():
            self._server.restart()
        return True

    def _hang(self) -> bool:
        for pid in (pids := self._server.pids("redis")):
            os.kill(pid, signal.SIGSTOP)
        self._last()
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
        return bool(pids)

    def _no_memory(self) -> bool:
        return self._refusing({"maxmemory": 1}, {"maxmemory": 0})

    def _read_only(self) -> bool:
        """Make the store the replica of a master that is not there."""

        def demote(redis: Redis) -> None:
            redis.replicaof("127.0.0.1", 1)

        def promote(redis: Redis) -> None:
            redis.replicaof("NO", "ONE")

        return self._meanwhile(demote, promote)

    def _misconf(self) -> bool:
        """Kill the process that saves a snapshot: Redis then refuses to write (MISCONF)."""

        def begin(redis: Redis) -> None:
            redis.config_set("rdb-key-save-delay", 1_000_000)
            redis.config_set("save", "3600 1000000")
            redis.bgsave()
            for pid in self._server.pids("redis"):
                for child in children(pid):
                    os.kill(child, signal.SIGKILL)

        return self._meanwhile(begin, lambda redis: redis.config_set("save", ""))

    def _refusing(self, during: Mapping[str, int], after: Mapping[str, int]) -> bool:
        return self._meanwhile(
            lambda redis: [redis.config_set(*each) for each in during.items()],
            lambda redis: [redis.config_set(*each) for each in after.items()],
        )

    def _meanwhile(self, begin: Callable[[Redis], Any], end: Callable[[Redis], Any]) -> bool:
        try:
            with self._server.redis() as redis:
                begin(redis)
                self._last()
                end(redis)
        except RedisError:  # it is just starting again, and then knows nothing of this
            return False
        return True

    def _jump_ahead(self) -> bool:
        return self._jump(JUMP)

    def _jump_back(self) -> bool:
        return self._jump(-JUMP)

    def _jump(self, seconds: int) -> bool:
        """Set the clock of all processes, and after a while back to where it was."""
        self._clock.write_text(f"{seconds:+d}")
        self._last()
        self._clock.write_text("+0")
        return True

    def _mail_refused(self) -> bool:
        return self._sick("RCPT", "451 try again later")

    def _mail_stalls(self) -> bool:
        return self._sick("DATA", None)

    def _sick(self, at: Step, says: str | None) -> bool:
        self._mails.at, self._mails.says = at, says
        self._last()
        self._mails.at = None
        return True


KILLED: Final = ("redis", "worker", "web worker", "web", "supervisor")
"""The processes that are killed."""
OTHERS: Final[Mapping[str, Callable[[Mishaps], bool]]] = {
    "full-disk": Mishaps._full_disk,
    "no-memory": Mishaps._no_memory,
    "hang": Mishaps._hang,
    "read-only": Mishaps._read_only,
    "misconf": Mishaps._misconf,
    "clock-ahead": Mishaps._jump_ahead,
    "clock-back": Mishaps._jump_back,
    "mail-refused": Mishaps._mail_refused,
    "mail-stalls": Mishaps._mail_stalls,
    "power-cut": Mishaps._power_cut,
}
