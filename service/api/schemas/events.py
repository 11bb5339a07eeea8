"""JSON Schemas of the event types. A `GameEvent` is one of them; `type` says which."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Final, get_args, get_type_hints

from engine import Seat
from engine.clock_events import ClockAdjusted
from engine.clock_form import REASONS
from engine.events import Cards, Event, RusePlayed
from engine.formations import RANKS
from service.api.schemas.fields import CARD
from service.core.shapes import COMPONENTS, Json, schema_of_type

_TEXT: Final[Json] = {"type": "string"}
_NUMBER: Final[Json] = {"type": "integer"}
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
_SEAT: Final = schema_of_type(Seat)
_SCORES: Final = _object(north=_NUMBER, south=_NUMBER)
_MEMBERS: Final[Mapping[str, Json]] = {
    "options": _object(
        {"traitor_to": {"type": "string", "enum": ["any", "another"]}},  # since rules version 2
        hand_size=_NUMBER,
        tactics={"type": "boolean"},
        claim_timing=_TEXT,
        joker_limit=_TEXT,
    ),
    "visited_scotland": {"type": "string", "format": "date"},
    "terms": {"type": "object", "description": "What was agreed beyond the rules."},
    "card": _CARD,
    "stone": _STONE,
    "points": _SCORES,
    "scores": _SCORES,
    **dict.fromkeys(
        ("mine", "theirs"),
        _object(rank={"type": "string", "enum": list(RANKS)}, total=_NUMBER, **{"as": _CARDS}),
    ),
    "sleep": _pair(_TIME_OF_DAY),
    "vacations": {"type": "array", "items": _pair(_MOMENT)},
    "seconds": {"type": "integer", "minimum": 1},
    "until": _MOMENT,
}
"""What fields of events hold, where their type does not say it."""
_OTHERWISE: Final[Mapping[type, Json]] = {
    RusePlayed: _object(
        {
            "target": _object(card=_CARD, stone=_STONE),
            "to": {"anyOf": [_STONE, {"type": "string", "const": "x"}]},
            "draws": _object(clan=_NUMBER, tactic=_NUMBER),
        },
        card=_CARD,
    ),
    ClockAdjusted: _object(
        seat=_or_null(_SEAT),
        reason={"type": "string", "enum": list(REASONS)},
        **{"from": _MOMENT, "to": _MOMENT},
    ),
}
"""The data of events whose stored form has other members than their class."""


def _parts(event: type) -> tuple[Json, Json]:
    """The schemas of its `data` and of its `private`, which is null for readers who may not see it.
    Members may be added."""
    data: Json = {}
    optional: Json = {}
    private: Json = {}
    hints = get_type_hints(event)
    for field in fields(event):
        if (hint := hints[field.name]) == Cards | None:
            private[field.name] = _CARDS
        elif (field.name, hint) == ("secret", str | None):
            private[field.name] = _TEXT
        elif field.name != "by":
            schema = _MEMBERS.get(field.name)
            if schema is None:
                schema = schema_of_type(hint)
            elif type(None) in get_args(hint):
                schema = _or_null(schema)
            (data if field.default is MISSING else optional)[field.name] = schema
    return _OTHERWISE.get(event, _object(optional, **data)), _object(**private)


_NAME: Final = "GameEvent"
_COMMON, _KNOWN, _OTHER = f"{_NAME}Basics", f"Known{_NAME}", f"Other{_NAME}"
_OF_TYPE: Final = ("type", "data", "private")
"""The members that depend on the type."""


def with_event_types(document: Json) -> Json:
    """The document, in which a `GameEvent` is one of these types, or of one still to come."""
    schemas = document["components"]["schemas"]
    whole = schemas[_NAME]
    description = whole.pop("description")
    schemas[_COMMON] = _without(whole, _OF_TYPE)
    mapping = {}
    for event in get_args(Event):
        name = f"{event.__name__}Event"
        data, private = _parts(event)
        if private["properties"]:
            private = {
                **_or_null(private),
                "description": whole["properties"]["private"]["description"],
            }
        else:
            private = _NULL
        own = _object(type={**_TEXT, "const": event.TYPE}, data=data, private=private)
        schemas[name] = {"allOf": [{"$ref": COMPONENTS + _COMMON}, own]}
        mapping[event.TYPE] = COMPONENTS + name
    schemas[_KNOWN] = {
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }
    unknown = {**_TEXT, "not": {"enum": list(mapping)}}
    schemas[_OTHER] = {**whole, "properties": {**whole["properties"], "type": unknown}}
    references = [{"$ref": COMPONENTS + name} for name in (_KNOWN, _OTHER)]
    schemas[_NAME] = {"anyOf": references, "description": description}
    return document


def _without(schema: Json, members: tuple[str, ...]) -> Json:
    fields = {name: field for name, field in schema["properties"].items() if name not in members}
    required = [name for name in schema["required"] if name in fields]
    return {**schema, "properties": fields, "required": required}
