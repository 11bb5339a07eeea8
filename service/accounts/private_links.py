"""Links to a player's calendar and feed, for programs that cannot sign in.

A link names its player and contains a secret derived from a stored text. Changing or deleting the
text revokes the link.

st:{PLAYER}:private-link  a random text, new with each link
"""

import base64
import hmac
import re
import secrets
from typing import Final, NamedTuple, cast

from service.accounts.revocations import Revocations
from service.core import ids
from service.core.ids import PLAYER_ID
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import SnapshotKey, text

LASTING_KEYS: Final = (
    SnapshotKey(
        scan="st:{*}:private-link",
        name=rf"st:\{{{PLAYER_ID}\}}:private-link",
        type="string",
        content=text("[0-9a-f]{32}"),
    ),
)
"""The keys that a backup includes."""
_SECRET: Final = re.compile(rf"(?P<player>{PLAYER_ID})(?P<proof>[a-z2-7]{{32}})")


class PrivateLink(NamedTuple):
    """The URLs of a player's calendar and feed."""

    calendar: str
    atom: str


class PrivateLinks:
    """The links of all players."""

    def __init__(self, redis: Client, secret_key: str, base_url: str) -> None:
        self._redis = redis
        self._revocations = Revocations(redis)
        self._secret_key = secret_key
        self._base_url = base_url

    def of(self, player: str) -> PrivateLink | None:
        """Return the player's links; None without any."""
        drawn = self._drawn(player)
        return None if drawn is None else self._link(player, drawn)

    def renew(self, player: str) -> PrivateLink:
        """Create new links, and revoke the previous ones."""
        self._mark(player)
        drawn = secrets.token_hex(16)
        self._redis.set(_key(player), drawn)
        return self._link(player, drawn)

    def revoke(self, player: str) -> None:
        """Revoke the player's links."""
        self._mark(player)
        self._redis.unlink(_key(player))

    def owner(self, secret: str) -> str | None:
        """Return the id of the player whose link has this secret; None for any other text."""
        match = _SECRET.fullmatch(secret)
        drawn = self._drawn(match["player"]) if match else None
        if match is None or drawn is None:
            return None
        proof = self._proof(match["player"], drawn)
        return match["player"] if hmac.compare_digest(proof, match["proof"]) else None

    def _mark(self, player: str) -> None:
        if (drawn := self._drawn(player)) is not None:
            self._revocations.mark(player, "private-link", [drawn])

    def _link(self, player: str, drawn: str) -> PrivateLink:
        secret = f"{player}{self._proof(player, drawn)}"
        begin = self._base_url
        return PrivateLink(f"{begin}/calendar/{secret}.ics", f"{begin}/turns/{secret}.atom")

    def _proof(self, player: str, drawn: str) -> str:
        derived = ids.derive(self._secret_key, "private link", player, drawn)
        return base64.b32encode(derived[:20]).decode().lower()

    def _drawn(self, player: str) -> str | None:
        return cast(str | None, self._redis.get(_key(player)))


def _key(player: str) -> str:
    return f"st:{{{player}}}:private-link"
