"""Clocks that a test sets."""

NOON = 1_795_262_400.0
"""2026-11-21T12:00:00Z"""


class Clock:
    """Stands still until a test moves it."""

    def __init__(self, time: float = NOON) -> None:
        self.time = time

    def __call__(self) -> float:
        return self.time


class Machine:
    """A machine whose clock can be set and that can be suspended."""

    def __init__(self, time: float = NOON) -> None:
        self.clock = Clock(time)
        self.steady = 1000.0

    def monotonic(self) -> float:
        """The clock that nobody sets."""
        return self.steady

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.time += seconds
        self.steady += seconds

    def set_clock(self, seconds: float) -> None:
        """Set the clock ahead, or back."""
        self.clock.time += seconds

    def suspend(self, seconds: float) -> None:
        """Sleep: the steady clock stands still."""
        self.clock.time += seconds
