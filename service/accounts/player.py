"""A stored player; and marks of deletions and revocations, which backups include, so that a restore
does not undo any.

Marks are ids and digests that are never used again. They expire after `MARK_LIFE`: an older backup
must not be restored.

st:{PLAYER}:player        hash: name; created; email, if the player gave one; verified: the address
                          that the player has proved to own; pending: the address that replaces it
                          once it is verified; presence: how exactly opponents see when they were
                          last here; archive: how finished games may be studied, if at all;
                          suspended: since when nobody may sign in; owner: the player who registered
                          this bot; face: the mark the player has chosen, `GR-stag`
st:{PLAYER}:bots          set: the bots that the player has registered
st:{deleted}:players      sorted set: id of a deleted player → when the mark ends (unix seconds)
st:{PLAYER}:revoked       sorted set: the player's revoked fields or texts, each after the last part
                          of its key, as in `tokens DIGEST` → when the mark ends
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, cast

from marshmallow import fields, validate

from service.bots import bot_at
from service.core.errors import RequestRejected
from service.core.ids import PLAYER_ID, is_owned_bot
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import (
    ADDRESS,
    PlayerData,
    kept_key,
    plain_text,
    text,
    timestamp_text,
)
from service.core.times import DAY
from service.core.words import N_

PLAYER: Final = PlayerData(
    name="player",
    type="hash",
    content=fields.Nested(
        {
            "name": plain_text(200, required=True),
            "created": timestamp_text(required=True),
            "email": text(ADDRESS),
            "verified": text(ADDRESS),
            "pending": text(ADDRESS),
            "presence": text("never|days|live"),
            "archive": text("no|nameless|named"),
            "suspended": timestamp_text(),
            "face": text("|[ROYGBP]{2}-[a-z]+"),
            "owner": text(PLAYER_ID),
        }
    ),
    exported="player",
)
OWN_BOTS: Final = PlayerData("bots", "set", fields.List(text(PLAYER_ID)), exported="bots")


ArchiveChoice = Literal["no", "nameless", "named"]

ARCHIVE_CHOICES: Final[Mapping[ArchiveChoice, str]] = {
    # Note: answers "Let anybody study my finished games"; as the next two
    "no": N_("no"),
    "nameless": N_("yes, without my name"),
    "named": N_("yes, and with both names if the other player agrees to that too"),
}
"""The choices whether the archive may include a player's finished games, in the player's words."""


class Player(NamedTuple):
    """A registered player; `created` is an RFC 3339 moment.

    Mail goes to a `verified` address only: the reader of a mail sent there has confirmed it. A
    `pending` address replaces it once it is confirmed. After the moment `suspended`, if any, nobody
    can sign in to the account. `owner` is the player who registered this bot.
    """

    id: str
    name: str
    email: str | None
    created: str
    verified: bool = False
    pending: str | None = None
    archive: ArchiveChoice = "no"
    suspended: str | None = None
    owner: str | None = None
    face: str = ""

    @property
    def person(self) -> str:
        """The id of the person who plays: of a bot, its owner's."""
        return self.owner or self.id


def is_bot(player_id: str | None) -> bool:
    """Whether a program plays under this id: a bot of this server, or one of a player's own."""
    return bot_at(player_id) is not None or is_owned_bot(player_id or "")


def check_person(player_id: str, message: str) -> None:
    """Raise `RequestRejected`, `not-for-bots`, for a player's own bot."""
    if is_owned_bot(player_id):
        raise RequestRejected("not-for-bots", message)


def read_player(player_id: str, record: dict[str, str]) -> Player:
    """Return the player with this id and these stored fields."""
    email = record.get("email")
    return Player(
        player_id,
        record["name"],
        email,
        record["created"],
        verified=email is not None and record.get("verified") == email,
        pending=record.get("pending"),
        archive=cast(ArchiveChoice, record.get("archive", "no")),
        suspended=record.get("suspended"),
        owner=record.get("owner"),
        face=record.get("face", ""),
    )


MARK_LIFE: Final = 400 * DAY
"""Seconds for which a mark is stored."""
MOST_REVOKED: Final = 1000
"""The most marks of one player; the oldest are deleted first."""
_DELETED: Final = "st:{deleted}:players"
_END: Final = fields.Integer(strict=True, validate=validate.Range(0, 2**40, max_inclusive=False))
REVOKED: Final = PlayerData(
    "revoked", "zset", fields.Dict(text("[a-z-]{1,20} [0-9a-z]{8,64}"), _END), expires=MARK_LIFE
)
LASTING_KEYS: Final = (
    kept_key(_DELETED, "zset", fields.Dict(text(PLAYER_ID), _END)),
    *REVOKED.lasting,
)
"""The keys that a backup includes before all others; a restore adds them to those of the store."""


@dataclass(frozen=True, slots=True)
class Revocations:
    """The marks of all players. `now` returns unix seconds. Every call may be repeated."""

    redis: Client
    now: Callable[[], float] = time.time

    def mark_deleted(self, player: str) -> None:
        """Mark a player as deleted. Call this before deleting anything of theirs."""
        self.add(_DELETED, {player: int(self.now()) + MARK_LIFE})

    def mark(self, player: str, part: str, revoked: Iterable[str]) -> None:
        """Mark fields of a player's hash, or a player's text, as revoked. Call this before revoking
        them.

        `part` is the last part of the key, such as `tokens`.
        """
        end = int(self.now()) + MARK_LIFE
        self.add(REVOKED.key(player), {f"{part} {one}": end for one in revoked})

    def add(self, key: str, marks: Mapping[str, int]) -> None:
        """Add marks, with the unix seconds when they end, to one of these keys; delete expired
        ones."""
        marks = {mark: end for mark, end in marks.items() if end > self.now()}
        if not marks:
            return
        pipeline = self.redis.pipeline(transaction=False)
        pipeline.zadd(key, marks)
        pipeline.zremrangebyscore(key, "-inf", self.now())
        if key != _DELETED:
            pipeline.zremrangebyrank(key, 0, -MOST_REVOKED - 1)
        pipeline.expire(key, MARK_LIFE)
        pipeline.execute()

    def deleted(self) -> frozenset[str]:
        marks = self.redis.zrangebyscore(_DELETED, f"({self.now()}", "+inf")
        return frozenset(cast(list[str], marks))

    def revoked(self, player: str, part: str) -> frozenset[str]:
        """Return what was revoked in the key `st:{PLAYER}:{part}`: fields of a hash, or the former
        values of a string."""
        marks = cast(list[str], self.redis.zrange(REVOKED.key(player), 0, -1))
        split = (mark.split(" ", 1) for mark in marks)
        return frozenset(one for of, one in split if of == part)

    def enforce(self) -> None:
        """Delete everything that is marked as revoked but still stored, as after a restore."""
        for key in self.redis.scan_iter(match=REVOKED.key("*"), count=1000):
            for mark in cast(list[str], self.redis.zrange(key, 0, -1)):
                part, _, revoked = mark.partition(" ")
                marked = f"{key.rpartition(':')[0]}:{part}"
                key_type = self.redis.type(marked)
                if key_type == "string" and self.redis.get(marked) == revoked:
                    self.redis.unlink(marked)
                elif key_type == "hash":
                    parts = cast(list[str], self.redis.hkeys(marked))
                    if gone := [one for one in parts if one.partition(":")[0] == revoked]:
                        self.redis.hdel(marked, *gone)

    def forget(self, player: str) -> None:
        """Delete a player's marks. Call this only once the whole player is marked as deleted."""
        self.redis.unlink(REVOKED.key(player))
