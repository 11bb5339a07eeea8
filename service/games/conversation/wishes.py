"""The players who have turned messages off in all games.

st:{PLAYER}:messages:off      "1" while the player wants none
"""

from typing import Final

from service.core.ids import PLAYER_ID
from service.core.redis.batch import Query, execute, raising
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import SnapshotKey, text

LASTING_KEYS: Final = (
    SnapshotKey(
        scan="st:{*}:messages:off",
        name=rf"st:\{{{PLAYER_ID}\}}:messages:off",
        type="string",
        content=text("1"),
    ),
)
"""Keys that a backup holds."""


class MessageWishes:
    """Players' choices about messages for all their games."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def set_off(self, player: str, *, off: bool) -> None:
        """Turn messages off or on for this player."""
        if off:
            self._redis.set(_key(player), "1")
        else:
            self._redis.unlink(_key(player))

    def is_off(self, player: str) -> bool:
        """Whether this player has turned messages off."""
        return execute(self._redis, self.is_off_query(player))

    def is_off_query(self, player: str) -> Query[bool]:
        """The query that `is_off` executes."""

        return Query(("EXISTS", _key(player)), raising(bool))


def _key(player: str) -> str:
    return f"st:{{{player}}}:messages:off"
