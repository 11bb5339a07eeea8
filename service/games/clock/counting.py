"""The counting rule: the time of a turn counts except for its pauses.

Counted time is a row of stretches, in order. Within a stretch only days of the week and hours of
the day matter, so it costs the same however long it is.
"""

from collections.abc import Iterable
from typing import NamedTuple

from service.games.clock.week import Week


class Stretch(NamedTuple):
    """A span of unix seconds, its end excluded, in which `week` alone decides which seconds count.

    `offset`: seconds by which the wall clock is ahead of UTC.
    """

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
    """The first moment at which `seconds` have been counted since `start`.

    None if the stretches, which begin at `start`, end before that.
    """
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
