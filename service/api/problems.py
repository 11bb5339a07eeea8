"""Rejections and failures as `application/problem+json` (RFC 9457), each with a stable code."""

import json
import logging
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from flask import Flask, Response, request
from redis.exceptions import RedisClusterException, RedisError
from werkzeug.exceptions import HTTPException

from engine import RuleBroken, UnknownEvent
from service.api import request_ids
from service.api.endpoints import metrics
from service.api.validation_words import fault_words
from service.container import get_container
from service.core.errors import RequestRejected, check_members
from service.core.redis.client import unavailable
from service.core.redis.failures import cause_of, report
from service.core.words import ENGLISH, ENGLISH_CODE, N_, Words
from service.eventlog import UnreadableLog

MIMETYPE: Final = "application/problem+json"
RETRY_AFTER: Final = 5
"""Seconds after which clients should retry while the store is away."""

VARY: Final = ("Vary", "Authorization, Accept")
_VARY_OF_PROBLEMS: Final = ("Vary", "Authorization, Accept, Accept-Language")
NO_STORE: Final = ("Cache-Control", "no-store")
"""The header of responses that no cache may store, not even the reader's own."""

MAX_MESSAGES: Final = 3
"""The most validation messages that `detail` quotes; `errors` contains them all."""

_log = logging.getLogger(__name__)


class ProblemType(NamedTuple):
    """The common part of all problems with a code: the HTTP status, and a title for people."""

    status: int
    title: str


