"""Describes common members of answers once, by `allOf`."""

from typing import Any

from marshmallow import Schema

from service.api.schemas.base import Output, subclasses

_COMPONENTS = "#/components/schemas/"


def with_parents(document: dict[str, Any]) -> dict[str, Any]:
    """The document, in which an answer refers to the answer that it extends."""
    schemas = document["components"]["schemas"]
    extended = {}
    for each in subclasses(Output):
        name, parent = component(each), component(each.__mro__[1])
        if name in schemas and parent in schemas:
            extended[name] = _extension(parent, schemas[parent]["properties"], schemas[name])
    schemas |= extended
    return document


def component(schema: type[Schema]) -> str:
    """The name of a schema in the document."""
    return schema.__name__.removesuffix("Schema")


def _extension(parent: str, inherited: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    own = {name: field for name, field in schema["properties"].items() if name not in inherited}
    required = [name for name in schema["required"] if name in own]
    further = {**schema, "properties": own, "required": required}
    return {"allOf": [{"$ref": _COMPONENTS + parent}, further]}
