"""The one rule: of a turn's time counts what lies in no pause.

What counts is a row of stretches, in order. In each of them nothing but the days of the week and
the hours of the day matter, so it costs the same however long it is.
"""

from collections.abc import Iterable
from typing import NamedTuple

from service.games.clock.week import Week


class Stretch(NamedTuple):
    """The time from one moment up to another, not included (unix seconds): only `week` says what
    of it counts. `offset`: seconds by which the wall clock is ahead of UTC."""

    start: int
    end: int
    offset: int
    week: Week

    @property
    def counted(self) -> int:
        """The seconds that count."""
        return self.week.counted_by(self.end + self.offset) - self.week.counted_by(
            self.start + self.offset
        )


def reach(start: int, seconds: int, stretches: Iterable[Stretch]) -> int | None:
    """The first moment at which so many seconds after `start` have counted; None if the stretches,
    which begin there, end before that."""
    if seconds <= 0:
        return start
    left = seconds
    for stretch in stretches:
        counted = stretch.counted
        if counted >= left:
            local = stretch.week.after(stretch.start + stretch.offset, left)
            return local - stretch.offset
        left -= counted
    return None
