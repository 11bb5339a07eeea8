"""Everything that follows from the logs and the players, written anew, while the server goes on."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from service.container import Container
from service.eventlog.snapshot import Snapshots
from service.games.notifications import current_notices
from service.games.projections.player_games import PlayerIndex
from service.ops.integrity import Damaged, check_readable, reporting_damage

_ATTEMPTS: Final = 100
"""How often a game is read anew that others are writing to."""


class Reindexed(NamedTuple):
    """A game of which all was written anew, or what kept it from being so."""

    game: str
    fault: str | None


def reindex(
    container: Container, game_ids: Iterable[str], notices_due: float | None = None
) -> Iterator[Reindexed]:
    """Write the lists and deadlines of these games anew; gives each game when it is done.

    With `notices_due` (unix seconds), also the notices due for the current state of each game, for
    when that was lost: a mail that was sent before goes out again.
    """
    index = PlayerIndex(container.redis)
    for game_id in game_ids:
        try:
            with reporting_damage():
                _reindex_game(container, index, game_id, notices_due)
            yield Reindexed(game_id, None)
        except Damaged as damaged:
            yield Reindexed(game_id, str(damaged))


def reindex_players(container: Container) -> int:
    """Let all players be found by their names and addresses; how many."""
    container.players.index_names()
    return container.players.index_addresses()


def reindex_challenges(container: Container) -> int:
    """Let all open challenges be found by both players; how many."""
    count = 0
    for challenge_id in Snapshots(container.redis, container.log.events).ids_without_log():
        try:
            with reporting_damage():
                count += container.games.challenges.reindex(challenge_id)
        except Damaged:
            continue  # it is no challenge
    return count


def sweep(container: Container, damaged: Collection[str] = ()) -> int:
    """Take out of the players' lists all games that are not there any more; how many entries.

    Also those that are `damaged`: one of them would keep a player from reading any of the others.
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
    """Take out the lists of games of all players who are not there, deleted ones too."""
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
) -> None:
    for _ in range(_ATTEMPTS):
        stored = container.games.load(game_id)
        check_readable(stored)
        index.apply(stored, anew=True)
        due = [] if notices_due is None else current_notices(stored, notices_due)
        # A move in the meantime was perhaps overwritten in the lists: then once more.
        if container.log.events.repair(
            game_id, stored.version, notices=due, deadline=stored.deadline
        ):
            return
    raise Damaged("it changes too fast to be read, or its log has gaps")
