"""The invite of a game: its token, its link, and the e-mail address that it goes to.

st:invitation:GAME        the address, while the invitation is open
st:invitation-sent:GAME   set once a mail has gone to that address
"""

import hmac
from typing import Final, cast

from service.core import ids
from service.core.durations import DAY
from service.core.ids import GAME_ID
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import ADDRESS, SnapshotKey, text

LASTING_KEYS: Final = (
    SnapshotKey(
        scan="st:invitation:*",
        name=f"st:invitation:{GAME_ID}",
        type="string",
        content=text(ADDRESS),
    ),
)
"""Keys that a backup holds."""
_SENT_LIFE: Final = 90 * DAY
"""Seconds for which it is stored that an invitation was sent. No invitation is open for longer."""


class Invitations:
    """The invites of all games: the holder of a game's invite may take its free seat."""

    def __init__(self, redis: Client, secret_key: str, base_url: str) -> None:
        self._redis = redis
        self._secret_key = secret_key
        self._base_url = base_url.rstrip("/")

    def token(self, game_id: str) -> str:
        """The token of this game's invite: the same at each call."""
        return ids.secret_text(ids.derive(self._secret_key, "invite", game_id))

    def url(self, game_id: str) -> str:
        """The link to the page where the holder of the invite takes the seat."""
        return f"{self._base_url}/games/{game_id}?invite={self.token(game_id)}"

    def is_valid(self, game_id: str, token: str | None) -> bool:
        """Whether `token` is the invite of this game."""
        return token is not None and hmac.compare_digest(
            token.encode(), self.token(game_id).encode()
        )

    def address(self, game_id: str) -> str | None:
        """The address for this game's invitation while it is open; None otherwise."""
        return cast(str | None, self._redis.get(_key(game_id)))

    def keep_address(self, game_id: str, email: str, days: int) -> None:
        """Store the address for the invitation; addresses are never in the log."""
        # A stored address stays: another request under the same idempotency key is refused.
        self._redis.set(_key(game_id), email, nx=True, ex=days * DAY)

    def record_sent(self, game_id: str) -> None:
        """Record that the invitation was mailed to its address."""
        self._redis.set(_sent_key(game_id), "1", ex=_SENT_LIFE)

    def was_sent(self, game_id: str) -> bool:
        """Whether the invitation was mailed to its address."""
        return bool(self._redis.exists(_sent_key(game_id)))

    def forget_address(self, game_id: str) -> None:
        """Delete the address: the seat is taken."""
        self._redis.unlink(_key(game_id))

    def forget_game(self, game_id: str) -> None:
        """Delete all data about the invite of a removed game."""
        self._redis.unlink(_key(game_id))
        self._redis.unlink(_sent_key(game_id))


def _sent_key(game_id: str) -> str:
    return f"st:invitation-sent:{game_id}"


def _key(game_id: str) -> str:
    return f"st:invitation:{game_id}"
