"""The worth of the turns and draws of a finished game, in words.

Each figure is shown with twice its error: weighed again with other guesses, it is within this range
in 19 of 20 cases.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from flask import Response
from markupsafe import Markup, escape

from engine import OTHER, Game, Seat
from service.api.auth import caller_address
from service.bots.analysis import CERTAIN, Estimate, WeighedTurn
from service.container import get_container
from service.core.words import N_, Words
from service.games.analysis import (
    Balance,
    KeyMoment,
    LateClaim,
    balances,
    key_moments,
    late_claims,
    turning_point,
)
from service.games.reading.snapshot import GameSnapshot
from service.text.card_names import card_name, people, the_card
from service.text.event_words import as_sentence
from service.text.history import Sentence
from service.web.answers import signed_in, to
from service.web.blueprint import blueprint
from service.web.game.chances import ChanceChart, chart_of, numbered
from service.web.game.replay import sentence_at
from service.web.game.sentences import action_words

_MARGIN: Final = re.compile(r"\(±\N{NO-BREAK SPACE}[\d.,]+\)")


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


def worth_panel(words: Words, snapshot: GameSnapshot, below: Seat) -> WorthPanel | None:
    """Return the panel of a game that is over, drawn for the player `below`; None if no card was
    played in it."""
    latest = snapshot.latest
    if not (latest.was_played and _has_plays(latest.game)):
        return None
    analysis = snapshot.analysis
    told = _Told(words, people(words, snapshot.seat_names), snapshot.seat)
    shown = told.shown(analysis.turns, below) if analysis.status == "done" else None
    return WorthPanel(analysis.status, len(analysis.turns), analysis.of, analysis.ahead, shown)


def _has_plays(game: Game) -> bool:
    laid = any(stone.modes or any(stone.sides.values()) for stone in game.stones)
    return game.round > 1 or laid or any(game.tactics_played.values())


def log_marks(shown: WorthShown, story: Sequence[Sentence]) -> dict[int, int]:
    """Return the numbers that the chart gives to the turns that mattered, by the number of the
    sentence of `story` that tells of each."""
    told = [sentence_at(story, each.seq) for each in shown.key_moments]
    return {each.seq: number for number, each in enumerate(told, 1) if each is not None}


def worth_at(words: Words, snapshot: GameSnapshot, story: Sequence[Sentence]) -> str:
    """Return the worth of the turn that the sentence of `story` at the shown step tells; `""` if
    none was analysed, or not yet."""
    step = snapshot.shown
    ends = (each.seq for each in story if each.seq < step.version)
    begin = max(ends, default=snapshot.lines[0]["seq"] - 1)
    turns = snapshot.analysis.turns if snapshot.latest.was_played else ()
    turn = next((each for each in reversed(turns) if begin < each.seq <= step.version), None)
    if turn is None:
        return ""
    told = _Told(words, people(words, snapshot.seat_names), snapshot.seat)
    return told.at_step(turn, is_drawn=step.version >= (turn.drawn_at or 0))


@dataclass(frozen=True)
class _Told:
    """Tells a reader what turns and draws were worth; `names` are those of the players by seat."""

    words: Words
    names: Mapping[str, str]
    reader: Seat | None

    def by(self, seat: Seat, you: str, other: str, /, **places: object) -> str:
        """Say `you` if the reader sits there, or else `other`, of the player with that `name`."""
        if seat == self.reader:
            return self.words.say(you, **places)
        return self.words.say(other, name=self.names[seat], **places)

    def at_step(self, turn: WeighedTurn, *, is_drawn: bool) -> str:
        """Return the worth of a turn, and of its draw, in one sentence."""
        words = self.words
        # Note: %(share)s is such as "64 % (± 3)"
        you = N_("You: %(share)s to win after this play")
        # Note: %(share)s is such as "64 % (± 3)"
        other = N_("%(name)s: %(share)s to win after this play")
        parts = [self.by(turn.seat, you, other, share=_share(words, turn.chance))]
        if turn.loss and turn.played not in turn.best:
            parts.append(self._better(turn, turn.loss))
        if turn.drawn and turn.luck and is_drawn:
            card = card_name(words, turn.drawn)
            # Note: %(worth)s is such as "+4 % (± 3)"
            message = N_("the draw of %(card)s, %(worth)s")
            parts.append(words.say(message, card=card, worth=_share(words, turn.luck, signed=True)))
        return as_sentence(words, words.parts(parts))

    def _better(self, turn: WeighedTurn, loss: Estimate) -> str:
        words, (best, *others) = self.words, turn.best
        # Note: %(play)s is such as "Red 7 on Stone 3"; %(loss)s is such as "5 %",
        # Note: %(error)s such as "± 3"
        message = N_("%(play)s was better by %(loss)s (%(error)s)")
        places = {"loss": _per_cent(words, loss.value), "error": _error(words, loss)}
        told = words.say(message, play=action_words(words, best), **places)
        return _with_as_good(words, told, others)

    def shown(self, turns: Sequence[WeighedTurn], below: Seat) -> WorthShown:
        """Return the content of the panel, drawn for the player `below`."""
        most, of_player = key_moments(turns), balances(turns)
        numbers, ends = turn_numbers(self.words, turns), {each.seq: whole(each) for each in turns}
        return WorthShown(
            chart_of(turns, most, below),
            [self._key_moment(each, numbers[each.turn.seq]) for each in most],
            self._turning_point(turns, numbers),
            [players_worth(self.words, seat, of_player[seat]) for seat in (below, OTHER[below])],
            [
                StepWords(numbers[claim.seq], ends[claim.seq], self._late(claim))
                for claim in late_claims(turns)
            ],
            [_row(self.words, numbers[turn.seq], turn) for turn in turns],
        )

    def _late(self, claim: LateClaim) -> str:
        # Note: goes on "from turn 7 on."
        you = N_("You could have claimed Stone %(stone)s")
        # Note: goes on "from turn 7 on."
        other = N_("%(name)s could have claimed Stone %(stone)s")
        return self.by(claim.seat, you, other, stone=claim.stone)

    def _turning_point(
        self, turns: Sequence[WeighedTurn], numbers: Mapping[int, str]
    ) -> StepWords | None:
        found = turning_point(turns)
        if found is None:
            return None
        before, after, change = found
        # Note: goes on ", after turn 7."; %(before)s and %(after)s are such as "64 %", %(error)s is
        # Note: such as "± 3"
        you = N_("your chance to win fell from %(before)s to %(after)s (%(error)s)")
        # Note: goes on ", after turn 7."
        other = N_("%(name)s’s chance to win fell from %(before)s to %(after)s (%(error)s)")
        told = self.by(
            after.seat,
            you,
            other,
            before=_per_cent(self.words, before.chance.value),
            after=_per_cent(self.words, after.chance.value),
            error=_error(self.words, change),
        )
        return StepWords(numbers[after.seq], whole(after), told)

    def _key_moment(self, each: KeyMoment, number: str) -> StepWords:
        turn, words = each.turn, self.words
        if each.what == "draw":
            # Note: %(worth)s is such as "+4 % (± 3)"
            you = N_("You drew %(card)s: your chance %(worth)s")
            # Note: %(worth)s is such as "+4 % (± 3)"
            other = N_("%(name)s drew %(card)s: own chance %(worth)s")
            card, worth = the_card(words, turn.drawn or ""), _share(words, each.worth, signed=True)
            drew = self.by(turn.seat, you, other, card=card, worth=worth)
            return StepWords(number, whole(turn), drew)
        # Note: %(played)s and %(best)s are such as "Red 7 on Stone 3", %(loss)s as "5 %"
        you = N_("You played %(played)s: %(best)s was better by %(loss)s (%(error)s)")
        # Note: %(played)s and %(best)s are such as "Red 7 on Stone 3", %(loss)s as "5 %"
        other = N_("%(name)s played %(played)s: %(best)s was better by %(loss)s (%(error)s)")
        loss, (best, *others) = turn.loss or each.worth, turn.best
        told = self.by(
            turn.seat,
            you,
            other,
            played=action_words(words, turn.played),
            best=action_words(words, best),
            loss=_per_cent(words, loss.value),
            error=_error(words, loss),
        )
        return StepWords(number, whole(turn), _with_as_good(words, told, others))


@blueprint.app_template_filter()
def margins(words: str) -> Markup:
    """Return words of the summary with each margin, `(± 3)`, as an element of its own: a narrow
    page shows it with what explains it."""
    return Markup(_MARGIN.sub(r'<span class="margin">\g<0></span>', str(escape(words))))


@blueprint.app_template_global("whole_turn")
def whole(turn: WeighedTurn) -> int:
    """Return the number of the event that ends the turn, after its draw, which ends it at once; of
    the play where no Clan card was drawn."""
    return turn.seq if turn.drawn_at is None else turn.drawn_at + 1


def turn_numbers(words: Words, turns: Iterable[WeighedTurn]) -> dict[int, str]:
    """Return the number of each turn in its round, by its event, as the replay counts them: `7`, or
    in a later round of a match `7 (round 2)`."""
    return {
        # Note: the number of a turn in a later round
        turn.seq: words.say("%(number)s (round %(round)s)", number=number, round=turn.round)
        if turn.round > 1
        else str(number)
        for number, turn in numbered(turns)
    }


def _row(words: Words, number: str, turn: WeighedTurn) -> TurnRow:
    loss = draw = ""
    if turn.loss:
        loss = _loss(words, turn, turn.loss)
    if turn.drawn and turn.luck:
        draw = words.say(
            # Note: a card, and what drawing it was worth: "Red 7: +1.2 %"
            "%(card)s: %(worth)s",
            card=card_name(words, turn.drawn),
            worth=_tenths(words, turn.luck, signed=True),
        )
    played, chance = action_words(words, turn.played), _per_cent(words, turn.chance.value)
    return TurnRow(number, turn, played, chance, loss, draw)


def _loss(words: Words, turn: WeighedTurn, loss: Estimate) -> str:
    """Return what a play has lost, and to which: `1.2 %, to Red 7 on Stone 3`."""
    lost, (best, *others) = _tenths(words, loss), turn.best
    if turn.played in turn.best:
        # Note: what a play has lost, such as "0.2 %": it was as good as the best
        told = words.say("%(loss)s, as good", loss=lost)
    else:
        # Note: what a play has lost to a better one: "1.2 %, to Red 7 on Stone 3"
        told = words.say("%(loss)s, to %(play)s", loss=lost, play=action_words(words, best))
    return told if turn.played in turn.best else _with_as_good(words, told, others)


def players_worth(words: Words, seat: Seat, balance: Balance) -> PlayersWorth:
    """Return a player's tile: the worth of their draws and plays."""
    luck, loss = balance.luck, balance.loss
    # Note: after a figure, which draws brought about; %(error)s is such as "± 3"
    lucky, unlucky = N_("(%(error)s) by draws: lucky"), N_("(%(error)s) by draws: unlucky")
    neither = N_("(%(error)s) by draws: neither lucky nor unlucky")
    figure = luck_words = loss_words = ""
    if luck:
        figure = _per_cent(words, luck.value, signed=True)
        kind = (lucky if luck.value > 0 else unlucky) if luck.is_certain else neither
        luck_words = words.say(kind, error=_error(words, luck))
    if loss:
        # Note: after a figure: "1.2 % a turn (± 0.3)"
        loss_words = words.say("a turn (%(error)s)", error=_error_in_tenths(words, loss))
    lost = _tenths(words, loss) if loss else ""
    return PlayersWorth(seat, figure, luck_words, lost, loss_words)


