"""Records that come in from elsewhere."""

from collections.abc import Sequence

from engine.chain import LAST, StoredEvent
from service import identifiers
from service.archive.restoring import put_game
from service.archive.soundness import Damaged, fault_in, one_game
from service.services import Services


class NotImported(Exception):
    """A record that is not taken in; says why, and at which event."""


def import_record(services: Services, record: Sequence[StoredEvent]) -> str:
    """Store the full record of a finished game; gives the game's id here.

    The id follows from the record's head: the same record is the same game, however often it comes.
    Raises `NotImported` unless it is the whole record of a finished game, and sound: then nothing
    has changed.
    """
    if record[-1]["type"] not in LAST:
        raise NotImported("This is not the full record of a finished game.")
    fault = fault_in(record)
    if fault is not None:
        raise NotImported(f"Not sound: {fault}.")
    try:
        with one_game():
            game_id = identifiers.game_id(bytes.fromhex(record[-1]["hash"]))
            stored = put_game(services, game_id, record)
    except Damaged as damaged:
        raise NotImported(f"It cannot be stored: {damaged}.") from damaged
    if not stored:
        raise NotImported(f"There is another game {game_id} here.")
    return game_id
