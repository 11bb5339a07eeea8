"""News for a player other than events of games: messages, offers and challenges of others. They
refresh the player's open pages, and are in the feed of all the player's games.

st:{PLAYER}:messages:moved    the number of signals, for a day after the last
st:{PLAYER}:messages:wakes    the number of refreshes of others' pages by this player, for a minute
                              after the first
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from service.core.durations import DAY, MINUTE
from service.core.redis.batch import Query, Run, execute, execute_with_runs, raising
from service.core.redis.client import Client
from service.core.redis.counter import counted
from service.core.redis.lua import Lua
from service.core.redis.news import news_channel
from service.games.projections import feed_log

MOST_WAKES: Final = 30
"""The most refreshes a minute of others' pages by one player.

Those pages see later changes when they refresh by themselves, within a minute.
"""
_LIFE: Final = DAY

Kind = Literal["challenge", "message", "offer"]


class Announcement(NamedTuple):
    """News about a game, or a challenge to one, by its id.

    `detail` distinguishes news of one kind: the number of a message, the status of a challenge, or
    the field, number and state of an offer.
    """

    kind: Kind
    game: str
    detail: str


@dataclass(eq=False, repr=False)
class PlayerNews:
    """Signals news to players. A signal may be lost: pages also refresh by themselves, and lists
    show everything that is still open."""

    _announce = Lua(__file__, "player_news", feed_log.LIBRARY)

    _redis: Client

    def publish(self, players: Iterable[str], by: str, news: Announcement | None) -> None:
        """Refresh these players' pages after a change by the player `by`, and add the news to their
        feeds; None: there is nothing to add."""
        wakes = counted(self._redis, _wakes_key(by), MINUTE) <= MOST_WAKES
        runs = [
            Run(
                self._announce,
                [*feed_log.feed_keys(player), _key(player)],
                [_LIFE, news_channel(player) if wakes or player == by else "", *(news or ())],
            )
            for player in players
        ]
        execute_with_runs(self._redis, [], runs)

    def count(self, player: str) -> int:
        """The number of signals to this player's pages. A change of this number means news."""
        return execute(self._redis, self.count_query(player))

    def count_query(self, player: str) -> Query[int]:
        """Return the query of `count`, to be sent together with others."""
        return Query(("GET", _key(player)), raising(lambda reply: int(reply or 0)))

    def forget(self, player: str) -> None:
        """Delete this player's count."""
        self._redis.unlink(_key(player), _wakes_key(player))


def _key(player: str) -> str:
    return f"st:{{{player}}}:messages:moved"


def _wakes_key(player: str) -> str:
    return f"st:{{{player}}}:messages:wakes"
