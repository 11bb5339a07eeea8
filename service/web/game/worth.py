"""The winning chances in a finished game, as coordinates of a drawing.

The drawing is 100 wide and 100 high. Its top means that the player `below` (the reader, or the
player shown in the reader's place) has won; its bottom means that the other player has.

The worth of the turns and draws of a finished game, in words.

Each figure is shown with twice its error: weighed again with other guesses, it is within this range
in 19 of 20 cases.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from flask import Response

from engine import OTHER, Game, Seat
from engine.cards import full_name
from service.api.auth import caller_address
from service.bots.analysis import CERTAIN, Estimate, WeighedTurn
from service.container import get_container
from service.games.analysis import (
    Balance,
    KeyMoment,
    balances,
    key_moments,
    late_claims,
    turning_point,
)
from service.games.reading.snapshot import GameSnapshot
from service.web.answers import signed_in, to
from service.web.blueprint import blueprint
from service.web.game.words import action_words

_MARGIN: Final = 4.0
"""The free space at the left and right."""
_MOST_TICKS: Final = 6
_TICKS_EVERY: Final = (1, 2, 5, 10, 20, 50, 100, 200)


class ChanceLine(NamedTuple):
    """A player's chances in one round, as that player saw them. `points` are those of a line,
    `band` those of the area of its uncertainty."""

    seat: Seat
    points: str
    band: str


class ChanceMark(NamedTuple):
    """The position of a turn that mattered, with its `number` in the list of such turns.

    `is_above`: another mark of the same turn lies below it.
    """

    number: int
    x: float
    y: float
    is_above: bool


class ChanceTick(NamedTuple):
    """The x coordinate of a turn, by its `number` in its round."""

    number: int
    x: float


class ChanceChart(NamedTuple):
    """The whole drawing. `rounds`: the x coordinates at which the rounds after the first begin;
    `ticks`: the turns that are numbered below it."""

    lines: Sequence[ChanceLine]
    marks: Sequence[ChanceMark]
    rounds: Sequence[float]
    ticks: Sequence[ChanceTick]


def chart_of(turns: Sequence[WeighedTurn], most: Sequence[KeyMoment], below: Seat) -> ChanceChart:
    """Return the drawing of these turns, with marks at those that mattered `most`."""
    step = (100 - 2 * _MARGIN) / max(1, len(turns) - 1)
    places = {turn.seq: _MARGIN + number * step for number, turn in enumerate(turns)}
    begun = {turn.round: places[turn.seq] for turn in reversed(turns)}
    marks = [
        ChanceMark(number, places[seq], _height(each.turn.chance.value, each.turn.seat, below), up)
        for number, each in enumerate(most, 1)
        for seq in (each.turn.seq,)
        for up in (seq in [other.turn.seq for other in most[: number - 1]],)
    ]
    lines = [
        _line([turn for turn in turns if (turn.round, turn.seat) == part], part[1], below, places)
        for part in [(played, seat) for played in sorted(begun) for seat in (OTHER[below], below)]
    ]
    rounds = [x - step / 2 for played, x in begun.items() if played > 1]
    every = next(each for each in _TICKS_EVERY if len(turns) // each <= _MOST_TICKS)
    ticks = [
        ChanceTick(number, places[turn.seq])
        for number, turn in numbered(turns)
        if number % every == 0
    ]
    return ChanceChart(lines, marks, rounds, ticks)


def numbered(turns: Iterable[WeighedTurn]) -> Iterator[tuple[int, WeighedTurn]]:
    """Yield each turn with its number in its round, from 1."""
    for _, of_round in groupby(turns, lambda turn: turn.round):
        yield from enumerate(of_round, 1)


def _line(
    turns: Sequence[WeighedTurn], seat: Seat, below: Seat, places: Mapping[int, float]
) -> ChanceLine:
    def points(errors: float) -> list[str]:
        chances = [turn.chance.value + errors * turn.chance.error for turn in turns]
        heights = [_height(min(1.0, max(0.0, chance)), seat, below) for chance in chances]
        return [f"{places[turn.seq]:.1f},{y:.1f}" for turn, y in zip(turns, heights, strict=True)]

    band = [*points(CERTAIN), *reversed(points(-CERTAIN))]
    return ChanceLine(seat, " ".join(points(0)), " ".join(band))


def _height(chance: float, seat: Seat, below: Seat) -> float:
    return 100 * (1 - chance if seat == below else chance)


class StepWords(NamedTuple):
    """A sentence about a turn, numbered as by `turn_numbers`, and the step of the game after event
    `seq` that shows it."""

    number: str
    seq: int
    words: str


class PlayersWorth(NamedTuple):
    """The worth of a player's draws (`luck`) and plays (`loss`), each as a figure with words.

    `luck` and its words are `""` if no draw of theirs was weighed, `loss` and its words if no play
    was compared with others.
    """

    seat: Seat
    luck: str
    luck_words: str
    loss: str
    loss_words: str


class TurnRow(NamedTuple):
    """A row for a turn, numbered as by `turn_numbers`, in the table of all turns.

    `loss` has its figure and what was better, or that the play was as good. A text is `""` if
    nothing was weighed.
    """

    number: str
    turn: WeighedTurn
    played: str
    chance: str
    loss: str
    draw: str


class WorthShown(NamedTuple):
    """The content of the panel once the analysis is done: the chart, the turns that mattered, the
    turning point, a tile for each player, late claims, and the table of all turns."""

    chart: ChanceChart
    key_moments: Sequence[StepWords]
    turning_point: StepWords | None
    players: Sequence[PlayersWorth]
    late: Sequence[StepWords]
    rows: Sequence[TurnRow]


class WorthPanel(NamedTuple):
    """The panel of an analysis: its state, the number of turns analysed (`weighed`), that of all
    turns (`of`), of the games that are weighed before it, and the content; `shown` is None until
    the analysis is done."""

    status: str
    weighed: int
    of: int | None
    ahead: int | None
    shown: WorthShown | None

    @property
    def is_asked(self) -> bool:
        """Whether somebody has asked for the analysis: else a button at the end does."""
        return self.status != "none"


@blueprint.post("/games/<game_id>/analysis")
def analyse(game_id: str) -> Response:
    """Request the analysis of a finished game."""
    player, games = signed_in(), get_container().games
    games.analyses.ask(games.read(game_id, player), player, caller_address())
    return to("web.game", game_id=game_id, _anchor="worth")


def worth_panel(snapshot: GameSnapshot, names: Mapping[str, str], below: Seat) -> WorthPanel | None:
    """Return the panel of a game that is over, drawn for the player `below`; None if no card was
    played in it."""
    latest = snapshot.latest
    if not (latest.was_played and _has_plays(latest.game)):
        return None
    analysis = snapshot.analysis
    shown = _shown(analysis.turns, names, below) if analysis.status == "done" else None
    return WorthPanel(analysis.status, len(analysis.turns), analysis.of, analysis.ahead, shown)


def _has_plays(game: Game) -> bool:
    laid = any(stone.modes or any(stone.sides.values()) for stone in game.stones)
    return game.round > 1 or laid or any(game.tactics_played.values())


def worth_at(snapshot: GameSnapshot, names: Mapping[str, str]) -> str:
    """Return the worth of the turn at the step that is shown; `""` if it was not analysed."""
    step, turns = snapshot.shown, snapshot.analysis.turns
    before = [turn for turn in turns if turn.seq <= step.version]
    if not snapshot.latest.was_played or not before:
        return ""
    turn = before[-1]
    if turn.round != step.game.round:
        return ""
    parts = [f"{names[turn.seat]}: {_share(turn.chance)} to win the round after this play"]
    if better := _better(turn):
        parts.append(f"{better} more")
    if turn.drawn and turn.luck and step.version >= (turn.drawn_at or 0):
        parts.append(f"the draw of {full_name(turn.drawn)}, {_signed(turn.luck)}")
    return "; ".join(parts) + "."


def _shown(turns: Sequence[WeighedTurn], names: Mapping[str, str], below: Seat) -> WorthShown:
    most, of_player = key_moments(turns), balances(turns)
    numbers = turn_numbers(turns)
    late = [
        StepWords(
            numbers[claim.seq],
            claim.seq,
            f"{names[claim.seat]} could have claimed Stone {claim.stone}",
        )
        for claim in late_claims(turns)
    ]
    return WorthShown(
        chart_of(turns, most, below),
        [_key_moment_words(each, numbers[each.turn.seq], names) for each in most],
        _turning_point(turns, numbers, names),
        [players_worth(seat, of_player[seat]) for seat in (below, OTHER[below])],
        late,
        [_row(numbers[turn.seq], turn) for turn in turns],
    )


def turn_numbers(turns: Iterable[WeighedTurn]) -> dict[int, str]:
    """Return the number of each turn in its round, by its event, as the replay counts them: `7`, or
    in a later round of a match `7 (round 2)`."""
    return {
        turn.seq: f"{number} (round {turn.round})" if turn.round > 1 else str(number)
        for number, turn in numbered(turns)
    }


def _turning_point(
    turns: Sequence[WeighedTurn], numbers: Mapping[int, str], names: Mapping[str, str]
) -> StepWords | None:
    found = turning_point(turns)
    if found is None:
        return None
    before, after, change = found
    shares = f"from {_per_cent(before.chance.value)} to {_per_cent(after.chance.value)}"
    whose = "your" if names[after.seat] == "You" else f"{names[after.seat]}'s"
    words = f"{whose} chance to win the round fell {shares} ({_error(change)})"
    return StepWords(numbers[after.seq], after.seq, words)


def _row(number: str, turn: WeighedTurn) -> TurnRow:
    loss = draw = ""
    if turn.loss:
        is_good, (best, as_good) = turn.played in turn.best, _best(turn)
        loss = f"{_tenths(turn.loss)}, {'as good' if is_good else f'to {best}{as_good}'}"
    if turn.drawn and turn.luck:
        draw = f"{full_name(turn.drawn)}: {_tenths(turn.luck, signed=True)}"
    return TurnRow(number, turn, action_words(turn.played), _share(turn.chance), loss, draw)


def _key_moment_words(each: KeyMoment, number: str, names: Mapping[str, str]) -> StepWords:
    turn, name = each.turn, names[each.turn.seat]
    if each.what == "draw":
        drew = f"{name} drew {full_name(turn.drawn or '')}"
        return StepWords(number, turn.drawn_at or turn.seq, f"{drew}: {_signed(each.worth)}")
    words = f"{name} played {action_words(turn.played)}: {_better(turn, 'more ')}"
    return StepWords(number, turn.seq, words)


def players_worth(seat: Seat, balance: Balance) -> PlayersWorth:
    """Return a player's tile: the worth of their draws and plays."""
    luck, loss = balance.luck, balance.loss
    luck_words = ""
    if luck:
        kind = "lucky" if luck.value > 0 else "unlucky"
        kind = kind if luck.is_certain else "neither lucky nor unlucky"
        luck_words = f"by draws: {kind} ({_error(luck)})"
    figure, _, error = (_tenths(loss) if loss else "").partition(" (")
    return PlayersWorth(
        seat,
        _per_cent(luck.value, signed=True) if luck else "",
        luck_words,
        figure,
        f"a turn ({error}" if loss else "",
    )


