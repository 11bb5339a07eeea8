"""Requests and answers of seasons."""

from typing import Annotated, Final, Literal, NotRequired, TypedDict, get_args

from marshmallow.validate import Length, Range

from service.api.schemas import inputs
from service.api.schemas.fields import ClockInput, Moment, Name, PlayerId, Salt, cursor
from service.api.schemas.outputs import NextCursor
from service.core.ids import GAME_ID
from service.core.shapes import Default, Example, Pattern, Shown, Timestamp
from service.games.shapes import COMMITMENT, ClockShape, EditionName, PlayerSummaryShape
from service.seasons.events import Format, Reason
from service.seasons.ladder import Obstacle
from service.seasons.season import LARGEST, SMALLEST, Status
from service.seasons.seasons import MOST_PLAYERS, USUAL_CLOCK
from service.seasons.table import FEWEST

SEASON_ID: Final = Pattern(f"^{GAME_ID}$", "the id of a season")


class SeasonInput(TypedDict):
    """A season to announce. A league starts at a moment, or as soon as enough players wait; a
    ladder at once, and takes neither `division`, `starts_at`, `players`, `bots` nor `follows`."""

    name: Annotated[Name, Example("Spring league")]
    format: Annotated[Format, Default("league")]
    edition: Annotated[str, Default("iello")]
    tactics: Annotated[bool, Default(False)]
    expert: Annotated[bool, Default(False)]
    clock: Annotated[ClockInput | None, Default(None)]
    """Default: a bank of 3 days, and 12 hours for each turn; on a ladder vacations do not count. In
    a league `days_per_move` and times that do not count are not possible, on a ladder a fixed end
    is not."""
    division: Annotated[Annotated[int, Range(SMALLEST, LARGEST)] | None, Default(None)]
    """The best number of players of a division. Default: 6."""
    starts_at: Annotated[Moment | None, Default(None), Example("2026-12-01T18:00:00Z")]
    """When it starts at the latest. Without it, it waits for so many players."""
    players: Annotated[Annotated[int, Range(FEWEST, MOST_PLAYERS)] | None, Default(None)]
    """How many have to wait for it to start."""
    bots: Annotated[list[Annotated[str, Length(1, 40)]], Default([]), Length(max=LARGEST)]
    """Bots that fill short divisions, in this order."""
    follows: Annotated[Annotated[str, SEASON_ID] | None, Default(None)]
    """The season whose last table orders the divisions. It waits for that one to end."""


class SeasonEntryInput(TypedDict):
    """What a player may send who enters."""

    salt: Annotated[Salt | None, Default(None)]
    """Your share of the draw, and of the shuffles of your games. Default: the commitment."""


class ChallengedInput(TypedDict):
    """Whom to challenge on a ladder."""

    player: Annotated[PlayerId, Example("mfzwizltorzwi4tf")]


class SeasonsQuery(TypedDict):
    cursor: NotRequired[Annotated[str, cursor(GAME_ID)]]
    limit: inputs.Limit


class SeasonLogQuery(TypedDict):
    after: Annotated[int, Default(0), Range(0, inputs.MAX_VERSION)]
    """Only events after the one with this number."""
    limit: NotRequired[Annotated[int, Range(1, inputs.MOST_EVENTS)]]
    """The most events. Default: all."""
    wait: inputs.Wait


class SeasonSummaryShape(TypedDict):
    """A season in a list."""

    id: Annotated[str, Shown("onvwkzdfobxxe5dfmvzg")]
    version: Annotated[int, Shown(9)]
    """The number of the events of its log."""
    name: Annotated[str, Shown("Spring league")]
    """Its name."""
    format: Annotated[Format, Shown("league")]
    """A league in divisions, or a ladder, which goes on until the operator ends it, or nobody has
    stood on it for 90 days."""
    status: Annotated[Status, Shown("running")]
    edition: EditionName
    tactics: Annotated[bool, Shown(False)]
    expert: Annotated[bool, Shown(False)]
    clock: Annotated[ClockShape, Shown(USUAL_CLOCK)]
    """The pace of its games."""
    division: Annotated[int, Shown(6)]
    """The best number of players of a division; 0 on a ladder, which has none."""
    starts_at: Timestamp | None
    """When it starts; null for one that only waits for enough players."""
    wanted: Annotated[int | None, Shown(6)]
    """How many players have to wait for it to start; null for one that starts at a moment."""
    bots: Annotated[list[str], Shown([])]
    """The bots that fill short divisions."""
    follows: str | None
    """The season whose last table orders its divisions."""
    announced_at: Timestamp
    """When it was announced: its rules never change."""
    started_at: Timestamp | None
    """When it started; null before."""
    ended_at: Timestamp | None
    """When it ended; null before. A league that was not played has no `divisions` then."""
    entered: Annotated[int, Shown(6)]
    """How many players are in it."""


