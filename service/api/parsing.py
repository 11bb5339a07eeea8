"""Reads a request's query and JSON body, strictly."""

import json
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final, cast

from flask import abort, request
from marshmallow import Schema, ValidationError

from service.api import problems

_CACHED_SIZE: Final = 100
"""The longest body, in bytes, whose loaded form is cached."""


def body_of(schema: Schema) -> dict[str, object]:
    """Return the request's body, loaded by the schema.

    Raises `RequestRejected`: `malformed-json`, `validation-failed`. Aborts with 413 and 415.
    """
    return _parse(schema, _body())


def body_if_any(schema: Schema) -> dict[str, object]:
    """Like `body_of`; a missing body is read as `{}`."""
    return _parse(schema, _body() or b"{}")


def cached_body_of(schema: Schema) -> dict[str, object]:
    """Like `body_of`, but short bodies are parsed only once. Do not change the result."""
    body = _body()
    return _parse(schema, body) if len(body) > _CACHED_SIZE else _parse_once(schema, body)


def query_of(schema: Schema) -> dict[str, object]:
    """Return the request's query parameters, loaded by the schema.

    Raises `RequestRejected`: `validation-failed`.
    """
    if not request.query_string:
        return dict(_defaults(schema))
    return _load(schema, request.args.to_dict(), "query")


def read_json(body: bytes) -> object:
    """Return the value of a JSON text in UTF-8. Raises `RequestRejected`: `malformed-json`."""
    try:
        value = json.loads(body.decode(), parse_constant=_reject_constant)
        if b"\\u" in body:
            # JSON can escape a lone surrogate, but such a text can never be encoded again.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise problems.malformed_json() from None
    return value


def _body() -> bytes:
    body = request.get_data(cache=True)
    if not body:
        return b""
    if not request.is_json:
        abort(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    return body


def _parse(schema: Schema, body: bytes) -> dict[str, object]:
    return _load(schema, read_json(body), "body")


_parse_once = lru_cache(2000)(_parse)


@lru_cache
def _defaults(schema: Schema) -> dict[str, object]:
    return _load(schema, {}, "query")


def _load(schema: Schema, value: Any, part: str) -> dict[str, object]:
    try:
        return cast(dict[str, object], schema.load(value))
    except ValidationError as error:
        raise problems.validation_failed(error.messages, part) from None


def _reject_constant(text: str) -> object:
    raise ValueError(f"{text} is not JSON")
