"""The backlog of notices, and their delays: for an operator, and for metrics.

st:{delays}:counts        hash: CHANNEL KIND BOUND → notices that were done at most BOUND seconds
                          after they fell due; CHANNEL KIND sum → milliseconds of all of them;
                          CHANNEL KIND dead → notices that were given up
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from service.core.redis.client import Client
from service.eventlog.outbox import Notice, NoticeParts, parse_notice_id

LATE: Final = 120.0
"""Seconds after its due moment at which a notice counts as late. The relay wakes when it is due."""
BOUNDS: Final = (1, 5, 15, 60, 300, 900, 3600, 21600, 86400)
"""Bounds of the delay histogram in seconds; longer delays count as `inf`."""
OVER: Final = "inf"
GIVEN_UP: Final = "dead"
"""The name under which notices that were given up are counted."""
_SUM: Final = "sum"
_KEY: Final = "st:{delays}:counts"
_FIELD: Final = re.compile(
    "(?P<channel>[a-z]{1,20}) (?P<kind>[a-z-]{1,40}) (?P<what>[a-z0-9]{1,8})"
)


class LateNotices(NamedTuple):
    """Late notices of one kind on one channel: their `number`, and the due moment of the oldest."""

    channel: str
    kind: str
    number: int
    since: float


class Delays(NamedTuple):
    """The delays of one kind of notice on one channel: a histogram and a sum.

    Each notice counts under the smallest of `BOUNDS` that is not below its delay, or under `OVER`;
    one that was given up under `GIVEN_UP`. The sum is in seconds.
    """

    channel: str
    kind: str
    counts: Mapping[str, int]
    seconds: float


@dataclass(eq=False, repr=False)
class DelayCounts:
    """The delays of notices since the store began."""

    _redis: Client

    def add(
        self, done: Iterable[tuple[NoticeParts, float]], given_up: Iterable[NoticeParts] = ()
    ) -> None:
        """Count delivered notices with their delays in seconds, and given up ones; one round trip.

        If the client library sends this again after a lost response, they count twice: nothing
        depends on it.
        """
        with self._redis.pipeline(transaction=False) as pipeline:
            for notice, seconds in done:
                name = f"{channel_name(notice.transport)} {notice.kind}"
                bound = next((str(most) for most in BOUNDS if seconds <= most), OVER)
                pipeline.hincrby(_KEY, f"{name} {bound}", 1)
                pipeline.hincrby(_KEY, f"{name} {_SUM}", round(max(seconds, 0.0) * 1000))
            for notice in given_up:
                name = f"{channel_name(notice.transport)} {notice.kind}"
                pipeline.hincrby(_KEY, f"{name} {GIVEN_UP}", 1)
            pipeline.execute()

    def all(self) -> list[Delays]:
        """The delays of notices, by channel and kind."""
        counts: dict[tuple[str, str], dict[str, int]] = {}
        for field, value in cast(dict[str, str], self._redis.hgetall(_KEY)).items():
            if match := _FIELD.fullmatch(field):
                of_kind = counts.setdefault((match["channel"], match["kind"]), {})
                of_kind[match["what"]] = int(value)
        return [
            Delays(*name, of_kind, of_kind.pop(_SUM, 0) / 1000)
            for name, of_kind in sorted(counts.items())
        ]


def by_kind(notices: Iterable[Notice]) -> list[LateNotices]:
    """Count these notices by channel and kind; the kind with the longest due notice comes first."""
    dues: dict[tuple[str, str], list[float]] = {}
    for notice in notices:
        parts = parse_notice_id(notice.id)
        dues.setdefault((channel_name(parts.transport), parts.kind), []).append(notice.due)
    late = [LateNotices(*name, len(times), min(times)) for name, times in dues.items()]
    return sorted(late, key=lambda one: one.since)


def channel_name(channel: str) -> str:
    """The channel without its owner's part: `hook` of `hook-ID`."""
    return channel.partition("-")[0]
