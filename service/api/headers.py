"""Reads the request headers that operations use, repeats answers under a key, and describes the
headers of responses.


CORS: programs in web pages of any origin may use the API with a token.

The API never reads cookies, and `Access-Control-Allow-Credentials` is never sent. The pages of this
server do use a cookie; they stay closed to other origins.
"""

import json
import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Final

from flask import Response, current_app, request
from werkzeug.datastructures import Headers

from service.accounts.idempotency import check_unguessable
from service.api.application import Application, Request
from service.api.auth import caller, caller_address, caller_if_any, prefetched_facts
from service.api.parsing import PREFIX, raw_body, read_json
from service.container import get_container
from service.core import ids
from service.core.errors import RequestRejected
from service.eventlog import IdempotencyKey
from service.games import ChangeContext

MAX_KEY: Final = 200
"""The most characters of an Idempotency-Key."""

_TAG: Final = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
"""A pattern for an entity tag (RFC 9110, 8.8.3)."""
_TAGS: Final = re.compile(rf"[ \t,]*{_TAG}(?:[ \t]*,[ \t,]*{_TAG})*[ \t,]*")
_VERSION: Final = re.compile(r'"[1-9][0-9]{0,8}"')
"""A pattern for the tag of a game's version."""
IF_MATCH: Final = rf"^(\*|{_VERSION.pattern}( ?, ?{_VERSION.pattern})*)$"
"""A pattern for an If-Match header that a version can match."""


def origin(player: str | None = None, *, fresh_key: bool = False) -> ChangeContext:
    """Return the origin of a write by this player, by default the caller: the version seen, and the
    idempotency key.

    With `fresh_key` the key must be hard to guess. Raises `RequestRejected` for malformed headers.
    """
    key = idempotency_key(player or caller(), fresh=fresh_key)
    return ChangeContext("api", expected_versions(), key, prefetched_facts())


