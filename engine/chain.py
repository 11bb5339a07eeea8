"""The hash chain: events in their stored form, each sealed to the one before, and redacted for each
reader.

A stored event is plain data, `{"seq", "v", "at", "type", "by", "via", "data", "private", "salt",
"hash"}`: one line of a record. `data` is for everyone, `private` for some.

A log is never rewritten, and its hashes always cover what is stored. Only the newest version of a
type has a class. When a type changes, its new version gets a new number, and an upcaster turns the
stored form of the older version into that of the next one.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypedDict, get_args

from engine.cards import Seat
from engine.errors import UnknownEvent
from engine.events import (
    CardDrawn,
    CardsRecruited,
    CardsReturned,
    Event,
    GameAborted,
    GameCreated,
    GameEnded,
    RoundStarted,
)

NO_HASH: Final = "0" * 64
"""The hash before the first event."""

_HASHED: Final = ("seq", "v", "at", "type", "by", "via", "data", "private")

_OWN_CARDS: Final = (CardDrawn.TYPE, CardsRecruited.TYPE, CardsReturned.TYPE)
"""Types of events whose private part is shown to the acting player; other private parts to
nobody."""

PRIVATE_TYPES: Final = (GameCreated.TYPE, RoundStarted.TYPE, *_OWN_CARDS)
"""Types of events with a private part. All other events are fully public."""

VIA: Final = ("api", "web", "mail", "order", "bot", "clock")
"""The values of `via`: the way an event came about."""

FINAL_TYPES: Final = (GameEnded.TYPE, GameAborted.TYPE)
"""Types of the events that end a game."""

_CANONICAL: Final = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), sort_keys=True
).encode


class EncodedEvent(NamedTuple):
    """An event in its stored form, before it is sealed. `v` is the version of its type."""

    type: str
    by: Seat | None
    data: Mapping[str, Any]
    private: Mapping[str, object] | None = None
    v: int = 1


class StoredEvent(TypedDict):
    """An event in its place in a log. `at` is RFC 3339, UTC; `salt` and `hash` are hex."""

    seq: int
    v: int
    at: str
    type: str
    by: Seat | None
    via: str
    data: dict[str, Any]
    private: dict[str, object] | None
    salt: str | None
    hash: str


class Link(NamedTuple):
    """A stored event as its canonical text, and the hash in it."""

    text: str
    hash: str


EVENT_TYPES: Final[Mapping[tuple[str, int], type[Event]]] = {
    (class_.TYPE, class_.VERSION): class_ for class_ in get_args(Event)
}
"""The class of each type and version of event that this program knows."""

Upcaster = Callable[[EncodedEvent], EncodedEvent]

UPCASTERS: Final[dict[tuple[str, int], Upcaster]] = {}
"""The upcasters by type and version. Empty: all types are still in their first version."""


def encode(event: Event) -> EncodedEvent:
    """The stored form of an event."""
    return EncodedEvent(event.TYPE, event.by, event.to_data(), event.to_private(), event.VERSION)


def decode(encoded: EncodedEvent) -> Event:
    """The event of an up-to-date stored form.

    Raises `UnknownEvent` for an unknown type or version; LookupError, TypeError, ValueError or
    AttributeError for malformed `data`.
    """
    class_ = EVENT_TYPES.get((encoded.type, encoded.v))
    if class_ is None:
        raise UnknownEvent(f"An event {encoded.type} v{encoded.v} is not known here.")
    return class_.from_data(encoded.by, encoded.data, encoded.private)


def upcast(encoded: EncodedEvent) -> EncodedEvent:
    """The event in the newest version of its type; unknown types and versions stay as they are."""
    while upcaster := UPCASTERS.get((encoded.type, encoded.v)):
        encoded = upcaster(encoded)._replace(v=encoded.v + 1)
    return encoded


def canonical(value: object) -> str:
    """`value` as RFC 8785 JSON. Raises ValueError for a float: events hold no fractions."""
    _refuse_floats(value)
    return _CANONICAL(value)


def _refuse_floats(value: object) -> None:
    if isinstance(value, float):
        raise ValueError("An event holds no fractions.")
    if isinstance(value, dict):
        for item in value.values():
            _refuse_floats(item)
    elif isinstance(value, list):
        for item in value:
            _refuse_floats(item)


def salt_of(secret: str, seq: int) -> str:
    """The salt (hex) of event `seq`, from the game's secret (hex)."""
    return hmac.digest(bytes.fromhex(secret), b"salt:%d" % seq, "sha256").hex()


def hash_of(previous: str, salt: str, line: StoredEvent) -> str:
    """The hash (hex) of a stored event that follows the hash `previous`."""
    return _digest(previous, salt, canonical({key: line[key] for key in _HASHED}))


def _digest(previous: str, salt: str, body: str) -> str:
    return hashlib.sha256(f"{previous}\n{salt}\n{body}".encode()).hexdigest()


def links(
    events: Iterable[EncodedEvent], *, after: int, at: str, via: str, secret: str, previous: str
) -> Iterator[Link]:
    """Yield the links for `events` that follow event `after` (0: none), whose hash is
    `previous`."""
    moment, came_by = _CANONICAL(at), _CANONICAL(via)
    for seq, event in enumerate(events, after + 1):
        salt = salt_of(secret, seq)
        # Canonical JSON sorts members by name. The hashed text and the stored one differ by two
        # members, so each part is written only once.
        what = f'"at":{moment},"by":{_CANONICAL(event.by)},"data":{canonical(event.data)}'
        private = "null" if event.private is None else canonical(event.private)
        where = f'"seq":{seq},"type":{_CANONICAL(event.type)},"v":{event.v},"via":{came_by}'
        body = f'{{{what},"private":{private},{where}}}'
        previous = _digest(previous, salt, body)
        text = f'{{{what},"hash":"{previous}","private":{private},"salt":"{salt}",{where}}}'
        yield Link(text, previous)


def seal(
    events: Iterable[EncodedEvent], *, after: int, at: str, via: str, secret: str, previous: str
) -> Iterator[StoredEvent]:
    """Yield the stored events of `links`."""
    sealed = links(events, after=after, at=at, via=via, secret=secret, previous=previous)
    return (json.loads(link.text) for link in sealed)


def encoded(line: StoredEvent) -> EncodedEvent:
    """The stored form of the event in a line, in the newest version of its type."""
    return upcast(EncodedEvent(line["type"], line["by"], line["data"], line["private"], line["v"]))


def to_event(line: StoredEvent) -> Event:
    """The event in a line, for any version of its type. Raises as `decode` does."""
    return decode(encoded(line))


def redact(line: StoredEvent, seat: Seat | None, over: bool) -> StoredEvent:
    """A stored event as the reader in `seat` (None: a spectator) may see it.

    Once the game is `over` everyone sees everything. Before, `private` and `salt` are null unless
    the reader may see the private part.
    """
    if over or line["private"] is None or (line["type"] in _OWN_CARDS and line["by"] == seat):
        return line
    return StoredEvent({**line, "private": None, "salt": None})
