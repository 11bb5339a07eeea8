"""Completes what is generated of the document: links to operations that take an id, forms of
requests, and descriptions from `descriptions.yaml`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import yaml

from service.core.shapes import RULES, Alternative, Json, Rules

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


_OF_WHOLE: Final = ("description", "examples")


def with_alternatives(document: Json) -> Json:
    """Return the document, with a schema for each form of a request that has several."""
    schemas = document["components"]["schemas"]
    for shape, rules in RULES.items():
        whole = schemas.get(shape.__name__)
        if whole is not None and rules.alternatives:
            forms = {form.name: _schema_of(whole, form, rules) for form in rules.alternatives}
            references = [{"$ref": _COMPONENTS + name} for name in forms]
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
