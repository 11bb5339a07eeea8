"""One worker process: `python -m workers` relays what falls due, and does it.

Its threads: the relay, one that plays bots and minds clocks, and a few that send mail, which mostly
wait for the mail server.
"""

import logging
import os
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from types import FrameType
from typing import Final

from redis.exceptions import RedisError

from service.core.settings import BadSetting, Settings
from service.ops.heartbeat import Heartbeat
from service.ops.queue import MAIL, PLAY
from workers.context import own_office
from workers.jobs import MAIL_TIMEOUT, PLAY_TIMEOUT
from workers.queue import Hand, Transport, forget_former_queue, queue_redis
from workers.relay import PERIOD, Relay, Transports

HANDS: Final = (PLAY, MAIL, MAIL, MAIL, MAIL)
"""The queue that each working thread works."""
PATIENCE: Final = 12.0
"""Seconds in which jobs in hand may end after a signal. What takes longer falls due again."""

log = logging.getLogger("workers")


def main() -> int:
    """Work until SIGTERM or SIGINT; jobs in hand are finished first. The exit status."""
    try:
        settings = Settings.from_env()
        logging.basicConfig(level=settings.log_level.upper(), format="%(levelname)s %(message)s")
        office = own_office()
        redis = queue_redis(settings)
    except (BadSetting, ValueError) as error:
        print(f"scottenbury worker: {error}", file=sys.stderr)  # noqa: T201
        return 2
    stop = _told_to_stop()
    name = f"{socket.gethostname()}:{os.getpid()}"
    heartbeat = Heartbeat(office.redis, base_url=settings.base_url)
    transports = Transports(
        Transport(redis, PLAY, PLAY_TIMEOUT), Transport(redis, MAIL, MAIL_TIMEOUT)
    )
    relay = Relay(office.log, office.leases, transports, heartbeat, name)
    relaying = threading.Thread(target=relay.run, args=[stop], name="relay")
    hands = [
        threading.Thread(target=_work, args=[settings, queue, stop], name=queue, daemon=True)
        for queue in HANDS
    ]
    for thread in (relaying, *hands):
        thread.start()
    stop.wait()
    _ended(hands)
    relaying.join()
    _farewell(heartbeat, name)
    return 0


def _told_to_stop() -> threading.Event:
    """Set by the signals that end this process."""
    stop = threading.Event()

    def told(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, told)
    return stop


def _work(settings: Settings, queue: str, stop: threading.Event) -> None:
    """Work a queue until told to stop, beginning anew whenever its Redis was lost."""
    while not stop.is_set():
        try:
            redis = queue_redis(settings)
            if queue == PLAY:  # one thread is enough for that
                forget_former_queue(redis)
            Hand(redis, queue, stop).work(logging_level=_rq_level(settings))
        except RedisError as error:
            log.warning("the queue cannot be reached: %s", error)
        stop.wait(PERIOD)


def _ended(hands: list[threading.Thread]) -> None:
    """Wait for the jobs in hand, but not longer than whoever ended this process waits."""
    end = time.monotonic() + PATIENCE
    for hand in hands:
        hand.join(max(0.0, end - time.monotonic()))


def _rq_level(settings: Settings) -> str:
    """RQ tells of every job at INFO: that is for finding faults."""
    return "DEBUG" if settings.log_level == "debug" else "WARNING"


def _farewell(heartbeat: Heartbeat, name: str) -> None:
    with suppress(RedisError):  # in vain: it will be forgotten in time
        heartbeat.stop(name)


if __name__ == "__main__":
    sys.exit(main())
