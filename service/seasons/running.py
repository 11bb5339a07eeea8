"""What the clock does with seasons: start them, begin their games, take results, withdraw players,
end them.

Each step is one append to a season's log at the version that was read, and what comes before it
may be repeated (a game's id follows from its place): so a worker may die between any two commands,
and several may work at once.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from engine import RuleBroken, UnknownEvent
from engine.cards import SEATS
from engine.chain import NO_HASH
from service.accounts.players import Players
from service.accounts.tokens import Tokens
from service.bots import bot_at
from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.batch import execute_all
from service.core.redis.client import Client, unavailable
from service.core.times import DAY, HOUR, unix
from service.eventlog import Notice, UnreadableLog, notice_id
from service.games import ChangeContext, Games
from service.games.notices import Reachability
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame
from service.games.terms import NewGame, creation, joining
from service.games.writer import ChangeWriter
from service.seasons.season import (
    MOST_TIME_OUTS,
    REMOVED,
    SEEN,
    DivisionPaired,
    Pairing,
    PlayerWithdrew,
    ResultTaken,
    Season,
    SeasonEnded,
    SeasonEvent,
    SeasonStarted,
    game_secret,
)
from service.seasons.store import SeasonStore
from service.seasons.table import draw, order_after, pairs, tables
from service.seasons.verify import salt_in

SWEEP: Final = HOUR
"""Seconds between two looks whether games ended of which nobody told."""
UNREADABLE: Final = 30 * DAY
"""Seconds after the latest event for which a season waits for a game whose log cannot be read."""
STARTED, ENDED = "season-started", "season-ended"
"""The kinds of the two mails of a season."""
CLOCK: Final = "clock"
_MOST_STEPS: Final = 1000

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class SeasonClock:
    """Keeps all seasons going. `now` gives unix seconds; every call may be repeated."""

    _redis: Client
    _store: SeasonStore
    _games: Games
    _repository: GameRepository
    _writer: ChangeWriter
    _players: Players
    _tokens: Tokens
    _reachability: Reachability
    _secret_key: str
    _notice_delay: float
    _now: Callable[[], float]
    _swept: dict[str, float] = field(init=False, default_factory=dict)
    _over: set[str] = field(init=False, default_factory=set)

    def run_all(self) -> None:
        """Do what is due in every season. One that fails does not keep the others."""
        for season_id in self._store.ids():
            if season_id in self._over:
                continue
            try:
                self.run(season_id)
            except Exception as error:
                if unavailable(error):
                    raise
                _log.exception("season %s stands still", season_id)

    def run(self, season_id: str, ended: Iterable[str] = ()) -> None:
        """Do what is due in this season, step by step. `ended` are games that are over now; every
        hour all are looked at."""
        waiting = {*ended}
        for _ in range(_MOST_STEPS):
            season = self._store.find(season_id)
            if season is None:  # it is in the index before its log begins
                return
            if season.ended is not None:
                self._over.add(season_id)
                return
            if self._swept.get(season_id, 0) + SWEEP <= self._now() and season.games:
                self._swept[season_id] = self._now()
                waiting |= season.games.keys()
            events, notices = self._next(season, waiting)
            if not events:
                self._resign_withdrawn(season)
                return
            self._store.append(season, events, CLOCK, notices)

    def take(self, stored: StoredGame) -> None:
        """Take the result of a game that is over into its season, if it is of one."""
        if stored.terms.season is not None:
            self.run(stored.terms.season.id, [stored.id])

    def _next(
        self, season: Season, waiting: set[str]
    ) -> tuple[Sequence[SeasonEvent], Sequence[Notice]]:
        """The next events, with their notices; empty if nothing is due."""
        if season.started is None:
            events = self._start(season)
            is_off = bool(events) and isinstance(events[-1], SeasonEnded)
            return events, self._mails(season, season.active, ENDED, len(events)) if is_off else ()
        if (number := len(season.paired) + 1) <= len(season.divisions):
            games = self._begin(season, number)
            self._swept.pop(season.id, None)  # one of them may be over already
            people = season.divisions[number - 1]
            return [DivisionPaired(number, games)], self._mails(season, people, STARTED, 1)
        if results := self._results(season, waiting - season.results.keys()):
            return results, ()
        late = [player for player in season.active if season.time_outs(player) >= MOST_TIME_OUTS]
        if late:
            return [PlayerWithdrew(player, "time-outs") for player in late], ()
        if len(season.results) < len(season.games):
            return (), ()
        people = [player for division in season.divisions for player in division]
        return [SeasonEnded(tables(season))], self._mails(season, people, ENDED, 1)

    def _start(self, season: Season) -> list[SeasonEvent]:
        """The events that start the season, or end it if too few have entered by its date."""
        rules, now, active = season.rules, self._now(), season.active
        is_up = season.due <= now
        if not is_up and (rules.players is None or len(active) < rules.players):
            return []
        last = None if rules.follows is None else self._store.find(rules.follows)
        if last is not None and last.ended is None:
            return []
        there = self._players.by_id(active)
        seen = self._seen(season, active)
        absent: list[SeasonEvent] = [
            PlayerWithdrew(player, "not-seen" if player in there else "gone")
            for player in active
            if player not in there or player not in seen
        ]
        here = [player for player in active if player in there and player in seen]
        divisions = draw(season, here, [] if last is None else order_after(last))
        if not is_up and (not divisions or len(here) < (rules.players or 0)):
            return []
        if not divisions:
            return [*absent, SeasonEnded([])]
        assert rules.secret is not None, "whoever starts it has read the whole log"
        return [*absent, SeasonStarted(rules.secret, divisions)]

    def _seen(self, season: Season, players: Sequence[str]) -> set[str]:
        """Those of the players who gave a sign of life lately: an entry is one."""
        uses = execute_all(self._redis, [*map(self._tokens.last_use_query, players)])
        return {
            player
            for player, used in zip(players, uses, strict=True)
            if max(used or 0, unix(season.entered[player])) > self._now() - SEEN
        }

    def _begin(self, season: Season, number: int) -> list[Pairing]:
        """Begin all games of a division, unless they have begun, and return them."""
        derived = partial(ids.derived_game_id, self._secret_key, "season", season.id)
        games = [
            Pairing(game=derived(str(leg), one, two), round=1, leg=leg, north=one, south=two)
            for leg, one, two in pairs(season.divisions[number - 1])
        ]
        begun = self._repository.latest_of(game["game"] for game in games)
        for game in games:
            if begun[game["game"]] is None:
                self._begin_game(season, game)
        return games

    def _begin_game(self, season: Season, game: Pairing) -> None:
        bots = [*filter(None, map(bot_at, (game["north"], game["south"])))]
        for bot in bots:
            self._players.ensure_exists(bot.player, bot.title)
        rules, rated = season.rules, False if len(bots) == len(SEATS) else None
        salt, other = (salt_in(season, player) for player in (game["north"], game["south"]))
        wanted = NewGame(
            first_player="creator", clock=rules.clock, salt=salt, rated=rated, **rules.variant
        )
        cards = season.cards_secret
        secret = secrets.token_hex(32) if cards is None else game_secret(cards, game)
        made = creation(game["north"], wanted, secret)
        place = {"id": season.id, "round": game["round"], "leg": game["leg"]}
        made = replace(made, terms={**made.terms, "season": place})
        draft = self._writer.draft(game["game"], None, made, CLOCK)
        draft = draft.then(joining(game["south"], draft.after.game, other), CLOCK)
        try:
            self._writer.write(draft, None, ChangeContext(CLOCK))
        except RequestRejected as refusal:
            if refusal.code != "stale-version":  # another worker was quicker
                raise

    def _results(self, season: Season, game_ids: Iterable[str]) -> list[SeasonEvent]:
        """The results of those of these games that are over. One that the operator has removed
        counts for nobody, and in the end one whose log cannot be read."""
        found = self._repository.latest_of(game for game in game_ids if game in season.games)
        is_stuck = unix(season.latest) + UNREADABLE < self._now()
        events = list[SeasonEvent]()
        for game_id, stored in found.items():
            if isinstance(stored, StoredGame) and stored.game.over:
                events.append(_result(stored))
            elif stored is None or (is_stuck and not isinstance(stored, StoredGame)):
                nobody = dict.fromkeys(SEATS, 0)
                events.append(ResultTaken(game_id, NO_HASH, None, REMOVED, nobody))
        return events

    def _resign_withdrawn(self, season: Season) -> None:
        """End the games of those who have left: the others win them."""
        for player in season.withdrawn:
            for game in season.games_of(player):
                if game["game"] in season.results:
                    continue
                try:
                    self._games.resign(game["game"], player, ChangeContext(CLOCK))
                except (RequestRejected, RuleBroken, UnknownEvent, UnreadableLog):
                    continue  # it is over, or cannot be read: its result comes by itself

    def _mails(self, season: Season, players: Iterable[str], kind: str, after: int) -> list[Notice]:
        """The mails of this kind to these players, after so many more events."""
        version, due = season.version + after, self._now() + self._notice_delay
        people = [player for player in players if bot_at(player) is None]
        named = (notice_id(season.id, version, player, "mail", kind) for player in people)
        return self._reachability.reachable([Notice(name, due) for name in named])


def _result(stored: StoredGame) -> ResultTaken:
    game = stored.game
    winner = None if game.winner is None else game.players[game.winner]
    stones = {seat: len(game.stones_of(seat)) for seat in SEATS}
    return ResultTaken(stored.id, stored.head, winner, game.reason or "", stones)
