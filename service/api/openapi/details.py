"""Completes what is generated of the document: links to operations that take an id, forms of
requests, examples, problems, and descriptions from `descriptions.yaml`.

An example stands next to its schema. A problem is in one response for each status, with an example
of each code that has members of its own. An operation lists its codes in `x-problem-codes`; any
operation may also respond with `ANY_PROBLEM_CODES`, by its `default` response. The member `code` of
the problem lists them all.


JSON Schemas of the event types. A `GameEvent` is one of them; `type` says which."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from http import HTTPStatus
from pathlib import Path
from typing import Final, get_args, get_type_hints

import yaml
from werkzeug.http import HTTP_STATUS_CODES

from engine import Seat
from engine.clock_events import REASONS, ClockAdjusted
from engine.events import Cards, Event, RusePlayed
from engine.formations import RANKS
from service.api.headers import RATE_LIMIT, references
from service.api.openapi.examples import example_of, texts
from service.api.problems import ANY_PROBLEM_CODES, MIMETYPE, PROBLEMS
from service.api.schemas.fields import CARD
from service.api.schemas.outputs import ProblemShape
from service.core.errors import MEMBERS
from service.core.shapes import COMPONENTS, RULES, Alternative, Json, Rules, schema_of_type

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


LINKS: Final = {
    "registerPlayer": ("201", "player_id"),
    "createGame": ("201", "game_id"),
    "challengePlayer": ("201", "challenge_id"),
    "createToken": ("201", "token_id"),
    "announceSeason": ("201", "season_id"),
}
"""By operation id: the status of the response with the `id`, and the path parameter that takes it.
"""


def with_links(document: Json) -> Json:
    """Return the document, completed by these links."""
    by_id = {operation["operationId"]: operation for _, operation in _operations(document)}
    for source, (status, parameter) in LINKS.items():
        by_id[source]["responses"][status]["links"] = {
            target["operationId"]: {
                "operationId": target["operationId"],
                "parameters": {parameter: "$response.body#/id"},
            }
            for path, target in _operations(document)
            if f"{{{parameter}}}" in path
            and not path.endswith("/analysis")  # of a game that is over
        }
    return document


def _operations(document: Json) -> list[tuple[str, Json]]:
    """Return every operation with its path."""
    return [
        (path, operation)
        for path, operations in document["paths"].items()
        for operation in operations.values()
        if isinstance(operation, dict)
    ]


_OF_WHOLE: Final = ("description", "examples")


def with_alternatives(document: Json) -> Json:
    """Return the document, with a schema for each form of a request that has several."""
    schemas = document["components"]["schemas"]
    for shape, rules in RULES.items():
        if (whole := schemas.get(shape.__name__)) is not None and rules.alternatives:
            forms = {form.name: _schema_of(whole, form, rules) for form in rules.alternatives}
            references = [{"$ref": COMPONENTS + name} for name in forms]
            schemas |= forms
            schemas[shape.__name__] = {"oneOf": references} | {
                name: whole[name] for name in _OF_WHOLE if name in whole
            }
    return document


def _schema_of(whole: Json, form: Alternative, rules: Rules) -> Json:
    others = rules.distinguishing - {*form.required, *form.optional}
    fields = {name: field for name, field in whole["properties"].items() if name not in others}
    for name, value in form.flags.items():
        # Client generators do not understand a constant in an optional field.
        only = {"const": value} if name in form.required else {"not": {"const": not value}}
        fields[name] = {**fields[name], **only}
    of_all = {key: value for key, value in whole.items() if key not in _OF_WHOLE}
    required = [*whole.get("required", ()), *form.required]
    return {**of_all, "properties": fields, "required": required}


_EXAMPLES: Final[dict[str, dict[str, object]]] = {
    "no-such-combination": {"refusal": "no-tactics"},
    "illegal-action": {"refusal": "no-room", "rule": 4, "rule_url": "/rules#ruling-4"},
    "claim-not-proven": {"refusal": "beatable", "rule": 14, "rule_url": "/rules#ruling-14"},
}
"""Refusals of rules that have another name than the problem, or a ruling."""
_WITH_RETRY_AFTER: Final = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}
_RESPONSES: Final = "#/components/responses/"


def with_problems(document: Json) -> Json:
    """Return the document, with one shared response for each status of the problems."""
    shared: dict[str, list[str]] = {}
    for _, operation in _operations(document):
        by_status: dict[str, list[str]] = {}
        for code in operation["x-problem-codes"]:
            by_status.setdefault(str(PROBLEMS[code].status), []).append(code)
        for status, codes in sorted(by_status.items()):
            listed = shared.setdefault(status, [])
            listed += [code for code in codes if code not in listed]
            operation["responses"][status] = {"$ref": f"{_RESPONSES}{_name(status)}"}
        operation["responses"]["default"] = {"$ref": f"{_RESPONSES}AnyProblem"}
    components = document["components"]
    for status, codes in sorted(shared.items()):
        description = f"{HTTP_STATUS_CODES[int(status)]}."
        components["responses"][_name(status)] = _answer(description, codes)
    components["responses"]["AnyProblem"] = _answer(
        "A problem that any operation may answer with, or one that a later version adds.",
        ANY_PROBLEM_CODES,
    )
    components["schemas"]["Problem"]["examples"] = [_problem("game-not-found")]
    code = components["schemas"]["Problem"]["properties"]["code"]
    declared: dict[str, Json] = {each: {"status": kind.status} for each, kind in PROBLEMS.items()}
    for each in PROBLEMS:
        if members := _members(each):
            declared[each]["members"] = [*members]
    code["x-problem-codes"] = declared
    return document


def _members(code: str) -> tuple[str, ...]:
    """Return the names of the members that only problems with this code have, sorted."""
    return tuple(sorted(MEMBERS.get(code, ())))


def _name(status: str) -> str:
    """Return the component name of the response with this status: `NotFound` for 404."""
    return HTTP_STATUS_CODES[int(status)].replace(" ", "")


def with_examples(document: Json) -> Json:
    """Return the document, with examples of texts, and without those that others hold."""
    for _, operation in _operations(document):
        for answer in operation["responses"].values():
            for mimetype, content in answer.get("content", {}).items():
                if (text := texts().get((operation["operationId"], mimetype))) is not None:
                    content["example"] = text
    _shorten(document["components"]["schemas"])
    return document


def _shorten(schemas: Json) -> None:
    """Reduce the examples of schemas that extend another schema with an example to their additional
    members; remove the example of a page of a list if its items have one."""
    for schema in schemas.values():
        first, *others = schema.get("properties") or {"": {}}
        items = schema.get("properties", {}).get(first, {}).get("items", {})
        item = schemas.get(items.get("$ref", "").removeprefix(COMPONENTS), {})
        if "examples" in item and others in ([], ["next"]):
            del schema["examples"]
        parent, *own = schema.get("allOf", [{}])
        shared = schemas[parent["$ref"].removeprefix(COMPONENTS)] if parent else {}
        if "examples" in schema and "examples" in shared:
            (value,) = schema.pop("examples")
            own[0]["examples"] = [{name: value[name] for name in own[0]["properties"]}]


def _answer(description: str, codes: Sequence[str]) -> dict[str, object]:
    """Return a response for these codes, with one example for codes with the same members."""
    shown = [code for code in codes if code in MEMBERS] or codes[:1]
    fullest = {_members(code): code for code in sorted(shown, key=lambda each: len(_problem(each)))}
    values = {code: {"value": _problem(code)} for code in shown if code in fullest.values()}
    content = {"schema": {"$ref": f"{COMPONENTS}Problem"}, "examples": values}
    answer: Json = {"description": description, "content": {MIMETYPE: content}}
    answer["headers"] = references("X-Request-Id")
    statuses = {PROBLEMS[code].status for code in codes}
    if not statuses.isdisjoint(_WITH_RETRY_AFTER):
        answer["headers"] |= references("Retry-After", *RATE_LIMIT)
    return answer


def _problem(code: str) -> dict[str, object]:
    kind, hints = PROBLEMS[code], get_type_hints(ProblemShape, include_extras=True)
    own = [name for name in _members(code) if name not in ("rule", "rule_url")]
    return {
        "type": f"/docs/problems#{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": f"{kind.title}.",
        "code": code,
        **{name: code if name == "refusal" else example_of(hints[name]) for name in own},
        **_EXAMPLES.get(code, {}),
    }


DESCRIPTIONS: Final[Json] = (
    yaml.safe_load(Path(__file__).with_name("descriptions.yaml").read_text()) or {}
)
"""Sentences, or dictionaries of keywords, by `SCHEMA`, by `SCHEMA.MEMBER`, or by `MEMBER` if it
means the same in every schema."""


def with_descriptions(document: Json) -> Json:
    """Return a copy of the document, completed by these descriptions."""
    document = json.loads(json.dumps(document))  # no two members are one object
    for name, schema in document["components"]["schemas"].items():
        schema.setdefault("description", DESCRIPTIONS.get(name))
        for member, field in members(schema):
            words = DESCRIPTIONS.get(f"{name}.{member}", DESCRIPTIONS.get(member))
            for keyword, value in (
                {"description": words} if isinstance(words, str) else words or {}
            ).items():
                if keyword == "description" or "$ref" not in field:
                    field.setdefault(keyword, value)
    return document


def members(schema: Json) -> Iterator[tuple[str, Json]]:
    """Yield every member of a schema and of the objects in it, with its name."""
    fields = schema.get("properties", {})
    yield from fields.items()
    parts = [*fields.values(), schema.get("items")]
    for keyword in ("allOf", "anyOf", "oneOf"):
        parts += schema.get(keyword, [])
    for part in parts:
        if part:
            yield from members(part)
