"""The relay: turns due work in the games' Redis into jobs in the queues.

It claims with a lease. The job renews the lease, and removes finished work; if a job, queue or
worker is lost on the way, its work falls due again when the lease ends.

It sleeps until the next due time. Earlier due times are published (`service.eventlog.due_news`);
since a message can be lost, it also reads everything now and then.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from service.accounts.channels.send_limits import STEP, SendLimits
from service.core import heartbeat_file
from service.core.heartbeat import Heartbeat
from service.core.outage_ledger import PERIOD as BEAT_PERIOD
from service.core.redis.failures import report
from service.eventlog import EventLog, parse_notice_id
from service.eventlog.due_news import DueAt, DueNews
from service.eventlog.due_set import Heads, Which
from service.games.analysis.service import ANALYSIS
from workers.leases import LEASE, Leases
from workers.queue import JobQueue

log = logging.getLogger(__name__)

# Seconds.
PERIOD = 0.2
"""Between two claims, so that work that falls due together shares jobs; and before a retry."""
FULL_PERIOD = 20.0
"""Between two full reads. They find due times that an earlier version wrote without publishing, and
jobs that a dead worker left in a queue."""
STOP_PERIOD = 1.0
"""Between two checks whether to stop."""
BACKLOG = 64
"""Most jobs that may wait in a queue. Unclaimed work keeps its order in the due set."""
BATCH = 16
"""Most notices in one job: they are read together, and share the cost of a job."""
SHARES = 4
"""A few notices are spread over this many jobs, so that the threads that send mail share them."""
SPREAD = 4 * BACKLOG
"""Most notices on players' channels considered together."""
STRANGERS = 4
"""Most letters of strangers that are read before a player's letter may go first again."""
FULL_PAUSE, FULL_SLOW_PAUSE = 1.0, 10.0
"""Seconds until a notice is considered again for which a queue of channels has no room."""


class JobQueues(NamedTuple):
    """The queues: one for mail, two for players' channels, one for incoming mail, one for bots, one
    for analyses, one for the rest."""

    play: JobQueue
    mail: JobQueue
    channels: JobQueue
    slow: JobQueue
    mail_in: JobQueue
    think: JobQueue
    weigh: JobQueue


