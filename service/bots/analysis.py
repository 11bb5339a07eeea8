"""What each turn of a finished game was worth, and each draw, as far as its player could know.

A turn is weighed from the view of its own seat alone. The cards that this seat could not see are
dealt by guess, and played on for a few turns: first after many plays, to find the best few; then,
with new deals, after these and the play that was made, and with the drawn card on top of the deck.
Each deal serves all of them. Once the deck is empty, results are exact where `endgame` finds them.
"""

import hashlib
import math
import operator
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, pvariance
from typing import Any, Final, NamedTuple

from engine import SEATS, Event, Game, Seat, View, evolve, parse, view
from engine.cards import BIT
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsReturned,
    Passed,
    RoundEnded,
    RoundStarted,
    RusePlayed,
    TurnEnded,
)
from engine.notation import Banish, Move, Play
from engine.rules import claimable_stones
from engine.verify import action_of
from service.bots import steward
from service.bots.deals import GuessedDeals, Results
from service.bots.position import Position, position_in
from service.bots.strategist import CANDIDATES, best_of, first_scores

EFFORT: Final = 4000
"""Steers how many deals are played on for a turn: late draws matter more, so they get more."""
SEARCH: Final = 11
"""By which the effort is divided for the number of games in which the best plays are sought."""
PRIOR: Final = 1.0
"""The games that the steward's judgement of a play counts as when the best are sought. As many as
the strategist's would hide plays that come out better by playing on."""
RIVALS: Final = 3
"""The most plays that are compared with the one that was made."""
FOLDS: Final = 5
"""The parts of the deals: for each, the best play is chosen by the other parts alone."""
AGAIN: Final = math.sqrt(2)
"""The error of a figure against the same weighed again, in standard errors of either."""
MISSED: Final = 1.3
"""How much more a loss differs when weighed again, as the search may find other plays: measured by
`bench/weighing.py`."""
CERTAIN: Final = 2.0
"""The errors within which 95 of 100 figures lie when weighed again with other guesses."""
EARLY_LUCK: Final = 0.025
LATE_LUCK: Final = 0.32
"""How far a draw's worth typically lies from the mean (a standard deviation) with many cards to
come, and how much further with the last of them, as measured by `bench/luck.py`."""
_LATENESS: Final = 8
"""The power that lets few draws be late ones: fitted to the last 14 cards."""
LARGEST_DECK: Final = 42
"""Clan cards in the deck once both hands are dealt."""
DECK_OFFSET: Final = 12
"""Added to the cards in the deck, by which the effort is divided: bounds the deals late on."""
_COMPARED: Final = (Play, Move, Banish)
_SHARED: Final = ("seq", "round", "seat", "played", "drawn", "drawn_at", "missed")


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn as its player saw it: `before` the play, and `after` it, before a card is drawn.

    `seq` is the number of the play's event, and `played` its action text. `drawn` is the Clan card
    drawn, if any, and `drawn_at` the number of its event. `below` are the Clan cards that the
    player has put under the deck. `missed` are the Stones that the player could have claimed,
    by proof, and did not. `is_won`: its claims won the round.
    """

    seq: int
    round: int
    seat: Seat
    played: str
    before: View
    after: View
    drawn: str | None = None
    drawn_at: int | None = None
    below: tuple[str, ...] = ()
    missed: tuple[int, ...] = ()
    is_won: bool = False


class Estimate(NamedTuple):
    """A chance of winning, or a difference of such chances, and its error; 0 if it is exact.

    Weighed again with other guesses, 95 of 100 figures lie within two errors (`CERTAIN`).
    """

    value: float
    error: float

    @property
    def is_certain(self) -> bool:
        """Whether it differs from 0 by more than its error explains."""
        return abs(self.value) > CERTAIN * self.error

    def to_data(self) -> dict[str, float]:
        """Both to the hundredth of a per cent."""
        return {"value": round(self.value, 4), "error": round(self.error, 4)}


@dataclass(frozen=True, slots=True)
class WeighedTurn:
    """A turn and its worth; fields of the same name are those of `PlayedTurn`.

    `chance` is that of winning the round, as the player could judge it after the play. `best` are
    the best plays found, those that cannot be told apart: also the one that was made, if it is as
    good. `loss` is the chance after the best less that after the play that was made: below 0 by
    chance alone. `best` is empty and `loss` None where plays are not compared. `luck` is the chance
    with the card drawn less the mean over the cards that could have come; None without a Clan card.
    """

    seq: int
    round: int
    seat: Seat
    played: str
    chance: Estimate
    best: tuple[str, ...]
    loss: Estimate | None
    drawn: str | None
    drawn_at: int | None
    luck: Estimate | None
    missed: tuple[int, ...]

    def to_data(self) -> dict[str, object]:
        """The form that is stored, and that of the API."""
        return {
            name: value.to_data() if isinstance(value, Estimate) else value
            for name in self.__slots__
            for value in (getattr(self, name),)
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "WeighedTurn":
        """Read a turn from the form that `to_data` returns."""
        estimates = {
            name: data[name] and Estimate(**data[name]) for name in ("chance", "loss", "luck")
        }
        tuples = {name: tuple(data[name]) for name in ("best", "missed")}
        return cls(**{**data, **estimates, **tuples})


def turns_of(events: Iterable[Event]) -> Iterator[PlayedTurn]:
    """The turns of a game in their order, from its log."""
    game: Game | None = None
    start: tuple[Event, Game] | None = None
    below: dict[Seat, tuple[str, ...]] = {}
    for event in events:
        before, game = game, evolve(game, event)
        if before is None:
            continue
        match event:
            case RoundStarted():
                start, below = None, dict.fromkeys(SEATS, ())
            case CardPlayed() | RusePlayed() | Passed():
                start = event, before
            case CardsReturned(by, cards=cards):
                below[by] += tuple(card for card in cards or () if card in BIT)
            case CardDrawn() | TurnEnded() | RoundEnded() if start is not None:
                yield _turn(*start, event, before, below)
                start = None


def _turn(
    play: Event, before: Game, end: Event, after: Game, below: Mapping[Seat, tuple[str, ...]]
) -> PlayedTurn:
    """The turn that began with `play` and that `end` is about to end."""
    seat = before.turn
    assert seat is not None, "somebody has played"
    seen, drawn = view(before, seat), None
    if isinstance(end, CardDrawn) and end.deck == "clan":
        drawn = (end.cards or (None,))[0]
    at_claims = before if before.options.claim_timing == "before_play" else after
    over = isinstance(end, RoundEnded)
    return PlayedTurn(
        seq=before.version + 1,
        round=before.round,
        seat=seat,
        played=action_of(play),
        before=replace(seen, legal=[text for text in seen.legal if text[0] != "!"]),
        after=view(after, seat),
        drawn=drawn,
        drawn_at=None if drawn is None else after.version + 1,
        below=below[seat],
        missed=() if over else tuple(claimable_stones(at_claims, seat)),
        is_won=isinstance(end, RoundEnded) and end.reason in ("three-adjacent", "five-stones"),
    )


def weigh(turn: PlayedTurn, effort: int = EFFORT, seed: int = 0) -> WeighedTurn:
    """The worth of a turn: the same for the same turn and seed."""
    position, best, loss, luck = position_in(turn.after), tuple[str, ...](), None, None
    if turn.is_won:
        chance = Estimate(1.0, 0.0)
    else:
        deals = _deals(turn, position, effort, seed)
        played = deals.results(position)
        raw = _share(played)
        chance = Estimate(raw.value, AGAIN * raw.error)
        if rivals := _rivals(turn, deals, effort // SEARCH):
            others = {text: deals.results(after) for text, after in rivals.items()}
            best, loss = _compared(turn.played, played, others)
        if turn.drawn is not None:
            # As in `_share`: who won each of these games need not always win.
            likely = (sum(played.chances) + 1) / (len(played.chances) + 2)
            typical = typical_luck(turn.after.decks["clan"], likely)
            value, error = shrunk(_difference(deals.results(position, turn.drawn), played), typical)
            luck = Estimate(value, AGAIN * error)
    shared = {name: getattr(turn, name) for name in _SHARED}
    return WeighedTurn(**shared, chance=chance, best=best, loss=loss, luck=luck)


def measured_luck(turn: PlayedTurn, effort: int) -> Estimate:
    """The luck of a turn's draw as measured, however uncertain: 0 on the average of many games."""
    assert turn.drawn is not None, "a Clan card was drawn"
    position = position_in(turn.after)
    deals = _deals(turn, position, effort)
    return _difference(deals.results(position, turn.drawn), deals.results(position))


