"""The relay: from what falls due in the games' Redis to jobs in the queues.

It claims with a lease. The job renews the lease, and removes what is done; whatever is lost on the
way, job, queue or worker, falls due again when the lease ends.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from service.accounts.channels.sending import STEP, Sending
from service.core.heartbeat import Heartbeat
from service.eventlog import EventLog, parse_notice_id
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
SPREAD = 4 * BACKLOG
"""Notices on players' channels that are looked at together."""
FULL_PAUSE, FULL_SLOW_PAUSE = 1.0, 10.0
"""Seconds after which a notice is looked at again for which a channels' queue has no room."""


class JobQueues(NamedTuple):
    """The queues: mail has its own, players' channels have two, and mail that comes in has one."""

    play: JobQueue
    mail: JobQueue
    channels: JobQueue
    slow: JobQueue
    mail_in: JobQueue


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
        return found + self._due("mail-in", self._queues.mail_in) + self._due_on_channels()

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
        """Each in a job of its own, since each may hang; of a channel's one at a time."""
        now, room = self._now(), BACKLOG - self._queues.channels.length()
        notices = self._log.outbox.claim(SPREAD, LEASE, "channels", now) if room > 0 else []
        if not notices:
            return 0
        first, others = self._paced(notices)
        for place, notice in others:
            self._log.outbox.postpone(notice, now + place * STEP)
        slow = self._sending.slow_among(first)
        quick = [one for one in first if one not in slow]
        self._enqueue(self._queues.channels, quick, now, FULL_PAUSE)
        self._enqueue(self._queues.slow, list(slow), now, FULL_SLOW_PAUSE)
        return len(notices)

    def _paced(self, notices: Sequence[str]) -> tuple[list[str], list[tuple[int, str]]]:
        """The notices whose channels may send now, one of each; and the others, each with its place
        in its channel's line."""
        lines: dict[tuple[str, str], list[str]] = {}
        for notice in notices:
            parts = parse_notice_id(notice)
            lines.setdefault((parts.recipient, parts.channel), []).append(notice)
        turns = self._sending.take_turns(lines)
        first = [line.pop(0) for channel, line in lines.items() if channel in turns]
        return first, [pair for line in lines.values() for pair in enumerate(line, 1)]

    def _enqueue(self, queue: JobQueue, notices: Sequence[str], now: float, pause: float) -> None:
        room = BACKLOG - queue.length() if notices else 0
        for place, notice in enumerate(notices):
            if place < room:
                queue.enqueue("deliver_notices", [notice], now + LEASE)
            else:
                self._log.outbox.postpone(notice, now + pause)

    def _beat(self) -> None:
        if self._now() - self._last_beat >= BEAT_PERIOD:
            self._heartbeat.beat(self._name)
            self._last_beat = self._now()
