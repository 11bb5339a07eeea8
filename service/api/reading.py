"""Reading what a request brings: its query and its JSON body, strictly."""

import json
import math
from functools import lru_cache
from http import HTTPStatus
from typing import Any, cast

from flask import abort, request
from marshmallow import Schema, ValidationError

from service.api import problem


def body_of(schema: Schema) -> dict[str, Any]:
    """What the request's body comes to; an empty one is read as `{}`.

    Raises `Refused` for what is no JSON or not as the schema has it, and answers 413 and 415.
    """
    return _loaded(schema, _json_body())


def query_of(schema: Schema) -> dict[str, Any]:
    """What the request's query parameters come to. Raises `Refused` for what the schema has not."""
    if not request.query_string:
        return dict(_without_query(schema))
    return _loaded(schema, request.args.to_dict())


def read_json(body: bytes) -> Any:
    """The value of a JSON text. Raises `Refused` for anything that is not one, or is no Unicode."""
    try:
        value = json.loads(body.decode(), parse_constant=_no_number)
        if b"\\u" in body:
            # A lone surrogate can be escaped in JSON, but never be written out again.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise problem.malformed_json() from None
    return value


def _json_body() -> Any:
    body = request.get_data(cache=True)
    if not body:
        return {}
    if request.content_length is None and len(body) >= (request.max_content_length or math.inf):
        # Of a body sent in chunks no more than this is read.
        abort(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    if not request.is_json:
        abort(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    return read_json(body)


@lru_cache
def _without_query(schema: Schema) -> dict[str, Any]:
    """The defaults of the parameters, worked out only once."""
    return _loaded(schema, {})


def _loaded(schema: Schema, value: Any) -> dict[str, Any]:
    try:
        return cast(dict[str, Any], schema.load(value))
    except ValidationError as error:
        raise problem.invalid(error.messages) from None


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not JSON")
