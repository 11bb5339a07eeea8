"""The clocks that a new game and a rematch may have."""

from typing import Final

from engine.clock_form import AgreedClock
from service.core.durations import DAY
from service.core.errors import RequestRejected
from service.core.timestamps import timestamp, unix

NEAREST_END: Final = 2 * DAY
FARTHEST_END: Final = 366 * DAY
"""The most seconds from now to a fixed end of a game."""
LAST_TO_SIT_DOWN: Final = DAY
"""The free seat can be taken until this many seconds before a fixed end."""


def check_clock(clock: AgreedClock | None, rounds: int, now: float) -> None:
    """Raise `RequestRejected`, `bad-clock`, if no game with this clock can begin now."""
    if clock is None or "until" not in clock:
        return
    if rounds > 1:
        raise _bad("Only a game of one round can have a fixed end.")
    ahead = unix(clock["until"]) - now
    if not NEAREST_END <= ahead <= FARTHEST_END:
        nearest, farthest = NEAREST_END // DAY, FARTHEST_END // DAY
        raise _bad(f"A game's fixed end is {nearest} to {farthest} days from now.")


def reserved_until(clock: AgreedClock | None, ends: int) -> int:
    """The last moment at which a seat or challenge reserved until `ends` can be taken, given this
    clock."""
    if clock is None or "until" not in clock:
        return ends
    return min(ends, unix(clock["until"]) - LAST_TO_SIT_DOWN)


def clock_again(clock: AgreedClock | None, made: str, now: float) -> AgreedClock | None:
    """The clock of a rematch. A fixed end stays as far from the making of the game as before."""
    if clock is None or "until" not in clock:
        return clock
    ahead = min(max(unix(clock["until"]) - unix(made), NEAREST_END), FARTHEST_END)
    return {**clock, "until": timestamp(now + ahead)}


def _bad(detail: str) -> RequestRejected:
    return RequestRejected("bad-clock", detail)
