"""Reading what a request brings: its query and its JSON body, strictly."""

import json
import math
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final, cast

from flask import abort, request
from marshmallow import Schema, ValidationError

from service.api import problems

_SHORT: Final = 100
"""Bytes of a body that may be kept in mind."""


def body_of(schema: Schema) -> dict[str, Any]:
    """What the request's body comes to.

    Raises `RequestRejected` for what is no JSON or not as the schema has it, and answers 413 and
    415.
    """
    return _read(schema, _body())


def body_if_any(schema: Schema) -> dict[str, Any]:
    """As `body_of`; where there is none it is read as `{}`."""
    return _read(schema, _body() or b"{}")


def short_body_of(schema: Schema) -> dict[str, Any]:
    """As `body_of`, for bodies of which there are few: short ones are read only once.

    What they come to is not to be changed.
    """
    body = _body()
    return _read(schema, body) if len(body) > _SHORT else _read_once(schema, body)


def query_of(schema: Schema) -> dict[str, Any]:
    """What the request's query parameters come to.

    Raises `RequestRejected` for what the schema has not.
    """
    if not request.query_string:
        return dict(_without_query(schema))
    return _loaded(schema, request.args.to_dict(), "query")


def read_json(body: bytes) -> Any:
    """The value of a JSON text.

    Raises `RequestRejected` for anything that is not one, or is no Unicode.
    """
    try:
        value = json.loads(body.decode(), parse_constant=_no_number)
        if b"\\u" in body:
            # A lone surrogate can be escaped in JSON, but never be written out again.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise problems.malformed_json() from None
    return value


def _body() -> bytes:
    body = request.get_data(cache=True)
    if not body:
        return b""
    if request.content_length is None and len(body) >= (request.max_content_length or math.inf):
        # Of a body sent in chunks no more than this is read.
        abort(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    if not request.is_json:
        abort(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    return body


def _read(schema: Schema, body: bytes) -> dict[str, Any]:
    return _loaded(schema, read_json(body), "body")


_read_once = lru_cache(2000)(_read)


@lru_cache
def _without_query(schema: Schema) -> dict[str, Any]:
    """The defaults of the parameters, worked out only once."""
    return _loaded(schema, {}, "query")


def _loaded(schema: Schema, value: Any, whole: str) -> dict[str, Any]:
    try:
        return cast(dict[str, Any], schema.load(value))
    except ValidationError as error:
        raise problems.invalid(error.messages, whole) from None


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not JSON")
