"""The relay: from what falls due in the games' Redis to jobs in the queue.

It claims with a lease and forgets. Whoever does the work strikes it off the record; whatever is
lost on the way, job, queue or worker, falls due again when the lease ends.
"""

import logging
import threading
import time
from collections.abc import Callable

from service.heartbeat import Heartbeat
from service.log import GameLog
from workers.jobs import TIMEOUT
from workers.queue import Transport

log = logging.getLogger(__name__)

# Seconds.
PERIOD = 0.5
BEAT_PERIOD = 5.0
LEASE = 60.0
# A job must be begun while enough of its lease is left: no more of them than that allows.
BACKLOG = 64


class Relay:
    """Looks for what is due, again and again."""

    def __init__(
        self,
        games_log: GameLog,
        transport: Transport,
        heartbeat: Heartbeat,
        name: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._log = games_log
        self._transport = transport
        self._heartbeat = heartbeat
        self._name = name
        self._now = now
        self._last_beat = float("-inf")

    def run(self, stop: threading.Event) -> None:
        """Look every half second until `stop`; a Redis that is away is only waited for."""
        troubled = False
        while not stop.is_set():
            try:
                self.look()
                self._beat()
                troubled = False
            except Exception as error:
                # Whatever it is, to give up here would silence every notice of this server.
                log.log(logging.DEBUG if troubled else logging.ERROR, "the relay waits: %r", error)
                troubled = True
            stop.wait(PERIOD)

    def look(self) -> int:
        """Claim what is due and enqueue a job for each; how many."""
        room = BACKLOG - self._transport.waiting()
        if room <= 0:
            return 0
        lease_end = self._now() + LEASE
        notices = self._log.due_now(room, LEASE)
        for notice in notices:
            self._transport.carry("deliver", notice, lease_end, TIMEOUT)
        games = self._log.overdue_now(room, LEASE)
        for game in games:
            self._transport.carry("time_out", game, lease_end, TIMEOUT)
        return len(notices) + len(games)

    def _beat(self) -> None:
        if self._now() - self._last_beat >= BEAT_PERIOD:
            self._heartbeat.beat(self._name)
            self._last_beat = self._now()
