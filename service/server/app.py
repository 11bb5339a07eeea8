"""The web application: API, documentation, health and pages over one container."""

import time
from collections.abc import Callable

from flask import Response
from werkzeug.middleware.proxy_fix import ProxyFix

from service import api, container, web
from service.api import origins, rate_limits, request_ids
from service.api.application import Application, Request
from service.api.caller import current_caller
from service.api.endpoints import mail_in, metrics
from service.api.request_counts import RequestCounts
from service.core.redis import retry_budget
from service.core.redis.client import Client
from service.core.settings import Settings
from service.mail_in.message import MAX_SIZE
from service.realtime.serving import RECEIVED_AT
from service.server import admission
from service.web import session
from service.web.docs import pages as documents

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
    built = container.build(settings, redis, now, current_caller)
    app.extensions[container.EXTENSION] = built
    app.extensions[rate_limits.COUNTS] = RequestCounts(settings)
    metrics.time_appends(built)
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
    admission.bound_heads(app)
    rate_limits.register(app, settings, session.player_id)
    origins.register(app)
    admission.check_hosts(app, settings)
    admission.check_requests(app, settings)


def _begin(request: Request) -> Response | None:
    request.max_content_length = LARGER_BODIES.get(request.path, MAX_BODY)
    retry_budget.start_request(request.environ.get(RECEIVED_AT))
    return None
