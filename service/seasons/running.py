"""What the clock does with seasons: start them, begin their games, take results, withdraw players,
end them. A ladder has no start; whoever is away from it for long is withdrawn.

Each step is one append to a season's log at the version that was read, and what comes before it
may be repeated (a game's id follows from its place): so a worker may die between any two commands,
and several may work at once.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from engine import RuleBroken, UnknownEvent
from engine.cards import SEATS
from service.accounts.players import Players
from service.accounts.tokens import Tokens
from service.bots import bot_at
from service.core import ids
from service.core.errors import RequestRejected
from service.core.heartbeat import OutageLedger
from service.core.redis.batch import execute_all
from service.core.redis.client import Client, unavailable
from service.core.times import DAY, HOUR, MINUTE, timestamp, unix
from service.eventlog import Notice, UnreadableLog, notice_id
from service.games import ChangeContext, Games
from service.games.calendar_store import CalendarStore
from service.games.clock.calendar import Interval, clipped, union
from service.games.notices import Reachability
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame, Unreadable
from service.games.terms import NewGame, creation, joining
from service.games.writer import ChangeWriter
from service.seasons.events import (
    DivisionPaired,
    Pairing,
    PlayerWithdrew,
    ResultTaken,
    SeasonEnded,
    SeasonEvent,
    SeasonStarted,
    nobodys,
)
from service.seasons.ladder import AWAY, MOST_TIME_OUTS, Ladder
from service.seasons.sealing import secret_of
from service.seasons.season import LONGEST_WAIT, SEEN, Season, climb, plays, seated
from service.seasons.store import SeasonStore
from service.seasons.table import draw, order_after, pairs, tables
from service.seasons.verify import first_player, salt_in

SWEEP: Final = HOUR
"""Seconds between two looks whether games ended of which nobody told."""
IDLE: Final = MINUTE
"""Seconds until another look at a season in which nothing was due."""
UNREADABLE: Final = 30 * DAY
"""Seconds for which a season waits for a game whose log cannot be read, from when it was seen."""
STARTED, ENDED = "season-started", "season-ended"
"""The kinds of the two mails of a season."""
CLOCK: Final = "clock"
_MOST_STEPS: Final = 1000
_OVER_OR_UNREADABLE: Final = (RequestRejected, RuleBroken, UnknownEvent, UnreadableLog)
"""The errors raised for a game that is over, by time as well, and for one that cannot be read."""
_THERE: Final = ("stale-version", "game-removed")
"""The codes of refusals where another worker was quicker, or the operator has removed the game."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GameBeginning:
    """Begins the games of seasons. Every call may be repeated."""

    _repository: GameRepository
    _writer: ChangeWriter
    _players: Players

    def begin_all(self, season: Season, games: Sequence[Pairing]) -> None:
        """Begin these games, unless they have begun."""
        begun = self._repository.latest_of(game["game"] for game in games)
        for game in games:
            if begun[game["game"]] is None:
                self._begin(season, game)

    def _begin(self, season: Season, game: Pairing) -> None:
        bots = [*filter(None, map(bot_at, seated(game)))]
        for bot in bots:
            self._players.ensure_exists(bot.player, bot.title)
        rules, rated = season.rules, False if len(bots) == len(SEATS) else None
        salt, other = (salt_in(season, player) for player in seated(game))
        wanted = NewGame(
            first_player=first_player(season),
            clock=rules.clock,
            salt=salt,
            rated=rated,
            **rules.variant,
        )
        made = creation(game["north"], wanted, secret_of(season, game))
        place = {"id": season.id, "round": game["round"], "leg": game["leg"]}
        made = replace(made, terms={**made.terms, "season": place})
        draft = self._writer.draft(game["game"], None, made, CLOCK)
        draft = draft.then(joining(game["south"], draft.after.game, other), CLOCK)
        # Whoever challenged needs no notice of their own game.
        actor = None if season.ladder is None else game["north"]
        try:
            self._writer.write(draft, actor, ChangeContext(CLOCK))
        except RequestRejected as refusal:
            if refusal.code not in _THERE:
                raise


