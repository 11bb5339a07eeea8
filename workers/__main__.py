"""One worker process: `python -m workers` claims due notices and clocks, and handles them.

Its threads: the relay; one returns time lost to outages, one draws deals of coming days, and one
keeps seasons going; one ends clocks, one plays quick bots, one slow bots, and one weighs finished
games; one reads incoming mail; a few send mail and a few send on players' channels. The senders
mostly wait for a response.
"""

import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from redis import Redis

from service.container import Container
from service.core import data_folder, logs
from service.core.errors import STORE_FAILURE
from service.core.redis.client import Client
from service.core.redis.failures import report
from service.core.settings import BadSetting, Settings
from service.eventlog.due_set import DueNews, wake_listeners
from service.games import Games
from service.ops.status import CHANNELS, MAIL, MAIL_IN, PLAY, PONDER, SLOW_CHANNELS, THINK, WEIGH
from service.seasons.running import SeasonClock
from workers.context import WorkerContext, get_context
from workers.jobs import MAIL_TIMEOUT, PLAY_TIMEOUT, WEIGH_TIMEOUT
from workers.queue import JobQueue, Worker, forget_former_queue, queue_redis
from workers.relay import PERIOD, JobQueues, Relay

if TYPE_CHECKING:
    from service.mail_in.polling import Polling

THREADS: Final = {PLAY: 1, MAIL_IN: 1, MAIL: 4, CHANNELS: 8, SLOW_CHANNELS: 4} | dict.fromkeys(
    (THINK, PONDER, WEIGH), 1
)
"""The most threads that work each queue."""
OUTAGES_PERIOD: Final = 15.0
"""Seconds between two looks for outages to refund."""
FETCH_PERIOD = 2.0
"""Seconds between two checks whether it is time to fetch mail by IMAP."""
DEALS_PERIOD: Final = 600.0
"""Seconds between two looks whether the deals of the coming days are drawn."""
SEASONS_PERIOD: Final = 10.0
"""Seconds between two looks what is due in seasons."""
ENDINGS: Final = (signal.SIGINT, signal.SIGTERM)
PATIENCE: Final = 12.0
"""Seconds that running jobs have to finish after a signal. Unfinished work falls due again."""

log = logging.getLogger("workers")


def main() -> int:
    """Work until SIGTERM or SIGINT, then let running jobs finish. Returns the exit status."""
    stop = threading.Event()
    name = f"{socket.gethostname()}:{os.getpid()}"
    try:
        settings = Settings.from_env()
        logs.configure("worker", settings)
        # RQ reports every job at INFO, which only helps when looking for a fault.
        for name_of_log in ("rq.worker", "rq.job"):
            level = "DEBUG" if settings.log_level == "debug" else "WARNING"
            logging.getLogger(name_of_log).setLevel(level)
        context = get_context()
        built = context.container
        # Their catalogues may be broken.
        built.languages.on_untranslated = built.untranslated.note
        queues = _queues(queue_redis(settings), settings)
        # Blocked, not handled: a handler that sets an event waits for ever if it interrupts the
        # wait for that event. All threads started from here on inherit this.
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
        fetchers = fetching(context.container, name, stop)
    except (BadSetting, ValueError) as error:
        print(f"scottenbury worker: {error}", file=sys.stderr)  # noqa: T201
        return 2
    except STORE_FAILURE as error:  # a cluster is asked at once who its nodes are
        report(log, "the worker cannot start", error)
        return 1
    with suppress(OSError):  # then nobody on this machine sees that it is alive
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    _work_until_signalled(settings, context, queues, fetchers, name, stop)
    data_folder.end_heartbeats(settings.data)
    return 0


def _queues(redis: Redis, settings: Settings) -> JobQueues:
    def queue(name: str, timeout: int = PLAY_TIMEOUT, threads: int | None = None) -> JobQueue:
        return JobQueue(redis, name, timeout, threads or THREADS[name])

    return JobQueues(
        play=queue(PLAY),
        # The local mailbox lets nobody wait.
        mail=queue(MAIL, MAIL_TIMEOUT, THREADS[MAIL] if settings.smtp_url else 1),
        channels=queue(CHANNELS),
        slow=queue(SLOW_CHANNELS),
        mail_in=queue(MAIL_IN),
        think=queue(THINK),
        ponder=queue(PONDER),
        weigh=queue(WEIGH, WEIGH_TIMEOUT),
    )