PROBLEMS: Final = {
    # of the request
    "malformed-request": ProblemType(400, "The request is malformed"),
    "malformed-json": ProblemType(400, "The body is not valid JSON"),
    "body-incomplete": ProblemType(400, "The body is incomplete"),
    "malformed-if-match": ProblemType(400, "The If-Match header is malformed"),
    "unauthenticated": ProblemType(401, "A valid bearer token is required"),
    "forbidden": ProblemType(403, "Not allowed"),
    "insufficient-scope": ProblemType(403, "The token lacks a scope"),
    "not-found": ProblemType(404, "Not found"),
    "method-not-allowed": ProblemType(405, "Method not allowed"),
    "not-acceptable": ProblemType(406, "No acceptable media type"),
    "request-timeout": ProblemType(408, "The request took too long to arrive"),
    "length-required": ProblemType(411, "The body's length must be announced"),
    "body-too-large": ProblemType(413, "The body is too large"),
    "head-too-large": ProblemType(431, "The head of the request is too large"),
    "unknown-host": ProblemType(421, "Unknown host"),
    "unsupported-media-type": ProblemType(415, "The body has a type that is not taken here"),
    "validation-failed": ProblemType(422, "Validation failed"),
    "idempotency-key-reused": ProblemType(422, "The Idempotency-Key was used for another request"),
    "weak-idempotency-key": ProblemType(422, "The Idempotency-Key is too easy to guess"),
    "idempotency-key-spent": ProblemType(409, "What the Idempotency-Key created has been deleted"),
    "too-many-requests": ProblemType(429, "Too many requests"),
    "too-many-streams": ProblemType(429, "Too many streams are open"),
    # of the account
    "code-not-found": ProblemType(404, "Unknown code"),
    "token-not-found": ProblemType(404, "Unknown token"),
    "too-many-tokens": ProblemType(409, "Too many tokens"),
    "too-many-bots": ProblemType(409, "Too many bots"),
    "not-for-bots": ProblemType(403, "Bots may not do this"),
    "address-not-found": ProblemType(404, "Unknown address"),
    "too-many-addresses": ProblemType(409, "Too many addresses to answer from"),
    "unreadable-sign-in": ProblemType(400, "Your sign-in cannot be read"),
    "sign-in-expired": ProblemType(410, "This sign-in does not work"),
    "sign-in-refused": ProblemType(403, "You are not signed in"),
    "sign-in-unavailable": ProblemType(503, "This way to sign in does not work now"),
    "too-many-identities": ProblemType(409, "Too many ways to sign in"),
    # of channels
    "channel-not-found": ProblemType(404, "Unknown channel"),
    "delivery-not-found": ProblemType(404, "Unknown delivery"),
    "too-many-channels": ProblemType(409, "Too many channels"),
    "push-not-available": ProblemType(409, "This server sends no push messages"),
    # of seals
    "unknown-seal": ProblemType(422, "Unknown seal"),
    "seal-used": ProblemType(409, "The seal has been used for another game"),
    "too-many-seals": ProblemType(409, "Too many unused seals"),
    # of permissions
    "player-not-found": ProblemType(404, "Unknown player"),
    "too-many-games": ProblemType(409, "Too many games"),
    "game-not-found": ProblemType(404, "Unknown game"),
    "game-removed": ProblemType(410, "The operator has removed this game"),
    "version-not-found": ProblemType(404, "Unknown version of the game"),
    "not-a-player": ProblemType(403, "Only players of this game may do this"),
    "invite-required": ProblemType(403, "An invite is required"),
    "own-game": ProblemType(409, "You cannot play against yourself"),
    "already-joined": ProblemType(409, "You have already joined this game"),
    "unknown-opponent": ProblemType(422, "Unknown opponent"),
    "bot-not-available": ProblemType(422, "Unknown bot"),
    "name-reserved": ProblemType(422, "This name belongs to a bot"),
    "registration-closed": ProblemType(403, "New players need an invitation"),
    "name-taken": ProblemType(409, "Another player has this name or a similar one"),
    "ambiguous-name": ProblemType(422, "Several players have this name"),
    "invitation-expired": ProblemType(409, "The invitation has expired"),
    "game-started": ProblemType(409, "The game has already started"),
    "game-not-over": ProblemType(409, "The game is not over yet"),
    "challenges-off": ProblemType(409, "This player takes no challenges"),
    "own-account": ProblemType(409, "This is your own account"),
    "too-many-blocked": ProblemType(409, "You have blocked too many players"),
    "already-asked": ProblemType(409, "A challenge or invitation between the two is already open"),
    "address-not-verified": ProblemType(403, "Confirm your own e-mail address first"),
    "too-many-mails": ProblemType(429, "Too many e-mails"),
    "challenge-not-found": ProblemType(404, "Unknown challenge"),
    "challenge-closed": ProblemType(409, "The challenge is no longer open"),
    "not-challenged": ProblemType(403, "You cannot answer or withdraw this challenge"),
    "no-reader": ProblemType(409, "Nobody here reads messages"),
    "messages-off": ProblemType(409, "Messages are turned off"),
    "muted": ProblemType(403, "The operator has muted this player"),
    "bad-message": ProblemType(422, "Not a message"),
    "message-not-found": ProblemType(404, "Unknown message"),
    "too-many-messages": ProblemType(429, "Too many messages"),
    "bad-note": ProblemType(422, "Not a note"),
    "too-many-notes": ProblemType(409, "Too many notes"),
    "stale-version": ProblemType(412, "The game has moved on"),
    # of seasons
    "season-not-found": ProblemType(404, "Unknown season"),
    "season-closed": ProblemType(409, "Nobody can enter or leave this season now"),
    "bad-season": ProblemType(409, "No such season can be announced"),
    "nobody-to-tell": ProblemType(403, "There is no confirmed way to reach you"),
    "entry-barred": ProblemType(403, "You cannot enter a season yet"),
    "challenge-refused": ProblemType(409, "You cannot challenge this player now"),
    # of the rules
    "seat-taken": ProblemType(409, "Both seats are taken"),
    "game-not-started": ProblemType(409, "The game has not started yet"),
    "game-over": ProblemType(409, "The game is over"),
    "time-out": ProblemType(409, "The time is up"),
    "sleep-too-long": ProblemType(409, "Nobody sleeps so long"),
    "bad-vacation": ProblemType(409, "No such vacation can be taken"),
    "vacation-days-exceeded": ProblemType(409, "Not enough vacation days"),
    "calendar-changed-too-often": ProblemType(409, "The calendar was changed too often"),
    "no-clock": ProblemType(409, "The game has no clock"),
    "too-many-clock-changes": ProblemType(409, "The clock was changed too often"),
    "too-much-time": ProblemType(409, "Nobody can have so much time"),
    "not-to-be-claimed": ProblemType(409, "A round of this game ends by itself"),
    "time-not-out": ProblemType(409, "The opponent’s time is not out"),
    "not-paused": ProblemType(409, "The clock is not paused"),
    "no-offer": ProblemType(409, "This is not offered any more"),
    "bot-declines": ProblemType(409, "A bot agrees to nothing in a rated game"),
    "bad-pause": ProblemType(409, "The clock cannot be paused until then"),
    "not-your-turn": ProblemType(409, "It is not your turn"),
    "illegal-action": ProblemType(409, "The rules forbid this action"),
    "claim-not-proven": ProblemType(409, "The claim is not proven"),
    "unreadable-action": ProblemType(422, "Not an action"),
    "unknown-edition": ProblemType(422, "Unknown edition"),
    "no-such-combination": ProblemType(422, "The edition has no such combination of options"),
    "bad-game": ProblemType(422, "No such game can be created"),
    "bad-clock": ProblemType(409, "No game with this clock can begin"),
    # of the server
    "internal-error": ProblemType(500, "Internal error"),
    "unreadable-log": ProblemType(500, "The log of this game or season cannot be read"),
    "request-in-progress": ProblemType(503, "The first such request is still being carried out"),
    "server-busy": ProblemType(503, "The server has no room for more streams"),
    "store-unavailable": ProblemType(503, "The store is unavailable"),
}

