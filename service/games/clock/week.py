"""The hours of a week that count, repeated weekly, so that years cost no more than days.

Moments here are seconds by the wall clock of a zone, from Thursday 1 January 1970, 0:00 on.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from service.core.durations import DAY
from service.games.clock.intervals import Interval, clipped, gaps

WEEK: Final = 7 * DAY
FIRST_SATURDAY: Final = 2 * DAY
"""The first Saturday, in seconds: 1 January 1970 was a Thursday."""


class Week(NamedTuple):
    """The counted intervals of each week, in seconds from its beginning, and their total length."""

    counting: tuple[Interval, ...] = ((0, WEEK),)
    length: int = WEEK

    def counted_by(self, moment: int) -> int:
        """The seconds that have counted by this moment."""
        weeks, rest = divmod(moment, WEEK)
        return weeks * self.length + sum(
            min(end, rest) - at for at, end in self.counting if at < rest
        )

    def after(self, moment: int, seconds: int) -> int:
        """The first moment at which `seconds` (at least 1) have been counted since `moment`."""
        weeks, left = divmod(self.counted_by(moment) + seconds - 1, self.length)
        left += 1
        for start, end in self.counting:
            if left <= end - start:
                return weeks * WEEK + start + left
            left -= end - start
        raise AssertionError("a week has as many seconds as count in it")


ALWAYS: Final = Week()
"""A week that counts entirely."""


@lru_cache(maxsize=1024)
def week(weekends_off: bool, sleep: Interval | None) -> Week:
    """The hours of a week that count for a player: no weekends with `weekends_off`, and no sleep.

    `sleep` is its start and end in seconds after midnight; None if nights count.
    """
    pauses = [(FIRST_SATURDAY, FIRST_SATURDAY + 2 * DAY)] if weekends_off else []
    if sleep is not None:
        falls_asleep, wakes = sleep
        nights = range(falls_asleep - DAY, WEEK, DAY)
        pauses += [(night, night + (wakes - falls_asleep) % DAY) for night in nights]
    counting = tuple(gaps(clipped(pauses, 0, WEEK), 0, WEEK))
    return Week(counting, sum(end - start for start, end in counting))
