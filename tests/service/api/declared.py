"""Which problems an operation may answer with, by the OpenAPI document."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from service.api.openapi import document
from service.api.openapi.headers import RATE_LIMIT
from service.api.problems import ANY_PROBLEM_CODES, PROBLEMS

CHECKED_IN = Path(__file__).parents[3] / "openapi.yaml"
METHODS = ("get", "put", "post", "patch", "delete")


@cache
def read_document() -> dict[str, Any]:
    """The document, as its readers have it."""
    read: dict[str, Any] = yaml.load(document.text(), yaml.CSafeLoader)
    return read


def declared(method: str, rule: str, status: int) -> set[str]:
    """The codes with this status of the operation at this rule of Flask's."""
    codes = {*_operation(method, rule)["x-problem-codes"], *ANY_PROBLEM_CODES}
    return {code for code in codes if PROBLEMS[code].status == status}


def declared_headers(method: str, rule: str, status: int) -> set[str]:
    """The headers that an answer with this status may carry."""
    answers = _operation(method, rule)["responses"]
    answer = resolved(answers.get(str(status), answers["default"]))
    return {*answer.get("headers", ()), *RATE_LIMIT}


def _operation(method: str, rule: str) -> dict[str, Any]:
    path = re.sub(r"<(?:[^:>]*:)?(\w+)>", r"{\1}", rule)
    operations: dict[str, dict[str, Any]] = read_document()["paths"][path]
    return operations["get" if method == "HEAD" else method.lower()]


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    """This part of the document, or what it refers to."""
    if "$ref" not in part:
        return part
    found = read_document()
    for name in part["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return found


def absolute(schema: Any) -> Any:
    """The schema with references that `REGISTRY` resolves."""
    if isinstance(schema, dict):
        return {
            key: f"urn:openapi{value}" if key == "$ref" else absolute(value)
            for key, value in schema.items()
        }
    return [absolute(part) for part in schema] if isinstance(schema, list) else schema


DOCUMENT = read_document()
REGISTRY = Registry().with_resource("urn:openapi", Resource(DOCUMENT, DRAFT202012))  # type: ignore[call-arg]
