"""Rate limits, counted for each player and for each network address.

All tokens and browsers of a player count together, and so do all players at one address. Requests
beyond a player's limit do not count for the address, so that they lock nobody else out. The limits
are far above the needs of a person, or of a program that polls sensibly. A request counts once,
whether it succeeds or not, and more often if it works through long logs (`service.core.cost`). The
counters are in Redis, shared by all web processes. While Redis cannot be reached each process
counts by itself, and play goes on.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from flask import Flask, Response, current_app, request, stream_with_context
from flask_limiter import ApplicationLimit, Limiter
from limits import parse

from service.api.auth import token_access
from service.api.caller import caller_address
from service.api.rate_limit_storage import count_with, storage_options, storage_uri
from service.core import cost, ids
from service.core.outage import STORE_FAILURE
from service.core.settings import Settings
from service.realtime.deferred import is_rerun

REQUESTS: Final = "1200 per minute"
"""For each player, and for requests without a token for each address."""
OF_ADDRESS: Final = "6000 per minute"
"""For all players at one network address together."""
REGISTRATION: Final = "players.register"
ASKED_SEND: Final = "channels.test"
MAKE_GUESTS: Final = (
    "web.make_game",
    "web.join_from_lobby",
    "web.play_the_steward",
    "web.take_seat",
)
"""These create an account for a visitor. Players who are signed in count for themselves."""
OF_ENDPOINT: Final = {
    REGISTRATION: "300 per minute; 5000 per day",
    "games.create": "600 per minute; 10000 per day",
    "account.export": "10 per minute",
    "channels.create": "20 per minute",
    ASKED_SEND: "10 per minute",
    "web.add_channel": "20 per minute",
    # These occupy a thread for a while (`service.accounts.tokens`).
    "account.delete": "30 per minute",
    "tokens.revoke": "30 per minute",
    "tokens.revoke_others": "30 per minute",
    "web.revoke_token": "30 per minute",
    "web.revoke_others": "30 per minute",
    "web.end_device": "30 per minute",
    "web.delete_account": "30 per minute",
    "web.export_account": "10 per minute",
    "web.make_device_link": "20 per minute",
    # A picture takes a while to draw.
    "web.preview_invitation": "60 per minute",
    # Codes can be guessed here.
    "web.confirm_device": "20 per minute; 200 per day",
    "web.open_device": "20 per minute; 200 per day",
    "web.ask_to_sign_in": "20 per minute; 100 per day",
    **dict.fromkeys(MAKE_GUESTS, "60 per minute; 2000 per day"),
}
"""Further limits of single endpoints, for each player and for each network address."""
COUNTED_AS: Final = {
    "channels.redeliver": ASKED_SEND,
    "web.test_channel": ASKED_SEND,
    "web.redeliver": ASKED_SEND,
}
"""Endpoints that share a limit: each of them, like a test, sends a request to somebody else's
server."""
OF_LINK: Final = {
    "web.calendar": "120 per hour",
    "web.atom": "120 per hour",
}
"""Limits for each private link: a calendar service may read many links from one address."""

_EXEMPT: Final = ("health.alive", "health.ready", "web.static")
_DOCUMENTS: Final = ("docs", "guides")
_UNROUTED: Final = "unrouted"
_OF_PAGES: Final = ("web", None)
_SESSION: Final = "scottenbury.player_of_session"
_SCOPE: Final = "requests"
_SCOPE_OF_ADDRESS: Final = "address"
_MESSAGE: Final = "Too many requests. `Retry-After` says when to try again."


def register(app: Flask, settings: Settings, player_of_session: Callable[[], str | None]) -> None:
    """Limit all requests to the application except health checks, static files and its
    documentation. Unknown and refused requests count too, so call this before any other check.

    `player_of_session` finds the player who is signed in to the pages in the requesting browser.
    """
    app.before_request(cost.begin)
    app.extensions[_SESSION] = player_of_session
    limiter = Limiter(
        _caller,
        application_limits=[
            ApplicationLimit(REQUESTS, scope=_SCOPE, error_message=_MESSAGE),
            ApplicationLimit(
                OF_ADDRESS,
                key_function=_address,
                scope=_SCOPE_OF_ADDRESS,
                error_message=_MESSAGE,
                exempt_when=_is_anonymous,
            ),
            *(
                each
                for name, limit in OF_ENDPOINT.items()
                for each in _endpoint_limits(name, limit)
            ),
            *(_link_limit(name, limit) for name, limit in OF_LINK.items()),
        ],
        storage_uri=storage_uri(settings),
        storage_options=storage_options(settings),
        in_memory_fallback_enabled=True,
        swallow_errors=True,
        enabled=settings.rate_limits,
        request_identifier=lambda: request.endpoint or _UNROUTED,
    )
    limiter.request_filter(_is_exempt)
    if settings.rate_limits:
        app.before_request(_count_address_along)
    limiter.init_app(app)
    if settings.rate_limits:
        app.after_request(lambda response: _add_headers(limiter, response))
        app.after_request(lambda response: _charge(limiter, response))


def _is_exempt() -> bool:
    """Exempt health checks, files and the documentation, which need no store, and reruns for
    waiting clients, whose request was counted on arrival."""
    exempt = request.endpoint in _EXEMPT or request.blueprint in _DOCUMENTS
    return exempt or is_rerun(request.environ)


def _endpoint_limits(endpoint: str, limit: str) -> list[ApplicationLimit]:
    def is_other_endpoint() -> bool:
        return endpoint != _counted_endpoint()

    def is_of_player() -> bool:
        return endpoint in MAKE_GUESTS and not _is_anonymous()

    return [
        ApplicationLimit(
            limit,
            key_function=_address,
            scope=endpoint,
            error_message=_MESSAGE,
            exempt_when=lambda: is_other_endpoint() or is_of_player(),
        ),
        ApplicationLimit(
            limit,
            key_function=_caller,
            scope=endpoint,
            error_message=_MESSAGE,
            exempt_when=lambda: is_other_endpoint() or _is_anonymous(),
        ),
    ]


def _link_limit(endpoint: str, limit: str) -> ApplicationLimit:
    return ApplicationLimit(
        limit,
        key_function=_link,
        scope=endpoint,
        error_message=_MESSAGE,
        exempt_when=lambda: request.endpoint != endpoint,
    )


def _link() -> str:
    return f"link {ids.digest(request.path)}"


def _counted_endpoint() -> str | None:
    if _is_preflight():
        return None
    if _creates_account():
        return REGISTRATION
    return COUNTED_AS.get(request.endpoint or "", request.endpoint)


def _creates_account() -> bool:
    """Whether the request joins a game as a guest, which counts as a registration."""
    return request.endpoint == "games.join" and "Authorization" not in request.headers


def _count_address_along() -> None:
    """Count a player's address in the same round trip as the player, up to the player's limit."""
    if not (_is_exempt() or _is_anonymous()):
        count_with(parse(OF_ADDRESS), _address(), _SCOPE_OF_ADDRESS, within=parse(REQUESTS).amount)


def _charge(limiter: Limiter, response: Response) -> Response:
    """Count the request's cost beyond the one count on arrival."""
    if not response.is_streamed or response.direct_passthrough:
        _count_cost(limiter)
        return response

    def counted_at_the_end(parts: Iterator[bytes]) -> Iterator[bytes]:
        try:
            yield from parts
        finally:
            _count_cost(limiter)

    response.response = stream_with_context(counted_at_the_end(response.iter_encoded()))
    return response


