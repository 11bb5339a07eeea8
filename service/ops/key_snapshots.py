"""Keys that a backup contains besides the logs: players with tokens and preferences, invitations.

Each is a line `{"key", "type", "value", "expires"}`; `expires` is in unix seconds, null: never.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypedDict, cast

from service.accounts import (
    answer_addresses,
    identities,
    links,
    mail_preferences,
    mail_signatures,
    player,
    privacy,
    revocations,
)
from service.accounts.channels import deliveries
from service.accounts.channels import store as channels
from service.core import outage_ledger
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import SnapshotKey
from service.eventlog import removal
from service.games.calendars import store as calendars
from service.games.challenges import model as challenges
from service.games.conversation import moderation, private_notes, store
from service.games.daily import store as daily
from service.games.opening import invitations

MARKS: Final = revocations.LASTING_KEYS
"""The kinds of keys that mark deletions and revocations."""
REMOVALS: Final = removal.LASTING_KEYS
"""The kinds of keys that mark removed games."""
FIRST_KINDS: Final = (*MARKS, *REMOVALS, *outage_ledger.LASTING_KEYS)
"""The kinds of keys at the start of a backup: the marks above, and the server's last heartbeat."""
OTHER_KINDS: Final[tuple[SnapshotKey, ...]] = (
    *player.LASTING_KEYS,
    *answer_addresses.LASTING_KEYS,
    *privacy.LASTING_KEYS,
    *identities.LASTING_KEYS,
    *mail_preferences.LASTING_KEYS,
    *mail_signatures.LASTING_KEYS,
    *channels.LASTING_KEYS,
    *deliveries.LASTING_KEYS,
    *links.LASTING_KEYS,
    *invitations.LASTING_KEYS,
    *challenges.LASTING_KEYS,
    *store.LASTING_KEYS,
    *moderation.LASTING_KEYS,
    *private_notes.LASTING_KEYS,
    *calendars.LASTING_KEYS,
    *daily.LASTING_KEYS,
)
KINDS: Final = (*FIRST_KINDS, *OTHER_KINDS)


class KeySnapshot(TypedDict):
    """One key with its whole content, as plain data."""

    key: str
    type: str
    value: Any
    expires: int | None


class CheckedKey(NamedTuple):
    """A key of the store, and the problem that prevents its restore, None without one."""

    line: KeySnapshot
    problem: str | None


class _Access(NamedTuple):
    read: Callable[[Any, str], Any]
    write: Callable[[Any, str, Any], Any]


_ACCESS: Final = {
    "string": _Access(
        read=lambda redis, key: redis.get(key),
        write=lambda redis, key, value: redis.set(key, value),
    ),
    "hash": _Access(
        read=lambda redis, key: redis.hgetall(key),
        write=lambda redis, key, value: redis.hset(key, mapping=value),
    ),
    "set": _Access(
        read=lambda redis, key: sorted(redis.smembers(key)),
        write=lambda redis, key, value: redis.sadd(key, *value),
    ),
    "zset": _Access(
        read=lambda redis, key: {
            member: int(score) for member, score in redis.zrange(key, 0, -1, withscores=True)
        },
        write=lambda redis, key, value: redis.zadd(key, value),
    ),
}


def kind_of(key: str) -> SnapshotKey | None:
    """The kind of the key with this name; None for a key that backups leave out."""
    return next((kind for kind in KINDS if kind.is_name(key)), None)


def problem_of(snapshot: KeySnapshot) -> str | None:
    """The reason why this key cannot be restored; None if it can."""
    kind = kind_of(snapshot["key"]) if isinstance(snapshot["key"], str) else None
    if kind is None:
        return "no backup holds such a key"
    content = None if kind.derived else kind.problem(snapshot["type"], snapshot["value"])
    return expiry_problem(snapshot["expires"]) or content


def expiry_problem(expires: object) -> str | None:
    """The problem with an expiry read from a backup; None if it is valid."""
    if expires is None or (type(expires) is int and 0 <= expires < 2**40):
        return None
    return "the time of its end is wrong"


def read_keys(
    redis: Client, now: Callable[[], float], kinds: Sequence[SnapshotKey]
) -> Iterator[CheckedKey]:
    """Yield every key of these kinds that is not derived; `now` gives unix seconds."""
    for kind in kinds:
        if kind.derived:
            continue
        for key in redis.scan_iter(match=kind.scan, count=1000):
            line = _read(redis, kind, key, now)
            if line is not None:
                yield CheckedKey(line, problem_of(line))


def restore_key(redis: Client, snapshot: KeySnapshot, now: float) -> bool:
    """Write a key from a backup unless it exists or has expired. Return whether it was written.

    Call it only if `problem_of` returned None. `now` is in unix seconds.
    """
    expires = snapshot["expires"]
    if redis.exists(snapshot["key"]) or (expires is not None and expires <= now):
        return False
    pipeline = redis.pipeline()
    _ACCESS[snapshot["type"]].write(pipeline, snapshot["key"], snapshot["value"])
    if expires is not None:
        pipeline.expireat(snapshot["key"], expires)
    pipeline.execute()
    return True


def _read(
    redis: Client, kind: SnapshotKey, key: str, now: Callable[[], float]
) -> KeySnapshot | None:
    """The content of the key; None if it has gone meanwhile."""
    key_type = cast(str, redis.type(key))
    left = redis.ttl(key)
    expires = None if left < 0 else int(now()) + left
    value = _ACCESS[kind.type].read(redis, key) if key_type == kind.type else None
    if key_type == "none" or (key_type == kind.type and not value):
        return None
    return KeySnapshot(key=key, type=key_type, value=value, expires=expires)
