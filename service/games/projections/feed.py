"""The feed of a player: the events of all their games as one sequence with a cursor.

The index of games brings a feed up to date when it changes. Reading the feed adds new events of the
games that are not over. An entry only names an event: its content is read from the game's log, as
this player may see it now.
"""

import logging
from typing import Final, NamedTuple

import engine
from engine.chain import StoredEvent
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.eventlog import EventStore, UnreadableLog
from service.games.projections.feed_log import Entry, FeedLog, FeedState
from service.games.projections.player_games import PlayerIndex
from service.games.service import Games
from service.games.stored_game import StoredGame
from service.realtime.deferred import Moved

_log: Final = logging.getLogger(__name__)


class News(NamedTuple):
    """An event of a game; `cursor` is the position after it in the feed."""

    cursor: str
    game: str
    event: StoredEvent


class FeedPage(NamedTuple):
    """A page of a feed, from the cursor `begin` to the cursor `next`; `more`: others follow.

    `lost`: the cursor asked for is too old or of another feed, so events may be missing. `games`
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

    def read(
        self, player: str, after: str | None, limit: int, moved: Moved | None = None
    ) -> FeedPage:
        """Up to `limit` events of the player's feed after this cursor; None: from now on.

        `moved` lists the changes since an earlier page with the same player and `games`; with it,
        all other games are skipped.
        """
        unfinished, state = self._up_to(player, moved)
        known = state.last if after is None else state.number_at(after)
        start = state.last if known is None else known
        entries = self._feeds.entries(player, start, limit)
        end = entries[-1].number if entries else start
        return FeedPage(
            news=self._news(player, state, entries),
            begin=state.cursor(start),
            next=state.cursor(end),
            more=end < state.last,
            lost=known is None,
            games=unfinished,
        )

    def _up_to(self, player: str, moved: Moved | None) -> tuple[frozenset[str], FeedState]:
        """The player's unfinished games, and the feed updated with them."""
        if moved is not None and player not in moved.news:
            games = moved.topics - {player}
            state = self._feeds.go_on(player, self._store.versions(moved.news & games))
            if state is not None:
                return games, state
        games = frozenset(self._index.unfinished(player))
        return games, self._feeds.up_to(player, self._store.versions(games))

    def _news(self, player: str, state: FeedState, entries: list[Entry]) -> list[News]:
        events: dict[tuple[str, int], StoredEvent] = {}
        for game in {entry.game for entry in entries}:
            numbers = [entry.seq for entry in entries if entry.game == game]
            after, count = min(numbers) - 1, max(numbers) - min(numbers) + 1
            lines = self._events(game, player, after, count)
            events |= {(game, line["seq"]): line for line in lines}
        return [
            News(state.cursor(entry.number), entry.game, event)
            for entry in entries
            if (event := events.get((entry.game, entry.seq)))
        ]

    def _events(self, game_id: str, player: str, after: int, count: int) -> list[StoredEvent]:
        """The lines after `after` that this player may see; none if the game is unreadable or not
        theirs."""
        try:
            stored = self._games.read(game_id, player)
            lines = self._games.history.lines(stored, player, after, count)
            return [line for line in lines if _is_for(player, stored, line["seq"])]
        except (RequestRejected, engine.UnknownEvent, UnreadableLog) as error:
            _log.info("game %s is left out of a feed: %s", game_id, error)
            return []


def _is_for(player: str, stored: StoredGame, seq: int) -> bool:
    """Whether an event is for this player.

    An invited player sees two events: the second takes the seat, or ends the game.
    """
    return player in stored.players or (stored.invited == player and seq <= 2)
