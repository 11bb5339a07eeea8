"""The history of a game: lines of its record, as a reader may see them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine import chain
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsRecruited,
    CardsReturned,
    Passed,
    RusePlayed,
    StoneClaimed,
    TurnEnded,
)
from service.eventlog import EventStore
from service.games.reading import views
from service.games.repository import round_of
from service.games.stored_game import StoredGame

_OF_A_TURN: Final = frozenset(
    event.TYPE
    for event in (
        *(CardPlayed, RusePlayed, CardsRecruited, CardsReturned),
        *(Passed, StoneClaimed, CardDrawn, TurnEnded),
    )
)
"""The types of the events of a player's turn."""


@dataclass(eq=False, repr=False)
class GameHistory:
    """The events of all games."""

    _events: EventStore

    def lines(
        self, stored: StoredGame, reader: str | None, after: int = 0, limit: int | None = None
    ) -> list[chain.StoredEvent]:
        """The lines of the record after event `after`; `limit` at most.

        Without a limit it can be many: a match of 99 rounds has 18,000.
        """
        upto = stored.version if limit is None else min(stored.version, after + limit)
        texts = self._events.read(stored.id, after=after, upto=upto) if upto > after else []
        return views.redacted(stored, reader, texts)

    def head(self, game_id: str, version: int) -> str | None:
        """The hash of the chain at this version; None if the log is shorter."""
        texts = self._events.read(game_id, after=version - 1, upto=version) if version else []
        return str(json.loads(texts[0])["hash"]) if texts else None

    def record(self, stored: StoredGame, reader: str | None) -> str:
        """The record in JSON Lines."""
        texts = self._events.read(stored.id, upto=stored.version)
        return views.record(stored, reader, texts)


def round_lines(
    stored: StoredGame, reader: str | None, before: Sequence[str], after: Sequence[str]
) -> list[chain.StoredEvent]:
    """The lines of one round, as a reader may see them.

    `before` leads up to an event of it, and `after` follows; both have up to `LONGEST_ROUND` lines.
    The first round includes the two events before it, the last round the game's end.
    """
    return views.redacted(stored, reader, round_of(before, after))


def last_turn(stored: StoredGame, player: str | None, texts: Sequence[str]) -> int | None:
    """The number of the last event of the player's latest turn; None if the lines hold none.

    `texts` are the last lines of the log. Turns by a standing order do not count: they are news to
    the player.
    """
    seat = stored.seat_of(player)
    if seat is None:
        return None
    for line in map(json.loads, reversed(texts)):
        if line["type"] in _OF_A_TURN and line["by"] == seat and line["via"] != "order":
            number: int = line["seq"]
            return number
    return None
