"""Refusals and failures as `application/problem+json` (RFC 9457), each with a stable code."""

import json
import logging
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from flask import Flask, Response, request
from redis.exceptions import RedisClusterException, RedisError
from werkzeug.exceptions import HTTPException

from engine import RuleBroken, UnknownEvent
from service.api.endpoints import metrics
from service.core.errors import RequestRejected
from service.core.redis.client import unavailable
from service.eventlog import UnreadableLog

MIMETYPE: Final = "application/problem+json"
RETRY_AFTER: Final = 5
"""Seconds after which to try again while the store is away."""

VARY: Final = ("Vary", "Authorization, Accept")
NO_STORE: Final = ("Cache-Control", "no-store")
"""What no cache may keep, not even the reader's own."""

MAX_TOLD: Final = 3
"""As many messages of a validation are told in its detail; `errors` has them all."""

_log = logging.getLogger(__name__)


class Problem(NamedTuple):
    """A kind of problem: its HTTP status and a title for people."""

    status: int
    title: str


PROBLEMS: Final = {
    # of the request
    "malformed-request": Problem(400, "The request cannot be read"),
    "malformed-json": Problem(400, "The body is not JSON"),
    "body-incomplete": Problem(400, "The body did not arrive whole"),
    "malformed-if-match": Problem(400, "The If-Match header cannot be read"),
    "unauthenticated": Problem(401, "A valid bearer token is needed"),
    "forbidden": Problem(403, "Not allowed"),
    "insufficient-scope": Problem(403, "The token's scopes do not reach so far"),
    "not-found": Problem(404, "There is nothing here"),
    "method-not-allowed": Problem(405, "This method is not for this address"),
    "not-acceptable": Problem(406, "There is no such representation"),
    "request-timeout": Problem(408, "The request took too long to arrive"),
    "body-too-large": Problem(413, "The body is too large"),
    "unknown-host": Problem(421, "This server does not go by that name"),
    "unsupported-media-type": Problem(415, "The body must be application/json"),
    "validation-failed": Problem(422, "Some fields cannot be accepted"),
    "idempotency-key-reused": Problem(422, "The Idempotency-Key belongs to another request"),
    "weak-idempotency-key": Problem(422, "The Idempotency-Key could be guessed"),
    "idempotency-key-spent": Problem(409, "What was made under the Idempotency-Key is gone"),
    "too-many-requests": Problem(429, "Too many requests"),
    "too-many-streams": Problem(429, "Too many streams are open"),
    # of the account
    "token-not-found": Problem(404, "There is no such token"),
    "too-many-tokens": Problem(409, "There are too many tokens"),
    # of seals
    "unknown-seal": Problem(422, "There is no such seal"),
    "seal-used": Problem(409, "The seal was used for another game"),
    "too-many-seals": Problem(409, "There are too many unused seals"),
    # of who may do what
    "player-not-found": Problem(404, "There is no such player"),
    "too-many-games": Problem(409, "You have too many games"),
    "game-not-found": Problem(404, "There is no such game"),
    "version-not-found": Problem(404, "The game has no such version"),
    "not-a-player": Problem(403, "Only for the players of this game"),
    "invite-required": Problem(403, "An invite is needed"),
    "own-game": Problem(409, "Nobody plays against themselves"),
    "already-joined": Problem(409, "You sit in this game already"),
    "unknown-opponent": Problem(422, "There is no such player"),
    "bot-not-available": Problem(422, "There is no such bot"),
    "name-reserved": Problem(422, "This name belongs to a bot"),
    "name-taken": Problem(409, "Another player has this name or one like it"),
    "ambiguous-name": Problem(422, "Several players have this name"),
    "invitation-expired": Problem(409, "The invitation has expired"),
    "game-started": Problem(409, "The game has started"),
    "game-not-over": Problem(409, "The game is not over"),
    "already-asked": Problem(409, "There is an open challenge or invitation between the two"),
    "address-not-verified": Problem(403, "An own address has to be confirmed first"),
    "too-many-mails": Problem(429, "Too many mails would go out"),
    "challenge-not-found": Problem(404, "There is no such challenge"),
    "challenge-closed": Problem(409, "The challenge has been answered, withdrawn or has expired"),
    "not-challenged": Problem(403, "This challenge is not yours to answer or to take back"),
    "stale-version": Problem(412, "The game has moved on"),
    # of the rules
    "seat-taken": Problem(409, "Both seats are taken"),
    "game-not-started": Problem(409, "The game has not started"),
    "game-over": Problem(409, "The game is over"),
    "time-out": Problem(409, "The time was up"),
    "not-your-turn": Problem(409, "It is not your turn"),
    "illegal-action": Problem(409, "The rules forbid this action"),
    "claim-not-proven": Problem(409, "The claim is not proven"),
    "unreadable-action": Problem(422, "This is not an action"),
    "unknown-edition": Problem(422, "There is no such edition"),
    "no-such-combination": Problem(422, "The edition has no such combination"),
    "bad-game": Problem(422, "There is no such game to be made"),
    # of the server
    "internal-error": Problem(500, "Something went wrong here"),
    "unreadable-log": Problem(500, "The log of this game cannot be read here"),
    "server-busy": Problem(503, "The server holds as many streams as it can"),
    "store-unavailable": Problem(503, "The store cannot be reached"),
}

