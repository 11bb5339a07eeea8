"""Waiting for what another process or thread does."""

import time
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds after which a test that waits fails."""
INTERVAL = 0.02


def until(condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Return as soon as the condition holds; fail after `patience` seconds."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(INTERVAL)
