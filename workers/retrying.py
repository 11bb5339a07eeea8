"""Repeats the recording of an action until it succeeds: an unrecorded action would happen twice."""

import time
from collections.abc import Callable
from typing import Final

from service.core.redis.client import unavailable

PATIENCE: Final = 120.0
PAUSE: Final = 0.2
"""Seconds between two tries, and in all (`PATIENCE`)."""


def retry_until_saved(save: Callable[[], None]) -> None:
    """Call `save` until Redis can be reached and it succeeds, for two minutes at most."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return save()
        except Exception as error:
            if not unavailable(error) or time.monotonic() > end:
                raise
        time.sleep(PAUSE)
