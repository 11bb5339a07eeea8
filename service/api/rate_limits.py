"""Rate limits: of a player's requests, and of a network address for all others.

All tokens and browsers of a player count together. The limits are far above the needs of a person,
or of a program that polls sensibly. A request counts once for each `UNIT` of processor time that it
takes, begun ones included, whether it succeeds or not: whatever it asks for, a minute's requests
take at most `REQUESTS.most * UNIT` seconds and those that run at the same time.

What players ask for counts for themselves, and all that is asked for at one address counts
together (`OF_ADDRESS`), so accounts do not multiply what one may take. That limit stops none of the
players who have a place there (`PLACES`), nor visitors, until they have had `SPARED` in the minute:
many requests, or many new accounts, lock nobody out who was there before. So an address takes at
most `OF_ADDRESS.most + (PLACES.most + 1) * SPARED` units a minute, and what runs at the same time.
Requests beyond a player's limit do not count for the address.

The round trip that looks up a token or session, or reads a visitor's data, counts the request too.
If this process has not seen the token valid before, the request is counted after the lookup:
anybody can write a token that names a player.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import product
from time import thread_time
from typing import Final

from cachetools import TTLCache
from flask import Response, abort, current_app, stream_with_context

from service.api.application import Application, Request
from service.api.auth import caller_address, token_access
from service.api.request_counts import Count, Counter, Limit, RequestCounts
from service.core import ids
from service.core.errors import STORE_FAILURE
from service.core.redis.batch import Batch, Pending
from service.core.settings import Settings
from service.core.times import DAY, HOUR, MINUTE
from service.realtime.deferred import is_rerun

COUNTS: Final = "scottenbury.request-counts"

REQUESTS: Final = Limit(1200, MINUTE)
"""The limit for each player, and for each address of requests without a token."""
OF_ADDRESS: Final = Limit(1500, MINUTE)
"""The limit for all players and visitors at one network address together."""
PLACES: Final = Limit(8, DAY)
"""The players of an address whom its other callers do not lock out: the first, each until a day
after their last request. Accounts are free, so there are not more."""
SPARED: Final = 100
"""The requests a minute that each of them, and all visitors together, have in any case."""
UNIT: Final = 0.008
"""Seconds of processor time for which a request counts once. It runs in one thread, so what other
threads do meanwhile does not count."""
DEAR: Final = 4
"""The units of a request beyond which it keeps its process from others: 32 milliseconds."""
BUSY: Final = Limit(60, 10)
"""The limit of units beyond `DEAR` of each request, for each caller and process: others get most of
a process, whose threads take turns, whatever one caller asks for."""
BUSY_ADDRESS: Final = Limit(4 * BUSY.most, BUSY.seconds)
"""The same limit for all callers at an address, except those who are spared."""
FILES: Final = Limit(3000, MINUTE)
"""The limit for the files of pages, for each address and process: a page has twenty."""
DOCUMENTS: Final = Limit(600, MINUTE)
"""The limit for the documentation, for each address and process."""
REGISTRATION: Final = "players.register"
ANALYSE: Final = "history.analyse"
ASKED_SEND: Final = "web.test_channel"
CREATE_GAME: Final = "games.create"
MAKE_GUESTS: Final = (
    "web.make_game",
    "web.join_from_lobby",
    "web.play_the_steward",
    "web.take_seat",
    "web.begin_account",
    "web.begin_as_arrived",
    "web.practise",
    "web.play_daily",
)
"""Endpoints that create an account for a visitor."""
OF_ENDPOINT: Final[Mapping[str, Sequence[Limit]]] = {
    REGISTRATION: (Limit(300, MINUTE), Limit(5000, DAY)),
    CREATE_GAME: (Limit(600, MINUTE), Limit(10000, DAY)),
    "account.export": (Limit(2, MINUTE),),  # it may hold a million events
    "channels.create": (Limit(20, MINUTE),),
    "seasons.announce": (Limit(10, DAY),),
    ASKED_SEND: (Limit(10, MINUTE),),
    "web.add_channel": (Limit(20, MINUTE),),
    "web.make_seal": (Limit(60, MINUTE), Limit(5000, DAY)),
    # These occupy a thread for a while (`service.accounts.tokens`).
    "account.delete": (Limit(30, MINUTE),),
    "tokens.revoke": (Limit(30, MINUTE),),
    "web.revoke_token": (Limit(30, MINUTE),),
    "web.revoke_others": (Limit(30, MINUTE),),
    "web.end_device": (Limit(30, MINUTE),),
    "web.delete_account": (Limit(30, MINUTE),),
    "web.export_account": (Limit(2, MINUTE),),
    "web.make_device_link": (Limit(20, MINUTE),),
    # An analysis takes a worker up to a minute.
    ANALYSE: (Limit(5, MINUTE), Limit(60, HOUR)),
    # Codes can be guessed here.
    "web.confirm_device": (Limit(20, MINUTE), Limit(200, DAY)),
    "web.open_device": (Limit(20, MINUTE), Limit(200, DAY)),
    "web.ask_to_sign_in": (Limit(20, MINUTE), Limit(100, DAY)),
    # These ask somebody else's server.
    "web.begin_open_id": (Limit(20, MINUTE), Limit(500, DAY)),
    "web.finish_open_id": (Limit(20, MINUTE), Limit(500, DAY)),
    **dict.fromkeys(MAKE_GUESTS, (Limit(60, MINUTE), Limit(2000, DAY))),
}
"""Further limits of single endpoints, for each player, and for each address of visitors."""
SHARED: Final = (
    REGISTRATION,
    "web.confirm_device",
    "web.open_device",
    "web.ask_to_sign_in",
    "web.begin_open_id",
    "web.finish_open_id",
)
"""Endpoints whose requests by players count for their address too: accounts, and guesses at them,
must not multiply with accounts."""
COUNTED_AS: Final = {
    "web.analyse": ANALYSE,
    "web.announce_season": "seasons.announce",
    "games.practise": CREATE_GAME,
    "tokens.sign_in": "web.open_device",
    "web.redeliver": ASKED_SEND,
}
"""Endpoints that count as others and share their limits: they create a game, send a request to
somebody else's server as a test does, or take a code that can be guessed."""
OF_LINK: Final = {"web.calendar": Limit(120, HOUR), "web.atom": Limit(120, HOUR)}
"""Limits by endpoint for each private link: a calendar service may read many links from one
address."""