def typical_luck(deck: int, chance: float) -> float:
    """How far a draw's worth typically lies from the mean: a standard deviation.

    `deck` is the number of Clan cards before the draw, and `chance` that of winning.
    """
    spread = EARLY_LUCK + LATE_LUCK * (1 - deck / LARGEST_DECK) ** _LATENESS
    return spread * 2 * math.sqrt(chance * (1 - chance))


def shrunk(measured: Estimate, typical: float) -> Estimate:
    """The worth to expect of a draw, given what was measured: the less certain that is, the closer
    to 0, where draws lie on the average."""
    noise, spread = measured.error**2, typical**2
    share = spread / (spread + noise) if noise else 1.0
    return Estimate(share * measured.value, math.sqrt(share * noise))


def _deals(turn: PlayedTurn, position: Position, effort: int, seed: int = 0) -> GuessedDeals:
    return GuessedDeals(
        turn.after,
        position,
        position_in(turn.before),
        below=turn.below,
        is_drawn=turn.drawn is not None,
        count=max(1, effort // (turn.after.decks["clan"] + DECK_OFFSET)),
        rng=_chance_of(position, seed),
    )


def _rivals(turn: PlayedTurn, deals: GuessedDeals, games: int) -> dict[str, Position]:
    """The best plays other than that of the turn, by some games with deals of their own, and where
    each leads; none where plays cannot be compared."""
    position = position_in(turn.before)
    rated = steward.rated(turn.before, _chance_of(position))
    if not all(isinstance(parse(text), _COMPARED) for text in (turn.played, rated[0][1])):
        return {}
    rated = [pair for pair in rated if isinstance(parse(pair[1]), _COMPARED)][:CANDIDATES]
    after = {text: position.after(parse(text)) for _, text in rated if text != turn.played}

    def play_all(alive: Sequence[str]) -> list[float]:
        deal = deals.another()
        return [deals.result(after[text], deal) for text in alive]

    best = best_of([*after], first_scores(rated, PRIOR), games, RIVALS, play_all)
    return {text: after[text] for text in best}


def _compared(
    made: str, played: Results, others: Mapping[str, Results]
) -> tuple[tuple[str, ...], Estimate]:
    """The best of these plays, those that cannot be told apart, and the loss by the one made.

    The play that is best by some deals owes a part of that to them. So each part of the deals
    weighs the play that is best by the others.
    """
    results = {made: played, **others}
    totals = {text: math.fsum(each.chances) for text, each in results.items()}
    gains: list[float] = []
    for fold in range(FOLDS):
        part = slice(fold, None, FOLDS)
        rest = {text: totals[text] - sum(results[text].chances[part]) for text in results}
        chosen = results[max(rest, key=rest.__getitem__)]
        gains += map(operator.sub, chosen.chances[part], played.chances[part])
    order = sorted(results, key=totals.__getitem__, reverse=True)
    rival = next(text for text in order if text != made) if order[0] == made else order[0]
    loss = Estimate(fmean(gains), _sought(results[rival], played).error)
    is_worse = loss.is_certain and loss.value > 0
    best = [
        text
        for text in order
        if not (is_worse if text == made else _sought(results[order[0]], results[text]).is_certain)
    ]
    return tuple(best), loss


def _sought(one: Results, other: Results) -> Estimate:
    """The difference of two plays that were sought."""
    value, error = _difference(one, other)
    return Estimate(value, AGAIN * MISSED * error)


def _chance_of(position: Position, seed: int = 0) -> random.Random:
    """Return a random generator that is seeded by the position as its player sees it, so that a
    mirrored game gives the same numbers."""
    return random.Random(hashlib.sha256(f"{position!r}{seed or ''}".encode()).digest())


def _share(results: Results) -> Estimate:
    value = fmean(results.chances)
    if results.is_exact:
        return Estimate(value, 0.0)
    # Two imagined games, won and lost, keep the error above 0 (Agresti and Coull).
    some = [*results.chances, 0.0, 1.0]
    return Estimate(value, math.sqrt(pvariance(some) / len(some)))


def _difference(one: Results, other: Results) -> Estimate:
    """The mean difference of results over the same deals, and its standard error."""
    pairs = [*map(operator.sub, one.chances, other.chances)]
    if one.is_exact and other.is_exact:
        return Estimate(fmean(pairs), 0.0)
    # As in `_share`, an imagined pair keeps the error above 0: of two results by chance.
    imagined = 2 * pvariance([*one.chances, *other.chances, 0.0, 1.0])
    spread = pvariance(pairs) + imagined / len(pairs)
    return Estimate(fmean(pairs), math.sqrt(spread / len(pairs)))
