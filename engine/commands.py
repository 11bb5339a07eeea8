"""The commands of players and the server. `engine.decide` turns each into events, or refuses it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.cards import Seat
from engine.clock_events import Interval
from engine.options import RULES_VERSION


@dataclass(frozen=True, slots=True)
class CreateGame:
    """A player makes a game and takes a seat.

    `secret` is 32 bytes in hex, from which every shuffle is derived; `salt` is the player's own
    share. `first_player` is one of `FIRST_PLAYERS` (ruling 2), `visited` the date of the last visit
    to Scotland, `2026-05-31`. The host may store anything in `terms`; the rules never read it.
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
    terms: Mapping[str, object] = field(default_factory=dict)
    rules_version: int = RULES_VERSION


@dataclass(frozen=True, slots=True)
class JoinGame:
    """The second player takes the free seat, and the first round starts."""

    player: str
    salt: str
    visited: str | None = None


@dataclass(frozen=True, slots=True)
class TakeTurn:
    """Actions of one player's turn, in action text: all of them or none."""

    seat: Seat
    actions: Sequence[str]


@dataclass(frozen=True, slots=True)
class Resign:
    """A player gives up the round, in either player's turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The player to move has run out of time and loses the round."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Abandon:
    """The game is cancelled by its maker before the start, or ended by agreement after it."""

    by: Seat | None


@dataclass(frozen=True, slots=True)
class ChangeCalendar:
    """A player changes their calendar: see `CalendarChanged`."""

    seat: Seat
    zone: str
    sleep: tuple[str, str] | None = None
    vacations: tuple[Interval, ...] = ()
    next_turn: bool = False


@dataclass(frozen=True, slots=True)
class GiveTime:
    """The player in `seat` gives the opponent time."""

    seat: Seat
    seconds: int


@dataclass(frozen=True, slots=True)
class MoveClock:
    """A player lets time pass at once, in a sandbox."""

    seat: Seat
    seconds: int


@dataclass(frozen=True, slots=True)
class PauseClock:
    """A player agrees to pause the clock, until a moment if one is named."""

    seat: Seat
    until: str | None = None


@dataclass(frozen=True, slots=True)
class ResumeClock:
    """A player, or the host, lets a paused clock run again."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class AdjustClock:
    """An interval does not count, for a seat or for both: see `ClockAdjusted`."""

    seat: Seat | None
    reason: str
    since: str
    until: str


@dataclass(frozen=True, slots=True)
class HoldFlag:
    """The time of the player to move is up, but nothing ends before `until`: see `FlagHeld`."""

    seat: Seat
    until: str


ClockCommand = (
    ChangeCalendar | GiveTime | MoveClock | PauseClock | ResumeClock | AdjustClock | HoldFlag
)

Command = CreateGame | JoinGame | TakeTurn | Resign | TimeOut | Abandon | ClockCommand
