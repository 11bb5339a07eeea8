"""Adds the details that `Input` schemas declare beyond their fields to the document."""

from typing import Any, Final

from service.api.schemas.base import Alternative, Input, distinguishing_members, subclasses

_COMPONENTS: Final = "#/components/schemas/"


def with_input_details(document: dict[str, Any]) -> dict[str, Any]:
    """The document, completed by the keywords, defaults and alternatives of inputs."""
    schemas = document["components"]["schemas"]
    for input_class in subclasses(Input):
        if (schema := schemas.get(input_class.__name__)) is not None:
            schema.update(input_class.keywords)
            _describe_defaults(schema)
            if input_class.alternatives:
                _split_into_alternatives(schemas, input_class)
    return document


def _describe_defaults(schema: dict[str, Any]) -> None:
    """Describe defaults in words. Client generators read the keyword `default` as "always present",
    and ask their users for every such field."""
    for field in schema.get("properties", {}).values():
        default = field.pop("default", None)
        if default is not None and default != []:
            sentence = f"Default: `{str(default).lower()}`."
            field["description"] = " ".join(filter(None, [field.get("description"), sentence]))


def _split_into_alternatives(schemas: dict[str, Any], input_class: type[Input]) -> None:
    whole = schemas[input_class.__name__]
    alternatives = input_class.alternatives
    for alternative in alternatives:
        schemas[alternative.name] = _schema_of(whole, alternative, alternatives)
    references = [{"$ref": _COMPONENTS + alternative.name} for alternative in alternatives]
    schemas[input_class.__name__] = {"oneOf": references}


def _schema_of(
    whole: dict[str, Any], alternative: Alternative, alternatives: tuple[Alternative, ...]
) -> dict[str, Any]:
    own = {*alternative.required, *alternative.optional}
    others = distinguishing_members(alternatives) - own
    fields = {name: field for name, field in whole["properties"].items() if name not in others}
    for name, value in alternative.flags.items():
        # Client generators do not understand a constant in an optional field.
        only = {"const": value} if name in alternative.required else {"not": {"const": not value}}
        fields[name] = {**fields[name], **only}
    required = [*whole.get("required", ()), *alternative.required]
    return {**whole, "properties": fields, "required": required}
