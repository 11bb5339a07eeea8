"""A game's terms besides its rules: those wanted for a new one, and those of its first event."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Self

import engine
from engine import Seat
from engine.clock_events import MOST_DAYS_PER_MOVE, AgreedClock
from engine.shuffle import commitment
from service.accounts.player import is_bot
from service.accounts.players import Players
from service.bots import BOTS, Bot, bot_named
from service.core.errors import RequestRejected
from service.core.times import DAY, timestamp, unix


@dataclass(frozen=True, slots=True, order=True)
class DealDay:
    """A day in UTC, with a deal of its own; `date` is `2026-11-23`."""

    date: str

    @classmethod
    def at(cls, moment: float) -> Self:
        """The day of this moment (unix seconds)."""
        return cls(timestamp(moment).partition("T")[0])

    @property
    def begins(self) -> int:
        """The first moment of this day (unix seconds)."""
        return unix(f"{self.date}T00:00:00Z")

    @property
    def ends(self) -> int:
        """The first moment of the next day (unix seconds)."""
        return self.begins + DAY

    def later(self, days: int) -> "DealDay":
        """The day so many days after this one."""
        return DealDay.at(self.begins + days * DAY)


@dataclass(frozen=True, slots=True)
class PracticeOf:
    """The origin of a practice game: the deal of the finished `game`, played on after its event
    `step`, in this `turn` of the round. `players` are the ids of those who played it."""

    game: str
    step: int
    turn: int
    players: Mapping[Seat, str]


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """The place of a game in a season: the season's id, the round (from 1; on a ladder the number
    of the challenge), and which of the games of its pair this is (1 or 2)."""

    id: str
    round: int
    leg: int


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The terms agreed when the game was made.

    `invited` is the player for whom the free seat is reserved. `invitation_days` is how long the
    game waits for its second player, None: the usual time. `practice` is None for a real game.
    `daily` is the day whose deal the game has, None for all but deals of the day; `season` its
    place in a season, if it is part of one.
    """

    clock: AgreedClock | None = None
    invited: str | None = None
    invited_by_mail: bool = False
    listed: bool = False
    private: bool = False
    invitation_days: int | None = None
    practice: PracticeOf | None = None
    daily: DealDay | None = None
    season: SeasonPlace | None = None


def read_game_terms(terms: Mapping[str, Any]) -> GameTerms:
    """The terms from their stored form; former versions left members out."""
    return GameTerms(
        clock=terms.get("clock"),
        invited=terms.get("invited"),
        invited_by_mail=bool(terms.get("invited_by_mail")),
        listed=bool(terms.get("listed")),
        private=bool(terms.get("private")),
        invitation_days=terms.get("invitation_days"),
        practice=PracticeOf(**terms["practice"]) if "practice" in terms else None,
        daily=DealDay(terms["daily"]) if "daily" in terms else None,
        season=SeasonPlace(**terms["season"]) if "season" in terms else None,
    )


MOST_DAYS: Final = MOST_DAYS_PER_MOVE
"""The most days for a move, and the most days that a game waits for its second player."""

USUAL_CLOCK: Final[AgreedClock] = {"days_per_move": 7, "sleeping_hours": True, "vacations": True}
"""The clock suggested to the maker of a game."""


@dataclass(frozen=True)
class NewGame:
    """The options of a game to be made.

    At most one of `opponent` (a player's id), `opponent_email` and `bot` (a name) is given;
    `language` is that of mails to `opponent_email`, None: the maker's; `message` is what the maker
    writes in that invitation.
    `visited` is a date, `2026-05-31`; `clock` has the form of the game's terms, None: no clock;
    `invitation_days` is how long the game waits for its second player, None: the default. `seal` is
    the id of the maker's seal whose secret the game uses; `rated` says whether the game counts for
    ratings, None: by `service.games.rating`.
    """

    edition: str = "iello"
    tactics: bool = False
    expert: bool = False
    rounds: int = 1
    first_player: str = "random"
    seat: engine.Seat = "north"
    opponent: str | None = None
    opponent_email: str | None = None
    language: str | None = None
    message: str | None = None
    bot: str | None = None
    clock: AgreedClock | None = None
    invitation_days: int | None = None
    listed: bool = False
    private: bool = False
    rated: bool | None = None
    salt: str | None = None
    visited: str | None = None
    seal: str | None = None

    def turned(self) -> "NewGame":
        """The same options seen from the other seat, without the maker's private ones."""
        first = {"creator": "opponent", "opponent": "creator"}.get(self.first_player)
        return replace(
            self,
            seat=engine.OTHER[self.seat],
            first_player=first or self.first_player,
            salt=None,
            visited=None,
            seal=None,
        )


def creation(player: str, wanted: NewGame, secret: str) -> engine.CreateGame:
    """The command by which `player` makes this game, with this secret (32 bytes, hex)."""
    return engine.CreateGame(
        player=player,
        seat=wanted.seat,
        edition=wanted.edition,
        tactics=wanted.tactics,
        expert=wanted.expert,
        rounds=wanted.rounds,
        first_player=wanted.first_player,
        secret=secret,
        salt=wanted.salt or commitment(secret),
        visited=wanted.visited,
        terms=terms_of(wanted),
    )


def joining(
    player: str, game: engine.Game, salt: str | None = None, visited: str | None = None
) -> engine.JoinGame:
    """The command by which `player` takes the free seat of this game.

    The commitment replaces a missing salt. It was public before, so the server, which knows the
    secret by now, cannot choose it.
    """
    return engine.JoinGame(player, salt or game.commitment, visited)


def server_bot(name: str) -> Bot:
    """The bot of this name. Raises `RequestRejected`, `bot-not-available`, if there is none."""
    if (bot := bot_named(name)) is not None:
        return bot
    raise RequestRejected(
        "bot-not-available",
        "There is no bot %(name)s here. The bots are %(bots)s.",
        {"name": repr(name), "bots": " and ".join(BOTS)},
        bots=list(BOTS),
    )


def unrated_if_own(wanted: NewGame, player: str, opponent: str, players: Players) -> NewGame:
    """The options of a game between these two: unrated if one of them is the other's own bot, or
    both are bots of one player."""
    if not players.are_of_one_person(player, opponent):
        return wanted
    # Without a choice, a person's game with a bot is not rated.
    return replace(wanted, rated=None if is_bot(player) != is_bot(opponent) else False)


def terms_of(wanted: NewGame) -> dict[str, object]:
    """The terms of this game besides its rules, in their stored form."""
    days = wanted.invitation_days
    waiting = {} if days is None else {"invitation_days": days}
    rated = {} if wanted.rated is None else {"rated": wanted.rated}
    return {
        "clock": None if wanted.clock is None else dict(wanted.clock),
        "invited": wanted.opponent,
        "invited_by_mail": wanted.opponent_email is not None,
        "listed": wanted.listed,
        "private": wanted.private,
        **waiting,
        **rated,
    }
