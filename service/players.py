"""Players: registration, bearer tokens, names. The one place where names and addresses are kept.

st:{PLAYER}:player        hash: name, created, and email where one was given
st:token:DIGEST           hash: player, created (only the SHA-256 of a token is stored)
st:registration:DIGEST    a day's memory of a registration made under an idempotency key
"""

import json
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, cast

from service import identifiers
from service.cache import Recent
from service.connections import Client
from service.instant import timestamp
from service.log import IdempotencyKey
from service.refusal import key_reused

TOKEN_PREFIX = "scot_"
REGISTRATION_MEMORY = 24 * 60 * 60
NAME_MEMORY = 60


class Player(NamedTuple):
    """A registered player; `created` is an RFC 3339 moment."""

    id: str
    name: str
    email: str | None
    created: str


class Registration(NamedTuple):
    """A new player and the bearer token, which is shown only this once."""

    player: Player
    token: str


class Players:
    """The accounts of one server. `secret_key` derives what a repeated registration must repeat."""

    def __init__(
        self, redis: Client, secret_key: str, now: Callable[[], float] = time.time
    ) -> None:
        self._redis = redis
        self._secret_key = secret_key
        self._now = now
        self._names: Recent[str, tuple[float, str]] = Recent(10_000)

    def register(
        self, name: str, email: str | None = None, key: IdempotencyKey | None = None
    ) -> Registration:
        """Register a player. The same `key` within a day gives the same player and token.

        Raises `Refused` with `idempotency-key-reused` where the key came with other data.
        """
        seed, moment = self._remembered(key) if key else self._drawn()
        registration = self._registration(seed, name, email, moment)
        player = registration.player
        record: dict[Any, Any] = {"name": player.name, "created": player.created}
        if player.email is not None:
            record["email"] = player.email
        self._redis.hset(_player_key(player.id), mapping=record)
        # Last, so that no token ever leads to a player who is not there.
        owner: dict[Any, Any] = {"player": player.id, "created": player.created}
        self._redis.hset(_token_key(registration.token), mapping=owner)
        return registration

    def authenticate(self, token: str) -> str | None:
        """The id of the player to whom this bearer token belongs, if anyone's."""
        return cast(str | None, self._redis.hget(_token_key(token), "player"))

    def find(self, player_id: str) -> Player | None:
        """The player with this id, if there is one."""
        record = cast(dict[str, str], self._redis.hgetall(_player_key(player_id)))
        if not record:
            return None
        return Player(player_id, record["name"], record.get("email"), record["created"])

    def names(self, player_ids: Iterable[str]) -> dict[str, str]:
        """The names of these players, by id. Names may be up to a minute old."""
        wanted = set(player_ids)
        known = {player: name for player in wanted if (name := self._remembered_name(player))}
        return known | self._read_names(sorted(wanted - known.keys()))

    def _remembered_name(self, player_id: str) -> str | None:
        entry = self._names.get(player_id)
        return entry[1] if entry and entry[0] > self._now() - NAME_MEMORY else None

    def _read_names(self, player_ids: list[str]) -> dict[str, str]:
        if not player_ids:
            return {}
        with self._redis.pipeline(transaction=False) as pipeline:
            for player_id in player_ids:
                pipeline.hget(_player_key(player_id), "name")
            read = dict(zip(player_ids, pipeline.execute(), strict=True))
        found = {player_id: name for player_id, name in read.items() if name is not None}
        for player_id, name in found.items():
            self._names.put(player_id, (self._now(), name))
        return found

    def _registration(self, seed: str, name: str, email: str | None, moment: str) -> Registration:
        player_id = identifiers.player_id(identifiers.derive(self._secret_key, "player", seed))
        token = identifiers.secret_text(identifiers.derive(self._secret_key, "token", seed))
        return Registration(Player(player_id, name, email, moment), TOKEN_PREFIX + token)

    def _drawn(self) -> tuple[str, str]:
        return identifiers.secret_text(), timestamp(self._now())

    def _remembered(self, key: IdempotencyKey) -> tuple[str, str]:
        """What the first registration under this key was made from."""
        slot = f"st:registration:{identifiers.digest(key.key)}"
        mine = json.dumps([key.fingerprint, *self._drawn()])
        self._redis.set(slot, mine, nx=True, ex=REGISTRATION_MEMORY)
        fingerprint, seed, moment = json.loads(self._redis.get(slot) or mine)
        if fingerprint != key.fingerprint:
            raise key_reused()
        return seed, moment


def _player_key(player_id: str) -> str:
    return f"st:{{{player_id}}}:player"


def _token_key(token: str) -> str:
    return f"st:token:{identifiers.digest(token)}"