def _better(turn: WeighedTurn, more: str = "") -> str:
    """Return the better play, if one is certain: `Red 7 on Stone 3 was worth 14 % (± 8) (as good:
    Red 8 on Stone 4)`; else `""`. `more` follows the figure's percent sign."""
    if turn.loss is None or turn.played in turn.best:
        return ""
    best, as_good = _best(turn)
    share, _, error = _share(turn.loss).partition("(")
    return f"{best} was worth {share}{more}({error}{as_good}"


def _best(turn: WeighedTurn) -> tuple[str, str]:
    """Return the best play, and those as good: `Red 7 on Stone 3`, ` (as good: Red 8 on Stone
    4)`."""
    best, *others = map(action_words, turn.best)
    return best, f" (as good: {', '.join(others)})" if others else ""


def _share(estimate: Estimate) -> str:
    return f"{_per_cent(estimate.value)} ({_error(estimate)})"


def _signed(estimate: Estimate) -> str:
    return f"{_per_cent(estimate.value, signed=True)} ({_error(estimate)})"


def _tenths(estimate: Estimate, *, signed: bool = False) -> str:
    """Return a figure to the tenth, so that a table adds up."""
    value, error = 100 * estimate.value, 100 * CERTAIN * estimate.error
    sign = "\N{MINUS SIGN}" if value < -0.05 else "+" if signed and value > 0.05 else ""
    words = f"± {max(0.1, error):.1f}" if error else "exact"
    return f"{sign}{abs(value):.1f} % ({words})"


def _per_cent(value: float, *, signed: bool = False) -> str:
    number = round(100 * value)
    sign = ("+" if number > 0 else "\N{MINUS SIGN}" if number < 0 else "") if signed else ""
    return f"{sign}{abs(number)} %"


def _error(estimate: Estimate) -> str:
    if not estimate.error:
        return "exact"
    return f"± {max(1, round(100 * CERTAIN * estimate.error))}"
