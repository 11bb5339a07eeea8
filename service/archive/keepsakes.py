"""Keys beside the logs that a backup keeps: players with tokens and choices, invitations, notes.

Each is a line `{"key", "type", "value", "expires"}`; `expires` is in unix seconds, null: never.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypedDict, cast

from service import players, subscriptions
from service.connections import Client
from service.games import challenge_list, invitations
from service.log import keys

PATTERNS: Final = (
    *players.LASTING_KEYS,
    *subscriptions.LASTING_KEYS,
    *invitations.LASTING_KEYS,
    *keys.LASTING_KEYS,
    *challenge_list.LASTING_KEYS,
)


class Keepsake(TypedDict):
    """One key with all that it holds, as plain data."""

    key: str
    type: str
    value: Any
    expires: int | None


class _Kind(NamedTuple):
    read: Callable[[Any, str], Any]
    write: Callable[[Any, str, Any], Any]


_KINDS: Final = {
    "string": _Kind(
        read=lambda redis, key: redis.get(key),
        write=lambda redis, key, value: redis.set(key, value),
    ),
    "hash": _Kind(
        read=lambda redis, key: redis.hgetall(key),
        write=lambda redis, key, value: redis.hset(key, mapping=value),
    ),
    # Those that are kept are all lists in the order of their members.
    "zset": _Kind(
        read=lambda redis, key: redis.zrange(key, 0, -1),
        write=lambda redis, key, value: redis.zadd(key, dict.fromkeys(value, 0)),
    ),
    "set": _Kind(
        read=lambda redis, key: sorted(redis.smembers(key)),
        write=lambda redis, key, value: redis.sadd(key, *value),
    ),
}


def keepsakes(redis: Client, now: float) -> Iterator[Keepsake]:
    """All keys that are to be kept, as they are `now` (unix seconds)."""
    for pattern in PATTERNS:
        for key in redis.scan_iter(match=pattern, count=1000):
            kept = _read(redis, key, now)
            if kept is not None:
                yield kept


def put_back(redis: Client, kept: Keepsake) -> bool:
    """Write a key as it was kept, unless there is one already; whether it was written."""
    if redis.exists(kept["key"]):
        return False
    pipeline = redis.pipeline()
    _KINDS[kept["type"]].write(pipeline, kept["key"], kept["value"])
    if kept["expires"] is not None:
        pipeline.expireat(kept["key"], kept["expires"])
    pipeline.execute()
    return True


def _read(redis: Client, key: str, now: float) -> Keepsake | None:
    """What the key holds; None where it has gone in the meantime."""
    kind = cast(str, redis.type(key))
    if kind == "none":
        return None
    left = redis.ttl(key)
    expires = None if left < 0 else int(now) + left
    return Keepsake(key=key, type=kind, value=_KINDS[kind].read(redis, key), expires=expires)
