"""What happens in all games of a player, in one line that can be followed.

The lists of games bring a feed up to date with every turn; whoever reads it, with what has happened
since in the games that are not over. An entry only names an event: what it says is read from the
game's log, as this player may see it now.
"""

import logging
from typing import Final, NamedTuple

import engine
from engine.chain import StoredEvent
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.eventlog import EventStore, UnreadableLog
from service.games.projections.feed_log import Entry, FeedLog, Standing
from service.games.projections.player_games import PlayerIndex
from service.games.repository import StoredGame
from service.games.service import Games

_log: Final = logging.getLogger(__name__)


class News(NamedTuple):
    """An event of a game; `place` is that after it in the feed."""

    place: str
    game: str
    event: StoredEvent


class Piece(NamedTuple):
    """A piece of a feed, from the place `begin` to the place `next`; `more`: it goes on already.

    `lost`: the place asked for is not known any more, and there may have been events since. `games`
    are those that are not over.
    """

    news: list[News]
    begin: str
    next: str
    more: bool
    lost: bool
    games: frozenset[str]


class Feeds:
    """The feeds of all players."""

    def __init__(self, redis: Client, events: EventStore, games: Games) -> None:
        self._feeds = FeedLog(redis)
        self._index = PlayerIndex(redis)
        self._store = events
        self._games = games

    def read(self, player: str, after: str | None, limit: int) -> Piece:
        """Up to `limit` events after this place of the player's feed; None: from now on."""
        unfinished = self._index.unfinished(player)
        versions = self._store.versions(unfinished)
        standing = self._feeds.up_to(player, versions)
        known = standing.last if after is None else standing.number_at(after)
        start = standing.last if known is None else known
        entries = self._feeds.entries(player, start, limit)
        end = entries[-1].number if entries else start
        return Piece(
            news=self._news(player, standing, entries),
            begin=standing.place(start),
            next=standing.place(end),
            more=end < standing.last,
            lost=known is None,
            games=frozenset(unfinished),
        )

    def _news(self, player: str, standing: Standing, entries: list[Entry]) -> list[News]:
        events: dict[tuple[str, int], StoredEvent] = {}
        for game in {entry.game for entry in entries}:
            numbers = [entry.seq for entry in entries if entry.game == game]
            after, count = min(numbers) - 1, max(numbers) - min(numbers) + 1
            lines = self._events(game, player, after, count)
            events |= {(game, line["seq"]): line for line in lines}
        return [
            News(standing.place(entry.number), entry.game, event)
            for entry in entries
            if (event := events.get((entry.game, entry.seq)))
        ]

    def _events(self, game_id: str, player: str, after: int, count: int) -> list[StoredEvent]:
        """What this player may see of a game; nothing where it cannot be read or is not theirs."""
        try:
            stored = self._games.read(game_id, player)
            lines = self._games.events(stored, player, after, count)
            return [line for line in lines if _is_for(player, stored, line["seq"])]
        except (RequestRejected, engine.UnknownEvent, UnreadableLog) as error:
            _log.info("game %s is left out of a feed: %s", game_id, error)
            return []


def _is_for(player: str, stored: StoredGame, seq: int) -> bool:
    """Who was invited learns what became of the seat: the second event takes it, or ends it all."""
    return player in stored.players or (stored.invited == player and seq <= 2)
