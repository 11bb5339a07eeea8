"""The use cases of seasons: announce one, enter and leave it, challenge on a ladder, read it."""

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from threading import Lock
from typing import Final

from cachetools import TTLCache

from engine import UnknownEvent
from engine.clock_events import AgreedClock
from engine.options import options_for
from engine.shuffle import commitment
from letters.inert import visible
from service.accounts.channels.store import Channels
from service.accounts.email_addresses import FailingAddresses
from service.accounts.names import name_problem
from service.accounts.player import check_person
from service.accounts.players import Players
from service.accounts.privacy import ContactChoices
from service.core import ids
from service.core.cache import ThreadSafeCache
from service.core.errors import RequestRejected
from service.core.times import DAY, MINUTE, timestamp, unix
from service.eventlog import UnreadableLog
from service.games.clock.state import FARTHEST_END, check_clock
from service.games.limits import ContactLimits
from service.games.projections.player_games import GameFilter, PlayerIndex
from service.games.projections.ratings import Ratings
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame
from service.games.terms import server_bot
from service.seasons.events import (
    ChallengeMade,
    Format,
    PlayerEntered,
    PlayerWithdrew,
    Reason,
    SeasonAnnounced,
    SeasonEvent,
)
from service.seasons.ladder import MOST_TIME_OUTS, OBSTACLES, PAUSES, Contest, Ladder, Obstacle
from service.seasons.running import GameBeginning, SeasonClock
from service.seasons.sealing import new_seal
from service.seasons.season import LARGEST, MOST_ENTRIES, SMALLEST, Season, challenge_secret
from service.seasons.store import SeasonStore
from service.seasons.table import FEWEST

USUAL_CLOCK: Final[AgreedClock] = {"bank_days": 3, "increment_hours": 12}
"""The clock of a league for which none is given: it ends within about 33 days."""
LADDER_CLOCK: Final[AgreedClock] = {**USUAL_CLOCK, "vacations": True}
"""The clock of a ladder for which none is given: vacations aside, a challenge takes a place for no
longer than a league lasts."""
USUAL_SIZE: Final = 6
"""The best number of players of a division, where none is given."""
BARRED: Final = 14 * DAY
"""Seconds for which nobody enters any season who was withdrawn for time-outs."""
LONGEST_NAME: Final = 40
MOST_PLAYERS: Final = 1000
"""The most players for whom a league waits."""
_ATTEMPTS: Final = 50
_MOMENT: Final = 0.5
"""Seconds until a season is read again to which another process may be about to write."""
_LONGEST_QUEUE: Final = 2.0
"""Seconds for which a change waits for others in its process."""
_LATEST_GAMES: Final = 200
"""The latest finished games of a player that are looked at."""
_BAD: Final = "bad-season"


@dataclass(frozen=True)
class NewSeason:
    """The rules of a season to be announced, as those of `SeasonAnnounced`; None: the usual."""

    name: str
    edition: str = "iello"
    tactics: bool = False
    expert: bool = False
    clock: AgreedClock | None = None
    division: int | None = None
    starts_at: str | None = None
    players: int | None = None
    bots: Sequence[str] = ()
    follows: str | None = None
    format: Format = "league"

    def complete(self) -> "NewSeason":
        """The same rules with the usual ones where none are given."""
        is_ladder = self.format == "ladder"
        clock = self.clock or (LADDER_CLOCK if is_ladder else USUAL_CLOCK)
        size = self.division if is_ladder or self.division else USUAL_SIZE
        return replace(self, clock={**clock}, division=size or 0)


