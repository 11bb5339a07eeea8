"""Moves common parts of the document into components: the two seats, parameters of queries, and
members of requests."""

import json
from collections import Counter
from typing import Any, Final

from engine import SEATS
from service.api.openapi.descriptions import Json

_NAME: Final = "Seat"
_REFERENCE: Final = {"$ref": f"#/components/schemas/{_NAME}"}
_LONG: Final = 100
"""Only members of requests with at least this many characters of JSON become components."""
_OFTEN: Final = 3
"""Only parts used at least this many times become components."""


def with_shared_seats(document: Json) -> Json:
    """Return the document, with one shared schema for every field that takes a seat."""
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


def _replace(schema: Json, reference: Json) -> None:
    """Replace the type of a field by a reference; its other keywords stay."""
    del schema["type"], schema["enum"]
    schema.update(reference)


def with_shared_inputs(document: Json) -> Json:
    """Return the document, with one component for each parameter and each long member that several
    requests share."""
    components = document["components"]
    operations = [each for path in document["paths"].values() for each in path.values()]
    lists = [
        each["parameters"] for each in operations if isinstance(each, dict) and "parameters" in each
    ]
    for each in (each for given in lists for each in given):
        if each.get("required") is False:  # the default
            del each["required"]
    parameters = [(each["name"], each) for given in lists for each in given if "in" in each]
    shared = _repeated(parameters)
    for given in lists:
        given[:] = [_reference("parameters", shared, each, components) for each in given]
    inputs = [one for name, one in components["schemas"].items() if name.endswith("Input")]
    members = [part for one in inputs for part in one.get("properties", {}).items()]
    named = [(name, one) for name, one in members if len(json.dumps(one)) >= _LONG]
    taken = set(components["schemas"])
    shared = {text: f"{_camel(name)}Input" for text, name in _repeated(named).items()}
    shared = {text: name for text, name in shared.items() if name not in taken}
    for one in inputs:
        for name, member in one.get("properties", {}).items():
            one["properties"][name] = _reference("schemas", shared, member, components)
    return document


def _repeated(parts: list[tuple[str, Json]]) -> dict[str, str]:
    """Return the names of the often-used parts, by the parts as JSON.

    If parts with the same name differ, only the most frequent one is included.
    """
    uses = Counter((name, json.dumps(part)) for name, part in parts)
    often = [each for each, number in reversed(uses.most_common()) if number >= _OFTEN]
    return {text: name for name, text in dict(often).items()}


def _reference(kind: str, shared: dict[str, str], part: Json, components: Json) -> Json:
    """Return a reference to the part's component if it has one, else the part itself."""
    name = shared.get(json.dumps(part))
    if name is None:
        return part
    components[kind][name] = part
    return {"$ref": f"#/components/{kind}/{name}"}


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
