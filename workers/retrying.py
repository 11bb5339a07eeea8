"""Noting what was done, where it cannot be undone: whatever is not noted is done again."""

import time
from collections.abc import Callable
from typing import Final

from service.core.redis.client import unavailable

PATIENCE: Final = 120.0
PAUSE: Final = 0.2
"""Seconds."""


def retry_until_saved(note: Callable[[], None]) -> None:
    """Carry this out, again and again while Redis cannot be reached, for two minutes at most."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return note()
        except Exception as error:
            if not unavailable(error) or time.monotonic() > end:
                raise
        time.sleep(PAUSE)
