"""An id for each request: in its answer, in problems that are failures of ours, and in the log.

It stays out of refusals, which have the same bytes whatever the caller cannot see.
"""

import logging
import re
import secrets
from typing import Any, Final

from flask import Flask, Response, g, has_request_context, request

from service.core import replayed

HEADER: Final = "X-Request-Id"
_FORM: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


class _RecordOfRequest(logging.LogRecord):
    """A line of the log, which ends with the id of the request that led to it."""

    def getMessage(self) -> str:  # noqa: N802
        text = super().getMessage()
        return (
            f"{text} (request {g.request_id})"
            if has_request_context() and "request_id" in g
            else text
        )


def log_along() -> None:
    """Add the ids to all lines of this process's log."""
    logging.setLogRecordFactory(_RecordOfRequest)


def register(app: Flask) -> None:
    """Give every request an id, or take the one that its sender or a proxy has given it."""
    app.before_request(_begin)
    app.after_request(_add_headers)


def member() -> dict[str, Any]:
    """The member of a problem that names the request."""
    return {"request_id": g.request_id}


def _begin() -> None:
    given = request.headers.get(HEADER, "")
    g.request_id = given if _FORM.fullmatch(given) else secrets.token_hex(8)
    replayed.begin()


def _add_headers(answer: Response) -> Response:
    answer.headers[HEADER] = g.request_id
    if replayed.is_replayed() and answer.status_code < 400:
        answer.headers["Idempotent-Replayed"] = "true"
    return answer
