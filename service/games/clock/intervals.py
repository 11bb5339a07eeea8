"""Intervals of time, in whole seconds."""

from collections.abc import Iterable, Iterator
from typing import Final

Interval = tuple[int, int]
"""From one moment up to another, excluded, both in unix seconds."""

FAR: Final = 7_258_118_400
"""A moment that never comes: the year 2200, which no record reaches.

A pause without an end ends here, and so does any time that would last longer.
"""


def union(intervals: Iterable[Interval]) -> list[Interval]:
    """Merge intervals into some that neither overlap nor touch, in order."""
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
    """The parts of these intervals that lie between two moments."""
    cut = [(max(one, start), min(other, end)) for one, other in intervals]
    return [(one, other) for one, other in cut if one < other]


def gaps(intervals: Iterable[Interval], start: int, end: int) -> Iterator[Interval]:
    """The parts of the time between two moments that none of these intervals covers."""
    for one, other in [*union(clipped(intervals, start, end)), (end, end)]:
        if start < one:
            yield start, one
        start = other