def _work_until_signalled(
    settings: Settings,
    context: WorkerContext,
    queues: JobQueues,
    fetchers: Sequence[threading.Thread],
    name: str,
    stop: threading.Event,
) -> None:
    """Start all threads; after a signal set `stop`, and wait for running jobs."""
    built = context.container
    relay = Relay(
        built.log, built.send_limits, context.leases, queues, built.heartbeat, name, settings.data
    )
    listen = partial(DueNews, built.redis)
    relaying = threading.Thread(target=relay.run, args=[listen, stop], name="relay")
    working = [
        threading.Thread(target=_work, args=[settings, queue, stop], name=queue.name, daemon=True)
        for queue in queues
        for _ in range(queue.threads)
    ]
    for thread in (relaying, *_upkeep(built.games, built.season_clock, stop), *working, *fetchers):
        thread.start()
    signal.sigwait(ENDINGS)
    stop.set()
    for queue in queues:
        queue.wake(queue.threads)
    threading.Thread(target=_wake_relay, args=[built.redis], daemon=True).start()
    end = time.monotonic() + PATIENCE  # shortly before this process would be killed
    for thread in working:
        thread.join(max(0.0, end - time.monotonic()))
    relaying.join()
    with suppress(*STORE_FAILURE):  # a worker that does not sign off is forgotten in time
        built.heartbeat.stop(name)


def _work(settings: Settings, queue: JobQueue, stop: threading.Event) -> None:
    """Work a queue until `stop` is set; carry on after any error."""
    redis = queue_redis(settings)
    worker: Worker | None = None
    while not stop.is_set():
        try:
            if worker is None:
                if queue.name == PLAY:  # one thread is enough for that
                    forget_former_queue(redis)
                worker = Worker(redis, queue.name, stop)
            worker.drain()
            queue.sleep()
        except Exception as error:
            # Whatever the error: ending the thread would leave the queue unworked. Its jobs fall
            # due again.
            report(log, "the queue cannot be worked", error)
            stop.wait(PERIOD)


def _upkeep(
    games: Games, season_clock: SeasonClock, stop: threading.Event
) -> list[threading.Thread]:
    """Threads that refund lost time, draw the deals of the coming days, and keep seasons going,
    until `stop`."""

    def refund() -> None:
        if count := games.outages.apply_all():
            log.info("an outage was given back to %d games", count)

    outages = [refund, OUTAGES_PERIOD, "outages are given back later", stop, OUTAGES_PERIOD]
    deals = [games.daily.draw_ahead, DEALS_PERIOD, "deals are drawn later", stop, 0.0]
    seasons = [season_clock.run_all, SEASONS_PERIOD, "seasons wait", stop, 0.0]
    return [
        threading.Thread(target=_repeat, args=args, name=name, daemon=True)
        for name, args in (("outages", outages), ("deals", deals), ("seasons", seasons))
    ]


def _repeat(
    job: Callable[[], None], period: float, failure: str, stop: threading.Event, after: float
) -> None:
    """Run `job` after `after` seconds, and again after each `period`, until `stop`. `failure` is
    the log's text for an error."""
    while not stop.wait(after):
        after = period
        try:
            job()
        except Exception as error:
            # Whatever the error: nobody else does the job. Without it no game with an unrecorded
            # outage could end.
            report(log, failure, error)


def _wake_relay(redis: Client) -> None:
    """Let the relay see at once that it has to stop, rather than at its next check."""
    with suppress(*STORE_FAILURE):
        wake_listeners(redis)


def fetching(container: Container, name: str, stop: threading.Event) -> list[threading.Thread]:
    """Return a list with the thread, not yet started, that fetches mail until `stop` is set; an
    empty list if the settings name no mailbox.

    Raises ValueError for an unreadable URL.
    """
    url = container.settings.imap_url
    if url is None:
        return []
    # Here, as most servers fetch no mail.
    from service.mail.imap import read_imap_url
    from service.mail_in.polling import Polling

    mailbox = read_imap_url(url)
    polling = Polling(container.redis, container.incoming_mail, mailbox, name, container.now)
    # Nobody waits for it at the end: a mail not yet stored is fetched again.
    return [threading.Thread(target=_fetch, args=[polling, stop], name="imap", daemon=True)]


def _fetch(polling: "Polling", stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            polling.poll()
        except STORE_FAILURE as error:
            report(log, "no mail is fetched", error)
        stop.wait(FETCH_PERIOD)


if __name__ == "__main__":
    sys.exit(main())
