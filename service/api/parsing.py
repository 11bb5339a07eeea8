"""Reads a request's path, query and JSON body, strictly.

The routes accept any text for an id, as in `/games/<game:game_id>`, so that a malformed id gets the
same response as an unknown one.
"""

import json
import re
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final, NamedTuple, cast

from flask import Flask, abort, request
from marshmallow import Schema, ValidationError
from werkzeug.routing import UnicodeConverter

from service.accounts.channels import CHANNEL_ID
from service.api import problems
from service.core.errors import RequestRejected
from service.core.ids import GAME_ID, PLAYER_ID
from service.core.words import N_

PREFIX: Final = "/v1"
"""The beginning of the URL paths of all operations."""


class IdKind(NamedTuple):
    """A kind of id: its pattern, an example, and the problem's code and detail if none exists."""

    pattern: str
    example: str
    code: str
    detail: str


def _id_of(name: str, pattern: str, example: str) -> IdKind:
    return IdKind(pattern, example, f"{name}-not-found", f"There is no {name} with this id.")


ID_KINDS: Final = {
    "game": _id_of("game", GAME_ID, "onrw65dumvxhs5dporxw"),
    "challenge": _id_of("challenge", GAME_ID, "onvwkzdfobxxe5dfmvzg"),
    "season": _id_of("season", GAME_ID, "onvwkzdfobxxe5dfmvzg"),
    "player": _id_of("player", PLAYER_ID, "mfzwizltorzwi4tf"),
    "channel": _id_of("channel", CHANNEL_ID, "ab2cd3ef"),
    "token": _id_of("token", "[0-9a-f]{16}", "0f3a9c5d7b1e2846"),
    "offer": IdKind(
        "(abandonment|pause)", "pause", "not-found", N_("Offers are of a pause or an abandonment.")
    ),
}
"""The kinds of ids by the name of their route converter. The parameter is called `NAME_…`."""


_PARAMETER: Final = re.compile(r"<(\w+):(\w+)>")
_CONVERTERS: Final = {name: type(f"{name.title()}Id", (UnicodeConverter,), {}) for name in ID_KINDS}


def register_ids(app: Flask) -> None:
    """Let routes of the application use these converters."""
    app.url_map.converters.update(_CONVERTERS)


def documented_path(rule: str) -> tuple[str, list[dict[str, Any]]]:
    """Return the path of this rule in the OpenAPI document, and the parameters in it."""
    parameters = [
        {
            "in": "path",
            "name": name,
            "required": True,
            "schema": {
                "type": "string",
                "pattern": f"^{ID_KINDS[kind].pattern}$",
                "examples": [ID_KINDS[kind].example],
            },
        }
        for kind, name in _PARAMETER.findall(rule)
    ]
    return PREFIX + _PARAMETER.sub(r"{\2}", rule), parameters


def check_ids() -> None:
    """Raise `RequestRejected` if the request's path contains a malformed id."""
    for name, text in (request.view_args or {}).items():
        kind = ID_KINDS.get(name.partition("_")[0])
        if kind is not None and not re.fullmatch(kind.pattern, text):
            raise RequestRejected(kind.code, kind.detail)


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
