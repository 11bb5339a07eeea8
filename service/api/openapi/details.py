"""Completes the document by details that apispec does not generate: links from a response to the
operations that take the id in it, and details of inputs.
"""

from typing import Final

from marshmallow import Schema

from service.api.openapi.descriptions import Json
from service.api.schemas.base import (
    Alternative,
    Input,
    distinguishing_members,
    subclasses,
)
from service.api.shapes import source_of

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
