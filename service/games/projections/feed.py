"""The feed of a player: the events of all their games, and other news, as one sequence with a
cursor.

The index of games brings a feed up to date when it changes. Reading the feed adds new events of the
games that are not over; other news comes in as it happens. An entry only names an event, a message
or a challenge: its content is read as this player may see it now.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

import engine
from engine.chain import StoredEvent
from service.core.errors import RequestRejected
from service.eventlog import EventStore, UnreadableLog
from service.games.agreements import LastOffer, last_offer
from service.games.challenge import Challenge
from service.games.conversation_store import GameMessage
from service.games.projections.feed_log import EVENT, Entry, FeedLog, FeedState, Kind
from service.games.projections.player_games import PlayerIndex
from service.games.service import Games
from service.games.stored_game import StoredGame
from service.realtime.deferred import Moved

_log: Final = logging.getLogger(__name__)


class FieldOffer(NamedTuple):
    """An offer as it was made, withdrawn or declined, and its kind: the field of the side state."""

    field: str
    last: LastOffer


class News(NamedTuple):
    """An event of a game, or other news; `cursor` is the position after it in the feed."""

    cursor: str
    game: str
    subject: StoredEvent | GameMessage | FieldOffer | Challenge


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


@dataclass(eq=False, repr=False)
class Feeds:
    """The feeds of all players."""

    _feeds: FeedLog
    _index: PlayerIndex
    _store: EventStore
    _games: Games

    def read(
        self,
        player: str,
        after: str | None,
        limit: int,
        moved: Moved | None = None,
        kinds: frozenset[Kind] = frozenset(),
    ) -> FeedPage:
        """Up to `limit` events, and news of these kinds, of the player's feed after this cursor;
        None: from now on.

        `moved` lists the changes since an earlier page with the same player and `games`; with it,
        all other games are skipped.
        """
        unfinished, state = self._up_to(player, moved)
        number = state.last if after is None else state.number_at(after)
        start = state.last if number is None else number
        end, entries = start, list[Entry]()
        while end < state.last and len(entries) < limit:
            following = self._feeds.entries(player, end, limit - len(entries))
            entries += [entry for entry in following if entry.kind in {EVENT, *kinds}]
            end = following[-1].number if following else state.last
        return FeedPage(
            news=self._news(player, state, entries),
            begin=state.cursor(start),
            next=state.cursor(end),
            more=end < state.last,
            lost=number is None,
            games=unfinished,
        )

    def _up_to(self, player: str, moved: Moved | None) -> tuple[frozenset[str], FeedState]:
        """Update the feed with the player's unfinished games; returns those games and the feed."""
        if moved is not None and player not in moved.news:
            games = moved.topics - {player}
            state = self._feeds.go_on(player, self._store.versions(moved.news & games))
            if state is not None:
                return games, state
        games = frozenset(self._index.unfinished(player))
        return games, self._feeds.up_to(player, self._store.versions(games))

    def _news(self, player: str, state: FeedState, entries: list[Entry]) -> list[News]:
        events: dict[tuple[str, str], StoredEvent] = {}
        of_games = [entry for entry in entries if entry.kind == EVENT]
        for game in {entry.game for entry in of_games}:
            numbers = [int(entry.detail) for entry in of_games if entry.game == game]
            after, count = min(numbers) - 1, max(numbers) - min(numbers) + 1
            lines = self._events(game, player, after, count)
            events |= {(game, str(line["seq"])): line for line in lines}
        subjects = [
            events.get((entry.game, entry.detail))
            if entry.kind == EVENT
            else self._subject(entry, player)
            for entry in entries
        ]
        return [
            News(state.cursor(entry.number), entry.game, subject)
            for entry, subject in zip(entries, subjects, strict=True)
            if subject is not None
        ]

    def _subject(self, entry: Entry, player: str) -> GameMessage | FieldOffer | Challenge | None:
        """The message, offer or challenge of this entry; None if it is gone."""
        match entry.kind:
            case "message":
                return self._games.conversations.numbered(entry.game, int(entry.detail))
            case "offer":
                field, _, text = entry.detail.partition(" ")
                last = last_offer(field, {field: text})
                return last and FieldOffer(field, last)
            case "challenge":
                with suppress(RequestRejected):
                    return self._games.challenges.find(entry.game, player)
        return None

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