def idempotency_key(scope: str, *, fresh: bool = False) -> IdempotencyKey | None:
    """Return the request's `Idempotency-Key` within `scope`, with a fingerprint of the request;
    None without that header.

    With `fresh` it must be hard to guess, because a token is created under it:
    `weak-idempotency-key`.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not (1 <= len(key) <= MAX_KEY and key.isascii() and key.isprintable()):
        raise RequestRejected(
            "malformed-request",
            "An Idempotency-Key has 1 to %(most)s printable ASCII characters.",
            {"most": MAX_KEY},
        )
    if fresh:
        check_unguessable(key)
    body = raw_body()
    content = json.dumps(read_json(body) if body else {}, sort_keys=True)
    fingerprint = ids.digest(f"{request.method} {request.path}\n{content}")
    return IdempotencyKey(f"{scope} {key}", fingerprint, scope)


def answered_once(view: Callable[..., Response], *, fresh: bool) -> Callable[..., Response]:
    """Wrap a write that knows no keys: it is carried out once under a key, and every repeat of the
    request within a day gets the same answer, byte for byte. A refusal is not stored.

    `fresh`: the answer holds a token, so the key must be hard to guess.
    """

    @wraps(view)
    def answer_once(*args: object, **path: object) -> Response:
        key = idempotency_key(caller_if_any() or f"at {caller_address()}", fresh=fresh)
        if key is None:
            return view(*args, **path)
        answers = get_container().answers
        if (stored := answers.begin(key)) is not None:
            head, _, body = stored.partition(b"\n")
            status, headers = json.loads(head)
            answer = Response(body, status)
            answer.headers = Headers(headers)
            return answer
        try:
            answer = view(*args, **path)
        except BaseException:
            answers.abandon(key)
            raise
        head = json.dumps([answer.status_code, list(answer.headers)]).encode()
        answers.finish(key, head + b"\n" + answer.get_data())
        return answer

    return answer_once


def expected_versions() -> list[int] | None:
    """Return the versions in `If-Match`, any of which may be current; None if any version is
    accepted."""
    given = request.headers.get("If-Match")
    if given is None or given.strip() == "*":
        return None
    if not _TAGS.fullmatch(given):
        raise RequestRejected(
            "malformed-if-match",
            'If-Match takes the ETag of an answer, in its quotes: `"42"`. Separate several with'
            " commas, or send `*`.",
        )
    # Any other tag belongs to no version, and a weak tag never matches.
    return [int(tag[1:-1]) for tag in re.findall(_TAG, given) if _VERSION.fullmatch(tag)]


def has_version(version: int) -> bool:
    """Whether the client already has this version (`If-None-Match`)."""
    if "HTTP_IF_NONE_MATCH" not in request.environ:
        return False
    return request.if_none_match.contains_weak(str(version))


def accepted(mimetypes: Iterable[str]) -> str:
    """Return the media type that the client prefers; the first one if it has no preference.

    Raises `RequestRejected`: `not-acceptable`.
    """
    offered = list(mimetypes)
    preferences = request.accept_mimetypes
    best = preferences.best_match(offered) if preferences else offered[0]
    if best is None:
        raise RequestRejected(
            "not-acceptable", "Available: %(types)s.", {"types": ", ".join(offered)}
        )
    return best


def last_event_id(pattern: str) -> str | None:
    """Return the `Last-Event-ID` of a client that reconnects to a stream; None without one.

    Raises `RequestRejected` if it does not match the pattern: `malformed-request`.
    """
    last_id = request.headers.get("Last-Event-ID")
    if last_id and not re.fullmatch(pattern, last_id):
        raise RequestRejected("malformed-request", "This Last-Event-ID was never issued.")
    return last_id or None


def place_after(pattern: str, after: str | None, *, streams: bool) -> str | None:
    """Return the place to go on from: the `Last-Event-ID`, else `after`.

    On a stream the header wins, because a browser connects to the same address again. Elsewhere
    `RequestRejected`, `malformed-request`, if both are sent and differ: a client that follows
    `next` under the same header would read one page for ever.
    """
    last_id = last_event_id(pattern)
    if last_id and not streams and request.args.get("after", last_id) != last_id:
        raise RequestRejected("malformed-request", "`after` and `Last-Event-ID` differ: send one.")
    return last_id or after


def _header(description: str, example: str | int) -> dict[str, object]:
    kind = "integer" if isinstance(example, int) else "string"
    return {"description": description, "schema": {"type": kind}, "example": example}


HEADERS: Final = {
    "ETag": _header("The version of the game, in quotes.", '"42"'),
    "Location": _header(
        "The address of what was created, on this server.", "/v1/games/onrw65dumvxhs5dporxw"
    ),
    "Link": _header(
        'The address of the next page, with `rel="next"`. Absent on the last page.',
        '</v1/games?cursor=MTc5NTI2NjAwMA>; rel="next"',
    ),
    "RateLimit-Limit": _header(
        "Requests allowed in the current window. Absent on servers without limits.", 1200
    ),
    "RateLimit-Remaining": _header("Requests left in the window.", 1199),
    "RateLimit-Reset": _header("Seconds until the next window begins.", 60),
    "ListETag": _header("Names this page of the list as it is now.", '"5f0c2e8a9b1d4c37"'),
    "X-Request-Id": _header(
        "The request's id, yours if it had one of up to 64 letters, digits and `._-`; every answer"
        " has it.",
        "5f0c2e8a9b1d4c37",
    ),
    "Idempotent-Replayed": _header(
        "`true` on the answer to a write under a known `Idempotency-Key`: nothing was done again.",
        "true",
    ),
    "Retry-After": _header("Seconds after which to try again.", 5),
}
"""Descriptions of headers, by the names of their components."""

ETAG: Final = {"ETag": "ETag"}
LOCATION: Final = {"Location": "Location"}
LINKED: Final = {"Link": "Link"}
PAGED: Final = {**LINKED, "ETag": "ListETag"}

RATE_LIMIT: Final = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
"""Headers that every response of a server with limits has; the guide describes them."""
OF_EVERY_ANSWER: Final = ("X-Request-Id", "Idempotent-Replayed")
"""Headers that responses may have in addition to those declared; the guide describes them."""


def references(*names: str) -> dict[str, object]:
    """Return references to these header components, by name, for a response in the document."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


REQUEST_HEADERS: Final = (
    "Accept",
    "Authorization",
    "Cache-Control",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "X-Request-Id",
)
"""The request headers that such a program may send."""
ANSWER_HEADERS: Final = (
    "ETag",
    "Idempotent-Replayed",
    "Link",
    "Location",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
"""The response headers that such a program may read."""
PREFLIGHT_MAX_AGE: Final = 7200
"""Seconds for which a browser may cache a preflight. Browsers limit this to 2 hours or less."""

_CORS_HEADERS: Final = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", ", ".join(ANSWER_HEADERS)),
)


def open_to_origins(app: Application) -> None:
    """Let pages of other origins use the API.

    Call this before anything that checks or limits requests: preflights come without a token.
    """
    app.checks.append(_preflight)
    app.header_sources.append(lambda path: _CORS_HEADERS if _is_of_api(path) else ())


def _preflight(request: Request) -> Response | None:
    if (
        request.method != "OPTIONS"
        or not _is_of_api(request.path)
        or request.routing_exception is not None
    ):
        return None
    answer: Response = current_app.make_default_options_response()
    answer.headers["Access-Control-Allow-Methods"] = answer.headers["Allow"]
    answer.headers["Access-Control-Allow-Headers"] = ", ".join(REQUEST_HEADERS)
    answer.headers["Access-Control-Max-Age"] = str(PREFLIGHT_MAX_AGE)
    return answer


def _is_of_api(path: str) -> bool:
    return path.startswith((f"{PREFIX}/", "/openapi."))
