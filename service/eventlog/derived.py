"""Logs that begin as another game's does: their first entry refers to it instead of copying it.

    {"from": GAME, "upto": N, "seq": K, "hash": HASH, "at": …, "via": …, "data": [{…}, …]}

has the id `K-0` and stands for the events 1 to K: the first N events of GAME, which is over and
refers to no other, without those of its clock, sealed again with this moment and `via`. `data` has,
for the first events in turn, the members of their data that differ. `HASH` is that of event K.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.chain import NO_HASH, EncodedEvent, Link, StoredEvent, links
from engine.events import CLOCK_TYPES

_MARK: Final = '{"from":'


def is_reference(text: str) -> bool:
    """Whether the first entry of a log is no event, but refers to another game."""
    return text.startswith(_MARK)


def refer(
    game_id: str,
    lines: Sequence[StoredEvent],
    at: str,
    via: str,
    data: Sequence[Mapping[str, object]],
) -> tuple[str, list[str]]:
    """The entry that refers to these first lines of a game, and the events for which it stands."""
    reference = {"from": game_id, "upto": lines[-1]["seq"], "at": at, "via": via, "data": data}
    derived = _derived(reference, lines)
    sealed = {"seq": len(derived), "hash": derived[-1].hash}
    text = json.dumps(reference | sealed, ensure_ascii=False, separators=(",", ":"))
    return text, [link.text for link in derived]


def derive(reference: Mapping[str, Any], texts: Sequence[str]) -> list[str]:
    """The events for which a reference stands, from the first `upto` events of the game that it
    names. Raises LookupError or ValueError if they are not those that it was made from."""
    if len(texts) < reference["upto"]:
        raise LookupError("it is not there")
    derived = _derived(reference, [json.loads(text) for text in texts])
    if derived[-1].hash != reference["hash"]:
        raise ValueError("its events are others")
    return [link.text for link in derived]


def _derived(reference: Mapping[str, Any], lines: Sequence[StoredEvent]) -> list[Link]:
    played = [line for line in lines if line["type"] not in CLOCK_TYPES]
    changes: list[dict[str, object]] = [*reference["data"], *([{}] * len(played))]
    events = [
        EncodedEvent(line["type"], line["by"], line["data"] | changed, line["private"], line["v"])
        for line, changed in zip(played, changes, strict=False)
    ]
    secret = str((events[0].private or {})["secret"])
    at, via = reference["at"], reference["via"]
    return list(links(events, after=0, at=at, via=via, secret=secret, previous=NO_HASH))
