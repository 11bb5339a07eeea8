"""How much one caller may ask in a while: counted for the player, and for the network address.

A player's tokens count together, and so do the players of one address. The limits are far above
what a person, or a program that polls with sense, comes to. A request counts once, and more often
where it works through long logs (`service.core.cost`). The counts lie in Redis, where all web
processes see them. While it cannot be reached, each process counts for itself: play goes on.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, cast

from flask import Flask, Response, g, request, stream_with_context
from flask_limiter import ApplicationLimit, Limiter
from limits import parse
from limits.storage import RedisStorage
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from service.api.auth import presented
from service.core import cost
from service.core.network_address import caller_address
from service.core.settings import CLUSTER, Settings
from service.realtime.deferred import is_rerun

REQUESTS: Final = "1200 per minute"
"""For each player, and for each address from which there is no player to be counted."""
OF_ADDRESS: Final = "6000 per minute"
"""For all players at one network address together."""
REGISTERING: Final = "players.register"
OF_ENDPOINT: Final = {
    REGISTERING: "300 per minute; 5000 per day",
    "games.create": "600 per minute; 10000 per day",
    "account.export": "10 per minute",
    # These hold a thread up for a while (`service.accounts.tokens`).
    "account.delete": "30 per minute",
    "tokens.revoke": "30 per minute",
    "tokens.revoke_others": "30 per minute",
    "web.revoke_token": "30 per minute",
    "web.revoke_others": "30 per minute",
    "web.end_device": "30 per minute",
    "web.delete_account": "30 per minute",
    "web.export_account": "10 per minute",
    "web.make_device_link": "20 per minute",
    # Codes can be guessed here.
    "web.confirm_device": "20 per minute; 200 per day",
    "web.open_device": "20 per minute; 200 per day",
    "web.ask_to_sign_in": "20 per minute; 100 per day",
    # These make an account for who is not signed in.
    "web.make_game": "60 per minute; 2000 per day",
    "web.join_from_lobby": "60 per minute; 2000 per day",
}
"""Further limits of single endpoints, for each player and for each network address."""

_UNCOUNTED: Final = ("health.alive", "health.ready")
_SCOPE: Final = "requests"
_SCOPE_OF_ADDRESS: Final = "address"
_REFUSAL: Final = "Too many requests. Retry-After tells when to try again."
_PREFIX: Final = "limits+"
_KEYS: Final = "st:limits"
_PATIENCE: Final = 0.5
"""Seconds to wait for the counts before this process counts for itself."""

_COUNT: Final = """
local found = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCRBY', key, ARGV[1])
  if count == tonumber(ARGV[1]) then redis.call('EXPIRE', key, ARGV[i + 1]) end
  found[2 * i - 1], found[2 * i] = count, redis.call('TTL', key)
end
return found
"""


class CountsInRedis(RedisStorage):
    """Counts, and learns when the count ends, in one round trip and one write a request.

    With the first count of a request comes that of its address, which is asked for next.
    """

    STORAGE_SCHEME = [f"{_PREFIX}{scheme}" for scheme in ("redis", "rediss", "unix")]  # noqa: RUF012

    def __init__(self, uri: str, **options: Any) -> None:
        super().__init__(uri.removeprefix(_PREFIX), **options)
        self._count = self.storage.register_script(_COUNT)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count, and keep what was learnt for the rest of the request."""
        counts = _counts()
        if key in counts.ahead:
            counts.ahead.remove(key)
        else:
            self._count_all(counts, {key: expiry} | counts.together, amount)
            counts.ahead = counts.together.keys() - {key}
            counts.together = {}
        return counts.known[key][0]

    def get(self, key: str) -> int:
        """The count, as this request has left it."""
        return _counts().known[key][0]

    def get_expiry(self, key: str) -> float:
        """When the count ends, in unix seconds."""
        return _counts().known[key][1]

    def _count_all(self, counts: "_Counts", expiries: dict[str, int], amount: int) -> None:
        keys = [self.prefixed_key(key) for key in expiries]
        found = iter(self._count(keys=keys, args=[amount, *expiries.values()]))
        for key, count, left in zip(expiries, found, found, strict=True):
            counts.known[key] = (int(count), time.time() + max(int(left), 0))


@dataclass
class _Counts:
    """What a request has counted: by key the count, and when it ends.

    `together` are keys, with their expiry, to be counted with the next one; `ahead` those that have
    been counted before they were asked for.
    """

    known: dict[str, tuple[int, float]] = field(default_factory=dict)
    together: dict[str, int] = field(default_factory=dict)
    ahead: set[str] = field(default_factory=set)


