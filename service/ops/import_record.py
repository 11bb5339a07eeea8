"""Imports records of games from elsewhere."""

from collections.abc import Sequence

from engine import replay
from engine.chain import FINAL_TYPES, StoredEvent, to_event
from service.container import Container
from service.games.stored_game import imported_id
from service.games.terms import read_game_terms
from service.ops.integrity import Damaged, fault_in, reporting_damage
from service.ops.restore import restore_game


class NotImported(Exception):
    """A record that cannot be imported; the text gives the reason and the event."""


def import_record(container: Container, record: Sequence[StoredEvent]) -> str:
    """Store the full record of a finished game; returns the game's id here.

    The id follows from the record's head: importing the same record again gives the same game. If
    the game was played here, and one of its players is still here, that game is returned. Raises
    `NotImported` unless it is the complete, sound record of a finished game, and the day over whose
    deal it has, if any; nothing changes then.
    """
    if record[-1]["type"] not in FINAL_TYPES:
        raise NotImported("This is not the full record of a finished game.")
    fault = fault_in(record)
    if fault is not None:
        raise NotImported(f"Not sound: {fault}.")
    _check_day(container, record)
    try:
        with reporting_damage():
            if (existing := _existing(container, record)) is not None:
                return existing
            game_id = imported_id(record[-1]["hash"])
            stored = restore_game(container, game_id, record)
    except Damaged as damaged:
        raise NotImported(f"It cannot be stored: {damaged}.") from damaged
    if not stored:
        raise NotImported(f"There is another game {game_id} here.")
    return game_id


def _check_day(container: Container, record: Sequence[StoredEvent]) -> None:
    """Raise `NotImported` if the record has the deal of a day that is not over: then its secret is
    not out, and the game would be sealed here."""
    day = read_game_terms(record[0]["data"]["terms"]).daily
    if day is not None and container.now() < day.ends:
        raise NotImported(f"It has the deal of {day.date}, and that day is not over yet, in UTC.")


def _existing(container: Container, record: Sequence[StoredEvent]) -> str | None:
    """The id of the stored game with this record, searched in its players' lists; None without
    one."""
    at, head = record[0]["at"], record[-1]["hash"]
    made = replay(map(to_event, record[:2]))
    for player in sorted(filter(None, made.players.values())):
        for stored in container.games.lists.created_at(player, at):
            if (stored.game.commitment, stored.head) == (made.commitment, head):
                return stored.id
    return None