HEALTH: Final = ("health.alive", "health.ready")
"""Endpoints that are not limited."""
_DOCUMENTS: Final = ("docs", "guides")
_OF_PAGES: Final = ("web", None)
_MESSAGE: Final = "Too many requests. `Retry-After` says when to try again."


def register(
    app: Application, settings: Settings, player_of_session: Callable[[], str | None]
) -> None:
    """Limit all requests to the application except health checks.

    Unknown and refused requests count too, so call this before any other check. `player_of_session`
    returns the id of the player who is signed in to the pages in the requesting browser, or None.
    The counts are the application's extension `COUNTS`.
    """
    if settings.rate_limits:
        limiter = _Limiter(player_of_session)
        app.checks.append(limiter.count)
        app.finishers += [_add_headers, limiter.charge]


class _Limiter:
    def __init__(self, player_of_session: Callable[[], str | None]) -> None:
        self._player_of_session = player_of_session
        self._owed: TTLCache[str, int] = TTLCache(10_000, ttl=MINUTE)
        self._lock = threading.Lock()

    @property
    def _counts(self) -> RequestCounts:
        counts: RequestCounts = current_app.extensions[COUNTS]
        return counts

    def count(self, request: Request) -> Response | None:
        """Count the request. Aborts with 429 if its caller exceeds a limit."""
        request.processor_began = thread_time()
        if request.endpoint in HEALTH or is_rerun(request.environ):  # counted on arrival
            return None
        if here := counted_here(request.endpoint):
            request.counts = self._beyond(_address(), 1, *here)
        else:
            request.counts = self._counted(request)
        if any(count.remaining < 0 for count in request.counts):
            abort(HTTPStatus.TOO_MANY_REQUESTS, _MESSAGE)
        return None

    def _counted(self, request: Request) -> list[Count]:
        """Count the request, with what earlier ones took."""
        along: list[tuple[str | None, Sequence[Counter], Pending[list[Count]]]] = []

        def count_along(batch: Batch, player: str | None) -> None:
            counters = self._counters(request, player)
            along.append((player, counters, batch.ask(self._counts.query(counters))))

        if self._counts.is_beside_games:
            request.count_along = count_along
        player = self._player(request)
        request.count_along = None
        counted: list[Count] = []
        for whose, counters, pending in along:
            counts = pending.get() if pending.has_reply else []
            self._owe(counters[len(counts) :])
            counted = counts if whose == player else counted
        if not counted:
            counters = self._counters(request, player)
            counted = self._counts.add(counters)
            self._owe(counters[len(counted) :])
        address = self._beyond(_address(), 0, "busy-address", BUSY_ADDRESS)
        busy = self._beyond(_whose(request, player), 0, "busy", BUSY)
        return _sparing(counted + address) + busy

    def _beyond(self, whose: str, amount: int, name: str, limit: Limit) -> list[Count]:
        """Count in this process alone; return the count only if it exceeds its limit."""
        counts = self._counts.add_here([Counter(name, whose, limit, amount)])
        return [count for count in counts if count.remaining < 0]

    def charge(self, request: Request, response: Response) -> Response:
        """Count the processor time that the request took, and the rest of a streamed body."""
        if not response.is_streamed or response.direct_passthrough:
            self._charge(request, thread_time() - request.processor_began)
            return response

        def charged(parts: Iterator[bytes], seconds: float) -> Iterator[bytes]:
            part: bytes | None = b""
            try:
                while part is not None:
                    began = thread_time()  # another thread may make the next part
                    part = next(parts, None)
                    seconds += thread_time() - began
                    if part is not None:
                        yield part
            finally:
                self._charge(request, seconds)

        parts = charged(response.iter_encoded(), thread_time() - request.processor_began)
        response.response = stream_with_context(parts)
        return response

    def _charge(self, request: Request, seconds: float) -> None:
        """Let the request's caller owe what it took beyond its first unit."""
        units = int(seconds / UNIT)
        if not units or request.endpoint in HEALTH:
            return
        if here := counted_here(request.endpoint):
            self._beyond(_address(), units, *here)
            return
        player = self._player(request)
        self._owe(_counters_of_all(request, player, 1 + units))
        if units > DEAR:
            self._beyond(_whose(request, player), units - DEAR, "busy", BUSY)
            self._beyond(_address(), units - DEAR, "busy-address", BUSY_ADDRESS)
        if request.counts:
            own, *others = request.counts
            request.counts = [own._replace(reached=own.reached + units), *others]

    def _owe(self, counters: Sequence[Counter]) -> None:
        """Add what these would have added beyond one to the next request that this process counts
        there, in its round trip."""
        with self._lock:
            for counter in counters:
                if owed := self._owed.get(counter.key, 0) + counter.amount - 1:
                    self._owed[counter.key] = owed

    def _counters(self, request: Request, player: str | None) -> Sequence[Counter]:
        """Return the counters of this request, and let them add what is owed."""
        own, *of_address = _counters_of_all(request, player)
        # The address last, for nothing is counted behind a limit that is exceeded.
        counters = [own, *_counters_of_endpoint(request, player), *of_address]
        with self._lock:
            return [each._replace(amount=1 + self._owed.pop(each.key, 0)) for each in counters]

    def _player(self, request: Request) -> str | None:
        """Return the id of the player of the request's token or session; None without one."""
        if _is_preflight(request):
            return None
        try:
            is_of_page = request.blueprint in _OF_PAGES
            asks_token = not is_of_page or "HTTP_AUTHORIZATION" in request.environ
            if asks_token and (access := token_access()) is not None:
                return access.player
            return self._player_of_session() if is_of_page else None
        except STORE_FAILURE:  # the operation will report that
            return None


