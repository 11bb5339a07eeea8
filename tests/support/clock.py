"""A clock that a test sets."""

NOON = 1_795_262_400.0
"""2026-11-21T12:00:00Z"""


class Clock:
    """Stands still until a test moves it."""

    def __init__(self, time: float = NOON) -> None:
        self.time = time

    def __call__(self) -> float:
        return self.time
