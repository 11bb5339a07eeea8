"""That a conversation has moved, for pages that are open: in each player's own slot.

st:{PLAYER}:messages:moved    how often that was told, for a day after the last time
"""

from collections.abc import Iterable
from typing import Final, cast

from service.core.durations import DAY
from service.core.redis.client import Client
from service.core.redis.news import news_channel

_LIFE: Final = DAY


class ConversationNews:
    """Tells players' pages to look. It may be lost: a page looks by itself, too."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def tell(self, players: Iterable[str]) -> None:
        """Tell these players' pages."""
        for player in players:
            with self._redis.pipeline(transaction=False) as pipeline:
                pipeline.incr(_key(player))
                pipeline.expire(_key(player), _LIFE)
                pipeline.execute()
            self._redis.publish(news_channel(player), "")  # a cluster takes it in no pipeline

    def count(self, player: str) -> int:
        """How often this player's pages were told. Another number than before is news."""
        return int(cast(str | None, self._redis.get(_key(player))) or 0)

    def forget(self, player: str) -> None:
        """Keep no count for this player."""
        self._redis.unlink(_key(player))


def _key(player: str) -> str:
    return f"st:{{{player}}}:messages:moved"
