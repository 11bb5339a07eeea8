"""Adds descriptions from `descriptions.yaml` to schemas and members that have none."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

Json = dict[str, Any]

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
