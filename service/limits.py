"""How much one caller may ask in a while: counted for each token, else for each network address.

The limits are far above what a person, or a program that polls with sense, comes to. The counts lie
in Redis, where all web processes see them. While it cannot be reached, each process counts for
itself: play goes on.
"""

import math
import time
from collections.abc import Callable
from typing import Any, Final, cast

from flask import Flask, Response, g, request
from flask_limiter import ApplicationLimit, Limiter
from limits.storage import RedisStorage
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from service.api.access import presented
from service.network_address import caller_address
from service.settings import CLUSTER, Settings
from service.streams.held import asked_again

REQUESTS: Final = "1200 per minute"
OF_ENDPOINT: Final = {
    "players.register": "300 per minute; 5000 per day",
    "account.export": "10 per minute",
    # These hold a thread up for a while (`service.tokens`).
    "account.delete": "30 per minute",
    "tokens.revoke": "30 per minute",
    "web.revoke_token": "30 per minute",
    "web.ask_to_sign_in": "20 per minute; 100 per day",
}
"""Further limits of single endpoints, for each network address."""

_REFUSAL: Final = "This is too much in so short a time; Retry-After says when to come again."
_PREFIX: Final = "limits+"
_KEYS: Final = "st:limits"
_PATIENCE: Final = 0.5
"""Seconds to wait for the counts before this process counts for itself."""

_COUNT: Final = """
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('TTL', KEYS[1])}
"""


class CountsInRedis(RedisStorage):
    """Counts, and learns when the count ends, in one round trip instead of three."""

    STORAGE_SCHEME = [f"{_PREFIX}{scheme}" for scheme in ("redis", "rediss", "unix")]  # noqa: RUF012

    def __init__(self, uri: str, **options: Any) -> None:
        super().__init__(uri.removeprefix(_PREFIX), **options)
        self._count = self.storage.register_script(_COUNT)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count, and keep what was learnt for the rest of the request."""
        count, left = self._count(keys=[self.prefixed_key(key)], args=[expiry, amount])
        _counted()[key] = (int(count), time.time() + max(int(left), 0))
        return int(count)

    def get(self, key: str) -> int:
        """The count, as this request has left it."""
        return _counted()[key][0]

    def get_expiry(self, key: str) -> float:
        """When the count ends, in unix seconds."""
        return _counted()[key][1]


def register(app: Flask, settings: Settings) -> None:
    """Limit all requests to the application but those of who watches over it."""
    limiter = Limiter(
        _caller,
        application_limits=[
            ApplicationLimit(REQUESTS, scope="requests", error_message=_REFUSAL),
            *(_limit_of(endpoint, limit) for endpoint, limit in OF_ENDPOINT.items()),
        ],
        storage_uri=_storage(settings),
        storage_options=_options(settings),
        in_memory_fallback_enabled=True,
        swallow_errors=True,
        enabled=settings.rate_limits,
    )
    limiter.request_filter(_uncounted)
    limiter.init_app(app)
    if settings.rate_limits:
        app.after_request(_telling(limiter))


def _uncounted() -> bool:
    """Those who watch over the server, and clients who wait: they have asked only once."""
    return request.blueprint == "health" or asked_again(request.environ)


def _limit_of(endpoint: str, limit: str) -> ApplicationLimit:
    return ApplicationLimit(
        limit,
        key_function=_address,
        scope=endpoint,
        error_message=_REFUSAL,
        exempt_when=lambda: request.endpoint != endpoint,
    )


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
    """Who is counted: the token, if it is good for anything."""
    try:
        access = presented()
    except RedisError:  # the request itself will tell of that
        access = None
    return f"token {access.token}" if access else _address()


def _address() -> str:
    return f"address {caller_address()}"


def _telling(limiter: Limiter) -> Callable[[Response], Response]:
    def tell(response: Response) -> Response:
        """Say how much is left, and until when, of the limit that will be met first."""
        limit = min(limiter.current_limits, key=lambda known: known.remaining, default=None)
        if limit is not None:
            reset = str(max(1, math.ceil(limit.window[0] - time.time())))
            response.headers["RateLimit-Limit"] = str(limit.limit.amount)
            response.headers["RateLimit-Remaining"] = str(limit.remaining)
            response.headers["RateLimit-Reset"] = reset
            if limit.breached:
                response.headers["Retry-After"] = reset
        return response

    return tell


def _counted() -> dict[str, tuple[int, float]]:
    """What this request has counted: by key the count, and when it ends."""
    if "counted" not in g:
        g.counted = {}
    return cast(dict[str, tuple[int, float]], g.counted)