@dataclass(eq=False, repr=False)
class Seasons:
    """All seasons of one server. `now` gives unix seconds.

    Methods raise `RequestRejected`; then nothing has changed. `season-not-found`: there is none
    with this id.
    """

    _store: SeasonStore
    _players: Players
    _channels: Channels
    _failing_addresses: FailingAddresses
    _contact_choices: ContactChoices
    _contact_limits: ContactLimits
    _index: PlayerIndex
    _beginning: GameBeginning
    _clock: SeasonClock
    _repository: GameRepository
    _ratings: Ratings
    _has_mail_server: bool
    _secret_key: str
    _now: Callable[[], float]
    _any: ThreadSafeCache[str, bool] = field(
        init=False, default_factory=lambda: ThreadSafeCache(TTLCache(1, ttl=MINUTE))
    )

    _turn: Lock = field(init=False, default_factory=Lock)

    def exist(self) -> bool:
        """Whether this server has any season, as of the last minute."""
        return self._any.get_or_make("", lambda: bool(self._store.ids())) or False

    def all(self) -> list[Season]:
        """All seasons that can be read, in the order of lists: those that are not over first, of
        these the operator's, then those with more players, then the newest."""
        return self._store.readable(self._store.ids())

    def page(self, after: str | None, limit: int) -> tuple[list[Season], str | None]:
        """At most so many seasons after the season `after`, in the order of lists; and the id of
        the last of them if there are more."""
        found, last = self._store.page(after, limit)
        return self._store.readable(found), last

    def get(self, season_id: str) -> Season:
        """The season with this id."""
        return self._store.get(season_id)

    def announce(
        self, wanted: NewSeason, by: str | None, via: str, material: bytes | None = None
    ) -> Season:
        """Announce a season; its rules never change. `by` is the player who makes it, None: the
        operator. With the same `material` there is one season, however often it is announced.

        Raises `RequestRejected`, `bad-season`, `bad-clock`, `bot-not-available`, and
        `engine.RuleBroken`.
        """
        wanted = wanted.complete()
        self._check(wanted)
        secret = secrets.token_hex(32)
        rules = {**vars(wanted), "commitment": commitment(secret), "by": by, "secret": secret}
        announced = SeasonAnnounced(id=ids.game_id(material), **rules)
        sealed = new_seal(1 if wanted.format == "ladder" else None)
        season = self._store.append(None, [announced, sealed], via)
        self._any.drop("")
        return season or self.get(announced.id)

    def enter(self, season_id: str, player: str, salt: str | None, via: str) -> Season:
        """Enter a ladder, or a league before it starts; who is in it already stays as they are.

        Without a `salt` the commitment replaces it, which the server cannot choose any more. Raises
        `RequestRejected`: `season-closed`, `not-for-bots`, `nobody-to-tell`, `entry-barred`.
        """

        def entry(season: Season) -> Sequence[SeasonEvent]:
            if season.has(player) and season.takes_entries:
                return ()
            self._check_entry(season, player)
            return [PlayerEntered(player, salt or season.rules.commitment)]

        return self._change(season_id, entry, via)

    def entry_problem(self, season: Season, player: str | None) -> RequestRejected | None:
        """Why this player cannot enter the season now; None if they can, are in it or are nobody
        (None)."""
        if player is None or season.has(player):
            return None
        try:
            self._check_entry(season, player)
        except RequestRejected as refusal:
            return refusal
        return None

    def withdraw(self, season_id: str, player: str, via: str) -> Season:
        """Leave a season that is not over. What the player's games have come to counts first; those
        that go on are lost: on a ladder before they leave, in a league soon after.

        Raises `RequestRejected`: `season-closed`.
        """

        def withdrawal(season: Season) -> Sequence[SeasonEvent]:
            _check_goes_on(season)
            late = season.time_outs(player) >= MOST_TIME_OUTS  # the clock has yet to say so
            reason: Reason = "time-outs" if late else "left"
            return [PlayerWithdrew(player, reason)] if season.has(player) else ()

        season = self.get(season_id)
        _check_goes_on(season)
        if season.has(player):
            self._clock.settle(season, player)
        return self._change(season_id, withdrawal, via)

    def challenge(self, season_id: str, player: str, other: str, via: str) -> StoredGame:
        """Challenge another on a ladder, and return the game, which begins at once. Repeating it
        while that game goes on returns it.

        Raises `RequestRejected`: `challenge-refused`, also where that game cannot be read;
        `game-removed` until the ladder has taken that as its result; `too-many-mails`.
        """
        contest, mail = Contest(player, other), secrets.token_hex(8)

        seen = list[str]()

        def made(season: Season) -> Sequence[SeasonEvent] | None:
            ladder = season.ladder or Ladder()
            if contest in ladder.running.values():
                return ()
            if (obstacle := season.obstacles(player, self._now())(other)) is not None:
                raise _refused(obstacle)
            self._contact_limits.count_contest(*contest, mail)
            if (challenge := self._dealt(season, contest)) is not None:
                return [challenge]
            if season.head not in seen:  # another process may be about to write its challenge
                seen.append(season.head)
                return None
            anew = new_seal(len(season.games) + 1)
            challenge = self._dealt(replace(season, sealings=[anew]), contest)
            return None if challenge is None else [anew, challenge]

        season = self._change(season_id, made, via)
        assert season.ladder is not None, "nobody is challenged in a league"
        pairing = next(
            season.games[game]
            for game, running in season.ladder.running.items()
            if running == contest
        )
        self._beginning.begin_all(season, [pairing])
        try:
            return self._repository.get(pairing["game"])
        except (UnknownEvent, UnreadableLog):
            raise _refused("already-playing") from None

    def _dealt(self, season: Season, contest: Contest) -> ChallengeMade | None:
        """The next challenge of a ladder; None if another game has had its cards, as a failover has
        lost a challenge with this number."""
        cards, number = season.cards_secret, len(season.games) + 1
        assert cards is not None, "whoever writes has read the whole log"
        own, following = (commitment(challenge_secret(cards, number + more)) for more in (0, 1))
        # By the cards too: a game that has begun with others keeps them.
        parts = (season.id, str(number), *contest, own)
        game = ids.derived_game_id(self._secret_key, "season", *parts)
        if not self._store.deal(own, game):
            return None
        return ChallengeMade(game, number, *contest, following)

    def blocked_in(self, season: Season, player: str) -> list[str]:
        """The players of a season whom this one has blocked, and might meet there."""
        return [each for each in self._contact_choices.blocked(player) if season.has(each)]

    def following(self, season: Season) -> Season | None:
        """The latest season that follows this one, if it is still open."""
        found = self._store.following(season.id)
        return found if found is not None and found.status == "open" else None

    def _change(
        self, season_id: str, change: Callable[[Season], Sequence[SeasonEvent] | None], via: str
    ) -> Season:
        """Append what `change` makes of the season, which is read again if others write first, and
        a moment later if it makes None.

        In a process one does at a time, so that few overtake each other; where the store hangs,
        nobody waits for another long.
        """
        has_turn = self._turn.acquire(timeout=_LONGEST_QUEUE)
        try:
            for _ in range(_ATTEMPTS):
                season = self.get(season_id)
                events = change(season)
                if events is None:
                    time.sleep(_MOMENT)
                    continue
                if not events:
                    return season
                if (after := self._store.append(season, events, via)) is not None:
                    return after
        finally:
            if has_turn:
                self._turn.release()
        raise RequestRejected("request-in-progress", "Many write at once: try again shortly.")

    def _check(self, wanted: NewSeason) -> None:
        """Raise `RequestRejected` or `RuleBroken` unless a season with these rules can begin."""
        options_for(wanted.edition, wanted.tactics, wanted.expert)
        is_seen = visible(wanted.name).strip() != ""
        if not is_seen or len(wanted.name) > LONGEST_NAME or name_problem(wanted.name) is not None:
            raise RequestRejected(_BAD, "A season cannot have this name.")
        if wanted.format == "ladder":
            _check_ladder(wanted)
        else:
            self._check_league(wanted)

    def _check_league(self, wanted: NewSeason) -> None:
        clock, division = wanted.clock or USUAL_CLOCK, wanted.division or 0
        now, starts = self._now(), None if wanted.starts_at is None else unix(wanted.starts_at)
        if not SMALLEST <= division <= LARGEST:
            raise RequestRejected(_BAD, "A division has 4 to 8 players.")
        if starts is None and wanted.players is None:
            raise RequestRejected(_BAD, "A season starts at a moment, or once enough players wait.")
        if starts is not None and not now < starts <= now + FARTHEST_END:
            raise RequestRejected(_BAD, "A season starts within a year from now.")
        names = [server_bot(name).name for name in wanted.bots]
        if wanted.players is not None and wanted.players < (FEWEST if names else SMALLEST):
            raise RequestRejected(_BAD, "That is too few players for a season.")
        if wanted.players is not None and wanted.players > MOST_PLAYERS:
            raise RequestRejected(
                _BAD, "A season waits for at most %(number)s players.", {"number": MOST_PLAYERS}
            )
        if len({*names}) < len(names):
            raise RequestRejected(_BAD, "A bot is in a division once.")
        if "days_per_move" in clock or clock.keys() & _ENDLESS:
            raise RequestRejected("bad-clock", "The clock of a season is a bank or a fixed end.")
        if "until" in clock and starts is None:
            raise RequestRejected("bad-clock", "With a fixed end a season starts at a moment.")
        check_clock(clock, 1, now if starts is None else starts)
        if wanted.follows is not None and self._store.find(wanted.follows) is None:
            raise RequestRejected(_BAD, "There is no season with this id.")

    def _check_entry(self, season: Season, player: str) -> None:
        if not season.takes_entries:
            if season.ladder is not None:
                raise RequestRejected("season-closed", OBSTACLES["ladder-ended"])
            raise RequestRejected("season-closed", "This season has started: nobody enters now.")
        check_person(player, "Players’ own bots do not enter seasons.")
        if season.ladder is not None:
            self._check_return(season, season.ladder, player)
        elif sum(entry.player == player for entry in season.entries) >= MOST_ENTRIES:
            raise RequestRejected("entry-barred", "You have left this season too often.")
        if not self._can_be_told(player):
            raise RequestRejected(
                "nobody-to-tell",
                "First confirm an e-mail address, or add another channel: the season has to reach"
                " you.",
            )
        self._check_time_outs(player)

    def _check_return(self, season: Season, ladder: Ladder, player: str) -> None:
        """Raise `RequestRejected`, `entry-barred`, if a player who was on this ladder cannot enter
        it again yet."""
        if ladder.plays(player):
            raise RequestRejected(
                "entry-barred", "Your games from before have to end first. Try again in a minute."
            )
        left = season.withdrawn.get(player)
        back = 0 if left is None else unix(left.at) + PAUSES.get(left.reason, 0)
        if left is not None and left.reason == "left" and self._now() < back:
            raise RequestRejected(
                "entry-barred",
                "You have left this ladder: enter again after %(moment)s.",
                {"moment": timestamp(back)[:10]},
                until=timestamp(back),
            )

    def _can_be_told(self, player: str) -> bool:
        """Whether some way of telling this player is confirmed and works. The local mailbox reaches
        everybody."""
        if not self._has_mail_server:
            return True
        found = self._players.find(player)
        email = found.email if found is not None and found.verified else None
        if email is not None and self._failing_addresses.find(email) is None:
            return True
        return any(channel.state == "working" for channel in self._channels.all(player))

    def _check_time_outs(self, player: str) -> None:
        """Raise `RequestRejected`, `entry-barred`, for two weeks after a player was withdrawn for
        time-outs, and until as many games were finished since, those of that season aside."""
        for season in self._store.late_in(player):
            withdrawal = season.withdrawn.get(player)
            if withdrawal is None or withdrawal.reason != "time-outs":
                continue
            number, at = max(season.time_outs(player), MOST_TIME_OUTS), withdrawal.at
            back = unix(at) + BARRED
            if self._now() < back or not self._has_played(player, number, at, season):
                raise RequestRejected(
                    "entry-barred",
                    "You ran out of time in a season: enter again after %(moment)s, having finished"
                    " %(number)s other games in which both played five turns.",
                    {"moment": timestamp(back)[:10], "number": number},
                    until=timestamp(back),
                    games=number,
                )

    def _has_played(self, player: str, number: int, since: str, season: Season) -> bool:
        """Whether the player has finished so many games since this moment that could be rated,
        those of this season aside: a game that ended at once is none."""
        finished = GameFilter("finished", seated=True, ended_after=since)
        recent = self._index.page(player, finished, None, _LATEST_GAMES).game_ids
        games = self._repository.latest_of(game for game in recent if game not in season.games)
        played = (game for game in games.values() if isinstance(game, StoredGame))
        counted = filter(None, map(self._ratings.result, played))
        return len([*islice(counted, number)]) == number


def _check_goes_on(season: Season) -> None:
    if season.status == "ended":
        raise RequestRejected("season-closed", "This season is over.")


def _refused(obstacle: Obstacle) -> RequestRejected:
    return RequestRejected("challenge-refused", OBSTACLES[obstacle], obstacle=obstacle)


def _check_ladder(wanted: NewSeason) -> None:
    clock = wanted.clock or LADDER_CLOCK
    if wanted.division or wanted.starts_at or wanted.players or wanted.bots or wanted.follows:
        raise RequestRejected(
            _BAD, "A ladder has no divisions, start, number of players, bots or season before it."
        )
    if "until" in clock or clock.get("time_out") == "claim":
        raise RequestRejected("bad-clock", "The games of a ladder end by their own time.")


_ENDLESS: Final = {"weekends_off", "sleeping_hours", "vacations", "time_out"}
"""Options of clocks with which the end of a season could not be foreseen."""
