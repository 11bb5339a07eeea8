"""The facts a game is made of, and the commands that ask for them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from engine.cards import Seat
from engine.options import RULES_VERSION


class Event(NamedTuple):
    """One fact. `by` is the seat that did it, None for the server.

    `data` is for everyone; `private` holds what only some may see before the game is over. `v` is
    the schema version of this type of event.
    """

    type: str
    by: Seat | None
    data: Mapping[str, Any]
    private: Mapping[str, Any] | None = None
    v: int = 1


NO_TERMS: Final[Mapping[str, Any]] = MappingProxyType({})


class CreateGame(NamedTuple):
    """A player makes a game and takes a seat.

    `secret` is 32 bytes in hex, from which every shuffle follows; `salt` is the player's own share.
    `first_player` is `creator`, `opponent`, `random` or `scotland` (ruling 2), `visited` the date
    of the last visit to Scotland, `2026-05-31`. `terms` is carried along for the host, unread.
    """

    player: str
    seat: Seat
    edition: str
    tactics: bool
    expert: bool
    rounds: int
    first_player: str
    secret: str
    salt: str
    visited: str | None = None
    terms: Mapping[str, Any] = NO_TERMS
    rules_version: int = RULES_VERSION


class JoinGame(NamedTuple):
    """The second player sits down, and the first round starts."""

    player: str
    salt: str
    visited: str | None = None


class TakeTurn(NamedTuple):
    """Actions of one player's turn, in action text: all of them or none."""

    seat: Seat
    actions: Sequence[str]


class Resign(NamedTuple):
    """A player gives up the round, whoever's turn it is."""

    seat: Seat


class TimeOut(NamedTuple):
    """The player to move has run out of time and loses the round."""

    seat: Seat


class Abandon(NamedTuple):
    """The game is called off: by its maker before the start, by agreement after it."""

    by: Seat | None


Command = CreateGame | JoinGame | TakeTurn | Resign | TimeOut | Abandon
