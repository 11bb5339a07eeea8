"""The clock that somebody asks for: what can be agreed to, and what a rematch asks for."""

from collections.abc import Mapping
from typing import Any, Final

from service.core.durations import DAY
from service.core.errors import RequestRejected
from service.core.timestamps import timestamp, unix

Clock = Mapping[str, Any]
"""As `engine.clock_form.clock_terms` describes it."""

NEAREST_END: Final = 2 * DAY
FARTHEST_END: Final = 366 * DAY
"""Seconds from now to the end of a game that has a fixed one."""
LAST_TO_SIT_DOWN: Final = DAY
"""Seconds before a fixed end until which the free seat can be taken."""


def check_clock(clock: Clock | None, rounds: int, now: float) -> None:
    """Raise `RequestRejected`, `bad-clock`, where no game with this clock can begin now."""
    if clock is None or "until" not in clock:
        return
    if rounds > 1:
        raise _bad("Only a game of one round can have a fixed end.")
    ahead = unix(clock["until"]) - now
    if not NEAREST_END <= ahead <= FARTHEST_END:
        nearest, farthest = NEAREST_END // DAY, FARTHEST_END // DAY
        raise _bad(f"A game's fixed end is {nearest} to {farthest} days from now.")


def kept_until(clock: Clock | None, ends: int) -> int:
    """Until when a seat, or a challenge, that is kept until `ends` can be taken with this clock."""
    if clock is None or "until" not in clock:
        return ends
    return min(ends, unix(clock["until"]) - LAST_TO_SIT_DOWN)


def clock_again(clock: Clock | None, made: str, now: float) -> Clock | None:
    """The clock of a rematch. A fixed end is as far away as it was when the old game was made."""
    if clock is None or "until" not in clock:
        return clock
    ahead = min(max(unix(clock["until"]) - unix(made), NEAREST_END), FARTHEST_END)
    return {**clock, "until": timestamp(now + ahead)}


def _bad(detail: str) -> RequestRejected:
    return RequestRejected("bad-clock", detail)
