"""Rate limits, counted for each player and for each network address.

All tokens and browsers of a player count together, and so do all players at one address. Requests
beyond a player's limit do not count for the address, so that they lock nobody else out. The limits
are far above the needs of a person, or of a program that polls sensibly. A request counts once,
whether it succeeds or not, and more often if it works through long logs (`service.core.cost`).

The round trip that looks up a token or session, or reads a visitor's data, counts the request too.
If this process has not seen the token valid before, the request is counted after the lookup:
anybody can write a token that names a player.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Final

from flask import Response, abort, current_app, stream_with_context

from service.api.application import Application, Request
from service.api.auth import token_access
from service.api.caller import caller_address
from service.api.request_counts import Count, Counter, Limit, RequestCounts
from service.core import cost, ids
from service.core.durations import DAY, HOUR, MINUTE
from service.core.outage import STORE_FAILURE
from service.core.redis.batch import Batch, Pending
from service.core.settings import Settings
from service.realtime.deferred import is_rerun

COUNTS: Final = "scottenbury.request-counts"

REQUESTS: Final = Limit(1200, MINUTE)
"""The limit for each player, and for each address of requests without a token."""
OF_ADDRESS: Final = Limit(6000, MINUTE)
"""The limit for all players at one network address together."""
REGISTRATION: Final = "players.register"
ANALYSE: Final = "history.analyse"
ASKED_SEND: Final = "channels.test"
CREATE_GAME: Final = "games.create"
MAKE_GUESTS: Final = (
    "web.make_game",
    "web.join_from_lobby",
    "web.play_the_steward",
    "web.take_seat",
    "web.begin_as_arrived",
    "web.practise",
    "web.play_daily",
)
"""Endpoints that create an account for a visitor. If a player is signed in, only their own requests
count."""
OF_ENDPOINT: Final[Mapping[str, Sequence[Limit]]] = {
    REGISTRATION: (Limit(300, MINUTE), Limit(5000, DAY)),
    CREATE_GAME: (Limit(600, MINUTE), Limit(10000, DAY)),
    "account.export": (Limit(10, MINUTE),),
    "channels.create": (Limit(20, MINUTE),),
    ASKED_SEND: (Limit(10, MINUTE),),
    "web.add_channel": (Limit(20, MINUTE),),
    "web.make_seal": (Limit(60, MINUTE), Limit(5000, DAY)),
    # These occupy a thread for a while (`service.accounts.tokens`).
    "account.delete": (Limit(30, MINUTE),),
    "tokens.revoke": (Limit(30, MINUTE),),
    "tokens.revoke_others": (Limit(30, MINUTE),),
    "web.revoke_token": (Limit(30, MINUTE),),
    "web.revoke_others": (Limit(30, MINUTE),),
    "web.end_device": (Limit(30, MINUTE),),
    "web.delete_account": (Limit(30, MINUTE),),
    "web.export_account": (Limit(10, MINUTE),),
    "web.make_device_link": (Limit(20, MINUTE),),
    # An analysis takes a worker up to a minute.
    ANALYSE: (Limit(60, HOUR),),
    # A picture takes a while to draw.
    "web.preview_invitation": (Limit(60, MINUTE),),
    # Codes can be guessed here.
    "web.confirm_device": (Limit(20, MINUTE), Limit(200, DAY)),
    "web.open_device": (Limit(20, MINUTE), Limit(200, DAY)),
    "web.ask_to_sign_in": (Limit(20, MINUTE), Limit(100, DAY)),
    # These ask somebody else's server.
    "web.begin_open_id": (Limit(20, MINUTE), Limit(500, DAY)),
    "web.finish_open_id": (Limit(20, MINUTE), Limit(500, DAY)),
    **dict.fromkeys(MAKE_GUESTS, (Limit(60, MINUTE), Limit(2000, DAY))),
}
"""Further limits of single endpoints, for each player and for each network address."""
COUNTED_AS: Final = {
    "channels.redeliver": ASKED_SEND,
    "web.analyse": ANALYSE,
    "leaving.practise": CREATE_GAME,
    "tokens.sign_in": "web.open_device",
    "web.test_channel": ASKED_SEND,
    "web.redeliver": ASKED_SEND,
}
"""Endpoints that count as others and share their limits: they create a game, send a request to
somebody else's server as a test does, or take a code that can be guessed."""
OF_LINK: Final = {
    "web.calendar": Limit(120, HOUR),
    "web.atom": Limit(120, HOUR),
}
"""Limits by endpoint for each private link: a calendar service may read many links from one
address."""

_EXEMPT: Final = ("health.alive", "health.ready", "web.static")
_DOCUMENTS: Final = ("docs", "guides")
_OF_PAGES: Final = ("web", None)
_MESSAGE: Final = "Too many requests. `Retry-After` says when to try again."


