"""Rebuilds everything derived from logs and players, while the server runs."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from service.container import Container
from service.eventlog.snapshot import Snapshots
from service.games.notices.notifications import current_notices
from service.games.projections.player_games import PlayerIndex
from service.games.rating.rule import Result
from service.games.stored_game import StoredGame
from service.ops.integrity import Damaged, check_readable, reporting_damage

_ATTEMPTS: Final = 100
"""Number of attempts to read a game while others write to it."""


class Reindexed(NamedTuple):
    """A game, the error that prevented its reindexing (None: it is reindexed), and its result
    (None: it does not count for ratings)."""

    game: str
    fault: str | None
    result: Result | None


def reindex(
    container: Container, game_ids: Iterable[str], notices_due: float | None = None
) -> Iterator[Reindexed]:
    """Rebuild the lists and deadlines of these games; yields each game when it is done.

    The ratings follow from the results of all games, once they are there: `Ratings.rebuild`.

    With `notices_due` (unix seconds), also queue the notices due for the current state of each
    game, in case they were lost: a mail that was sent before goes out again.
    """
    index = PlayerIndex(container.redis)
    for game_id in game_ids:
        try:
            with reporting_damage():
                stored = _reindex_game(container, index, game_id, notices_due)
                result = container.games.ratings.result(stored)
            yield Reindexed(game_id, None, result)
        except Damaged as damaged:
            yield Reindexed(game_id, str(damaged), None)


def reindex_players(container: Container) -> int:
    """Rebuild the indexes of names, addresses and identities; returns the number of players."""
    container.players.index_names()
    container.answer_addresses.index_all()
    container.identities.index_all()
    return container.players.index_addresses()


def reindex_challenges(container: Container) -> int:
    """Rebuild the players' lists of open challenges; returns their number."""
    count = 0
    for challenge_id in Snapshots(container.redis, container.log.events).ids_without_log():
        try:
            with reporting_damage():
                count += container.games.challenges.reindex(challenge_id)
        except Damaged:
            continue  # not a challenge
    return count


def sweep(container: Container, damaged: Collection[str] = ()) -> int:
    """Remove games that no longer exist from the players' lists; returns the number of entries.

    Also removes the `damaged` games: one of them would keep a player from reading all the others.
    """
    index = PlayerIndex(container.redis)
    there: dict[str, bool] = {}
    gone = 0
    for player, game_id in index.entries():
        if game_id not in there:
            there[game_id] = game_id not in damaged and _is_there(container, game_id)
        if not there[game_id]:
            index.forget(player, game_id)
            gone += 1
    return gone


def sweep_players(container: Container) -> None:
    """Remove the lists of games of players who do not exist, or no longer exist."""
    for player in PlayerIndex(container.redis).players():
        if container.players.find(player) is None:
            container.games.forget(player)


def _is_there(container: Container, game_id: str) -> bool:
    try:
        with reporting_damage():
            return container.log.events.version(game_id) > 0
    except Damaged:
        return True


def _reindex_game(
    container: Container, index: PlayerIndex, game_id: str, notices_due: float | None
) -> StoredGame:
    for _ in range(_ATTEMPTS):
        stored = container.games.load(game_id)
        check_readable(stored)
        index.apply(stored, replace=True)
        due = [] if notices_due is None else current_notices(stored, notices_due)
        # A move in the meantime may have been overwritten in the lists, so repeat.
        if container.log.events.repair(
            game_id, stored.version, notices=due, deadline=stored.deadline
        ):
            return stored
    raise Damaged("it changes too fast to be read, or its log has gaps")
