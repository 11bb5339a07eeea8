"""A finished record without its players, for those who study games.

What the rules need is left: options, secret, salts, cards and decisions. So shuffle, dealing,
legality and a chain of its own can be verified as in any record. Players, clock, moments and
transports are removed; each event says the day on which the game ended. `terms` says `nameless`,
and the hashes differ from those of the original game.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from engine.chain import NO_HASH, EncodedEvent, StoredEvent, encoded, seal
from engine.clock_events import CLOCK_DATA
from engine.events import GameCreated, GameEnded, PlayerJoined

NAMELESS: Final = "nameless"
"""The member of `terms` that marks such a record."""
_PLAIN_SALT: Final = re.compile("[0-9a-f]{32,64}")
"""The form of the salts that pages and server draw. A salt is free text: any other could say who
its player is."""
_VIA: Final = ("bot", "clock")
"""The values of `via` that stay; every other one becomes `api`."""
_SEATED: Final[Mapping[str, Mapping[str, object]]] = {
    GameCreated.TYPE: {"player": "first", "terms": {NAMELESS: True}},
    PlayerJoined.TYPE: {"player": "second"},
}
"""The members that replace those of the events that name a player, by the event's type."""
_CLOCK: Final = frozenset(type_ for type_, _ in CLOCK_DATA)


def nameless(lines: Sequence[StoredEvent]) -> list[StoredEvent] | None:
    """Return the nameless form of a full record.

    None if the game was not played to its end, or a salt is not just hex digits.
    """
    shown = [line for line in lines if line["type"] not in _CLOCK]
    seated = [line["data"] for line in shown if line["type"] in _SEATED]
    if lines[-1]["type"] != GameEnded.TYPE or not all(
        _PLAIN_SALT.fullmatch(data["salt"]) for data in seated
    ):
        return None
    secret: str = lines[-1]["data"]["secret"]
    days, at, head = _stand_ins(seated), f"{day_of(lines)}T00:00:00Z", NO_HASH
    unnamed: list[StoredEvent] = []
    for after, line in enumerate(shown):
        event = encoded(line)
        events = [event._replace(data=_unnamed(event, days))]
        via = line["via"] if line["via"] in _VIA else "api"
        for each in seal(events, after=after, at=at, via=via, secret=secret, previous=head):
            head = each["hash"]
            unnamed.append(each)
    return unnamed


def day_of(lines: Sequence[StoredEvent]) -> str:
    """The day (UTC) of the last event, `2026-11-21`."""
    return lines[-1]["at"].partition("T")[0]


def is_nameless(lines: Sequence[StoredEvent]) -> bool:
    """Whether a record says that it is nameless."""
    return bool(lines[0]["data"]["terms"].get(NAMELESS))


def _stand_ins(seated: Iterable[Mapping[str, Any]]) -> dict[str | None, str | None]:
    """Map each visit to Scotland to another date. Their order stays, because it decides who
    begins."""
    visits = sorted({data["visited_scotland"] for data in seated} - {None})
    return {None: None, **{visit: f"2000-01-0{number}" for number, visit in enumerate(visits, 1)}}


def _unnamed(event: EncodedEvent, days: Mapping[str | None, str | None]) -> dict[str, object]:
    data = dict(event.data)
    if event.type in _SEATED:
        data |= _SEATED[event.type]
        data["visited_scotland"] = days[data["visited_scotland"]]
    return data
