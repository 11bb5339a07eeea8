"""The form of a record: what each of its events may hold, whoever wrote it.

A record comes from anywhere. What `stored_event` and `check_form` let through holds, and every
reader may rely on it:

- an event has its ten members and no other, each of its type; none is nested deeper, and no text
  or list is longer, than this program writes it;
- `at` is a real moment of the years 2000 to 2199, written `2026-11-21T12:00:00Z`; `via` is one of
  `CHANNELS`; `by` is who does events of this type; `salt` and `hash` are 64 hex digits;
- `type` and `v` are known here, and `data` and `private` hold what that version of the type holds,
  `terms` and `options` too; ids of players are letters, digits, `-` and `_`;
- texts can be encoded, numbers are whole; only a player's `salt` may hold control characters.

So nothing but a `salt` needs care where it is printed, stored or made part of a key. Whether the
events make a game, `engine.verify` tells. A refusal never quotes what it refuses.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, cast

from engine.cards import (
    BANSHEE,
    BIT,
    CLAN_CARDS,
    COMBAT_MODES,
    ELITE_TROOPS,
    ORDER,
    RECRUITER,
    SEATS,
    STRATEGIST,
    TACTIC_CARDS,
    TRAITOR,
)
from engine.chain import CHANNELS, PRIVATE_TYPES, StoredEvent
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsRecruited,
    CardsReturned,
    GameAborted,
    GameCreated,
    GameEnded,
    Passed,
    PlayerJoined,
    Resigned,
    RoundEnded,
    RoundStarted,
    RusePlayed,
    StoneClaimed,
    TimedOut,
    TurnEnded,
)
from engine.formations import RANKS
from engine.options import FIRST_PLAYERS, MAX_ROUNDS, RULES_VERSION

MAX_LINE: Final = 16_384
"""Characters of one event: many times the longest that this program writes."""

MAX_EVENTS: Final = 50_000
"""Events of one record: more than twice those of the longest match."""


class BadRecord(Exception):
    """A text that is no record; says where. `event` is the number of the event, if it is one's."""

    def __init__(self, problem: str, event: int | None = None) -> None:
        super().__init__(problem if event is None else f"event {event}: {problem}")
        self.event = event


def check_form(values: Iterable[Any]) -> list[StoredEvent]:
    """All events of a record, each as read from JSON. Raises `BadRecord`, naming the event."""
    lines: list[StoredEvent] = []
    for number, value in enumerate(values, 1):
        lines.append(stored_event(number, value))
    if not lines:
        raise BadRecord("The record holds no events.")
    return lines


def stored_event(number: int, value: Any) -> StoredEvent:
    """The event of this number, as read from JSON. Raises `BadRecord`, naming the event."""
    try:
        if number > MAX_EVENTS:
            raise _Wrong("number", f"more than {MAX_EVENTS}, which no record has")
        _LINE(value, "")
        _check_type(value)
    except _Wrong as wrong:
        raise BadRecord(str(wrong), number) from None
    return cast(StoredEvent, value)


def read_line(number: int, text: str) -> StoredEvent:
    """The event of this number, as a line of JSON. Raises `BadRecord`, naming the event."""
    if len(text) > MAX_LINE:
        raise BadRecord(f"it has more than {MAX_LINE} characters", number)
    try:
        value = _read_json(text)
    except (ValueError, RecursionError) as error:
        raise BadRecord(_not_json(error), number) from None
    return stored_event(number, value)