@dataclass(eq=False, repr=False)
class SeasonClock:
    """Keeps all seasons going. `now` gives unix seconds; every call may be repeated."""

    _redis: Client
    _store: SeasonStore
    _games: Games
    _repository: GameRepository
    _beginning: GameBeginning
    _players: Players
    _tokens: Tokens
    _calendars: CalendarStore
    _outages: OutageLedger
    _reachability: Reachability
    _secret_key: str
    _notice_delay: float
    _now: Callable[[], float]
    _swept: dict[str, float] = field(init=False, default_factory=dict)
    _complained: dict[str, float] = field(init=False, default_factory=dict)

    _next_look: dict[str, float] = field(init=False, default_factory=dict)
    _over: set[str] = field(init=False, default_factory=set)
    _begun: dict[str, set[str]] = field(init=False, default_factory=dict)
    """Those of the games of each ladder that have begun for certain."""

    def run_all(self) -> None:
        """Do what is due in every season. One that fails does not keep the others; one in which
        nothing was due is looked at again a minute later."""
        for season_id in self._store.ids():
            if season_id in self._over or self._now() < self._next_look.get(season_id, 0):
                continue
            try:
                self.run(season_id)
            except Exception as error:
                if unavailable(error):
                    raise
                self._complain(season_id, error)

    def run(self, season_id: str, ended: Iterable[str] = ()) -> None:
        """Do what is due in this season, step by step. `ended` are games that are over now; every
        hour all are looked at, and all players of a ladder. One whose log cannot be read waits."""
        try:
            self._run(season_id, ended)
        except UnreadableLog as error:
            self._complain(season_id, error)

    def _run(self, season_id: str, ended: Iterable[str]) -> None:
        waiting = {*ended}
        for _ in range(_MOST_STEPS):
            season = self._store.find(season_id)
            if season is None:  # it is in the index before its log begins
                return
            if season.ended is not None:
                self._over.add(season_id)
                return
            if self._swept.get(season_id, 0) + SWEEP <= self._now() and season.started:
                self._swept[season_id] = self._now()
                waiting |= {game["game"] for game in season.open_games}
                waiting |= {*season.active} if season.ladder else set()
            events, notices = self._next(season, waiting)
            if not events:
                self._resign_withdrawn(season)
                now = self._now()
                due = season.due if now < season.due else now + IDLE
                self._next_look[season_id] = min(now + IDLE, due)
                return
            self._store.append(season, events, CLOCK, notices)

    def _complain(self, season_id: str, error: Exception) -> None:
        """Log why a season stands still: once an hour, for it is tried again in seconds."""
        if self._complained.get(season_id, 0) + SWEEP <= self._now():
            self._complained[season_id] = self._now()
            trace = None if isinstance(error, UnreadableLog) else error
            _log.error("season %s stands still: %s", season_id, error, exc_info=trace)

    def end(self, season_id: str) -> Season:
        """End a ladder, or a league that has not started, as the operator wants; everybody in it is
        told. Raises `RequestRejected`, `season-not-found`, `season-closed`."""
        while True:
            season = self._store.get(season_id)
            if season.ended is not None:
                raise RequestRejected("season-closed", "This season is over.")
            if season.ladder is None and season.started is not None:
                raise RequestRejected("season-closed", "A league that has started is played out.")
            mails = self._mails(season, season.active, ENDED, 1)
            ended = [SeasonEnded([], by_operator=True)]
            if (after := self._store.append(season, ended, "operator", mails)) is not None:
                return after

    def take(self, stored: StoredGame) -> None:
        """Take the result of a game that is over into its season, if it is of one."""
        if stored.terms.season is not None:
            self.run(stored.terms.season.id, [stored.id])

    def settle(self, season: Season, player: str) -> None:
        """Take the results of this player's games, as they are about to leave: of those that are
        over, and of those whose time is up. On a ladder the others are resigned before: whoever
        wins them climbs, as when the player's account is deleted."""
        games = [game["game"] for game in season.open_games if plays(game, player)]
        for game in games:
            try:
                stored = self._games.current(game)
                if season.ladder is not None and not stored.game.over:
                    self._games.resign(game, player, ChangeContext(CLOCK))
            except _OVER_OR_UNREADABLE:
                continue
        if games:
            self.run(season.id, games)

    def _next(
        self, season: Season, waiting: set[str]
    ) -> tuple[Sequence[SeasonEvent], Sequence[Notice]]:
        """The next events, with their notices; empty if nothing is due. `waiting` are games that
        may be over, and players of a ladder who may be away."""
        if season.ladder is not None:
            events = self._next_of_ladder(season, season.ladder, waiting)
            off = (each for each in events if isinstance(each, PlayerWithdrew))
            told = [each.player for each in off if each.reason != "gone"]
            return events, self._mails(season, told, ENDED, len(events))
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
        if season.open_games:
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
        """Those of the players who gave a sign of life lately, outages aside: an entry is one."""
        signs, outages = self._signs(players, season.entered), self._outage_times()
        return {one for one, sign in signs.items() if self._silence(sign, outages) < SEEN}

    def _signs(self, players: Sequence[str], known: Mapping[str, str]) -> dict[str, int]:
        """The last sign of life of these players (unix seconds); `known` has those in the log."""
        queries = [query for one in players for query in self._tokens.last_sign_queries(one)]
        signs = execute_all(self._redis, queries)
        pairs_of_signs = zip(players, signs[::2], signs[1::2], strict=True)
        return {
            player: max(used or 0, answered or 0, unix(known[player]))
            for player, used, answered in pairs_of_signs
        }

    def _begin(self, season: Season, number: int) -> list[Pairing]:
        """Begin all games of a division, unless they have begun, and return them."""
        # With other cards it is another game, even if the one from before is still there.
        anew = [seal.commitment for seal in season.sealings[1:]]
        derived = partial(ids.derived_game_id, self._secret_key, "season", season.id, *anew)
        games = [
            Pairing(game=derived(str(leg), one, two), round=1, leg=leg, north=one, south=two)
            for leg, one, two in pairs(season.divisions[number - 1])
        ]
        self._beginning.begin_all(season, games)
        return games

    def _next_of_ladder(
        self, season: Season, ladder: Ladder, waiting: set[str]
    ) -> list[SeasonEvent]:
        begun = self._begun.get(season.id, set())
        new = [game for game in season.open_games if game["game"] not in begun]
        self._beginning.begin_all(season, new)  # whoever was to begin one may have died
        self._begun[season.id] = {*ladder.running}
        events, after = list[SeasonEvent](), ladder.copy()
        for result in self._results(season, waiting & ladder.running.keys()):
            events.append(result)
            climb(after, result, timestamp(self._now()))
            if (late := after.overdue()) is not None:
                events.append(PlayerWithdrew(late, "time-outs"))
                after.leave(late)
        events = events or self._absent(ladder, [one for one in ladder.order if one in waiting])
        is_empty = not events and not ladder.order
        if is_empty and unix(season.latest) + LONGEST_WAIT <= self._now():
            return [SeasonEnded([])]
        return events

    def _absent(self, ladder: Ladder, players: Sequence[str]) -> list[SeasonEvent]:
        """Withdraw those of these players whose account is gone, or who are away for too long."""
        there, signs = self._players.by_id(players), self._signs(players, ladder.signs)
        outages, events = self._outage_times(), list[SeasonEvent]()
        for player in players:
            if player not in there:
                events.append(PlayerWithdrew(player, "gone"))
            elif self._is_away(player, signs[player], outages):
                events.append(PlayerWithdrew(player, "away"))
        return events

    def _is_away(self, player: str, since: int, outages: Sequence[Interval]) -> bool:
        """Whether they are for too long, days of vacation and outages aside."""
        if self._silence(since, outages) < AWAY:
            return False
        vacations = self._calendars.read(player).vacations
        return self._silence(since, [*outages, *vacations]) >= AWAY

    def _silence(self, since: int, aside: Sequence[Interval]) -> float:
        """The seconds since this moment, those in these intervals aside."""
        now = self._now()
        return (
            now - since - sum(end - begin for begin, end in clipped(union(aside), since, int(now)))
        )

    def _outage_times(self) -> list[Interval]:
        """When this server was down: players could not give a sign of life then."""
        liveness = self._outages.liveness()
        return [*liveness.outages, *filter(None, [liveness.ongoing_outage])]

    def _results(self, season: Season, game_ids: Iterable[str]) -> list[ResultTaken]:
        """The results of those of these games that are over, in the order in which they ended. One
        that the operator has removed counts for nobody, and in the end one whose log cannot be
        read."""
        found = self._repository.latest_of(game for game in game_ids if game in season.games)
        unreadable = {game for game, stored in found.items() if isinstance(stored, Unreadable)}
        since = self._store.unreadable_since(unreadable, found.keys() - unreadable)
        stuck = {game for game in unreadable if since[game] + UNREADABLE < self._now()}
        events = list[tuple[str, ResultTaken]]()
        for game_id, stored in found.items():
            if isinstance(stored, StoredGame) and stored.game.over:
                events.append((stored.latest, _result(stored)))
            elif stored is None or game_id in stuck:
                events.append(("", nobodys(game_id)))
        return [result for _, result in sorted(events, key=lambda each: (each[0], each[1].game))]

    def _resign_withdrawn(self, season: Season) -> None:
        """End the games of those who have left: the others win them."""
        for game in season.open_games:
            for player in {*seated(game)} & season.withdrawn.keys():
                try:
                    self._games.resign(game["game"], player, ChangeContext(CLOCK))
                except _OVER_OR_UNREADABLE:
                    continue  # its result comes by itself

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
