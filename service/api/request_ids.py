"""An id for each request: in its response, in problems that are failures of ours, and in the log.

Other problems do not contain it: their bytes must not depend on anything hidden from the caller.
"""

import logging
import random
import re
import time
from typing import Final

from flask import Response, g, has_request_context

from service.accounts.tokens import Access
from service.api.application import Application, Request, current_request
from service.eventlog import results

_access = logging.getLogger("access")
HEADER: Final = "X-Request-Id"
_FORM: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


def about() -> dict[str, str]:
    """Return the ids of the current request, its game and its caller, for the log.

    Ids that do not apply are left out.
    """
    if not has_request_context():
        return {}
    request = current_request()
    access: Access | None = request.access or g.get("session_access")
    ids = {
        "request": request.id,
        "game": (request.view_args or {}).get("game_id"),
        "player": access and access.player,
    }
    return {name: value for name, value in ids.items() if value}


def register(app: Application, *, logged: bool) -> None:
    """Give every request an id, or use the one from its sender or a proxy.

    With `logged`, a line is logged for each request: method, route, status and milliseconds. A
    route contains no secrets; a URL may.
    """
    app.checks.append(_begin)
    app.finishers.append(_mark_replayed)
    if logged:
        app.finishers.append(_log)


def _log(request: Request, answer: Response) -> Response:
    route = request.url_rule.rule if request.url_rule else "-"
    took = 1000 * (time.perf_counter() - request.began)
    _access.info("%s %s %d %.1f ms", request.method, route, answer.status_code, took)
    return answer


def member() -> dict[str, object]:
    """Return the member of a problem that names the request."""
    return {"request_id": current_request().id}


def _begin(request: Request) -> Response | None:
    given = request.environ.get("HTTP_X_REQUEST_ID", "")
    request.began = time.perf_counter()
    request.id = given if _FORM.fullmatch(given) else f"{random.getrandbits(64):016x}"
    request.add_headers((HEADER, request.id))
    results.begin_request()
    return None


def _mark_replayed(request: Request, answer: Response) -> Response:
    if results.is_repeat() and answer.status_code < 400:
        answer.headers["Idempotent-Replayed"] = "true"
    return answer
