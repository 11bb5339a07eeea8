"""Which problems an operation may answer with, by the OpenAPI document."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema_rs import Draft202012, Draft202012Validator, Registry
from werkzeug.test import TestResponse

from service.api.headers import OF_EVERY_ANSWER, RATE_LIMIT
from service.api.problems import ANY_PROBLEM_CODES, MIMETYPE, PROBLEMS

CHECKED_IN = Path(__file__).parents[3] / "openapi.yaml"
METHODS = ("get", "put", "post", "patch", "delete")


@cache
def read_document() -> dict[str, Any]:
    """The document, as its readers have it. To generate it takes seconds; `test_document.py` holds
    that the file is what is generated."""
    read: dict[str, Any] = yaml.load(CHECKED_IN.read_text(), yaml.CSafeLoader)
    return read


def declared(method: str, rule: str, status: int) -> set[str]:
    """The codes with this status of the operation at this rule of Flask's."""
    codes = {*_operation(method, rule)["x-problem-codes"], *ANY_PROBLEM_CODES}
    return {code for code in codes if PROBLEMS[code].status == status}


def declared_headers(method: str, rule: str, status: int) -> set[str]:
    """The headers that an answer with this status may carry."""
    answer = resolved_answer(method, rule, status)
    return {*answer.get("headers", ()), *RATE_LIMIT, *OF_EVERY_ANSWER}


def resolved_answer(method: str, rule: str, status: int) -> dict[str, Any]:
    """What the document says of the answer with this status."""
    answers = _operation(method, rule)["responses"]
    return resolved(answers.get(str(status), answers["default"]))


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


def absolute(schema: Any, document: str = "urn:openapi") -> Any:
    """The schema with references that `REGISTRY` resolves in one of its documents."""
    if isinstance(schema, dict):
        return {
            key: f"{document}{value}" if key == "$ref" else absolute(value, document)
            for key, value in schema.items()
        }
    return [absolute(part, document) for part in schema] if isinstance(schema, list) else schema


def validator(
    schema: dict[str, Any], *, document: str = "urn:openapi", formats: bool = False
) -> Draft202012Validator:
    """What checks values against a schema of the document, `urn:closed` for the one that is."""
    return _validator(json.dumps(absolute(schema, document)), formats)


@cache
def _validator(schema: str, formats: bool) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema), registry=REGISTRY, validate_formats=formats)


def misfits(schema: dict[str, Any], value: Any, *, document: str = "urn:openapi") -> list[str]:
    """Why a value does not fit a schema of the document."""
    found = validator(schema, document=document)
    return [error.message for error in found.iter_errors(value)]


def check_answer(answer: TestResponse, path: str, method: str = "get") -> TestResponse:
    """Fail unless a JSON answer is as the document says, member for member."""
    described = resolved_answer(method, path, answer.status_code)
    if answer.data and answer.mimetype in ("application/json", MIMETYPE):
        schema = described["content"][answer.mimetype]["schema"]
        assert misfits(schema, answer.json, document="urn:closed") == [], (method, path)
    return answer


def closed(part: Any) -> Any:
    """This part of the document, in which no object has members that are not described.

    What another schema extends stays open for that: `closed_document` has it as `NAME-open`.
    """
    if isinstance(part, list):
        return [closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    whole = {name: closed(each) for name, each in part.items()}
    for each in whole.get("allOf", ()):
        each.pop("unevaluatedProperties", None)
        if "$ref" in each:
            each["$ref"] += "-open"
    is_object = isinstance(part.get("properties"), dict) or "allOf" in part
    return {**whole, "unevaluatedProperties": False} if is_object else whole


def closed_document() -> dict[str, Any]:
    """The document, in which answers have no members but those described."""
    schemas = {}
    for name, schema in DOCUMENT["components"]["schemas"].items():
        schemas[name] = closed(schema)
        schemas[f"{name}-open"] = {**schemas[name], "unevaluatedProperties": True}
    return {"components": {"schemas": schemas}}


DOCUMENT = read_document()
REGISTRY = Registry(
    [("urn:openapi", DOCUMENT), ("urn:closed", closed_document())], draft=Draft202012
)