ANY_PROBLEM_CODES: Final = (
    "malformed-request",
    "malformed-json",
    "body-incomplete",
    "request-timeout",
    "length-required",
    "body-too-large",
    "unsupported-media-type",
    "head-too-large",
    "unknown-host",
    "too-many-requests",
    "internal-error",
    "unreadable-log",
    "idempotency-key-reused",
    "request-in-progress",
    "store-unavailable",
)
"""The problems that any operation may respond with: unreadable requests, too many requests, keys
used amiss, and failures of the server."""

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


def problem(
    code: str, message: str, places: Mapping[str, object] | None = None, /, **members: object
) -> Response:
    """Return the response for a problem, in a language that the client accepts; `members`, declared
    for its code, are added to its document. `Content-Language` is that of its detail, which is in
    English where it is no message."""
    check_members(code, members)
    problem_type, words = PROBLEMS[code], _words()
    if isinstance(errors := members.get("errors"), dict) and words is not ENGLISH:
        members["errors"] = told = {
            field: [fault_words(words, fault) for fault in faults]
            for field, faults in errors.items()
        }
        detail, is_said = summary(words, told), told != errors
    else:
        detail = words.say(message, **(places or {}))
        is_said = detail != ENGLISH.say(message, **(places or {}))
    if problem_type.status == HTTPStatus.INTERNAL_SERVER_ERROR:
        members |= request_ids.member()
    metrics.PROBLEMS.labels(code).inc()
    document = {
        "type": f"/docs/problems#{code}",
        "title": words.say(problem_type.title),
        "status": problem_type.status,
        "detail": detail,
        "code": code,
        **members,
    }
    text = json.dumps(document, ensure_ascii=False)
    answer = Response(text, problem_type.status, [_VARY_OF_PROBLEMS, NO_STORE], mimetype=MIMETYPE)
    answer.content_language.add(words.language if is_said else ENGLISH_CODE)
    if problem_type.status == HTTPStatus.UNAUTHORIZED:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def _words() -> Words:
    """Return the words of the best language that the client accepts."""
    languages = get_container().languages
    return languages.words(languages.best(request.accept_languages.values()))


def malformed_json() -> RequestRejected:
    """Return the rejection of a body that is not JSON."""
    return RequestRejected(
        "malformed-json",
        "The body is not JSON in UTF-8, or a number in it is too long, or it is nested too deeply,"
        " or a name comes more than once in an object.",
    )


def validation_failed(messages: object, part: str) -> RequestRejected:
    """Return the rejection by a schema of this part of the request, `body` or `query`.

    `messages` are marshmallow's, by field; messages about the whole appear under the part's name.
    """
    errors: dict[str, list[str]] = {}
    for path, texts in _flatten(messages):
        errors.setdefault(path or part, []).extend(texts)
    return RequestRejected("validation-failed", summary(ENGLISH, errors), errors=errors)


