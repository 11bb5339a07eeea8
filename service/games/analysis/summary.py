"""Each player's balance in an analysis: one number for the turns, one for the draws.

Neither is called skill: ten games say little, and one says nothing.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from engine import SEATS, Seat
from service.bots.analysis import Estimate, WeighedTurn
from service.games.analysis.service import Analysis

MOST_KEY_MOMENTS: Final = 3


class Balance(NamedTuple):
    """A player's mean loss per turn, and the sum of their luck in draws.

    `loss` is None if no turn was compared, `luck` if no draw was weighed; `turns` and `draws` are
    the numbers of those that were.
    """

    turns: int
    loss: Estimate | None
    draws: int
    luck: Estimate | None


class KeyMoment(NamedTuple):
    """A play or a draw that mattered. `worth` is the change for its player: below 0 for a loss."""

    what: Literal["play", "draw"]
    turn: WeighedTurn
    worth: Estimate


class TurningPoint(NamedTuple):
    """The largest fall of a player's chance that was not made up for in the round: the turns that
    the chance was judged after, and its change, below 0."""

    before: WeighedTurn
    after: WeighedTurn
    change: Estimate


class LateClaim(NamedTuple):
    """A Stone that a player could have claimed by proof after the play of event `seq`."""

    seat: Seat
    stone: int
    seq: int


def balances(turns: Sequence[WeighedTurn]) -> dict[Seat, Balance]:
    return {seat: _balance([turn for turn in turns if turn.seat == seat]) for seat in SEATS}


def key_moments(turns: Iterable[WeighedTurn]) -> list[KeyMoment]:
    """The plays and draws that mattered most, in their order: only those beyond their error."""
    candidates = [
        KeyMoment("play", turn, _less(turn.loss))
        for turn in turns
        if turn.loss is not None and turn.loss.value > 0
    ]
    candidates += [KeyMoment("draw", turn, turn.luck) for turn in turns if turn.luck is not None]
    certain = [each for each in candidates if each.worth.is_certain]
    certain.sort(key=lambda each: -abs(each.worth.value))
    return sorted(certain[:MOST_KEY_MOMENTS], key=lambda each: (each.turn.seq, each.what == "draw"))


def turning_point(turns: Sequence[WeighedTurn]) -> TurningPoint | None:
    """The turning point, None if no fall is beyond its error."""
    falls: list[TurningPoint] = []
    for part in {(turn.round, turn.seat) for turn in turns}:
        own = [turn for turn in turns if (turn.round, turn.seat) == part]
        for place, (one, other) in enumerate(pairwise(own), 1):
            highest = max(turn.chance.value for turn in own[place:])
            if highest < one.chance.value:
                falls.append(TurningPoint(one, other, _sum([other.chance, _less(one.chance)])))
    certain = [fall for fall in falls if fall.change.is_certain]
    return min(certain, key=lambda fall: (fall.change.value, fall.after.seq), default=None)


def late_claims(turns: Iterable[WeighedTurn]) -> list[LateClaim]:
    """The first moment at which each claim could have been made that came later or never."""
    claims: dict[tuple[int, Seat, int], LateClaim] = {}
    for turn in turns:
        for stone in turn.missed:
            claim = LateClaim(turn.seat, stone, turn.seq)
            claims.setdefault((turn.round, turn.seat, stone), claim)
    return [*claims.values()]


def analysis_data(analysis: Analysis) -> dict[str, object]:
    return {
        "status": analysis.status,
        "weighed": len(analysis.turns),
        "of": analysis.of,
        "ahead": analysis.ahead,
        **{
            seat: {
                "loss": balance.loss and balance.loss.to_data(),
                "luck": balance.luck and balance.luck.to_data(),
            }
            for seat, balance in balances(analysis.turns).items()
        },
        "turns": [turn.to_data() for turn in analysis.turns],
    }


def _balance(turns: Sequence[WeighedTurn]) -> Balance:
    losses = [turn.loss for turn in turns if turn.loss is not None]
    lucks = [turn.luck for turn in turns if turn.luck is not None]
    total = _sum(losses)
    mean = losses and Estimate(total.value / len(losses), total.error / len(losses))
    return Balance(len(losses), mean or None, len(lucks), _sum(lucks) if lucks else None)


def _less(estimate: Estimate) -> Estimate:
    return Estimate(-estimate.value, estimate.error)


def _sum(estimates: Iterable[Estimate]) -> Estimate:
    each = [*estimates]
    return Estimate(
        math.fsum(one.value for one in each),
        math.sqrt(math.fsum(one.error**2 for one in each)),
    )
