"""Identities: people as another service identifies them, and the accounts that they may open.

An identity is a subject of an issuer. The issuer is the operator's sign-in in front of this server,
or an OpenID provider. An identity opens one account; an account may have several identities.

st:{PLAYER}:identities    hash: LINK → JSON of an identity that opens the account
st:identity:DIGEST        the player whose account the identity opens
"""

import json
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from marshmallow import fields, validate

from service.accounts.player import Revocations
from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.batch import Query, execute, execute_all
from service.core.redis.client import Client, Lua
from service.core.redis.snapshot_keys import (
    DIGEST,
    JsonText,
    PlayerData,
    derived_key,
    plain_text,
    text,
    timestamp_text,
)
from service.core.times import timestamp

TRUSTED_HEADER: Final = "trusted-header"
"""The issuer of the identities in a trusted header. Other issuers are URLs."""
OPENID_CALLBACK: Final = "/sign-in/openid/callback"
"""The URL path to which an OpenID provider redirects browsers."""
LONGEST: Final = 255
"""The most characters of a subject, as OpenID Connect defines it."""
MOST: Final = 10
"""The most identities of one account."""
LINK_ID: Final = "[0-9a-f]{16}"
_LINKED: Final = (plain_text(2000), plain_text(LONGEST), plain_text(LONGEST), timestamp_text())
IDENTITIES: Final = PlayerData(
    "identities",
    "hash",
    fields.Dict(text(LINK_ID), JsonText(fields.Tuple(_LINKED)), validate=validate.Length(max=MOST)),
    exported="identities",
)
LASTING_KEYS: Final = (derived_key("st:identity:*", "string", DIGEST),)
"""The keys that an older backup may include."""


class Identity(NamedTuple):
    """A person at another service: `subject` is the id by which the `issuer` names them."""

    issuer: str
    subject: str

    @property
    def digest(self) -> str:
        """Return the digest of the identity, for use in the names of keys."""
        return ids.digest(json.dumps([self.issuer, self.subject]))


class Person(NamedTuple):
    """A person whom another service has signed in. `label` is their name for people, `email` an
    address that the service has verified."""

    identity: Identity
    label: str
    email: str | None = None


class LinkedIdentity(NamedTuple):
    """An identity that may open an account since `linked` (RFC 3339). `label` is its name for
    people."""

    id: str
    identity: Identity
    label: str
    linked: str


@dataclass(eq=False, repr=False)
class Identities:
    """The accounts at sign-in services that open players' accounts here.

    `now` returns unix seconds.
    """

    _remove = Lua(__file__, "unlink_identity")

    _redis: Client
    _revocations: Revocations
    _now: Callable[[], float] = time.time

    def all_of(self, player: str) -> list[LinkedIdentity]:
        """Return the identities with which this account can be opened, the oldest first."""
        stored = cast(dict[str, str], self._redis.hgetall(IDENTITIES.key(player)))
        identities = [_read(link, value) for link, value in stored.items()]
        return sorted(identities, key=lambda linked: (linked.linked, linked.id))

    def linked(self, players: Sequence[str]) -> set[str]:
        """Return those of these players whose account an identity opens, in one round trip."""
        queries = [Query(("EXISTS", IDENTITIES.key(player)), bool) for player in players]
        found = zip(players, execute_all(self._redis, queries), strict=True)
        return {player for player, is_linked in found if is_linked}

    def opens_query(self, player: str, identity: Identity) -> Query[bool]:
        """Return the query for whether the identity opens this player's account."""

        def parse(stored: list[str]) -> bool:
            return any(_read("", value).identity == identity for value in stored)

        return Query(("HVALS", IDENTITIES.key(player)), parse)

    def player_of(self, identity: Identity) -> str | None:
        """Return the id of the player whose account the identity opens; None without one."""
        player = cast(str | None, self._redis.get(_index_key(identity)))
        # A restore revokes what the player's own key holds, and leaves the index.
        if player is None or not execute(self._redis, self.opens_query(player, identity)):
            return None
        return player

    def link(self, player: str, identity: Identity, label: str) -> bool:
        """Let the identity open this account. May be repeated.

        Return False if it opens another account. Raises `RequestRejected`: `too-many-identities`.
        """
        linked = self.all_of(player)
        link_id = next((one.id for one in linked if one.identity == identity), None)
        if link_id is None and len(linked) >= MOST:
            raise RequestRejected(
                "too-many-identities",
                "%(most)s ways to sign in already lead to this account. Remove one first.",
                {"most": MOST},
            )
        value = json.dumps([*identity, label, timestamp(self._now())])
        # A new id for each link: a mark that one was removed must not affect the next.
        link_id = link_id or secrets.token_hex(8)
        self._redis.hsetnx(IDENTITIES.key(player), link_id, value)
        if self._index(player, identity):
            return True
        self._redis.hdel(IDENTITIES.key(player), link_id)
        return False

    def unlink(self, player: str, link_id: str, *, may_be_last: bool) -> bool:
        """Unlink an identity from this account. May be repeated.

        Return False if it is the last one, which stays unless `may_be_last`. If the last two are
        unlinked at the same time, one of them stays.
        """
        removed = [linked for linked in self.all_of(player) if linked.id == link_id]
        if not self._remove(keys=[IDENTITIES.key(player)], args=[link_id, int(may_be_last)]):
            return False
        # Afterwards: a mark of one that stays would end it at a restore.
        self._revocations.mark(player, "identities", (each.id for each in removed))
        for linked in removed:
            self._drop(player, linked.identity)
        return True

    def leave_index(self, player: str) -> None:
        """Let no identity lead to the player. Call this before deleting their identities."""
        for linked in self.all_of(player):
            self._drop(player, linked.identity)

    def index_all(self) -> None:
        """Index all players by their identities. May be repeated."""
        for key in self._redis.scan_iter(match=IDENTITIES.key("*"), count=1000):
            player = key.removeprefix("st:{").partition("}")[0]
            for linked in self.all_of(player):
                self._index(player, linked.identity)

    def _index(self, player: str, identity: Identity) -> bool:
        """Index the player by this identity; return False if it opens another account."""
        key = _index_key(identity)
        if self._redis.set(key, player, nx=True):
            return True
        if self.player_of(identity) not in (player, None):
            return False
        self._redis.set(key, player)
        return True

    def _drop(self, player: str, identity: Identity) -> None:
        if self._redis.get(_index_key(identity)) == player:
            self._redis.unlink(_index_key(identity))


def _read(link_id: str, stored: str) -> LinkedIdentity:
    issuer, subject, label, linked = json.loads(stored)
    return LinkedIdentity(link_id, Identity(issuer, subject), label, linked)


def _index_key(identity: Identity) -> str:
    return f"st:identity:{identity.digest}"