def register(app: Flask) -> None:
    """Turn every error of the application into a problem."""
    app.register_error_handler(RequestRejected, _request_rejected)
    app.register_error_handler(RuleBroken, _rule_broken)
    app.register_error_handler(RedisError, _store_failed)
    app.register_error_handler(RedisClusterException, _store_failed)
    app.register_error_handler(UnknownEvent, _unreadable_log)
    app.register_error_handler(UnreadableLog, _unreadable_log)
    app.register_error_handler(HTTPException, _http_error)


def _request_rejected(error: RequestRejected) -> Response:
    answer = problem(error.code, error.message, error.places, **error.members)
    if "retry_after" in error.members:
        answer.headers["Retry-After"] = str(error.members["retry_after"])
    elif answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        answer.headers["Retry-After"] = str(RETRY_AFTER)
    return answer


def _rule_broken(error: RuleBroken) -> Response:
    members: dict[str, object] = {"refusal": error.refusal}
    if error.ruling is not None:
        members["rule"] = error.ruling
        members["rule_url"] = f"/rules#ruling-{error.ruling}"
    if error.counterexample is not None:
        members["counterexample"] = error.counterexample
    return problem(error.code, error.message, error.places, **members)


def _store_failed(error: Exception) -> Response:
    if unavailable(error):
        report(_log, "requests are answered 503", error)
        cause = {"cause": cause_of(error)}
        answer = problem(
            "store-unavailable",
            "The server cannot do this now: %(cause)s. Try again shortly.",
            cause,
        )
        answer.headers["Retry-After"] = str(RETRY_AFTER)
        return answer
    _log.error("The store rejected a command", exc_info=error)
    return _internal_error()


def _unreadable_log(error: Exception) -> Response:
    _log.error("A log cannot be read", exc_info=error)
    newer = " A later version of this program can read it." * isinstance(error, UnknownEvent)
    return problem("unreadable-log", f"{error}{newer}")


def _http_error(error: HTTPException) -> Response:
    status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _internal_error()
    code = _CODE_OF_STATUS.get(status, "malformed-request")
    message, places = _detail(status)
    answer = problem(code, message or error.description or f"{PROBLEMS[code].title}.", places)
    # HTTP requires them: a 405 names the allowed methods, a 429 the time to retry.
    for name, value in error.get_headers():
        if name.lower() not in ("content-type", "content-length"):
            answer.headers[name] = value
    return answer


def _detail(status: int) -> tuple[str | None, dict[str, object]]:
    """Return the message for a request that reached no operation, with its places; None for other
    statuses."""
    match status:
        case HTTPStatus.NOT_FOUND:
            message = N_("There is nothing at %(path)s. See /docs for everything there is.")
            return message, {"path": request.path}
        case HTTPStatus.METHOD_NOT_ALLOWED:
            message = N_("%(path)s does not take %(method)s. See the Allow header.")
            return message, {"path": request.path, "method": request.method}
        case HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            most = (request.max_content_length or 0) // 1024
            return N_("A body may have at most %(most)s KiB."), {"most": most}
        case HTTPStatus.UNSUPPORTED_MEDIA_TYPE:
            return N_("Send the body as JSON, with `Content-Type: application/json`."), {}
    return None, {}


def summary(words: Words, errors: Mapping[str, list[str]]) -> str:
    """Return the first few errors in one line."""
    texts = [f"{field}: {message}" for field, messages in errors.items() for message in messages]
    left = len(texts) - MAX_MESSAGES
    # Note: more things are wrong with a request
    more = [words.plural("And %(number)s more.", "And %(number)s more.", left)] if left > 0 else []
    return " ".join([*texts[:MAX_MESSAGES], *more])


def _internal_error() -> Response:
    return problem(
        "internal-error", "The server failed to carry out the request. Its log has the cause."
    )


def _flatten(messages: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield messages by the dotted path of their field. The path is empty for the whole."""
    if isinstance(messages, list):
        yield path, messages
        return
    for name, inner in messages.items():
        step = "" if name == "_schema" else str(name)
        yield from _flatten(inner, ".".join(part for part in (path, step) if part))
