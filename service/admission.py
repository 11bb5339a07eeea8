"""What is refused before an operation begins, whichever server received the request."""

from http import HTTPStatus
from typing import Final

from flask import Flask, Response, abort, request
from werkzeug.exceptions import ClientDisconnected

from service.api.problem import problem
from service.streams.wsgi import REFUSED

_DETAILS: Final = {
    "body-incomplete": "The body ended early, so nothing was done. Send the request again.",
    "request-timeout": "The body did not arrive in time, so nothing was done.",
}


def register(app: Flask) -> None:
    """Carry out nothing whose body has not arrived whole."""
    app.before_request(_refuse_marked)
    app.before_request(_require_whole_body)


def _refuse_marked() -> Response | None:
    """What the front has refused already."""
    code = request.environ.get(REFUSED)
    return None if code is None else problem(code, _DETAILS[code])


def _require_whole_body() -> Response | None:
    """Read the body before anything is done, for every operation: also for those that take none.

    A server may end the input early where the client went away, and say nothing about it.
    """
    length = request.content_length
    if not length and "HTTP_TRANSFER_ENCODING" not in request.environ:
        return None
    if length and length > (request.max_content_length or length):
        abort(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        body = request.get_data(cache=True)
    except (ClientDisconnected, OSError):
        return problem("body-incomplete", _DETAILS["body-incomplete"])
    if length is not None and len(body) < length:
        return problem("body-incomplete", _DETAILS["body-incomplete"])
    return None
