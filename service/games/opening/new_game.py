"""What a new game is made of: from what a player asks for to the commands of the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import engine
from engine.shuffle import commitment

MOST_DAYS: Final = 90
"""Days that a clock gives for a move, and that a game waits for its second player, at most."""

USUAL_CLOCK: Final[Mapping[str, Any]] = {
    "days_per_move": 7,
    "sleeping_hours": True,
    "vacations": True,
}
"""The clock that is suggested to whoever makes a game."""


@dataclass(frozen=True)
class NewGame:
    """What a player asks for when making a game.

    At most one of `opponent` (a player's id), `opponent_email` and `bot` (a name) is given.
    `visited` is a date, `2026-05-31`; `clock` is as the game's terms will have it, None: none;
    `invitation_days` is how long the game waits for its second player, None: as long as is usual.
    `seal` is the id of a seal of theirs, whose secret the game is to have.
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
    clock: Mapping[str, Any] | None = None
    invitation_days: int | None = None
    listed: bool = False
    private: bool = False
    salt: str | None = None
    visited: str | None = None
    seal: str | None = None

    def turned(self) -> "NewGame":
        """The same game as the other player would ask for it; what is theirs alone is not given."""
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
        terms=_terms(wanted),
    )


def joining(
    player: str, game: engine.Game, salt: str | None = None, visited: str | None = None
) -> engine.JoinGame:
    """The command by which `player` takes the free seat of this game.

    Who gives no salt has the commitment in its place: it was known before, so the server, which
    knows the secret by now, has nothing to choose.
    """
    return engine.JoinGame(player, salt or game.commitment, visited)


def _terms(wanted: NewGame) -> dict[str, Any]:
    days = wanted.invitation_days
    waiting = {} if days is None else {"invitation_days": days}
    return {
        "clock": None if wanted.clock is None else dict(wanted.clock),
        "invited": wanted.opponent,
        "invited_by_mail": wanted.opponent_email is not None,
        "listed": wanted.listed,
        "private": wanted.private,
        **waiting,
    }