def _not_json(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON: {error.msg} at character {error.colno}"
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return "it is not JSON: a name stands there twice, or a number is too long"


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # Two readers might each take another of the two.
    if len(found := dict(pairs)) < len(pairs):
        raise ValueError("a name stands there twice")
    return found


_read_json = json.JSONDecoder(object_pairs_hook=_each_name_once).decode


class _Wrong(Exception):
    """A member, by its path, that is not what it should be."""

    def __init__(self, path: str, wanted: str) -> None:
        super().__init__(f"its {path} is {wanted}" if path else f"it is not an event: {wanted}")


Check = Callable[[Any, str], None]
"""Takes a value and its path, and raises `_Wrong` unless the value is as it should be."""


def _one_of(*choices: str) -> Check:
    def check(value: Any, path: str) -> None:
        if not isinstance(value, str) or value not in choices:
            raise _Wrong(path, "none of those known")

    return check


def _matching(pattern: str, wanted: str) -> Check:
    matches = re.compile(pattern, re.ASCII).fullmatch

    def check(value: Any, path: str) -> None:
        if not isinstance(value, str) or not matches(value):
            raise _Wrong(path, wanted)

    return check


def _whole(least: int, most: int) -> Check:
    def check(value: Any, path: str) -> None:
        if type(value) is not int or not least <= value <= most:
            raise _Wrong(path, f"not a whole number from {least} to {most}")

    return check


def _or_null(inner: Check) -> Check:
    def check(value: Any, path: str) -> None:
        if value is not None:
            inner(value, path)

    return check


def _list_of(inner: Check, least: int, most: int) -> Check:
    def check(value: Any, path: str) -> None:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise _Wrong(path, "not a list of the right length")
        for item in value:
            inner(item, path)

    return check


def _object(members: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    known = {**members, **(optional or {})}

    def check(value: Any, path: str) -> None:
        if not isinstance(value, dict):
            raise _Wrong(path, "not an object")
        if missing := members.keys() - value.keys():
            raise _Wrong(path, f"without {min(missing)}")
        for name, item in value.items():
            if name not in known:
                raise _Wrong(path, "with a member that is not known")
            known[name](item, f"{path}.{name}".lstrip("."))

    return check


def _any_order(*choices: Sequence[str]) -> Check:
    allowed = [sorted(cards) for cards in choices]

    def check(value: Any, path: str) -> None:
        _CARDS(value, path)
        if sorted(value) not in allowed:
            raise _Wrong(path, "not a whole deck")

    return check


def _flag(value: Any, path: str) -> None:
    if not isinstance(value, bool):
        raise _Wrong(path, "neither true nor false")


def _anything(value: Any, path: str) -> None:
    """What `_check_type` looks at."""


def _moment(value: Any, path: str) -> None:
    _MOMENT(value, path)
    year, month, day = int(value[:4]), int(value[5:7]), int(value[8:10])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if day > (29 if leap and month == 2 else _DAYS_IN_MONTH[month - 1]):
        raise _Wrong(path, "not a day that there is")


def _free_text(value: Any, path: str) -> None:
    if not isinstance(value, str) or len(value) > MAX_SALT:
        raise _Wrong(path, f"not a text of up to {MAX_SALT} characters")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _Wrong(path, "not a text that can be encoded") from None


MAX_SALT: Final = 1000
_MOMENT = _matching(
    r"2[01]\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ",
    "not a moment, written 2026-11-21T12:00:00Z",
)
_DAYS_IN_MONTH = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DATE = _or_null(_matching(r"\d{4}-\d{2}-\d{2}", "not a date, written 2026-05-31"))
_HEX = _matching(r"[0-9a-f]{64}", "not 64 hex digits")
_PLAYER = _matching(r"[A-Za-z0-9_-]{1,64}", "not the id of a player")
_SEAT = _one_of(*SEATS)
_STONE = _whole(1, 9)
_ROUND = _whole(1, MAX_ROUNDS)
_POINTS = _object(dict.fromkeys(SEATS, _whole(0, 9 * MAX_ROUNDS)))
_CARDS = _list_of(_one_of(*ORDER), 0, len(CLAN_CARDS))
_CLAN_CARD = _one_of(*CLAN_CARDS)
_TARGET = _object({"card": _one_of(*BIT, *ELITE_TROOPS), "stone": _STONE})
_DAYS = _whole(1, 366)

_LINE: Final = _object(
    {
        "seq": _whole(1, MAX_EVENTS),
        "v": _whole(1, 999),
        "at": _moment,
        "type": _matching(r"[a-z][a-z_]{0,39}", "not the name of a type"),
        "by": _or_null(_SEAT),
        "via": _one_of(*CHANNELS),
        "data": _anything,
        "private": _anything,
        "salt": _or_null(_HEX),
        "hash": _HEX,
    }
)

_OPTIONS_1: Final = {
    "hand_size": _whole(6, 7),
    "tactics": _flag,
    "claim_timing": _one_of("after_play", "before_play", "any_time"),
    "joker_limit": _one_of("one_per_game", "one_on_table"),
}
_OPTIONS: Final = {
    1: _object(_OPTIONS_1),
    2: _object({**_OPTIONS_1, "traitor_to": _one_of("any", "another")}),
}
"""By the version of the rules."""
_TERMS: Final = _object(
    {},
    optional={
        "clock": _or_null(_object({"days_per_move": _DAYS})),
        "invited": _or_null(_PLAYER),
        "invited_by_mail": _flag,
        "listed": _flag,
        "private": _flag,
        "invitation_days": _DAYS,
    },
)
_SITTER: Final = {"player": _PLAYER, "salt": _free_text, "visited_scotland": _DATE}
_CREATED: Final = _object(
    {
        **_SITTER,
        "seat": _SEAT,
        "edition": _matching(r"[a-z][a-z0-9-]{0,39}", "not the name of an edition"),
        "tactics": _flag,
        "expert": _flag,
        "rounds": _ROUND,
        "first_player": _one_of(*FIRST_PLAYERS),
        "rules_version": _whole(1, 999),
        "options": _anything,
        "commitment": _HEX,
        "terms": _TERMS,
    }
)


def _created(value: Any, path: str) -> None:
    version = value.get("rules_version") if isinstance(value, dict) else None
    if type(version) is int and version > RULES_VERSION:
        raise _Wrong(f"{path}.rules_version", "that of a later version of this program")
    _CREATED(value, path)
    _OPTIONS[value["rules_version"]](value["options"], f"{path}.options")


_FORMATION: Final = _object(
    {
        "rank": _one_of(*RANKS),
        "total": _whole(0, 36),
        "as": _list_of(_CLAN_CARD, 3, 4),
    }
)
_ENDINGS: Final = ("three-adjacent", "five-stones", "stalemate", "resignation", "time-out")
_RUSES: Final[dict[str, Check]] = {
    RECRUITER: _object(
        {
            "card": _anything,
            "draws": _object({"clan": _whole(0, 3), "tactic": _whole(0, 3)}),
        }
    ),
    BANSHEE: _object({"card": _anything, "target": _TARGET}),
    TRAITOR: _object({"card": _anything, "target": _TARGET, "to": _STONE}),
    STRATEGIST: _object({"card": _anything, "target": _TARGET, "to": _anything}),
}


def _ruse(value: Any, path: str) -> None:
    card = value.get("card") if isinstance(value, dict) else None
    if not isinstance(card, str) or card not in _RUSES:
        raise _Wrong(f"{path}.card", "not a Ruse")
    _RUSES[card](value, path)
    if card == STRATEGIST and value["to"] != "x":
        _STONE(value["to"], f"{path}.to")


_COUNTS: Final = _object({"clan": _whole(0, 3), "tactic": _whole(0, 3)})
_NOTHING: Final = _object({})

_DATA: Final[dict[tuple[str, int], Check]] = {
    (GameCreated.TYPE, 1): _created,
    (PlayerJoined.TYPE, 1): _object(_SITTER),
    (RoundStarted.TYPE, 1): _object({"round": _ROUND, "first": _SEAT}),
    (CardPlayed.TYPE, 1): _object(
        {"card": _one_of(*CLAN_CARDS, *ELITE_TROOPS, *COMBAT_MODES), "stone": _STONE}
    ),
    (RusePlayed.TYPE, 1): _ruse,
    (CardsRecruited.TYPE, 1): _COUNTS,
    (CardsReturned.TYPE, 1): _COUNTS,
    (Passed.TYPE, 1): _NOTHING,
    (StoneClaimed.TYPE, 1): _object(
        {
            "stone": _STONE,
            "reason": _one_of("stronger", "completed-first", "unbeatable", "cannot-be-completed"),
            "mine": _FORMATION,
            "theirs": _or_null(_FORMATION),
        }
    ),
    (CardDrawn.TYPE, 1): _object({"deck": _one_of("clan", "tactic")}),
    (TurnEnded.TYPE, 1): _object({"next": _SEAT}),
    (Resigned.TYPE, 1): _NOTHING,
    (TimedOut.TYPE, 1): _object({"seat": _SEAT}),
    (RoundEnded.TYPE, 1): _object(
        {
            "round": _ROUND,
            "winner": _or_null(_SEAT),
            "reason": _one_of(*_ENDINGS),
            "points": _POINTS,
            "scores": _POINTS,
        }
    ),
    (GameEnded.TYPE, 1): _object(
        {
            "winner": _or_null(_SEAT),
            "reason": _one_of(*_ENDINGS, "agreement"),
            "scores": _POINTS,
            "secret": _HEX,
        }
    ),
    (GameAborted.TYPE, 1): _object({"secret": _HEX}),
}
"""By type and version: what `data` holds. An older version of a type stays here for ever."""

_PRIVATE: Final[dict[str, Check]] = {
    GameCreated.TYPE: _object({"secret": _HEX}),
    RoundStarted.TYPE: _object(
        {"clan": _any_order(CLAN_CARDS), "tactic": _any_order(TACTIC_CARDS, [])}
    ),
    CardDrawn.TYPE: _object({"cards": _list_of(_one_of(*ORDER), 1, 1)}),
    CardsRecruited.TYPE: _object({"cards": _list_of(_one_of(*ORDER), 1, 3)}),
    CardsReturned.TYPE: _object({"cards": _list_of(_one_of(*ORDER), 0, 2)}),
}
"""What `private` holds of the types that have it; where it is hidden from a reader, it is null."""

_BY_THE_SERVER: Final = (RoundStarted.TYPE, TimedOut.TYPE, RoundEnded.TYPE)
_BY_ANYBODY: Final = (GameEnded.TYPE, GameAborted.TYPE)


def _check_type(line: Mapping[str, Any]) -> None:
    type_, v = line["type"], line["v"]
    check = _DATA.get((type_, v))
    if check is None:
        raise _Wrong("type", f"{type_} v{v}, which only a later version of this program may know")
    if type_ not in _BY_ANYBODY and (line["by"] is None) != (type_ in _BY_THE_SERVER):
        raise _Wrong("by", f"not who does a {type_}")
    check(line["data"], "data")
    if type_ in PRIVATE_TYPES:
        _or_null(_PRIVATE[type_])(line["private"], "private")
    elif line["private"] is not None:
        raise _Wrong("private", f"not null, though a {type_} hides nothing")
