"""The web application: API, documentation, health and pages over one container, with checks before
an operation begins, under every web server.

The headers of every response tell browsers not to guess the type, not to show it in a frame, and
not to send its URL to other sites.
"""

import re
import time
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Final

from flask import Response, abort
from werkzeug.exceptions import ClientDisconnected
from werkzeug.middleware.proxy_fix import ProxyFix

from service import api, container, web
from service.api import headers, rate_limits, request_ids
from service.api.application import Application, Header, Request
from service.api.auth import caller_address, current_caller
from service.api.endpoints import mail_in, metrics
from service.api.problems import problem
from service.api.request_counts import RequestCounts
from service.core.network import is_loopback
from service.core.redis import retry_budget
from service.core.redis.client import Client
from service.core.settings import WILDCARD_HOSTS, Settings
from service.core.words import N_
from service.mail_in.store import MAX_SIZE
from service.realtime.deferred import DEFERRAL
from service.realtime.places import Caller
from service.realtime.serving import CALLER, PART, RECEIVED_AT, REJECTION
from service.web import docs as documents
from service.web import session
from service.web.assets import ASSETS

HEADERS: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
)
_PARTS: Final = (".js", ".css")
_OF_PARTS: Final = HEADERS[:1]
"""The headers of assets that are no documents: a first visit asks for some twenty."""
ANY_HOST: Final = ("health.alive", "health.ready")
"""Endpoints that respond under any host name.

Orchestrators call containers by IP address; these responses reveal nothing private.
"""
RETRY_AFTER: Final = 10
"""Seconds after which a client may try again."""

_DETAILS: Final = {
    "body-incomplete": N_("The body ended early, so nothing was done. Send the request again."),
    "length-required": N_("Send the body's length (Content-Length), not chunks of it."),
    "request-timeout": N_("The body did not arrive in time, so nothing was done."),
    "head-too-large": N_(
        "A header or the query is too long, so nothing was done. Headers may have"
        " 2 KiB, cookies together 16 KiB, and the query 8 KiB."
    ),
    "too-many-streams": N_("You hold too many streams and long polls open. Close some."),
    "too-many-requests": N_("Too many large answers are on their way to you. Read them first."),
    "server-busy": N_("This server has as much to do as it can. Try again shortly."),
}
_HEADER: Final = 2 * 1024
_LONGEST: Final = {
    "QUERY_STRING": 8 * 1024,
    "CONTENT_TYPE": _HEADER,
    "HTTP_ACCEPT": _HEADER,
    "HTTP_ACCEPT_ENCODING": _HEADER,
    "HTTP_ACCEPT_LANGUAGE": _HEADER,
    "HTTP_AUTHORIZATION": _HEADER,
    "HTTP_COOKIE": 16 * 1024,
    "HTTP_IDEMPOTENCY_KEY": _HEADER,
    "HTTP_IF_MATCH": _HEADER,
    "HTTP_IF_MODIFIED_SINCE": _HEADER,
    "HTTP_IF_NONE_MATCH": _HEADER,
    "HTTP_IF_RANGE": _HEADER,
    "HTTP_IF_UNMODIFIED_SINCE": _HEADER,
    "HTTP_LAST_EVENT_ID": _HEADER,
    "HTTP_ORIGIN": _HEADER,
    "HTTP_RANGE": _HEADER,
    "HTTP_USER_AGENT": _HEADER,
}
"""The most characters of each header that is parsed. Parsing 60 KiB of `Accept` takes 0.3 s."""
_HOST: Final = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[\w.-]+))(?::[0-9]*)?")
_LATER: Final = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)


def check_hosts(app: Application, settings: Settings) -> None:
    """Accept only host names of this server, and add the headers for browsers to every response.

    Otherwise another site could point its own name here (DNS rebinding) and pass for this one.
    """
    bound = () if settings.host in WILDCARD_HOSTS else (settings.host,)
    base = _name(settings.base_url.partition("://")[2].partition("/")[0])
    names = frozenset((base, *map(str.lower, bound), *settings.allowed_hosts))

    def refuse_unknown(request: Request) -> Response | None:
        name = _name(request.environ.get("HTTP_HOST", ""))
        if name in names or is_loopback(name) or request.endpoint in ANY_HOST:
            return None
        return problem(
            "unknown-host",
            "This server does not go by the name in Host; SCOTTENBURY_BASE_URL and"
            " SCOTTENBURY_ALLOWED_HOSTS name it.",
        )

    app.checks.append(refuse_unknown)
    app.header_sources.append(_headers)


