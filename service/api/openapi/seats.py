"""One schema for the two seats, so that generated clients have one type for them."""

from typing import Any, Final

from engine import SEATS

_NAME: Final = "Seat"
_REFERENCE: Final = {"$ref": f"#/components/schemas/{_NAME}"}


def with_shared_seats(document: dict[str, Any]) -> dict[str, Any]:
    """The document, with one shared schema for every field that takes a seat."""
    schemas = document["components"]["schemas"]
    _share(schemas)
    schemas[_NAME] = {"type": "string", "enum": list(SEATS)}
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


def _replace(schema: dict[str, Any], reference: dict[str, Any]) -> None:
    """Replace the type by a reference; the rest of the field stays."""
    del schema["type"], schema["enum"]
    schema.update(reference)
