"""The options of a new game, and the commands of the rules that make it."""

from dataclasses import dataclass, replace
from typing import Final

import engine
from engine.clock_form import MOST_DAYS_PER_MOVE, AgreedClock
from engine.shuffle import commitment
from service.accounts.player import is_bot
from service.accounts.players import Players
from service.bots import BOTS, Bot, bot_named
from service.core.errors import RequestRejected

MOST_DAYS: Final = MOST_DAYS_PER_MOVE
"""The most days for a move, and the most days that a game waits for its second player."""

USUAL_CLOCK: Final[AgreedClock] = {
    "days_per_move": 7,
    "sleeping_hours": True,
    "vacations": True,
}
"""The clock suggested to the maker of a game."""


@dataclass(frozen=True)
class NewGame:
    """The options of a game to be made.

    At most one of `opponent` (a player's id), `opponent_email` and `bot` (a name) is given.
    `visited` is a date, `2026-05-31`; `clock` has the form of the game's terms, None: no clock;
    `invitation_days` is how long the game waits for its second player, None: the default. `seal` is
    the id of the maker's seal whose secret the game uses; `rated` says whether the game counts for
    ratings, None: by `service.games.rating.rule`.
    """

    edition: str = "iello"
    tactics: bool = False
    expert: bool = False
    rounds: int = 1
    first_player: str = "random"
    seat: engine.Seat = "north"
    opponent: str | None = None
    opponent_email: str | None = None
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
        f"There is no bot {name!r} here. The bots are {' and '.join(BOTS)}.",
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