_CODE_OF_STATUS: Final = {
    400: "malformed-request",
    401: "unauthenticated",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    413: "body-too-large",
    415: "unsupported-media-type",
    422: "validation-failed",
    429: "too-many-requests",
}


def problem(code: str, detail: str, **members: Any) -> Response:
    """The answer that tells this problem; `members` are further members of its document."""
    kind = PROBLEMS[code]
    metrics.PROBLEMS.labels(code).inc()
    document = {
        "type": f"/docs/problems#{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "code": code,
        **members,
    }
    text = json.dumps(document, ensure_ascii=False)
    answer = Response(text, kind.status, [VARY, NO_STORE], mimetype=MIMETYPE)
    if kind.status == HTTPStatus.UNAUTHORIZED:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def malformed_json() -> RequestRejected:
    """The body cannot be read as JSON."""
    return RequestRejected(
        "malformed-json",
        "The body is not a JSON text in UTF-8, or it has too long a number or is nested too deep.",
    )


def invalid(messages: Any, whole: str) -> RequestRejected:
    """The request was read and found wanting; the messages are marshmallow's, by field.

    What is wrong with the `whole`, `body` or `query`, is told under that name.
    """
    errors: dict[str, list[str]] = {}
    for path, said in _flat(messages):
        errors.setdefault(path or whole, []).extend(said)
    return RequestRejected("validation-failed", told(errors), errors=errors)


def register(app: Flask) -> None:
    """Let every error of the application be told as a problem."""
    app.register_error_handler(RequestRejected, _refused)
    app.register_error_handler(RuleBroken, _rule_broken)
    app.register_error_handler(RedisError, _store_failed)
    app.register_error_handler(RedisClusterException, _store_failed)
    app.register_error_handler(UnknownEvent, _unreadable_log)
    app.register_error_handler(UnreadableLog, _unreadable_log)
    app.register_error_handler(HTTPException, _http_error)


def _refused(error: RequestRejected) -> Response:
    answer = problem(error.code, error.detail, **error.members)
    if "retry_after" in error.members:
        answer.headers["Retry-After"] = str(error.members["retry_after"])
    return answer


def _rule_broken(error: RuleBroken) -> Response:
    members: dict[str, Any] = {"refusal": error.refusal}
    if error.ruling is not None:
        members["rule"] = error.ruling
        members["rule_url"] = f"/rules#ruling-{error.ruling}"
    if error.counterexample is not None:
        members["counterexample"] = error.counterexample
    return problem(error.code, error.detail, **members)


def _store_failed(error: Exception) -> Response:
    if unavailable(error):
        answer = problem("store-unavailable", "The store cannot be reached; try again shortly.")
        answer.headers["Retry-After"] = str(RETRY_AFTER)
        return answer
    _log.error("The store refused a command", exc_info=error)
    return _internal_error()


def _unreadable_log(error: Exception) -> Response:
    _log.error("A log cannot be read", exc_info=error)
    later = " A later version of this program can read it." * isinstance(error, UnknownEvent)
    return problem("unreadable-log", f"{error}{later}")


def _http_error(error: HTTPException) -> Response:
    status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _internal_error()
    code = _CODE_OF_STATUS.get(status, "malformed-request")
    answer = problem(code, _detail(status) or error.description or f"{PROBLEMS[code].title}.")
    _keep_headers(answer, error)
    return answer


def _detail(status: int) -> str | None:
    """What is wrong with a request that no operation has read."""
    match status:
        case HTTPStatus.NOT_FOUND:
            return f"There is nothing at {request.path}; /docs shows what there is."
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return f"{request.method} is not for {request.path}; Allow names what is."
        case HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return f"A body has at most {(request.max_content_length or 0) // 1024} KiB."
        case HTTPStatus.UNSUPPORTED_MEDIA_TYPE:
            return "Send the body as JSON, with `Content-Type: application/json`."
    return None


def told(errors: dict[str, list[str]]) -> str:
    """What is wrong with these fields, in one line; of many, the first."""
    said = [f"{field}: {message}" for field, messages in errors.items() for message in messages]
    more = [f"And {len(said) - MAX_TOLD} more."] if len(said) > MAX_TOLD else []
    return " ".join([*said[:MAX_TOLD], *more])


def _internal_error() -> Response:
    return problem("internal-error", "The request was not carried out; the cause is in the log.")


def _keep_headers(answer: Response, error: HTTPException) -> None:
    """A 405 must name the methods that are allowed, a 429 when to come again."""
    for name, value in error.get_headers():
        if name.lower() not in ("content-type", "content-length"):
            answer.headers[name] = value


def _flat(messages: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Messages by the dotted path of their field; of the whole the path is empty."""
    if isinstance(messages, list):
        yield path, messages
        return
    for name, inner in messages.items():
        step = "" if name == "_schema" else str(name)
        yield from _flat(inner, ".".join(part for part in (path, step) if part))