def counted_here(endpoint: str | None) -> tuple[str, Limit] | None:
    """Return the name and limit under which each process counts an endpoint by itself, because it
    needs no store and works without. None for other endpoints."""
    if endpoint == "web.static":
        return "files", FILES
    is_document = (endpoint or "").partition(".")[0] in _DOCUMENTS
    return ("documents", DOCUMENTS) if is_document else None


def _sparing(counts: list[Count]) -> list[Count]:
    """Return the counts without places, and those of an address as far as they concern the caller:
    visitors and players with a place have `SPARED` requests in any case."""
    left = SPARED - counts[0].reached
    others = [count for count in counts if count.limit is not PLACES]
    if any(count.limit is PLACES and not count.remaining for count in counts):
        return others
    return [
        count._replace(reached=min(count.reached, count.limit.most - left))
        if count.limit is OF_ADDRESS or count.limit is BUSY_ADDRESS
        else count
        for count in others
    ]


def _counters_of_all(request: Request, player: str | None, amount: int = 1) -> list[Counter]:
    """Return the counters that apply to every endpoint: of the caller, and of all callers at the
    address."""
    counters = [Counter("requests", _whose(request, player), REQUESTS, amount)]
    if player is not None:
        counters.append(Counter("places", _address(), PLACES, holder=player))
    if not _is_preflight(request):
        counters.append(Counter("address", _address(), OF_ADDRESS, amount))
    return counters


def _whose(request: Request, player: str | None) -> str:
    """Return the caller: the player, or the address without a valid token or session. Preflights,
    which browsers send without either, count apart from visitors."""
    if player is not None:
        return f"player {player}"
    return f"preflight {caller_address()}" if _is_preflight(request) else _address()


def _counters_of_endpoint(request: Request, player: str | None) -> Iterator[Counter]:
    """Return the counters of the further limits that apply to the request."""
    endpoint = _counted_endpoint(request)
    if endpoint is None:
        return
    callers = [_address()] if player is None or endpoint in SHARED else []
    callers += [] if player is None else [f"player {player}"]
    for whose, limit in product(callers, OF_ENDPOINT.get(endpoint, ())):
        yield Counter(endpoint, whose, limit)
    if endpoint in OF_LINK:
        yield Counter(endpoint, ids.digest(request.path), OF_LINK[endpoint])


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
