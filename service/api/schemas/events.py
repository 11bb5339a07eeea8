"""JSON Schemas of the event types. A `GameEvent` is one of them; `type` says which."""

from typing import Any, Final

from engine import SEATS
from engine.clock_events import (
    CalendarChanged,
    ClockAdjusted,
    ClockMoved,
    ClockPaused,
    ClockResumed,
    FlagHeld,
    TimeGiven,
)
from engine.clock_form import REASONS
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
from service.api.schemas.fields import CARD

Json = dict[str, Any]

_TEXT: Final[Json] = {"type": "string"}
_NUMBER: Final[Json] = {"type": "integer"}
_SEAT: Final[Json] = {"type": "string", "enum": list(SEATS)}
_STONE: Final[Json] = {"type": "integer", "minimum": 1, "maximum": 9}
_CARD: Final[Json] = {**_TEXT, "pattern": CARD}
_CARDS: Final[Json] = {"type": "array", "items": _CARD}
_NULL: Final[Json] = {"type": "null"}


def _object(optional: Json | None = None, /, **members: Json) -> Json:
    schema: Json = {"type": "object", "properties": {**members, **(optional or {})}}
    return {**schema, "required": list(members)} if members else schema


def _or_null(schema: Json) -> Json:
    return {"anyOf": [schema, _NULL]}


def _pair(schema: Json) -> Json:
    return {"type": "array", "items": schema, "minItems": 2, "maxItems": 2}


_MOMENT: Final[Json] = {"type": "string", "format": "date-time"}
_TIME_OF_DAY: Final[Json] = {"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]$"}
_DATE: Final = _or_null({"type": "string", "format": "date"})
_SCORES: Final = _object(north=_NUMBER, south=_NUMBER)
_DECK_COUNTS: Final = _object(clan=_NUMBER, tactic=_NUMBER)
_FORMATION: Final = _object(
    rank={"type": "string", "enum": list(RANKS)}, total=_NUMBER, **{"as": _CARDS}
)
_OPTIONS: Final = _object(
    {"traitor_to": {"type": "string", "enum": ["any", "another"]}},  # since rules version 2
    hand_size=_NUMBER,
    tactics={"type": "boolean"},
    claim_timing=_TEXT,
    joker_limit=_TEXT,
)

DATA: Final[dict[str, Json]] = {
    GameCreated.TYPE: _object(
        player=_TEXT,
        seat=_SEAT,
        edition=_TEXT,
        tactics={"type": "boolean"},
        expert={"type": "boolean"},
        rounds=_NUMBER,
        first_player=_TEXT,
        rules_version=_NUMBER,
        options=_OPTIONS,
        commitment=_TEXT,
        salt=_TEXT,
        visited_scotland=_DATE,
        terms={"type": "object", "description": "What was agreed beyond the rules."},
    ),
    PlayerJoined.TYPE: _object(player=_TEXT, salt=_TEXT, visited_scotland=_DATE),
    RoundStarted.TYPE: _object(round=_NUMBER, first=_SEAT),
    CardPlayed.TYPE: _object(card=_CARD, stone=_STONE),
    RusePlayed.TYPE: _object(
        {
            "target": _object(card=_CARD, stone=_STONE),
            "to": {"anyOf": [_STONE, {"type": "string", "const": "x"}]},
            "draws": _DECK_COUNTS,
        },
        card=_CARD,
    ),
    CardsRecruited.TYPE: _DECK_COUNTS,
    CardsReturned.TYPE: _DECK_COUNTS,
    Passed.TYPE: _object(),
    StoneClaimed.TYPE: _object(
        stone=_STONE, reason=_TEXT, mine=_FORMATION, theirs=_or_null(_FORMATION)
    ),
    CardDrawn.TYPE: _object(deck={"type": "string", "enum": ["clan", "tactic"]}),
    TurnEnded.TYPE: _object(next=_SEAT),
    Resigned.TYPE: _object(),
    TimedOut.TYPE: _object(seat=_SEAT),
    RoundEnded.TYPE: _object(
        round=_NUMBER, winner=_or_null(_SEAT), reason=_TEXT, points=_SCORES, scores=_SCORES
    ),
    GameEnded.TYPE: _object(winner=_or_null(_SEAT), reason=_TEXT, scores=_SCORES, secret=_TEXT),
    GameAborted.TYPE: _object(secret=_TEXT),
    CalendarChanged.TYPE: _object(
        {"next_turn": {"type": "boolean"}},
        zone=_TEXT,
        sleep=_or_null(_pair(_TIME_OF_DAY)),
        vacations={"type": "array", "items": _pair(_MOMENT)},
    ),
    TimeGiven.TYPE: _object(seat=_SEAT, seconds={"type": "integer", "minimum": 1}),
    ClockMoved.TYPE: _object(seconds={"type": "integer", "minimum": 1}),
    ClockPaused.TYPE: _object(until=_or_null(_MOMENT)),
    ClockResumed.TYPE: _object(),
    ClockAdjusted.TYPE: _object(
        seat=_or_null(_SEAT),
        reason={"type": "string", "enum": list(REASONS)},
        **{"from": _MOMENT, "to": _MOMENT},
    ),
    FlagHeld.TYPE: _object(seat=_SEAT, until=_MOMENT),
}
"""The `data` of each type of event. Members may be added."""

PRIVATE: Final[dict[str, Json]] = {
    GameCreated.TYPE: _object(secret=_TEXT),
    RoundStarted.TYPE: _object(clan=_CARDS, tactic=_CARDS),
    CardsRecruited.TYPE: _object(cards=_CARDS),
    CardsReturned.TYPE: _object(cards=_CARDS),
    CardDrawn.TYPE: _object(cards=_CARDS),
}
"""The `private` of the types that have any. It is null for readers who may not see it."""

_NAME: Final = "GameEvent"
_COMMON, _KNOWN, _OTHER = f"{_NAME}Basics", f"Known{_NAME}", f"Other{_NAME}"
_COMPONENTS: Final = "#/components/schemas/"
_OF_TYPE: Final = ("type", "data", "private")
"""The members that depend on the type."""


def with_event_types(document: Json) -> Json:
    """The document, in which a `GameEvent` is one of these types, or of one still to come."""
    schemas = document["components"]["schemas"]
    whole = schemas[_NAME]
    description = whole.pop("description")
    schemas[_COMMON] = _without(whole, _OF_TYPE)
    mapping = {}
    for type_ in DATA:
        name = "".join(word.title() for word in type_.split("_")) + "Event"
        schemas[name] = _event(type_, whole["properties"]["private"])
        mapping[type_] = _COMPONENTS + name
    schemas[_KNOWN] = {
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }
    unknown = {**_TEXT, "not": {"enum": list(DATA)}}
    schemas[_OTHER] = {**whole, "properties": {**whole["properties"], "type": unknown}}
    references = [{"$ref": _COMPONENTS + name} for name in (_KNOWN, _OTHER)]
    schemas[_NAME] = {"anyOf": references, "description": description}
    return document


def _without(schema: Json, members: tuple[str, ...]) -> Json:
    fields = {name: field for name, field in schema["properties"].items() if name not in members}
    required = [name for name in schema["required"] if name in fields]
    return {**schema, "properties": fields, "required": required}


def _event(type_: str, private: Json) -> Json:
    seen = PRIVATE.get(type_)
    own = _object(
        type={**_TEXT, "const": type_},
        data=DATA[type_],
        private={**_or_null(seen), "description": private["description"]} if seen else _NULL,
    )
    return {"allOf": [{"$ref": _COMPONENTS + _COMMON}, own]}
