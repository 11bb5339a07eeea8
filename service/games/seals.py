"""Seals: secrets to which the server commits before it knows any salt.

st:{PLAYER}:seals         hash: a seal's id to when it expires, the game it was used for, its secret
                          For somebody who is about to register, PLAYER is the id of their form.

A backup leaves them out: a secret that was published must never come back unused.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from engine.shuffle import commitment
from service.core import ids, replayed
from service.core.errors import RequestRejected
from service.core.redis.client import Client, Lua
from service.core.times import HOUR, timestamp
from service.eventlog import IdempotencyKey

LIFE: Final = HOUR
"""Seconds in which a seal can be used."""
MAX_OPEN: Final = 20
"""The most unused seals of a player."""


class Seal(NamedTuple):
    """A commitment to a secret: `expires` is an RFC 3339 moment."""

    id: str
    commitment: str
    expires: str


@dataclass(eq=False, repr=False)
class Seals:
    """The seals of all players. `now` gives unix seconds.

    Nobody but the player who asked for a seal can use it or learn that it exists.
    """

    _run = Lua(__file__, "seals")

    _redis: Client
    _secret_key: str
    _now: Callable[[], float] = time.time

    def make(self, player: str, key: IdempotencyKey | None = None) -> Seal:
        """Draw a secret and commit to it; the same `key` gives the same seal while it is stored.

        Raises `RequestRejected`: `too-many-seals`.
        """
        material = key and ids.derive(self._secret_key, "seal", player, key.key)
        seal_id = ids.secret_text(material)
        now = int(self._now())
        drawn: list[str | int] = [seal_id, secrets.token_hex(32), now + LIFE]
        stored = self._call(player, ["keep", now, *drawn, LIFE, MAX_OPEN])
        if not stored:
            raise RequestRejected(
                "too-many-seals",
                f"There are {MAX_OPEN} unused seals already. Use one, or wait until it expires.",
            )
        expires, _, secret = stored.split(" ")
        if secret != drawn[1]:
            replayed.report()
        return Seal(seal_id, commitment(secret), timestamp(int(expires)))

    def secret(self, player: str, seal: str | None, game_id: str) -> str:
        """The secret of this seal, for this game; a new secret without a seal.

        Raises `RequestRejected`: `unknown-seal`, `seal-used` if another game has used it.
        """
        if seal is None:
            return secrets.token_hex(32)
        return self._use(player, seal, game_id, binding=False)

    def use(self, player: str, seal: str | None, game_id: str) -> None:
        """Bind a seal, if any, to this game, so that no other can use it. May be repeated.

        Call it right before the game is written. Raises as `secret` does.
        """
        if seal is not None:
            self._use(player, seal, game_id, binding=True)

    def give(self, giver: str, taker: str, seal: str) -> None:
        """Let another player use a seal instead of the giver. May be repeated.

        Raises as `secret` does.
        """
        secret = self._use(giver, seal, taker, binding=True)
        now = int(self._now())
        self._call(taker, ["keep", now, seal, secret, now + LIFE, LIFE, MAX_OPEN])

    def forget(self, player: str) -> None:
        self._redis.unlink(_key(player))

    def _use(self, player: str, seal: str, game_id: str, *, binding: bool) -> str:
        answer = self._call(player, ["use", int(self._now()), seal, game_id, int(binding)])
        if not answer:
            raise RequestRejected("unknown-seal", "You have no such seal, or it has expired.")
        if answer == "used":
            raise used()
        return answer

    def _call(self, player: str, args: list[str | int]) -> str:
        return cast(str, self._run(keys=[_key(player)], args=args))


def used() -> RequestRejected:
    """The rejection of a seal that a game has already used."""
    return RequestRejected("seal-used", "This seal was used for another game. Ask for a new one.")


def _key(player: str) -> str:
    return f"st:{{{player}}}:seals"
