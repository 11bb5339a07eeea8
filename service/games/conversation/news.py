"""Signals to players' open pages that a conversation has changed.

st:{PLAYER}:messages:moved    the number of signals, for a day after the last
st:{PLAYER}:messages:wakes    how often this player has refreshed others' pages, for a minute after
                              the first time
"""

from collections.abc import Iterable
from typing import Final

from service.core.durations import DAY, MINUTE
from service.core.redis.batch import Query, execute, raising
from service.core.redis.client import Client
from service.core.redis.news import news_channel

MOST_WAKES: Final = 30
"""The most refreshes a minute of others' pages by one player.

Those pages see later changes when they refresh by themselves, within a minute.
"""
_LIFE: Final = DAY


class ConversationNews:
    """Makes players' open pages refresh. A signal may be lost: pages also refresh by themselves."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def tell(self, players: Iterable[str], by: str) -> None:
        """Make these players' pages refresh after a change by the player `by`."""
        for player in players:
            with self._redis.pipeline(transaction=False) as pipeline:
                pipeline.incr(_key(player))
                pipeline.expire(_key(player), _LIFE)
                pipeline.execute()
            if player == by or self._may_wake(by):
                # A cluster does not accept it in a pipeline.
                self._redis.publish(news_channel(player), "")

    def count(self, player: str) -> int:
        """The number of signals to this player's pages. A change of this number means news."""
        return execute(self._redis, self.count_query(player))

    def count_query(self, player: str) -> Query[int]:
        """The query that `count` executes."""
        return Query(("GET", _key(player)), raising(lambda reply: int(reply or 0)))

    def forget(self, player: str) -> None:
        """Keep no count for this player."""
        self._redis.unlink(_key(player), _wakes_key(player))

    def _may_wake(self, player: str) -> bool:
        """Count a refresh of somebody else's pages by this player; False beyond the limit."""
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.set(_wakes_key(player), 0, nx=True, ex=MINUTE)
            pipeline.incr(_wakes_key(player))
            return int(pipeline.execute()[1]) <= MOST_WAKES


def _key(player: str) -> str:
    return f"st:{{{player}}}:messages:moved"


def _wakes_key(player: str) -> str:
    return f"st:{{{player}}}:messages:wakes"
