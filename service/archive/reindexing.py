"""Everything that follows from the logs, written anew from them, while the server goes on."""

from collections.abc import Iterable, Iterator

from service.games.index import PlayerIndex
from service.games.notices import standing
from service.services import Services


def reindex(
    services: Services, game_ids: Iterable[str], notices_due: float | None = None
) -> Iterator[str]:
    """Write the lists and deadlines of these games anew; gives each game when it is done.

    With `notices_due` (unix seconds), also what is to be sent about each game as it stands, for
    when that was lost: a mail that was sent before goes out again.
    """
    index = PlayerIndex(services.redis)
    for game_id in game_ids:
        _reindex_game(services, index, game_id, notices_due)
        yield game_id


def sweep(services: Services) -> int:
    """Take out of the players' lists all games that are not there any more; how many."""
    index = PlayerIndex(services.redis)
    there: dict[str, bool] = {}
    gone = 0
    for player, game_id in index.entries():
        if game_id not in there:
            there[game_id] = services.log.version(game_id) > 0
        if not there[game_id]:
            index.forget(player, game_id)
            gone += 1
    return gone


def _reindex_game(
    services: Services, index: PlayerIndex, game_id: str, notices_due: float | None
) -> None:
    while True:
        stored = services.games.load(game_id)
        index.apply(stored, anew=True)
        due = [] if notices_due is None else standing(stored, notices_due)
        # A move in the meantime was perhaps overwritten in the lists: then once more.
        if services.log.mend(game_id, stored.version, notices=due, deadline=stored.deadline):
            return
