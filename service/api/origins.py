"""CORS: programs in web pages of any origin may use the API with a token.

The API never reads cookies, and `Access-Control-Allow-Credentials` is never sent. The pages of this
server do use a cookie; they stay closed to other origins.
"""

from typing import Final

from flask import Flask, Response, current_app, request

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
"""The headers that such a program may send."""
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
"""The headers that such a program may read."""
PREFLIGHT_MAX_AGE: Final = 7200
"""Seconds for which a browser may cache a preflight. Browsers accept no more."""

_CORS_HEADERS: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(ANSWER_HEADERS),
}


def register(app: Flask) -> None:
    """Open the API to other origins.

    Call this before anything that checks or limits requests: preflights come without a token.
    """
    app.before_request(_preflight)
    app.after_request(_add_cors_headers)


def _preflight() -> Response | None:
    if (
        request.method != "OPTIONS"
        or not _is_api_request()
        or request.routing_exception is not None
    ):
        return None
    answer: Response = current_app.make_default_options_response()
    answer.headers["Access-Control-Allow-Methods"] = answer.headers["Allow"]
    answer.headers["Access-Control-Allow-Headers"] = ", ".join(REQUEST_HEADERS)
    answer.headers["Access-Control-Max-Age"] = str(PREFLIGHT_MAX_AGE)
    return answer


def _add_cors_headers(answer: Response) -> Response:
    if _is_api_request():
        answer.headers.extend(_CORS_HEADERS)
    return answer


def _is_api_request() -> bool:
    return request.path.startswith((f"{PREFIX}/", "/openapi."))
