"""One worker process: `python -m workers` relays what falls due, and does it."""

import logging
import os
import signal
import socket
import sys
import threading
from contextlib import suppress
from types import FrameType

from redis.exceptions import RedisError
from rq.exceptions import StopRequested

from service.heartbeat import Heartbeat
from service.settings import BadSetting, Settings
from workers.office import own_office
from workers.queue import Hand, Transport, queue_redis
from workers.relay import PERIOD, Relay

log = logging.getLogger("workers")


def main() -> int:
    """Work until SIGTERM or SIGINT; a job in hand is finished first. The exit status."""
    try:
        settings = Settings.from_env()
        logging.basicConfig(level=settings.log_level.upper(), format="%(levelname)s %(message)s")
        office = own_office()
        queue_redis(settings)
    except (BadSetting, ValueError) as error:
        print(f"scottenbury worker: {error}", file=sys.stderr)  # noqa: T201
        return 2
    name = f"{socket.gethostname()}:{os.getpid()}"
    heartbeat = Heartbeat(office.redis, base_url=office.settings.base_url)
    relay = Relay(office.log, Transport(queue_redis(settings)), heartbeat, name)
    stop = threading.Event()
    relaying = threading.Thread(target=relay.run, args=[stop], name="relay")
    relaying.start()
    try:
        _work(settings, stop)
    finally:
        stop.set()
        relaying.join()
        _farewell(heartbeat, name)
    return 0


def _work(settings: Settings, stop: threading.Event) -> None:
    """Work jobs until told to stop, beginning anew whenever the queue's Redis was lost."""
    _heed_signals(stop)
    while not stop.is_set():
        try:
            Hand(queue_redis(settings), stop).work(logging_level=_rq_level(settings))
        except StopRequested:
            return
        except RedisError as error:
            log.warning("the queue cannot be reached: %s", error)
        finally:
            _heed_signals(stop)  # RQ sets handlers of its own
        stop.wait(PERIOD)


def _heed_signals(stop: threading.Event) -> None:
    def told(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, told)


def _rq_level(settings: Settings) -> str:
    """RQ tells of every job at INFO: that is for finding faults."""
    return "DEBUG" if settings.log_level == "debug" else "WARNING"


def _farewell(heartbeat: Heartbeat, name: str) -> None:
    with suppress(RedisError):  # in vain: it will be forgotten in time
        heartbeat.stop(name)


if __name__ == "__main__":
    sys.exit(main())
