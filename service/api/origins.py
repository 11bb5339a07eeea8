"""Other origins: a program in any web page may use the API, with a token of its own.

Cookies are never read here, and `Access-Control-Allow-Credentials` is never sent. The pages of this
server, which do use a cookie, are not opened to other origins.
"""

from typing import Final

from flask import Flask, Response, current_app, request

from service.api.openapi.document import PREFIX

REQUEST_HEADERS: Final = (
    "Accept",
    "Authorization",
    "Cache-Control",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
)
"""What a program may send."""
ANSWER_HEADERS: Final = (
    "ETag",
    "Link",
    "Location",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "WWW-Authenticate",
)
"""What a program may read."""
PREFLIGHT_MEMORY: Final = 7200
"""Seconds for which a browser remembers a preflight: the most that browsers accept."""

_OPEN_TO_ALL: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(ANSWER_HEADERS),
}


def register(app: Flask) -> None:
    """Open the API to other origins. Call this before whatever admits and limits requests: browsers
    send a preflight without a token."""
    app.before_request(_preflight)
    app.after_request(_opened)


def _preflight() -> Response | None:
    if request.method != "OPTIONS" or not _of_the_api() or request.routing_exception is not None:
        return None
    answer: Response = current_app.make_default_options_response()
    answer.headers["Access-Control-Allow-Methods"] = answer.headers["Allow"]
    answer.headers["Access-Control-Allow-Headers"] = ", ".join(REQUEST_HEADERS)
    answer.headers["Access-Control-Max-Age"] = str(PREFLIGHT_MEMORY)
    return answer


def _opened(answer: Response) -> Response:
    if _of_the_api():
        answer.headers.extend(_OPEN_TO_ALL)
    return answer


def _of_the_api() -> bool:
    return request.path.startswith(f"{PREFIX}/") or request.path == "/openapi.yaml"
