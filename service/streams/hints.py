"""Hints that a topic, a game or a player's list of games, has moved.

The scripts that write the logs and the lists publish the id of what they changed. A hint may be
lost, come late or twice: it only says where to look, what has happened is read from the log.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from redis.exceptions import RedisClusterException, RedisError

from service.connections import Client

CHANNEL: Final = "st:news"
"""As `append.lua` and `index.lua` spell it."""

# Seconds.
_PATIENCE: Final = 5.0
_PAUSE: Final = 0.5

_log = logging.getLogger(__name__)


class Listener:
    """A thread that listens while somebody waits, and hands on what it hears.

    `heard` gets a topic, or None when hints may have been missed: at first, and after a break.
    """

    def __init__(self, redis: Client, heard: Callable[[str | None], None]) -> None:
        self._redis = redis
        self._heard = heard
        self._wanted = threading.Event()
        threading.Thread(target=self._run, name="hints", daemon=True).start()

    def want(self, wanted: bool) -> None:
        """Listen from now on, or stop within seconds."""
        if wanted:
            self._wanted.set()
        else:
            self._wanted.clear()

    def _run(self) -> None:
        while self._wanted.wait():
            try:
                self._listen()
            except (RedisError, RedisClusterException, OSError) as error:
                _log.warning("Listening for hints failed: %s", error)
                time.sleep(_PAUSE)

    def _listen(self) -> None:
        with self._redis.pubsub() as channel:  # type: ignore[no-untyped-call]
            channel.subscribe(CHANNEL)
            while self._wanted.is_set():
                message = channel.get_message(timeout=_PATIENCE)
                if message is not None:
                    self._heard(_topic(message))


def _topic(message: dict[str, Any]) -> str | None:
    # After a broken connection the client subscribes again by itself.
    return str(message["data"]) if message["type"] == "message" else None
