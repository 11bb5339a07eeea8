"""The relay: turns due work in the games' Redis into jobs in the queues.

It claims with a lease. The job renews the lease, and removes finished work; if a job, queue or
worker is lost on the way, its work falls due again when the lease ends.

It sleeps until the next due time. Earlier due times are published (`service.eventlog.due_set`);
since a message can be lost, it also reads everything now and then.
"""

import logging
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from service.accounts.channels.send_limits import STEP, SendLimits
from service.bots import bot_at
from service.core import data_folder
from service.core.heartbeat import PERIOD as BEAT_PERIOD
from service.core.heartbeat import Heartbeat
from service.core.redis.batch import Query
from service.core.redis.failures import report
from service.eventlog import EventLog, keys, parse_notice_id
from service.eventlog.due_set import DueAt, DueNews, Heads, Which
from service.games.analysis import ANALYSIS
from workers.leases import LEASE, Leases
from workers.queue import JobQueue

log = logging.getLogger(__name__)

# Seconds.
PERIOD = 0.5
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
SPREAD = 4 * BACKLOG
"""Most notices on players' channels considered together."""
STRANGERS = 4
"""Most letters of strangers, and large ones, that are read before a small one of a player may go
first again."""
FULL_PAUSE, FULL_SLOW_PAUSE = 1.0, 10.0
"""Seconds until a notice is considered again for which a queue of channels has no room."""
BOT_STEP, BOT_TURN = PERIOD, 5.0
"""Seconds between two turns of bots that wait for one person's earlier ones; and after which the
next may be queued although the one before was not played yet."""
_PLAYER = re.compile(r'"player":"([a-z0-9]{16})"')


class JobQueues(NamedTuple):
    """The queues: one for mail, two for players' channels, one for incoming mail, one for quick
    bots, one for slow ones, one for analyses, one for the rest."""

    play: JobQueue
    mail: JobQueue
    channels: JobQueue
    slow: JobQueue
    mail_in: JobQueue
    think: JobQueue
    ponder: JobQueue
    weigh: JobQueue


@dataclass(eq=False, repr=False)
class Relay:
    """Claims due work, again and again, and renews the leases of this process's jobs."""

    _log: EventLog
    _sending: SendLimits
    _leases: Leases
    _queues: JobQueues
    _heartbeat: Heartbeat
    _name: str
    _data: Path
    _now: Callable[[], float] = time.time
    _last_beat: float = field(init=False, default=float("-inf"))
    _notices: Heads = field(init=False, default_factory=dict)
    _games: Heads = field(init=False, default_factory=dict)

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
                    heads = self._notices if each.what == "due" else self._games
                    heads[each.bucket] = min(each.at, heads.get(each.bucket, each.at))
                else:
                    next_poll = float("-inf")

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
        self._due_of_bots(bots, now)
        self._enqueue(self._queues.weigh, analyses, now, FULL_PAUSE)
        # A few are spread over jobs, so that the queue's threads share them.
        size = max(1, min(BATCH, len(notices) // queue.threads))
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
        lines: dict[tuple[str, str], list[str]] = {}
        for notice in notices:
            parts = parse_notice_id(notice)
            lines.setdefault((parts.recipient, parts.transport), []).append(notice)
        first = self._paced(lines, now, STEP, STEP)
        slow = self._sending.slow_among(first)
        quick = [one for one in first if one not in slow]
        self._enqueue(self._queues.channels, quick, now, FULL_PAUSE)
        self._enqueue(self._queues.slow, list(slow), now, FULL_SLOW_PAUSE)
        return len(notices)

    def _due_of_bots(self, notices: Sequence[str], now: float) -> None:
        """Enqueue due turns of bots, quick and slow apart, one at a time for each person: those of
        whoever has many due wait for their own, and for nobody else's."""
        if not notices:
            return
        games = {parse_notice_id(notice).subject for notice in notices}
        people = dict(self._log.events.execute_all([_person_query(game) for game in games]))
        for queue, is_slow in ((self._queues.think, False), (self._queues.ponder, True)):
            lines: dict[tuple[str, str], list[str]] = {}
            for notice in notices:
                parts = parse_notice_id(notice)
                bot = bot_at(parts.recipient)
                if (bot is not None and bot.is_slow) == is_slow:
                    lines.setdefault((people[parts.subject], queue.name), []).append(notice)
            first = self._paced(lines, now, BOT_TURN, BOT_STEP)
            self._enqueue(queue, first, now, FULL_PAUSE)

    def _paced(
        self, lines: Mapping[tuple[str, str], list[str]], now: float, life: float, step: float
    ) -> list[str]:
        """Return the first notice of each line whose turn it is, and take the turn for `life`
        seconds; postpone the others, each by its place in its line."""
        turns = self._sending.take_turns(lines, life)
        first = [line.pop(0) for who, line in lines.items() if who in turns]
        for line in lines.values():
            for place, notice in enumerate(line, 1):
                self._log.outbox.postpone(notice, now + place * step)
        return first

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
            data_folder.show_heartbeat(self._data)
            self._last_beat = self._now()


def _person_query(game: str) -> Query[tuple[str, str]]:
    """The query for a game against a bot and its person, whom the first entry of its log names; if
    that cannot be read, the game itself stands for them."""

    def parse(reply: object) -> tuple[str, str]:
        named = _PLAYER.findall(str(reply))
        return game, next((one for one in named if bot_at(one) is None), game)

    command = ("XRANGE", keys.log_key(game), "-", "+", "COUNT", 1)
    return Query(command, parse, takes_errors=True)


def _any_due(heads: Heads, now: float) -> bool:
    return any(head <= now for head in heads.values())