def _headers(path: str) -> Sequence[Header]:
    is_part = path.startswith(ASSETS) and path.endswith(_PARTS)
    return _OF_PARTS if is_part else HEADERS


def _bound_head(request: Request) -> Response | None:
    environ = request.environ
    for name in _LONGEST.keys() & environ.keys():
        if len(environ[name]) > _LONGEST[name]:
            environ[name] = ""
            environ[REJECTION] = "head-too-large"
    return None


def _name(host: str) -> str:
    """Return a host without its port, in lower case; `""` if it is not valid."""
    match = _HOST.fullmatch(host)
    return (match["address"] or match["name"]).lower().rstrip(".") if match else ""


def _with_caller(request: Request, response: Response) -> Response:
    """Set the caller of this response, if it takes a slot (`service.realtime.places`)."""
    is_large = response.is_streamed or (response.content_length or 0) > PART
    if DEFERRAL in request.environ or is_large:
        access = request.access or session.looked_up()
        request.environ[CALLER] = Caller(access.player if access else None, caller_address())
    return response


def _refuse_marked(request: Request) -> Response | None:
    """Refuse a request that the ASGI application has rejected; None for other requests."""
    code = request.environ.get(REJECTION)
    if code is None:
        return None
    answer = problem(code, _DETAILS[code])
    if answer.status_code in _LATER:
        answer.headers["Retry-After"] = str(RETRY_AFTER)
    return answer


def _require_whole_body(request: Request) -> Response | None:
    """Read the whole body first, even for operations without one; return a problem if it is cut
    short.

    A server may end the input early without an error if the client went away: only the announced
    length shows it.
    """
    if "HTTP_TRANSFER_ENCODING" in request.environ:
        return problem("length-required", _DETAILS["length-required"])
    if "CONTENT_LENGTH" not in request.environ:
        return None
    length = request.content_length or 0
    if length > (request.max_content_length or length):
        abort(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        body = request.get_data(cache=True) if length else b""
    except (ClientDisconnected, OSError):
        body = b""
    if len(body) < length:
        return problem("body-incomplete", _DETAILS["body-incomplete"])
    return None


MAX_BODY = 64 * 1024
LARGER_BODIES = {"/replay": 480 * 1024, mail_in.PATH: MAX_SIZE}
"""Higher limits of body sizes, in bytes by path, under any web server: for a long match's record,
and for a mail with its pictures. Werkzeug reads at most 500 kB of a form."""


def create_app(
    settings: Settings, redis: Client, now: Callable[[], float] = time.time
) -> Application:
    """Return the application over this Redis; `now` returns unix seconds."""
    app = with_routes()
    _add_checks(app, settings)
    built = container.Container(settings, redis, now, current_caller)
    app.extensions[container.EXTENSION] = built
    app.extensions[rate_limits.COUNTS] = RequestCounts(settings)
    metrics.time_appends(built)
    # Read here, so that a broken catalogue ends the start, not a request.
    metrics.count_untranslated(built.languages)
    if settings.mail_in_token is not None:
        _ = built.incoming_mail  # to load it takes longer than a request may wait for Redis
    if settings.trusted_proxies:
        behind = ProxyFix(app.wsgi_app, x_for=settings.trusted_proxies, x_proto=0)
        app.wsgi_app = behind  # type: ignore[method-assign]
    return app


def with_routes() -> Application:
    """Return the application with its routes; to respond, these need the checks and extensions that
    `create_app` adds."""
    app = Application("service")
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.teardown_request(lambda error: retry_budget.end_request())
    api.register(app)
    app.register_blueprint(web.blueprint)
    app.register_blueprint(documents.blueprint)
    return app


def _add_checks(app: Application, settings: Settings) -> None:
    """Add the checks in this order: refused and unmatched requests are counted too, and nothing
    long is parsed."""
    app.checks.append(_begin)
    request_ids.register(app, logged=settings.access_log)
    metrics.watch(app)
    app.checks.append(_bound_head)  # before anything parses them
    rate_limits.register(app, settings, session.player_id)
    headers.open_to_origins(app)
    check_hosts(app, settings)
    app.checks += [_refuse_marked, _require_whole_body]
    if settings.rate_limits:
        app.finishers.append(_with_caller)


def _begin(request: Request) -> Response | None:
    request.max_content_length = LARGER_BODIES.get(request.path, MAX_BODY)
    retry_budget.start_request(request.environ.get(RECEIVED_AT))
    return None
