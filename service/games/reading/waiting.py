"""What waits for a player: turns, and invitations and challenges to answer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from service.core.redis.batch import Batch, Pending
from service.core.redis.client import Client
from service.games.challenges import Challenges
from service.games.projections.player_games import PlayerIndex
from service.games.reading.lists import MOST_EXAMINED, GameLists
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame


class Waiting(NamedTuple):
    """The games in which it is the player's turn, and the number of invitations and challenges that
    the player has not answered."""

    turns: list[StoredGame]
    asks: int

    @property
    def total(self) -> int:
        return len(self.turns) + self.asks


class BegunWaiting(NamedTuple):
    """The first batch: the ids of what may wait."""

    active: Pending[list[str]]
    open: Pending[list[str]]
    challenges: Pending[list[str]]


@dataclass(eq=False, repr=False)
class WaitingFor:
    """Reads what waits for a player, in two batches: the second needs the ids of the first."""

    _redis: Client
    _index: PlayerIndex
    _lists: GameLists
    _repository: GameRepository
    _challenges: Challenges

    def of(self, player: str) -> Waiting:
        """What waits for this player."""
        begun = self.begin(Batch(self._redis), player)
        return self.ask(Batch(self._redis), player, begun)()

    def begin(self, batch: Batch, player: str) -> BegunWaiting:
        """Ask for the ids."""
        return BegunWaiting(
            batch.ask(self._index.newest_query(player, "active", MOST_EXAMINED)),
            batch.ask(self._index.newest_query(player, "open", MOST_EXAMINED)),
            batch.ask(self._challenges.newest_query(player, MOST_EXAMINED)),
        )

    def ask(
        self, batch: Batch, player: str, begun: BegunWaiting, apart: str | None = None
    ) -> Callable[[], Waiting]:
        """Ask for what these ids stand for, without the game `apart`; the function returns it."""
        games = {
            game_id: batch.ask(self._repository.listed_query(game_id))
            for game_id in (*begun.active.get(), *begun.open.get())
            if game_id != apart
        }
        challenges = [
            batch.ask(self._challenges.asks_query(challenge_id, player))
            for challenge_id in begun.challenges.get()
        ]

        def read() -> Waiting:
            found = self._lists.readable({one: answer.get() for one, answer in games.items()})
            invitations = [
                game for game in found if game.game.status == "open" and player not in game.players
            ]
            asks = len(invitations) + sum(answer.get() for answer in challenges)
            return Waiting([game for game in found if game.player_to_move() == player], asks)

        return read