def _with_as_good(words: Words, told: str, others: Sequence[str]) -> str:
    """Add the other plays that were as good as the best."""
    if not others:
        return told
    plays = ", ".join(action_words(words, play) for play in others)
    # Note: %(told)s says which play was better; %(plays)s is such as "Red 8 on Stone 4"
    return words.say("%(told)s (as good: %(plays)s)", told=told, plays=plays)


def _share(words: Words, estimate: Estimate, *, signed: bool = False) -> str:
    figure = _per_cent(words, estimate.value, signed=signed)
    # Note: a share and its uncertainty: "64 % (± 3)"
    return words.say("%(share)s (%(error)s)", share=figure, error=_error(words, estimate))


def _tenths(words: Words, estimate: Estimate, *, signed: bool = False) -> str:
    value = 100 * estimate.value
    sign = "\N{MINUS SIGN}" if value < -0.05 else "+" if signed and value > 0.05 else ""
    number = sign + _decimal(words, abs(value))
    return words.say(_PER_CENT, number=number)


def _error_in_tenths(words: Words, estimate: Estimate) -> str:
    error = 100 * CERTAIN * estimate.error
    return f"±\N{NO-BREAK SPACE}{_decimal(words, max(0.1, error))}" if error else words.say(_EXACT)


def _decimal(words: Words, value: float) -> str:
    whole, tenths = f"{value:.1f}".split(".")
    # Note: a number with one decimal: "1.2"
    return words.say("%(whole)s.%(tenths)s", whole=whole, tenths=tenths)


def _per_cent(words: Words, value: float, *, signed: bool = False) -> str:
    whole = round(100 * value)
    sign = ("+" if whole > 0 else "\N{MINUS SIGN}" if whole < 0 else "") if signed else ""
    number = f"{sign}{abs(whole)}"
    return words.say(_PER_CENT, number=number)


def _error(words: Words, estimate: Estimate) -> str:
    if not estimate.error:
        return words.say(_EXACT)
    return f"±\N{NO-BREAK SPACE}{max(1, round(100 * CERTAIN * estimate.error))}"


_PER_CENT: Final = N_("%(number)s %%")
# Note: a figure without an error
_EXACT: Final = N_("exact")
