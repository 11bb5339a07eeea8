"""The history of a game, lines of its record as a reader may see them; and the archive, finished
games that both players allow to be studied."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from engine import SEATS, chain
from engine.chain import StoredEvent
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
from engine.nameless import day_of, nameless
from service.accounts.player import ArchiveChoice, Player
from service.accounts.players import Players
from service.bots import bot_at
from service.core.redis.batch import Query
from service.core.times import DAY, timestamp
from service.eventlog import EventStore, UnreadableLog, legible
from service.games.projections.player_games import Candidate, PlayerIndex
from service.games.reading import views
from service.games.reading.views import to_json
from service.games.repository import round_of
from service.games.stored_game import StoredGame

OF_A_TURN: Final = frozenset(
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
        if line["type"] in OF_A_TURN and line["by"] == seat and line["via"] != "order":
            number: int = line["seq"]
            return number
    return None


_log = logging.getLogger(__name__)

MOST_EXAMINED: Final = 500
"""The most games examined for a page: most players may not have agreed."""
_MOST_EVENTS: Final = 20_000
"""A page ends once it has so many events: one match may have as many."""
_AT_ONCE: Final = 10
"""The number of games that are read in one round trip."""


class ArchivedGame(NamedTuple):
    """A game in the archive: its position in the list, the players' names by seat if both want to
    be named, and the nameless record."""

    position: str
    names: Mapping[str, str] | None
    record: list[StoredEvent]


def archive_line(game: ArchivedGame) -> str:
    """The game as a line of JSON, without the line break. `engine.record` reads the record in
    it."""
    return to_json({"id": game.position, "players": game.names, "record": game.record})


@dataclass(eq=False, repr=False)
class Archive:
    """The archive of one server. `now` gives unix seconds.

    The players' choices are checked at each reading, so withdrawing one takes effect at once.
    """

    _index: PlayerIndex
    _events: EventStore
    _players: Players
    _now: Callable[[], float]

    def page(self, after: str, limit: int) -> tuple[list[ArchivedGame], str | None]:
        """Up to `limit` games after a position or day, the oldest end first, and the next position
        if there may be more. A page can hold fewer, or none, although others follow. A game appears
        a day after the day of its end, so that none is ever added before a position that a reader
        has.
        """
        yesterday = timestamp(self._now() - DAY).partition("T")[0]
        candidates = self._index.candidates(after, yesterday, MOST_EXAMINED)
        agreed = list(self._agreed(candidates))
        games: list[ArchivedGame] = []
        reached = candidates[-1].position if len(candidates) == MOST_EXAMINED else None
        events = 0
        for start in range(0, len(agreed), _AT_ONCE):
            batch = agreed[start : start + _AT_ONCE]
            logs = self._events.execute_all(self._log_query(each) for each, _ in batch)
            for (candidate, names), log in zip(batch, logs, strict=True):
                if len(games) == limit or events > _MOST_EVENTS:
                    return games, games[-1].position
                lines = log()
                events += len(lines)
                # A failover may have lost the end, or the day on which it came.
                is_there = bool(lines) and candidate.position.startswith(day_of(lines))
                if is_there and (record := nameless(lines)) is not None:
                    games.append(ArchivedGame(candidate.position, names, record))
        return games, reached

    def of_month(self, month: str) -> Iterator[ArchivedGame]:
        """The games that ended in a month, `2026-10`."""
        after: str | None = f"{month}-00"
        while after is not None and after.startswith(month):
            games, after = self.page(after, MOST_EXAMINED)
            yield from (game for game in games if game.position.startswith(month))

    def _agreed(
        self, candidates: Sequence[Candidate]
    ) -> Iterator[tuple[Candidate, Mapping[str, str] | None]]:
        """The games whose players both agree, with their names if both want to be named."""
        people = self._players.by_id({player for each in candidates for player in each.players})
        for candidate in candidates:
            seated = [people.get(player) for player in candidate.players]
            choices = {_choice(player) for player in seated}
            if "no" not in choices:
                names = [player.name for player in seated if player is not None]
                named = choices == {"named"}
                yield candidate, dict(zip(SEATS, names, strict=True)) if named else None

    def _log_query(self, candidate: Candidate) -> Query[Callable[[], list[StoredEvent]]]:
        """The query for a whole log. Its lines are read when they are asked for, since those of
        ten matches take seconds; there are none if they cannot be read."""
        query = self._events.events_query(candidate.game_id)

        def read(reply: object) -> list[StoredEvent]:
            try:
                texts = query.parse(reply)
                with legible(f"game {candidate.game_id}"):
                    return [json.loads(text) for text in texts]
            except UnreadableLog as error:
                _log.error("game %s is left out of the archive: %s", candidate.game_id, error)
                return []

        return Query(query.command, lambda reply: partial(read, reply), takes_errors=True)


def _choice(player: Player | None) -> ArchiveChoice:
    """The player's choice. Bots always agree; a deleted player does not."""
    if player is None:
        return "no"
    return player.archive if bot_at(player.id) is None else "named"
