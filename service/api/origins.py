"""CORS: programs in web pages of any origin may use the API with a token.

The API never reads cookies, and `Access-Control-Allow-Credentials` is never sent. The pages of this
server do use a cookie; they stay closed to other origins.
"""

from typing import Final

from flask import Response, current_app

from service.api.application import Application, Request
from service.api.paths import PREFIX

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


def register(app: Application) -> None:
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
