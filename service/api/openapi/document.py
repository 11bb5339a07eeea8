"""The OpenAPI document, generated from the operations. `python -m service.api` prints it."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from engine import SEATS
from service.api import BLUEPRINTS, parsing
from service.api.blueprint import JSON, operation_of
from service.api.endpoints.history import EVENT_ID
from service.api.headers import ETAG, HEADERS, IF_MATCH, LINKED, MAX_KEY
from service.api.openapi.details import (
    with_alternatives,
    with_descriptions,
    with_event_types,
    with_examples,
    with_links,
    with_problems,
)
from service.api.openapi.examples import example_of
from service.api.openapi.webhooks import with_webhooks
from service.api.problems import PROBLEMS
from service.api.schemas.outputs import ProblemShape
from service.core.shapes import Json, component_name, components, properties_of, reference, required
from service.games.projections.feed_log import CURSOR
from service.games.shapes import GameBasicsShape, GameTermsShape

_GUIDE: Final = Path(__file__).with_name("guide.md")
"""File with the description of the document: general rules for every client."""

# Without examples: the console would fill them in, and send them with every request.
_PARAMETERS: Final = {
    "IfMatch": (
        "If-Match",
        'The version the caller saw, in quotes: `"42"`. If the game has moved on, the answer is'
        " 412.",
        {"type": "string", "pattern": IF_MATCH},
    ),
    "IfNoneMatch": (
        "If-None-Match",
        'The `ETag` that the caller has, such as a version: `"42"`. While it holds, the answer is'
        " 304.",
        {"type": "string"},
    ),
    "LastEventId": (
        "Last-Event-ID",
        "The id of the last message received over the stream: resume after it.",
        {"type": "string", "pattern": f"^({EVENT_ID})?$"},
    ),
    "LastPlace": (
        "Last-Event-ID",
        "The id of the last message received over the stream: resume after it.",
        {"type": "string", "pattern": f"^({CURSOR})?$"},
    ),
    "IdempotencyKey": (
        "Idempotency-Key",
        "A name of your choice for this request, so that it can be sent again safely.",
        {"type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[ -~]+$"},
    ),
    "FreshIdempotencyKey": (
        "Idempotency-Key",
        "A name of your choice for this request, so that it can be sent again safely within a day."
        " The answer holds a token, and a repeat from the same network address gets it again: so"
        " nobody else may be able to guess the key. Use a new random UUID (version 4 or 7), 32 or"
        " more random hexadecimal digits, or 22 or more random base64 characters. Words, and keys"
        " that were ever an example, are refused.",
        {"type": "string", "minLength": 22, "maxLength": MAX_KEY, "pattern": "^[ -~]+$"},
    ),
}


_EMPTY_ANSWERS: Final = {
    "IfNoneMatch": HTTPStatus.NOT_MODIFIED,
    "LastEventId": HTTPStatus.NO_CONTENT,
}
"""The answers without a body that come instead where a request has these headers."""


def _generate() -> Json:
    """Return the document as the operations declare it."""
    parameters: dict[str, Json] = {
        each: {"in": "header", "name": name, "description": description, "schema": schema}
        for each, (name, description, schema) in _PARAMETERS.items()
    }
    written: dict[str, Json] = {}
    declared = [
        (blueprint.name, *operation)
        for blueprint in BLUEPRINTS
        for operation in blueprint.operations
    ]
    for tag, rule, method, view in declared:
        path, ids = parsing.documented_path(rule)
        operation = _operation(view, method) | {"tags": [tag]}
        written.setdefault(path, {})[method.lower()] = operation
        if ids:  # each is described once
            parameters |= {each["name"]: each for each in ids}
            written[path]["parameters"] = [_reference("parameters", each["name"]) for each in ids]
    operations = [operation_of(view) for *_, view in declared]
    bodies = [each.body for each in operations if each.body]
    answers = [each.schema for one in operations for each in one.answers]
    shapes = [each for each in answers if isinstance(each, type)]
    schemas = components(bodies, requests=True)
    schemas["Seat"] = {"type": "string", "enum": list(SEATS)}
    schemas |= components([ProblemShape, GameBasicsShape, GameTermsShape, *shapes])
    for each in (*bodies, *shapes):
        schemas[component_name(each)]["examples"] = [example_of(each)]
    token = {"type": "http", "scheme": "bearer", "description": "From `POST /v1/players`."}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Scottenbury API",
            "version": "1",
            "contact": {"name": "The operator of this server", "url": "/"},
            "license": {"name": "MIT", "identifier": "MIT"},
            "description": _GUIDE.read_text(),
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "tags": [{"name": each.name, "description": each.description} for each in BLUEPRINTS],
        "paths": written,
        "components": {
            "schemas": schemas,
            "responses": {
                status.name: {"description": status.phrase, **headers}
                for status, headers in (
                    (HTTPStatus.NO_CONTENT, {}),
                    (HTTPStatus.NOT_MODIFIED, {"headers": _headers(ETAG | LINKED)}),
                )
            },
            "parameters": parameters,
            "headers": dict(HEADERS),
            "securitySchemes": {"token": token},
        },
    }


def _reference(kind: str, name: str) -> Json:
    return {"$ref": f"#/components/{kind}/{name}"}


def _headers(components_of: Mapping[str, str]) -> Json:
    return {name: _reference("headers", component) for name, component in components_of.items()}


def _operation(view: Callable[..., object], method: str) -> Json:
    """Return what is declared of this view."""
    declared = operation_of(view)
    summary, _, description = inspect.cleandoc(view.__doc__ or "").partition("\n\n")
    rule = declared.security
    secured = [{"token": list(rule.scopes_for(method))}] if rule.required else []
    answers = {
        str(status.value): _reference("responses", status.name)
        for header, status in _EMPTY_ANSWERS.items()
        if header in declared.headers
    }
    for answer in declared.answers:
        described = {"description": HTTPStatus(answer.status).phrase}
        entry = answers.setdefault(str(answer.status), described)
        if answer.headers:
            entry.setdefault("headers", {}).update(_headers(answer.headers))
        if answer.schema is not None:
            content = entry.setdefault("content", {})
            schema = answer.schema if isinstance(answer.schema, dict) else reference(answer.schema)
            content[answer.content_type] = {"schema": schema}
    headers = [_reference("parameters", each) for each in declared.headers]
    written: Json = {
        "operationId": declared.id,
        "summary": summary,
        "description": description,
        "parameters": [*(_query(declared.query) if declared.query else ()), *headers],
        "responses": {status: answers[status] for status in sorted(answers)},
        "x-problem-codes": sorted(declared.problems, key=list(PROBLEMS).index),
        "security": [{}, *secured] if rule.optional else secured,
    }
    if declared.body:
        content = {JSON: {"schema": reference(declared.body)}}
        written["requestBody"] = {"required": declared.body_required, "content": content}
    return {key: value for key, value in written.items() if value or key == "security"}


def _query(shape: type) -> list[Json]:
    needed = required(shape)
    return [
        {
            "in": "query",
            "name": name,
            **({"description": schema.pop("description")} if "description" in schema else {}),
            "schema": schema,
            "required": name in needed and "default" not in schema,
        }
        for name, schema in properties_of(shape).items()
    ]


def text() -> str:
    """Return the document as YAML. This takes seconds."""
    document = with_links(with_problems(_generate()))
    document = with_event_types(with_alternatives(document))
    document = with_examples(with_webhooks(document))
    document = with_descriptions(document)
    # The most important keys come first.
    for path in document["paths"].values():
        for method, operation in path.items():
            if isinstance(operation, dict):
                path[method] = _sorted(operation, _OPERATION)
    document["info"] = _sorted(document["info"], _INFO)
    document = _shortened(_sorted(document, _TOP))
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=180)


_TOP: Final = ("openapi", "info", "servers", "security", "tags", "paths", "webhooks")
_INFO: Final = ("title", "version", "contact")
_OPERATION: Final = (
    *("operationId", "summary", "description", "tags", "security", "parameters", "requestBody"),
    *("responses", "x-problem-codes"),
)


def _sorted(part: dict[str, object], first: Sequence[str]) -> dict[str, object]:
    return {**{key: part[key] for key in first if key in part}, **part}


_SHORT: Final = 140
"""The longest part that is written in one line, in characters of JSON."""


class _Flow(NamedTuple):
    """A part that is written like JSON, in few lines."""

    part: dict[str, object] | list[object]


def _shortened(part: Any, name: str = "") -> Any:
    """Return this part of the document, with examples and short parts marked to be written like
    JSON."""
    if not isinstance(part, dict | list):
        return part
    is_example = name in ("example", "value") or (name == "examples" and isinstance(part, list))
    are_words = isinstance(part, list) and not any(isinstance(each, dict | list) for each in part)
    if is_example or are_words or len(json.dumps(part)) <= _SHORT:
        return _Flow(part)
    if isinstance(part, list):
        return [_shortened(each) for each in part]
    return {key: _shortened(value, key) for key, value in part.items()}


class _Dumper(yaml.SafeDumper):
    """Writes out every part: YAML aliases are hard to read."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _represent_text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style)


def _represent_flow(dumper: yaml.SafeDumper, flow: _Flow) -> yaml.Node:
    if isinstance(flow.part, dict):
        return dumper.represent_mapping("tag:yaml.org,2002:map", flow.part, flow_style=True)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", flow.part, flow_style=True)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(_Flow, _represent_flow)