def _count_cost(limiter: Limiter) -> None:
    if units := cost.units():
        _count_address_along()
        with suppress(*STORE_FAILURE):
            limiter.limiter.hit(parse(REQUESTS), _caller(), _SCOPE, cost=units)
            if not _is_anonymous():
                limiter.limiter.hit(parse(OF_ADDRESS), _address(), _SCOPE_OF_ADDRESS, cost=units)


def _add_headers(limiter: Limiter, response: Response) -> Response:
    """Report the rest, and the end, of the limit that will be reached first."""
    limits = limiter.current_limits
    limit = min(limits, key=lambda one: (not one.breached, one.remaining), default=None)
    if limit is not None:
        reset = str(max(1, math.ceil(limit.window[0] - time.time())))
        response.headers["RateLimit-Limit"] = str(limit.limit.amount)
        response.headers["RateLimit-Remaining"] = str(limit.remaining)
        response.headers["RateLimit-Reset"] = reset
        if limit.breached:
            response.headers["Retry-After"] = reset
    return response


def _caller() -> str:
    """The key to count under: the player, or the address without a valid token or session.
    Preflights, which browsers send without either, count apart from visitors."""
    player = _player()
    if player:
        return f"player {player}"
    return f"preflight {caller_address()}" if _is_preflight() else _address()


def _is_preflight() -> bool:
    return request.method == "OPTIONS"


def _is_anonymous() -> bool:
    return _player() is None


def _player() -> str | None:
    if _is_preflight():
        return None
    try:
        access = token_access()
        if access is not None:
            return access.player
        if request.blueprint not in _OF_PAGES:
            return None
        player: str | None = current_app.extensions[_SESSION]()
        return player
    except STORE_FAILURE:  # the operation will report that
        return None


def _address() -> str:
    return f"address {caller_address()}"
