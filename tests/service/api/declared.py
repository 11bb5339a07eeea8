"""Which problems an operation may answer with, by the OpenAPI document."""

import re
from functools import cache
from typing import Any

import yaml

from service.api.openapi import document
from service.api.problems import MIMETYPE


@cache
def read_document() -> dict[str, Any]:
    """The document, as its readers have it."""
    read: dict[str, Any] = yaml.safe_load(document.text())
    return read


def declared(method: str, rule: str, status: int) -> set[str]:
    """The codes with this status of the operation at this rule of Flask's."""
    answer = _answer(method, rule, status)
    return set() if answer is None else set(answer["content"][MIMETYPE]["examples"])


def declared_headers(method: str, rule: str, status: int) -> set[str]:
    """The headers that an answer with this status may carry."""
    return set((_answer(method, rule, status) or {}).get("headers", ()))


def _answer(method: str, rule: str, status: int) -> dict[str, Any] | None:
    path = re.sub(r"<(?:[^:>]*:)?(\w+)>", r"{\1}", rule)
    operation = read_document()["paths"][path]["get" if method == "HEAD" else method.lower()]
    answer = operation["responses"].get(str(status))
    return None if answer is None else resolved(answer)


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    """This part of the document, or what it refers to."""
    if "$ref" not in part:
        return part
    found = read_document()
    for name in part["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return found