def register(
    app: Application, settings: Settings, player_of_session: Callable[[], str | None]
) -> None:
    """Limit all requests to the application except health checks, static files and its
    documentation.

    Unknown and refused requests count too, so call this before any other check. `player_of_session`
    returns the id of the player who is signed in to the pages in the requesting browser, or None.
    The counts are the application's extension `COUNTS`.
    """
    app.checks.append(_begin)
    if settings.rate_limits:
        limiter = _Limiter(player_of_session)
        app.checks.append(limiter.count)
        app.finishers += [_add_headers, limiter.charge]


def _begin(request: Request) -> Response | None:
    cost.begin()
    return None


class _Limiter:
    def __init__(self, player_of_session: Callable[[], str | None]) -> None:
        self._player_of_session = player_of_session

    @property
    def _counts(self) -> RequestCounts:
        counts: RequestCounts = current_app.extensions[COUNTS]
        return counts

    def count(self, request: Request) -> Response | None:
        """Count the request. Aborts with 429 if its caller exceeds a limit."""
        if _is_exempt(request):
            return None
        along: list[tuple[str | None, Pending[list[Count]]]] = []

        def count_along(batch: Batch, player: str | None) -> None:
            along.append((player, batch.ask(self._counts.query(_counters(request, player)))))

        if self._counts.is_beside_games:
            request.count_along = count_along
        player = self._player(request)
        request.count_along = None
        counted = [
            counts for whose, counts in along if whose == player and counts.reply is not None
        ]
        request.counts = (
            counted[0].get() if counted else self._counts.add(_counters(request, player))
        )
        if any(count.remaining < 0 for count in request.counts):
            abort(HTTPStatus.TOO_MANY_REQUESTS, _MESSAGE)
        return None

    def charge(self, request: Request, response: Response) -> Response:
        """Count the units that the request costs beyond the one counted on arrival."""
        if not response.is_streamed or response.direct_passthrough:
            self._count_cost(request)
            return response

        def counted_at_the_end(parts: Iterator[bytes]) -> Iterator[bytes]:
            try:
                yield from parts
            finally:
                self._count_cost(request)

        response.response = stream_with_context(counted_at_the_end(response.iter_encoded()))
        return response

    def _count_cost(self, request: Request) -> None:
        if units := cost.units():
            counted = self._counts.add(_counters_of_all(request, self._player(request)), units)
            request.counts = [*counted, *request.counts[len(counted) :]]

    def _player(self, request: Request) -> str | None:
        """Return the id of the player of the request's token or session; None without one."""
        if _is_preflight(request):
            return None
        try:
            is_of_page = request.blueprint in _OF_PAGES
            if not is_of_page or "HTTP_AUTHORIZATION" in request.environ:
                access = token_access()
                if access is not None:
                    return access.player
            return self._player_of_session() if is_of_page else None
        except STORE_FAILURE:  # the operation will report that
            return None


def _is_exempt(request: Request) -> bool:
    """Whether the request does not count: health checks, files and the documentation, which need no
    store, and reruns for waiting clients, which were counted on arrival."""
    exempt = request.endpoint in _EXEMPT or request.blueprint in _DOCUMENTS
    return exempt or is_rerun(request.environ)


def _counters_of_all(request: Request, player: str | None) -> list[Counter]:
    """Return the counters that apply to every endpoint: of the player, or of the address without a
    valid token or session. Preflights, which browsers send without either, count apart from
    visitors."""
    if player is not None:
        return [
            Counter("requests", f"player {player}", REQUESTS),
            Counter("address", _address(), OF_ADDRESS),
        ]
    whose = f"preflight {caller_address()}" if _is_preflight(request) else _address()
    return [Counter("requests", whose, REQUESTS)]


def _counters(request: Request, player: str | None) -> list[Counter]:
    """Return the counters of this request."""
    counters = _counters_of_all(request, player)
    endpoint = _counted_endpoint(request)
    if endpoint is None:
        return counters
    callers = [] if player is not None and endpoint in MAKE_GUESTS else [_address()]
    callers += [] if player is None else [f"player {player}"]
    limits = OF_ENDPOINT.get(endpoint, ())
    counters += [Counter(endpoint, whose, limit) for whose in callers for limit in limits]
    if endpoint in OF_LINK:
        counters.append(Counter(endpoint, ids.digest(request.path), OF_LINK[endpoint]))
    return counters


def _counted_endpoint(request: Request) -> str | None:
    if _is_preflight(request):
        return None
    if request.endpoint == "games.join" and "HTTP_AUTHORIZATION" not in request.environ:
        return REGISTRATION
    return COUNTED_AS.get(request.endpoint or "", request.endpoint)


def _add_headers(request: Request, response: Response) -> Response:
    """Report the remaining requests and the end of the limit that will be reached first."""
    if request.counts:
        first: Count = min(request.counts, key=lambda count: count.remaining)
        request.add_headers(
            ("RateLimit-Limit", str(first.limit.most)),
            ("RateLimit-Remaining", str(max(0, first.remaining))),
            ("RateLimit-Reset", str(first.left)),
        )
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS and first.remaining < 0:
            response.headers["Retry-After"] = str(first.left)
    return response


def _is_preflight(request: Request) -> bool:
    return request.method == "OPTIONS"


def _address() -> str:
    return f"address {caller_address()}"
