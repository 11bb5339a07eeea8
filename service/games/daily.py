"""Deals of the day: their secrets, the one try of each player, and the table of a day.

The secret of a day is drawn ahead, and its commitment shown from the day before on. A try is a game
like any other, with a log of its own, that has this secret and no salts. Its id follows from the
player and the day: so there is one, whatever happens while it begins. Until its day is over the
game is sealed (`StoredGame.sealed`). It is not rated, and in no list.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from engine.shuffle import commitment
from service.accounts.players import Players
from service.bots import BOTS, Bot
from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.batch import Query
from service.core.times import timestamp
from service.games.daily_store import (
    LIFE,
    DailyResult,
    DailyResults,
    DailyStore,
    DrawnSecret,
    Try,
    place_of,
)
from service.games.drafts import Draft
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame
from service.games.terms import DealDay, NewGame, creation, joining
from service.games.writer import ChangeContext, ChangeWriter

BOT: Final = BOTS["steward"]
"""The bot that everybody plays: it answers in milliseconds."""
DRAWN_AHEAD: Final = 2
"""The number of days by which a day's secret is drawn ahead: a day before anybody sees its
commitment, so that a backup of that day has it."""
MOST_TRIES: Final = 500
"""The most rows of a table: those who finished come first, the best of them before all."""


class Deal(NamedTuple):
    """The deal of a day: its commitment, the moment (RFC 3339) when its secret was drawn, and the
    secret once the day is over."""

    day: DealDay
    commitment: str
    drawn_at: str
    secret: str | None


class TableRow(NamedTuple):
    """A player in the table of a day. `name` is None for a former player; `result` is None for a
    player who did not finish."""

    player: str
    name: str | None
    game: str
    result: DailyResult | None


@dataclass(eq=False, repr=False)
class DailyDeals:
    """The deals of all days. `results` has how the tries ended; `now` gives unix seconds."""

    _store: DailyStore
    _repository: GameRepository
    _writer: ChangeWriter
    _players: Players
    _secret_key: str
    _now: Callable[[], float]
    results: DailyResults

    def today(self) -> DealDay:
        """The current day, in UTC."""
        return DealDay.at(self._now())

    def draw_ahead(self) -> None:
        """Draw the secrets of today and the next days that have none."""
        today = self.today()
        days = [today.later(count) for count in range(DRAWN_AHEAD + 1)]
        for day, drawn in zip(days, self._store.drawn(*days), strict=True):
            if drawn is None:
                self._store.draw(day, self._now())

    def deals(self, *days: DealDay) -> list[Deal | None]:
        """The deals of these days, as everybody may see them now: from the day before to `LIFE`
        after each.

        None for any other day, and for one before this server had deals of the day.
        """
        drawn = zip(days, self._store.drawn(*days), strict=True)
        return [secret and self._shown(day, secret) for day, secret in drawn]

    def begin(self, player: str, via: str = "web") -> StoredGame:
        """Return the player's one try of today, and begin it if there is none.

        Raises `RequestRejected` as `ChangeWriter.write` does.
        """
        day = self.today()
        return self.game_of(player, day) or self._begin(player, day, via)

    def game_of(self, player: str, day: DealDay) -> StoredGame | None:
        """The player's try of this day; None if they have not begun."""
        return self._repository.latest(self._id_of(player, day))

    def query_today(self, player: str) -> Query[StoredGame | None]:
        """The query for `game_of` today."""
        return self._repository.game_query(self._id_of(player, self.today()))

    def may_see_table(self, own: StoredGame | None, day: DealDay) -> bool:
        """Whether the player may see the table of this day: once the day or their own try is over.
        Before, it could tell them about cards still to come.

        `own` is the player's try, None if they have not begun.
        """
        return day.ends <= self._now() or (own is not None and own.game.over)

    def table(self, day: DealDay) -> list[TableRow]:
        """The players who finished on this day, the best first; once the day is over, also the
        others.

        A win is better with fewer turns, anything else with more Stones. A game that was abandoned
        by agreement comes after those that were lost.
        """
        tries = self._store.tries(day, MOST_TRIES)
        results = self.results.of(day, [each.game for each in tries])
        names = self._players.names({each.player for each in tries})
        rows = [
            TableRow(each.player, names.get(each.player), each.game, results[each.game])
            for each in tries
            if each.game in results
        ]
        return sorted(rows, key=_rank)

    def _shown(self, day: DealDay, drawn: DrawnSecret) -> Deal | None:
        now = self._now()
        if not day.later(-1).begins <= now < day.ends + LIFE:
            return None
        secret = drawn.secret if day.ends <= now else None
        return Deal(day, commitment(drawn.secret), timestamp(drawn.at), secret)

    def _begin(self, player: str, day: DealDay, via: str) -> StoredGame:
        self._players.ensure_exists(BOT.player, BOT.title)
        secret = self._store.draw(day, self._now()).secret
        game_id = self._id_of(player, day)
        # First: a try whose game never began is no row of the table.
        self._store.enter(day, Try(player, game_id), self._now())
        try:
            draft = self._draft(game_id, player, BOT, day, secret, via)
            return self._writer.write(draft, player, ChangeContext(via))
        except RequestRejected as refusal:
            if refusal.code != "stale-version":
                raise
            return self._repository.get(game_id)  # a second press was quicker

    def _draft(
        self, game_id: str, player: str, bot: Bot, day: DealDay, secret: str, via: str
    ) -> Draft:
        made = creation(player, NewGame(bot=bot.name, rated=False), secret)
        made = replace(made, terms={**made.terms, "daily": day.date})
        draft = self._writer.draft(game_id, None, made, via)
        return draft.then(joining(bot.player, draft.after.game), "bot")

    def _id_of(self, player: str, day: DealDay) -> str:
        return ids.derived_game_id(self._secret_key, "daily", player, day.date)


def _rank(row: TableRow) -> tuple[int, int, int, str]:
    result = row.result
    if result is None:
        return 4, 0, 0, row.name or ""
    place = place_of(result.won, result.reason)
    # A win: fewer turns, then more Stones. Else: more Stones, then more turns.
    turns, stones = result.turns, result.stones - result.lost
    return place, *((turns, -stones) if result.won else (-stones, -turns)), row.name or ""
