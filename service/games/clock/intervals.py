"""Intervals of time, and the one rule: only what lies in no pause counts."""

from collections.abc import Callable, Iterable
from typing import Final

from service.core.durations import DAY

Interval = tuple[int, int]
"""From one moment up to another, not included, both in unix seconds."""

Pauses = Callable[[int, int], Iterable[Interval]]
"""The pauses that touch the time from one moment to another. They may overlap, in any order."""

FAR: Final = 2**40
"""A moment that never comes: the end of a pause without one."""


def union(intervals: Iterable[Interval]) -> list[Interval]:
    """The same time as intervals that neither overlap nor touch, in order."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def clipped(intervals: Iterable[Interval], start: int, end: int) -> list[Interval]:
    """What of these intervals lies between two moments."""
    cut = [(max(one, start), min(other, end)) for one, other in intervals]
    return [(one, other) for one, other in cut if one < other]


def counted(start: int, end: int, pauses: Pauses) -> int:
    """The seconds between two moments that count."""
    if end <= start:
        return 0
    paused = union(clipped(pauses(start, end), start, end))
    return end - start - sum(other - one for one, other in paused)


def reach(start: int, seconds: int, pauses: Pauses) -> int | None:
    """The first moment at which so many seconds after `start` have counted; None if never."""
    at, left = start, max(seconds, 0)
    while at < FAR:
        end = at + max(left, DAY)
        for pause_start, pause_end in union(pauses(at, end)):
            free = max(pause_start - at, 0)
            if free >= left:
                return at + left
            left, at = left - free, max(at, pause_end)
        if end - at >= left:
            return at + left
        left, at = left - max(end - at, 0), max(at, end)
    return None
