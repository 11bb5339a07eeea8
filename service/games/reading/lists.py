"""Lists of games: a player's own, and the lobby."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.accounts.players import Players
from service.accounts.privacy import ContactChoices
from service.core.redis.batch import Query
from service.games.deadlines import Deadlines
from service.games.projections.player_games import (
    EVERY,
    FROM_LOBBY,
    LOBBY,
    GameFilter,
    PlayerIndex,
    cursor_at,
)
from service.games.reading import views
from service.games.repository import GameRepository
from service.games.shapes import GameSummaryShape, OpenGameShape
from service.games.stored_game import StoredGame, Unreadable

_log = logging.getLogger(__name__)

MOST_EXAMINED: Final = 100
"""The most games, or challenges, examined for those that wait for a player."""

SOME: Final = 3
"""The most other games of a player that are counted: enough to recognise a beginner."""


@dataclass(eq=False, repr=False)
class GameLists:
    """Lists of a player's games, and of those that anyone may join."""

    _index: PlayerIndex
    _repository: GameRepository
    _deadlines: Deadlines
    _players: Players
    _contact: ContactChoices

    def of_player(
        self,
        player: str,
        wanted: GameFilter = EVERY,
        *,
        my_turn: bool = False,
        after: str | None = None,
        limit: int = 20,
    ) -> tuple[list[GameSummaryShape], str | None]:
        """A page of summaries of this player's games, newest first, and the cursor of the next.

        A page can hold fewer than `limit`, or none, although others follow: with `my_turn`, or if
        a game's time was up.
        """
        if my_turn:
            games, following = self._my_turns(player, wanted, after, limit)
        else:
            page = self._index.page(player, wanted, after, limit)
            games = [g for g in self._latest(page.game_ids) if wanted.fits(g.game.status)]
            following = page.next
        return self._summaries(games, player), following

    def running(self, player: str) -> Iterator[StoredGame]:
        """The games that this player is playing, after any passed deadlines."""
        after: str | None = None
        while True:
            page = self._index.page(player, GameFilter(status="active"), after, MOST_EXAMINED)
            yield from (g for g in self._latest(page.game_ids) if g.game.status == "active")
            after = page.next
            if after is None:
                return

    def lobby(
        self, after: str | None, limit: int, reader: str | None = None
    ) -> tuple[list[OpenGameShape], str | None]:
        """A page of the games that anyone may join, newest first, and the cursor of the next.

        Games of players whom the reader has blocked, or who have blocked the reader, are left out.
        """
        page = self._index.page(LOBBY, GameFilter(status="open"), after, limit)
        games = self._still_open(self._latest(page.game_ids))
        if reader is not None:
            apart = self._contact.apart(reader, {one for game in games for one in game.players})
            games = [game for game in games if apart.isdisjoint(game.players)]
        names = self._names(games)
        return [views.offered(game, names) for game in games], page.next

    def public(
        self, reader: str | None, wanted: GameFilter, after: str | None, limit: int
    ) -> tuple[list[GameSummaryShape], str | None]:
        """A page of summaries of listed games, newest first, and the cursor of the next.

        Those that wait, those that go on, and the newest `MOST_PUBLIC` that are finished.
        """
        page = self._index.page(LOBBY, wanted, after, limit)
        latest = [game for game in self._latest(page.game_ids) if game.game.status != "aborted"]
        games = [game for game in latest if wanted.fits(game.game.status)]
        return self._summaries(games, reader), page.next

    def from_lobby(self, player: str, reader: str | None, limit: int) -> list[GameSummaryShape]:
        """Summaries of the newest finished games of this player from the lobby."""
        page = self._index.page(player, GameFilter(FROM_LOBBY), None, limit)
        return self._summaries(self._latest(page.game_ids), reader)

    def to_watch(self, player: str, reader: str | None, limit: int) -> list[GameSummaryShape]:
        """Summaries of this player's newest games from the lobby that go on, among their newest
        `MOST_EXAMINED`."""
        page = self._index.page(player, GameFilter(status="active"), None, MOST_EXAMINED)
        latest = self._latest(page.game_ids)
        games = [one for one in latest if one.listed and one.game.status == "active"][:limit]
        return self._summaries(games, reader)

    def created_at(self, player: str, moment: str) -> list[StoredGame]:
        """The player's games that were created at this moment (RFC 3339, whole seconds)."""
        return self._latest(self._index.created_at(player, moment))

    def others_query(self, player: str, game_id: str) -> Query[int]:
        """The query for how many games the player has, or had, besides this one: `SOME` at most."""
        newest = self._index.newest_query(player, "all", SOME + 1)
        return newest.then(lambda ids: min(len({*ids} - {game_id}), SOME))

    def is_newcomer(self, player: str) -> bool:
        """Whether the player has, or had, fewer than `SOME` games."""
        return len(self._index.page(player, EVERY, None, SOME).game_ids) < SOME

    def readable(self, read: Mapping[str, StoredGame | Unreadable | None]) -> list[StoredGame]:
        """The games after any passed deadlines, without those whose logs cannot be read.

        `read` are results of `GameRepository.listed_query`. One damaged log must not hide a
        player's other games.
        """
        for game_id, game in read.items():
            if isinstance(game, Exception):
                _log.error("game %s is left out of a list: %s", game_id, game)
        games = [game for game in read.values() if isinstance(game, StoredGame)]
        return [self._deadlines.shown(game) for game in games]

    def _my_turns(
        self, player: str, wanted: GameFilter, after: str | None, limit: int
    ) -> tuple[list[StoredGame], str | None]:
        """A page of the games in which it is this player's turn.

        Only the logs tell whose turn it is, so the number of games examined is limited.
        """
        if wanted.status not in (None, "active"):
            return [], None
        page = self._index.page(player, wanted._replace(status="active"), after, MOST_EXAMINED)
        games = [g for g in self._latest(page.game_ids) if g.player_to_move() == player]
        if len(games) > limit:
            return games[:limit], cursor_at(games[limit - 1])
        return games, page.next

    def _still_open(self, listed: Iterable[StoredGame]) -> list[StoredGame]:
        """The games that wait for a second player; others are removed from the list."""
        games = []
        for game in listed:
            if game.game.status == "open":
                games.append(game)
            else:
                self._index.apply(game)
        return games

    def _latest(self, game_ids: Iterable[str]) -> list[StoredGame]:
        return self.readable(self._repository.latest_of(game_ids))

    def _summaries(self, games: Sequence[StoredGame], reader: str | None) -> list[GameSummaryShape]:
        names = self._names(games)
        return [views.summary(game, reader, names) for game in games]

    def _names(self, games: Iterable[StoredGame]) -> dict[str, str]:
        return self._players.names({seated for game in games for seated in game.players})