class EntrantShape(PlayerSummaryShape):
    """A player who has entered."""

    withdrawn: Literal[*get_args(Reason)] | None  # type: ignore[valid-type]
    """Why the player is not in it any more: `left`; `not-seen` in the week before the start;
    `gone`: without an account; `time-outs`; `away` from a ladder. Null for who is in it."""


class StandingShape(TypedDict):
    """A player in the table of a division."""

    player: PlayerSummaryShape
    """The player."""
    rank: Annotated[int | None, Shown(1)]
    """The place, from 1; null for a player whose games left the table."""
    points: Annotated[int, Shown(14)]
    """2 for each win, 1 for each draw."""
    won: Annotated[int, Shown(7)]
    """Games won."""
    drawn: Annotated[int, Shown(0)]
    """Games drawn."""
    lost: Annotated[int, Shown(3)]
    """Games lost."""
    berger: Annotated[int, Shown(132)]
    """Sonneborn-Berger: for each game, the points that it brought times the opponent's points."""
    stones: Annotated[int, Shown(33)]
    """Stones won."""
    by_lot: Annotated[bool, Shown(False)]
    """Whether the lot decided between the player and an equal one."""
    moves: Annotated[Literal["up", "down"] | None, Shown("up")]
    """Where the player goes as the table stands."""


class SeasonGameShape(TypedDict):
    """A game of a season. On a ladder `round` is the number of the challenge."""

    game: Annotated[str, Shown("onrw65dumvxhs5dporxw")]
    round: int
    leg: Annotated[int, Shown(1)]
    """Which of the two games of its pair it is: 1, or 2 with the seats swapped."""
    north: str
    """The id of the player who sits north: in a league they begin, on a ladder they challenged."""
    south: str
    """The id of the other player."""
    over: Annotated[bool, Shown(True)]
    """Whether its result is in the table."""
    winner: str | None
    """The winner's id; null for nobody, and before the end."""
    reason: Annotated[str | None, Shown("three-adjacent")]


class DivisionShape(TypedDict):
    """A division."""

    number: Annotated[int, Shown(1)]
    """Its number, from 1."""
    table: list[StandingShape]
    """The players, the best first."""
    games: list[SeasonGameShape]
    """All games."""


class RungShape(TypedDict):
    """A player of a ladder."""

    place: Annotated[int, Shown(4)]
    """The place, 1 at the top."""
    player: PlayerSummaryShape
    """The player."""
    entered_at: Timestamp
    """When the player entered."""
    games: list[SeasonGameShape]
    """Their games that are going on; the challenger sits north."""
    obstacle: Annotated[Obstacle | None, Shown("too-far-up")]
    """Why you cannot challenge the player now; null if you can. `not-on-ladder`: you are not on it
    yourself."""


class SeasonShape(SeasonSummaryShape):
    """A season with its tables."""

    commitment: Annotated[str, Shown(COMMITMENT)]
    """SHA-256 of the secret of its draws."""
    cards_commitment: Annotated[str | None, Shown(COMMITMENT)]
    """SHA-256 of the secret of the cards of all its games to come, which the log of a league shows
    once it is over; null for seasons of older versions."""
    secret: str | None
    """The secret; null before it starts."""
    head: Annotated[str, Shown(COMMITMENT[::-1])]
    """The last hash of its log."""
    by: PlayerSummaryShape | None
    """The player who made it; null for the operator."""
    entrants: list[EntrantShape]
    """Everybody who has entered, in order."""
    blocked: Annotated[list[str], Shown([])]
    """The ids of those in it whom you have blocked: you may have to play them."""
    divisions: list[DivisionShape]
    """The divisions; none before it starts, and on a ladder."""
    ladder: list[RungShape]
    """The players of a ladder from the top; none in a league."""


class SeasonPageShape(TypedDict):
    """A page of seasons."""

    seasons: list[SeasonSummaryShape]
    """The seasons."""
    next: NextCursor
