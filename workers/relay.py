"""The relay: from what falls due in the games' Redis to jobs in the queues.

It claims with a lease. The job renews the lease, and removes what is done; whatever is lost on the
way, job, queue or worker, falls due again when the lease ends.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from service.accounts.channels.sending import Sending
from service.core.heartbeat import Heartbeat
from service.eventlog import EventLog
from service.eventlog.due_set import Which
from workers.leases import LEASE, Leases
from workers.queue import JobQueue

log = logging.getLogger(__name__)

# Seconds.
PERIOD = 0.2
BEAT_PERIOD = 5.0
BACKLOG = 64
"""Jobs that wait in a queue at most. What is not claimed yet keeps its order in the due set."""
BATCH = 16
"""Notices in one job at most: they are read together, and share the cost of a job."""
SHARES = 4
"""Few notices are spread over so many jobs, so that the threads that send mail share them."""
FULL_LANE_PAUSE = 10.0
"""Seconds after which a notice is looked at again for which the slow lane has no room."""


class JobQueues(NamedTuple):
    """The queues: mail has its own, and players' channels have two."""

    play: JobQueue
    mail: JobQueue
    channels: JobQueue
    slow: JobQueue


class Relay:
    """Claims what falls due, again and again, and renews the leases of this process's jobs."""

    def __init__(
        self,
        games_log: EventLog,
        sending: Sending,
        leases: Leases,
        queues: JobQueues,
        heartbeat: Heartbeat,
        name: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._log = games_log
        self._sending = sending
        self._leases = leases
        self._queues = queues
        self._heartbeat = heartbeat
        self._name = name
        self._now = now
        self._last_beat = float("-inf")

    def run(self, stop: threading.Event) -> None:
        """Look five times a second until `stop`. While Redis is away, it waits."""
        troubled = False
        while not stop.is_set():
            try:
                self._leases.renew()
                self._beat()  # first: after an outage, no clock ends before it is noted
                self.look()
                troubled = False
            except Exception as error:
                # Whatever it is: stopping here would silence every notice of this server.
                log.log(logging.DEBUG if troubled else logging.ERROR, "the relay waits: %r", error)
                troubled = True
            stop.wait(PERIOD)

    def look(self) -> int:
        """Claim what is due and enqueue jobs for it; how many notices and games.

        What a queue has no room for stays unclaimed, and holds up nothing that goes elsewhere.
        """
        play, mail = self._queues.play, self._queues.mail
        found = self._overdue(play) + self._due("rest", play) + self._due("mail", mail)
        return found + self._due_on_channels()

    def _overdue(self, queue: JobQueue) -> int:
        now, room = self._now(), BACKLOG - queue.length()
        games = self._log.deadlines.claim(room, LEASE, now) if room > 0 else []
        for game in games:
            queue.enqueue("time_out", game, now + LEASE)
        return len(games)

    def _due(self, which: Which, queue: JobQueue) -> int:
        now, room = self._now(), BACKLOG - queue.length()
        if room <= 0:
            return 0
        notices = self._log.outbox.claim(room * BATCH, LEASE, which, now)
        size = max(1, min(BATCH, len(notices) // SHARES))
        for start in range(0, len(notices), size):
            queue.enqueue("deliver_notices", notices[start : start + size], now + LEASE)
        return len(notices)

    def _due_on_channels(self) -> int:
        """Each in a job of its own, since each may hang; and by one of two queues."""
        channels, slow_lane = self._queues.channels, self._queues.slow
        now, room = self._now(), BACKLOG - channels.length()
        notices = self._log.outbox.claim(room, LEASE, "channels", now) if room > 0 else []
        slow = self._sending.slow_among(notices) if notices else set()
        slow_room = BACKLOG - slow_lane.length() if slow else 0
        for notice in notices:
            if notice not in slow:
                channels.enqueue("deliver_notices", [notice], now + LEASE)
            elif slow_room > 0:
                slow_lane.enqueue("deliver_notices", [notice], now + LEASE)
                slow_room -= 1
            else:
                self._log.outbox.postpone(notice, now + FULL_LANE_PAUSE)
        return len(notices)

    def _beat(self) -> None:
        if self._now() - self._last_beat >= BEAT_PERIOD:
            self._heartbeat.beat(self._name)
            self._last_beat = self._now()
