"""Keys that a backup contains besides the logs: players with tokens and preferences, invitations.

Each is a line `{"key", "type", "value", "expires"}`; `expires` is in unix seconds, null: never.
A restore brings back no deleted account, and no revoked token or setting: marks of the store count,
and marks of the file, which are added first.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypedDict, cast

from engine.chain import StoredEvent
from service.account_closure import PLAYER_DATA
from service.accounts import (
    answer_addresses,
    email_addresses,
    identities,
    mail_preferences,
    names,
    player,
)
from service.accounts.channels import deliveries
from service.accounts.player import Revocations
from service.container import Container
from service.core import heartbeat
from service.core.ids import PLAYER_ID
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import SnapshotKey
from service.eventlog import results
from service.games import challenge as challenges
from service.games import conversation_store, creation, moderation
from service.games import daily_store as daily
from service.games.challenge import read_challenge
from service.ops.integrity import Damaged, reporting_damage
from service.seasons import store as seasons

MARKS: Final = player.LASTING_KEYS
"""The kinds of keys that mark deletions and revocations."""
REMOVALS: Final = results.LASTING_KEYS
"""The kinds of keys that mark removed games."""
FIRST_KINDS: Final = (*MARKS, *REMOVALS, *heartbeat.LASTING_KEYS)
"""The kinds of keys at the start of a backup: the marks above, and the server's last heartbeat."""
OTHER_KINDS: Final[tuple[SnapshotKey, ...]] = (
    *(kind for data in PLAYER_DATA if data != player.REVOKED for kind in data.lasting),
    *email_addresses.LASTING_KEYS,
    *names.LASTING_KEYS,
    *answer_addresses.LASTING_KEYS,
    *identities.LASTING_KEYS,
    *mail_preferences.LASTING_KEYS,
    *deliveries.LASTING_KEYS,
    *creation.LASTING_KEYS,
    *challenges.LASTING_KEYS,
    *conversation_store.LASTING_KEYS,
    *moderation.LASTING_KEYS,
    *daily.LASTING_KEYS,
    *seasons.LASTING_KEYS,
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


_READERS: Final[Mapping[str, Callable[[Any, str], Any]]] = {
    "string": lambda redis, key: redis.get(key),
    "hash": lambda redis, key: redis.hgetall(key),
    "set": lambda redis, key: sorted(redis.smembers(key)),
    "zset": lambda redis, key: {
        member: int(score) for member, score in redis.zrange(key, 0, -1, withscores=True)
    },
    "stream": lambda redis, key: [entry[seasons.EVENT] for _, entry in redis.xrange(key)],
}
_WRITERS: Final[Mapping[str, Callable[[Any, str, Any], Any]]] = {
    "string": lambda redis, key, value: redis.set(key, value),
    "hash": lambda redis, key, value: redis.hset(key, mapping=value),
    "set": lambda redis, key, value: redis.sadd(key, *value),
    "zset": lambda redis, key, value: redis.zadd(key, value),
}
"""Streams are logs: `SeasonStore.restore` writes them."""


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
            if (line := _read(redis, kind, key, now)) is not None:
                yield CheckedKey(line, problem_of(line))


def restore_key(redis: Client, snapshot: KeySnapshot, now: float) -> bool:
    """Write a key from a backup unless it exists or has expired. Return whether it was written.

    Call it only if `problem_of` returned None, and for no log. `now` is in unix seconds.
    """
    expires = snapshot["expires"]
    if redis.exists(snapshot["key"]) or (expires is not None and expires <= now):
        return False
    pipeline = redis.pipeline()
    _WRITERS[snapshot["type"]](pipeline, snapshot["key"], snapshot["value"])
    if expires is not None:
        pipeline.expire(snapshot["key"], expires - int(now))  # by our clock, as it was read
    pipeline.execute()
    return True


def _read(
    redis: Client, kind: SnapshotKey, key: str, now: Callable[[], float]
) -> KeySnapshot | None:
    """The content of the key; None if it has gone meanwhile."""
    key_type = cast(str, redis.type(key))
    left = redis.ttl(key)
    expires = None if left < 0 else int(now()) + left
    value = _READERS[kind.type](redis, key) if key_type == kind.type else None
    if key_type == "none" or (key_type == kind.type and not value):
        return None
    return KeySnapshot(key=key, type=key_type, value=value, expires=expires)


_OF_PLAYER: Final = re.compile(rf"st:\{{(?P<player>{PLAYER_ID})\}}:(?P<part>[a-z-]+)(:.*)?")


class Revoked:
    """The marks for one restore. `now` gives unix seconds."""

    def __init__(self, container: Container, now: Callable[[], float]) -> None:
        self._container = container
        self._marks = Revocations(container.redis, now)
        self._deleted = self._marks.deleted()
        self._left: list[tuple[str, str]] = []
        """Restored games, each with a deleted player who has a seat in it."""

    def add(self, marks: KeySnapshot) -> None:
        """Add marks of the file to those of the store."""
        self._marks.add(marks["key"], marks["value"])
        self._deleted = self._marks.deleted()

    def without(self, snapshot: KeySnapshot) -> KeySnapshot | None:
        """The key without deleted or revoked parts; None if nothing is left of it."""
        value, gone, match = snapshot["value"], self._deleted, _OF_PLAYER.fullmatch(snapshot["key"])
        if match and match["player"] in gone:
            return None
        if match:
            gone = self._marks.revoked(match["player"], match["part"])
        value = _without(value, gone) if gone else value
        return KeySnapshot(**{**snapshot, "value": value}) if value else None

    def concerns(self, challenge: str) -> bool:
        """Whether a challenge is by a deleted player, or to one."""
        made = read_challenge(challenge)
        return not self._deleted.isdisjoint((made.by, made.to))

    def note_game(self, game_id: str, record: Sequence[StoredEvent]) -> None:
        """Record a restored game, to remove deleted players from it at the end."""
        if self._deleted:
            seated = {event["data"].get("player") for event in record}
            self._left += ((game_id, player) for player in self._deleted & seated)

    def apply(self) -> Iterator[tuple[str, str]]:
        """Delete everything marked from the store: an older backup may have restored it.

        Yields each item that cannot be deleted, and why.
        """
        self._marks.enforce()
        steps = [
            (f"game {game_id}", partial(self._leave, game_id, one)) for game_id, one in self._left
        ]
        steps += [(f"player {one}", partial(self._close, one)) for one in sorted(self._deleted)]
        for what, step in steps:
            try:
                with reporting_damage():
                    step()
            except Damaged as damaged:
                yield what, str(damaged)

    def _leave(self, game_id: str, player: str) -> None:
        self._container.accounts.leave(self._container.games.load(game_id), player)

    def _close(self, player: str) -> None:
        if (account := self._container.players.find(player)) is not None:
            self._container.accounts.close(account)


def _without(value: object, gone: Collection[str]) -> object:
    """Return the fields or members that are not in `gone`; a text as it is, None if it is in
    `gone`."""
    if isinstance(value, Mapping):
        return {name: held for name, held in value.items() if name.partition(":")[0] not in gone}
    if isinstance(value, list):
        return [member for member in value if member not in gone]
    return None if value in gone else value
