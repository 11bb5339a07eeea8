"""Records that come in from elsewhere."""

from collections.abc import Sequence

from engine import replay
from engine.chain import FINAL_TYPES, StoredEvent, to_event
from service.container import Container
from service.games.repository import imported_id
from service.ops.integrity import Damaged, fault_in, reporting_damage
from service.ops.restore import restore_game


class NotImported(Exception):
    """A record that is not taken in; says why, and at which event."""


def import_record(container: Container, record: Sequence[StoredEvent]) -> str:
    """Store the full record of a finished game; gives the game's id here.

    The id follows from the record's head: the same record is the same game, however often it comes.
    The record of a game that was played here, by a player who is still here, gives that game.
    Raises `NotImported` unless it is the whole record of a finished game, and sound: then nothing
    has changed.
    """
    if record[-1]["type"] not in FINAL_TYPES:
        raise NotImported("This is not the full record of a finished game.")
    fault = fault_in(record)
    if fault is not None:
        raise NotImported(f"Not sound: {fault}.")
    try:
        with reporting_damage():
            if (known := _known(container, record)) is not None:
                return known
            game_id = imported_id(record[-1]["hash"])
            stored = restore_game(container, game_id, record)
    except Damaged as damaged:
        raise NotImported(f"It cannot be stored: {damaged}.") from damaged
    if not stored:
        raise NotImported(f"There is another game {game_id} here.")
    return game_id


def _known(container: Container, record: Sequence[StoredEvent]) -> str | None:
    """The id of the stored game of which this is the record, found in its players' lists."""
    at, head = record[0]["at"], record[-1]["hash"]
    made = replay(map(to_event, record[:2]))
    for player in sorted(filter(None, made.players.values())):
        for stored in container.games.lists.created_at(player, at):
            if (stored.game.commitment, stored.head) == (made.commitment, head):
                return stored.id
    return None
