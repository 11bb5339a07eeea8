"""Reads a request's query and JSON body, strictly."""

import json
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final, cast

from flask import abort, request
from marshmallow import Schema, ValidationError

from service.api import problems
from service.core.errors import RequestRejected

_CACHED_SIZE: Final = 100
"""The longest body, in bytes, whose loaded form is cached."""


def body_of(schema: Schema) -> dict[str, object]:
    """Return the request's body, loaded by the schema.

    Raises `RequestRejected`: `malformed-json`, `validation-failed`. Aborts with 413 and 415.
    """
    return _parse(schema, raw_body())


def body_if_any(schema: Schema) -> dict[str, object]:
    """Like `body_of`; a missing body is read as `{}`."""
    return _parse(schema, raw_body() or b"{}")


def cached_body_of(schema: Schema) -> dict[str, object]:
    """Like `body_of`, but short bodies are parsed only once. Do not change the result."""
    body = raw_body()
    return _parse(schema, body) if len(body) > _CACHED_SIZE else _parse_once(schema, body)


def query_of(schema: Schema) -> dict[str, object]:
    """Return the request's query parameters, loaded by the schema.

    Raises `RequestRejected`: `validation-failed`.
    """
    if not request.query_string:
        return dict(_defaults(schema))
    return _load(schema, request.args.to_dict(), "query")


def check_query() -> None:
    """Raise `RequestRejected`, `malformed-request`, if a query parameter comes more than once: none
    takes several values."""
    if request.query_string:
        for name, values in request.args.lists():
            if len(values) > 1:
                raise RequestRejected(
                    "malformed-request",
                    "The query parameter %(name)s comes more than once.",
                    {"name": repr(name[:40])},
                )


def read_json(body: bytes) -> object:
    """Return the value of a JSON text in UTF-8. Raises `RequestRejected`: `malformed-json`."""
    try:
        value = json.loads(
            body.decode(), parse_constant=_reject_constant, object_pairs_hook=_named_once
        )
        if b"\\u" in body:
            # JSON can escape a lone surrogate, but such a text can never be encoded again.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise problems.malformed_json() from None
    return value


def raw_body() -> bytes:
    """Return the request's body, empty without one. Aborts with 413 and 415."""
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


def _named_once(members: list[tuple[str, object]]) -> dict[str, object]:
    """Return the members as an object. Of two with one name, readers would take different ones."""
    found = dict(members)
    if len(found) != len(members):
        raise ValueError("a name comes more than once")
    return found


def _reject_constant(text: str) -> object:
    raise ValueError(f"{text} is not JSON")
