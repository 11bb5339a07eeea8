"""Opens an account on another device: a signed-in browser shows a code that works once.

A player has one code at a time, for ten minutes, and can revoke it.

st:device-link:DIGEST     the player whom the code with this digest signs in
st:{PLAYER}:device-link   the digest of the player's valid code
"""

import base64
import secrets
from typing import Final, cast

from service.core import ids
from service.core.redis.client import Client

LIFE: Final = 10 * 60
"""Seconds until a code expires."""
CODE_LENGTH: Final = 12
"""The number of letters and digits in a code: 60 bits. At twenty guesses a minute, nobody guesses a
code within ten minutes."""
_GROUP: Final = 4


class DeviceLinks:
    """The codes of all players."""

    def __init__(self, redis: Client, secret_key: str) -> None:
        self._redis = redis
        self._secret_key = secret_key

    def make(self, player: str) -> str:
        """Create a code for this player, and revoke the previous one; return it as displayed:
        `q7xk-m2vd-a5tz`."""
        self.revoke(player)
        code = base64.b32encode(secrets.token_bytes(8)).decode().lower()[:CODE_LENGTH]
        digest = self._digest(code)
        self._redis.set(_code_key(digest), player, ex=LIFE)
        self._redis.set(_open_key(player), digest, ex=LIFE)
        return "-".join(code[at : at + _GROUP] for at in range(0, CODE_LENGTH, _GROUP))

    def is_open(self, player: str) -> bool:
        """Whether this player has a valid code."""
        digest = cast(str | None, self._redis.get(_open_key(player)))
        return digest is not None and bool(self._redis.exists(_code_key(digest)))

    def owner(self, code: str) -> str | None:
        """Return the id of the player whom this code signs in, in any spelling; None if it is not
        valid."""
        digest = self._digest(code)
        player = cast(str | None, self._redis.get(_code_key(digest)))
        # Of two codes made at once only the later is valid.
        if player is None or self._redis.get(_open_key(player)) != digest:
            return None
        return player

    def use(self, code: str) -> str | None:
        """Use up the code, and return the id of the player to sign in; None if it is not valid.

        Of two simultaneous users, only the first is signed in.
        """
        player = self.owner(code)
        if player is None or not self._redis.delete(_code_key(self._digest(code))):
            return None
        self._redis.unlink(_open_key(player))
        return player

    def revoke(self, player: str) -> None:
        """Revoke the player's code."""
        digest = cast(str | None, self._redis.getdel(_open_key(player)))
        if digest is not None:
            self._redis.unlink(_code_key(digest))

    def _digest(self, code: str) -> str:
        """Return a keyed digest of the code. A reader of the store could reverse a plain one,
        because a code is short."""
        plain = "".join(code.lower().replace("-", " ").split())
        return ids.derive(self._secret_key, "device link", plain).hex()


def _code_key(digest: str) -> str:
    return f"st:device-link:{digest}"


def _open_key(player: str) -> str:
    return f"st:{{{player}}}:device-link"