def register(app: Flask, settings: Settings) -> None:
    """Limit all requests to the application but those that ask whether it is well."""
    app.before_request(cost.begin)
    limiter = Limiter(
        _caller,
        application_limits=[
            ApplicationLimit(REQUESTS, scope=_SCOPE, error_message=_REFUSAL),
            ApplicationLimit(
                OF_ADDRESS,
                key_function=_address,
                scope=_SCOPE_OF_ADDRESS,
                error_message=_REFUSAL,
                exempt_when=_is_nobody,
            ),
            *(each for name, limit in OF_ENDPOINT.items() for each in _limits_of(name, limit)),
        ],
        storage_uri=_storage(settings),
        storage_options=_options(settings),
        in_memory_fallback_enabled=True,
        swallow_errors=True,
        enabled=settings.rate_limits,
    )
    limiter.request_filter(_uncounted)
    if settings.rate_limits:
        app.before_request(_with_the_address)
    limiter.init_app(app)
    if settings.rate_limits:
        app.after_request(_telling(limiter))
        app.after_request(_charging(limiter))


def _uncounted() -> bool:
    """Who asks whether the server is well, readers of the document, which is the same for all and
    needs no store, and clients who wait: they have asked only once."""
    uncounted = request.endpoint in _UNCOUNTED or request.blueprint == "docs"
    return uncounted or is_rerun(request.environ)


def _limits_of(endpoint: str, limit: str) -> list[ApplicationLimit]:
    def elsewhere() -> bool:
        return endpoint != (REGISTERING if _registers() else request.endpoint)

    return [
        ApplicationLimit(
            limit,
            key_function=_address,
            scope=endpoint,
            error_message=_REFUSAL,
            exempt_when=elsewhere,
        ),
        ApplicationLimit(
            limit,
            key_function=_caller,
            scope=endpoint,
            error_message=_REFUSAL,
            exempt_when=lambda: elsewhere() or _is_nobody(),
        ),
    ]


def _registers() -> bool:
    """Whether the request makes an account: who takes a seat without a token is a guest."""
    return request.endpoint == "games.join" and "Authorization" not in request.headers


def _charging(limiter: Limiter) -> Callable[[Response], Response]:
    of_caller, of_address = parse(REQUESTS), parse(OF_ADDRESS)

    def pay() -> None:
        """Count what the request has cost beyond the one time that it was counted before."""
        if units := cost.units():
            _with_the_address()
            with suppress(RedisError):
                limiter.limiter.hit(of_caller, _caller(), _SCOPE, cost=units)
                if not _is_nobody():
                    limiter.limiter.hit(of_address, _address(), _SCOPE_OF_ADDRESS, cost=units)

    def charge(response: Response) -> Response:
        if response.is_streamed and not response.direct_passthrough:
            response.response = stream_with_context(_and_then(pay, response.iter_encoded()))
        else:
            pay()
        return response

    return charge


def _and_then(pay: Callable[[], None], parts: Iterator[bytes]) -> Iterator[bytes]:
    """The parts of an answer, which are made one by one, and then what they have cost."""
    try:
        yield from parts
    finally:
        pay()


def _storage(settings: Settings) -> str:
    url = settings.queue_redis_url or settings.redis_url
    if url is None or url.startswith(CLUSTER):
        return "memory://"
    return _PREFIX + url


def _options(settings: Settings) -> dict[str, Any]:
    if _storage(settings) == "memory://":
        return {}
    return {
        "key_prefix": _KEYS,
        "socket_connect_timeout": _PATIENCE,
        "socket_timeout": _PATIENCE,
        "retry": Retry(NoBackoff(), 0),
    }


def _caller() -> str:
    """Who is counted: the player, if the token is good for anything."""
    player = _player()
    return f"player {player}" if player else _address()


def _is_nobody() -> bool:
    return _player() is None


def _player() -> str | None:
    try:
        access = presented()
    except RedisError:  # the request itself will tell of that
        return None
    return access.player if access else None


def _address() -> str:
    return f"address {caller_address()}"


def _telling(limiter: Limiter) -> Callable[[Response], Response]:
    def tell(response: Response) -> Response:
        """Say how much is left, and until when, of the limit that will be met first."""
        known = limiter.current_limits
        limit = min(known, key=lambda one: (not one.breached, one.remaining), default=None)
        if limit is not None:
            reset = str(max(1, math.ceil(limit.window[0] - time.time())))
            response.headers["RateLimit-Limit"] = str(limit.limit.amount)
            response.headers["RateLimit-Remaining"] = str(limit.remaining)
            response.headers["RateLimit-Reset"] = reset
            if limit.breached:
                response.headers["Retry-After"] = reset
        return response

    return tell


def _counts() -> _Counts:
    if "counts" not in g:
        g.counts = _Counts()
    return cast(_Counts, g.counts)


def _with_the_address() -> None:
    """Count the address of a player along with what is counted next."""
    if not (_uncounted() or _is_nobody()):
        limit = parse(OF_ADDRESS)
        _counts().together = {limit.key_for(_address(), _SCOPE_OF_ADDRESS): limit.get_expiry()}
