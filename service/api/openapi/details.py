"""Completes what is generated of the document: links to operations that take an id, details of
requests, a component for seats, and descriptions from `descriptions.yaml`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml
from marshmallow import Schema

from engine import SEATS
from service.api.schemas.fields import (
    Alternative,
    Input,
    distinguishing_members,
    subclasses,
)
from service.api.shapes import Json, source_of

_COMPONENTS: Final = "#/components/schemas/"
LINKS: Final = {
    "registerPlayer": ("201", "player_id"),
    "createGame": ("201", "game_id"),
    "challengePlayer": ("201", "challenge_id"),
    "createToken": ("201", "token_id"),
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


def member_texts(schema: type[Schema]) -> dict[str, str]:
    """Return the descriptions below the fields of this schema of requests, by member."""
    return {
        schema._declared_fields[name].data_key or name: text
        for each in reversed(schema.__mro__)
        if issubclass(each, Input)
        for name, text in source_of(each).members.items()
        if text and name in schema._declared_fields
    }


def with_input_details(document: Json) -> Json:
    """Return the document, completed by the keywords, defaults and alternatives of inputs."""
    schemas = document["components"]["schemas"]
    for input_class in subclasses(Input):
        if (schema := schemas.get(input_class.__name__)) is not None:
            schema.update(input_class.keywords)
            for name, text in member_texts(input_class).items():
                schema["properties"][name].setdefault("description", text)
            _describe_defaults(schema)
            if input_class.alternatives:
                _split_into_alternatives(schemas, input_class)
            if text := source_of(input_class).text:
                schemas[input_class.__name__]["description"] = text
    return document


def _describe_defaults(schema: Json) -> None:
    """Describe defaults in words. Client generators read the keyword `default` as "always present",
    and ask their users for every such field."""
    for field in schema.get("properties", {}).values():
        default = field.pop("default", None)
        if default is not None and default != []:
            sentence = f"Default: `{str(default).lower()}`."
            field["description"] = " ".join(filter(None, [field.get("description"), sentence]))


def _split_into_alternatives(schemas: Json, input_class: type[Input]) -> None:
    whole = schemas[input_class.__name__]
    alternatives = input_class.alternatives
    for alternative in alternatives:
        schemas[alternative.name] = _schema_of(whole, alternative, alternatives)
    references = [{"$ref": _COMPONENTS + alternative.name} for alternative in alternatives]
    schemas[input_class.__name__] = {"oneOf": references}


def _schema_of(
    whole: Json, alternative: Alternative, alternatives: tuple[Alternative, ...]
) -> dict[str, object]:
    own = {*alternative.required, *alternative.optional}
    others = distinguishing_members(alternatives) - own
    fields = {name: field for name, field in whole["properties"].items() if name not in others}
    for name, value in alternative.flags.items():
        # Client generators do not understand a constant in an optional field.
        only = {"const": value} if name in alternative.required else {"not": {"const": not value}}
        fields[name] = {**fields[name], **only}
    required = [*whole.get("required", ()), *alternative.required]
    return {**whole, "properties": fields, "required": required}


_SEAT: Final = "Seat"
_REFERENCE: Final = {"$ref": f"#/components/schemas/{_SEAT}"}


def with_shared_seats(document: Json) -> Json:
    """Return the document, with one shared schema for every field that takes a seat."""
    schemas = document["components"]["schemas"]
    _share(schemas)
    schemas[_SEAT] = {"type": "string", "enum": list(SEATS)}
    return document


def _share(part: Any) -> None:
    for inner in part.values() if isinstance(part, dict) else part:
        if isinstance(inner, dict | list):
            _share(inner)
    if isinstance(part, dict) and isinstance(values := part.get("enum"), list):
        if values == list(SEATS):
            _replace(part, _REFERENCE)
        elif values == [*SEATS, None]:
            _replace(part, {"anyOf": [_REFERENCE, {"type": "null"}]})


def _replace(schema: Json, reference: Json) -> None:
    """Replace the type of a field by a reference; its other keywords stay."""
    del schema["type"], schema["enum"]
    schema.update(reference)


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
            _describe(field, DESCRIPTIONS.get(f"{name}.{member}", DESCRIPTIONS.get(member)))
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


def _describe(field: Json, words: str | Json | None) -> None:
    for keyword, value in (
        {"description": words} if isinstance(words, str) else words or {}
    ).items():
        if keyword == "description" or "$ref" not in field:
            field.setdefault(keyword, value)