class Relay:
    """Claims due work, again and again, and renews the leases of this process's jobs."""

    def __init__(
        self,
        games_log: EventLog,
        sending: SendLimits,
        leases: Leases,
        queues: JobQueues,
        heartbeat: Heartbeat,
        name: str,
        data: Path,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._log = games_log
        self._sending = sending
        self._leases = leases
        self._queues = queues
        self._heartbeat = heartbeat
        self._name = name
        self._data = data
        self._now = now
        self._last_beat = float("-inf")
        self._notices: Heads = {}
        self._games: Heads = {}

    def run(self, listen: Callable[[], DueNews], stop: threading.Event) -> None:
        """Serve until `stop`; `listen` makes a subscription. While Redis is away, it waits."""
        while not stop.is_set():
            try:
                self._beat()  # first: no clock ends before an outage is recorded
                with listen() as news:
                    self._attend(news, stop)
            except Exception as error:
                # Whatever the error: stopping here would silence every notice of this server.
                report(log, "the relay waits", error)
                stop.wait(PERIOD)

    def poll(self) -> int:
        """Read the next due time, claim due work, and enqueue jobs for it. Return the number of
        notices and games claimed. Wakes threads for jobs that other processes enqueued."""
        self._games, self._notices = self._log.deadlines.heads(), self._log.outbox.heads()
        for queue in self._queues:
            queue.wake_for_waiting()
        return self._claim()

    def _attend(self, news: DueNews, stop: threading.Event) -> None:
        """Sleep until something falls due or is published, and claim it."""
        next_poll = next_claim = float("-inf")
        while not stop.is_set():
            self._leases.renew()
            self._beat()
            now = self._now()
            # A clock that was set back also triggers a poll.
            if not next_poll - FULL_PERIOD <= now < next_poll:
                self.poll()
                next_poll, next_claim = now + FULL_PERIOD, now + PERIOD
            elif max(next_claim, self._next_due()) <= now:
                self._claim()
                next_claim = now + PERIOD
            wake = min(next_poll, max(next_claim, self._next_due()))
            pause = min(max(0.0, wake - self._now()), STOP_PERIOD)
            if self._next_due() <= now and pause:
                # No published message can change when to claim: do not wake for each of them.
                stop.wait(pause)
                pause = 0.0
            for each in news.wait(pause):
                if isinstance(each, DueAt):
                    self._note(each)
                else:
                    next_poll = float("-inf")

    def _note(self, news: DueAt) -> None:
        heads = self._notices if news.what == "due" else self._games
        heads[news.bucket] = min(news.at, heads.get(news.bucket, news.at))

    def _next_due(self) -> float:
        return min([*self._games.values(), *self._notices.values()], default=float("inf"))

    def _claim(self) -> int:
        """Claim due work and enqueue jobs for it.

        If a queue is full, its work stays unclaimed, and does not delay the other queues.
        """
        now, play, mail = self._now(), self._queues.play, self._queues.mail
        count = self._overdue(play) if _any_due(self._games, now) else 0
        if _any_due(self._notices, now):
            # The most frequent first: a bucket that is empty then is skipped.
            count += self._due("mail", mail) + self._due("rest", play)
            count += self._due("mail-in", self._queues.mail_in) + self._due_on_channels()
            if not self._queues.mail_in.length():  # players' letters go first
                count += self._due("strangers-mail-in", self._queues.mail_in, STRANGERS)
        return count

    def _overdue(self, queue: JobQueue) -> int:
        now, room = self._now(), BACKLOG - queue.length()
        if room <= 0:
            return 0
        games = self._log.deadlines.claim(room, LEASE, at=now, heads=self._games)
        for game in games:
            queue.enqueue("time_out", game, now + LEASE)
        return len(games)

    def _due(self, which: Which, queue: JobQueue, most: int = BACKLOG * BATCH) -> int:
        now, room = self._now(), BACKLOG - queue.length()
        if room <= 0:
            return 0
        most = min(most, room * BATCH)
        claimed = self._log.outbox.claim(most, LEASE, which, now, self._notices)
        parsed = {notice: parse_notice_id(notice) for notice in claimed}
        bots = [notice for notice, parts in parsed.items() if parts.transport == "bot"]
        analyses = [notice for notice, parts in parsed.items() if parts.kind == ANALYSIS]
        notices = [notice for notice in claimed if notice not in (*bots, *analyses)]
        self._enqueue(self._queues.think, bots, now, FULL_PAUSE)
        self._enqueue(self._queues.weigh, analyses, now, FULL_PAUSE)
        size = max(1, min(BATCH, len(notices) // SHARES))
        for start in range(0, len(notices), size):
            queue.enqueue("deliver_notices", notices[start : start + size], now + LEASE)
        return len(claimed)

    def _due_on_channels(self) -> int:
        """Claim and enqueue the due notices on channels, each in a job of its own, since each may
        hang. Of one channel's notices, one is sent at a time."""
        now, room = self._now(), BACKLOG - self._queues.channels.length()
        if room <= 0:
            return 0
        notices = self._log.outbox.claim(SPREAD, LEASE, "channels", now, self._notices)
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
        """Return the first notice of each channel that may send now; and the others, each with its
        place in its channel's line, from 1."""
        lines: dict[tuple[str, str], list[str]] = {}
        for notice in notices:
            parts = parse_notice_id(notice)
            lines.setdefault((parts.recipient, parts.transport), []).append(notice)
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
        if not 0 <= self._now() - self._last_beat < BEAT_PERIOD:
            self._heartbeat.record(self._name)
            heartbeat_file.show(self._data)
            self._last_beat = self._now()


def _any_due(heads: Heads, now: float) -> bool:
    return any(head <= now for head in heads.values())
