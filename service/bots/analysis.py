"""What each turn of a finished game was worth, and each draw, as far as its player could know.

A turn is weighed from the view of its own seat alone. The cards that this seat could not see are
dealt by guess, and played on for a few turns: after the play that was made, after the best that
`strategist` finds, and with the drawn card on top of the deck. Each guessed deal serves all three.
Once the deck is empty, the results are exact (`endgame`).
"""

import hashlib
import math
import random
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
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
from service.bots import outlook, strategist
from service.bots.endgame import Endgame, TooLarge
from service.bots.guess import held_weights
from service.bots.playout import play_on
from service.bots.position import Position, position_in
from service.bots.strategist import TURNS, Hidden

EFFORT: Final = 6000
"""Steers how many deals are played on for a turn: late draws matter more, so they get more."""
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
    """A chance of winning, or a difference of such chances, and its standard error."""

    value: float
    error: float

    def to_data(self) -> dict[str, float]:
        """Both to the hundredth of a per cent."""
        return {"value": round(self.value, 4), "error": round(self.error, 4)}


@dataclass(frozen=True, slots=True)
class WeighedTurn:
    """A turn and its worth; fields of the same name are those of `PlayedTurn`.

    `chance` is that of winning the round, as the player could judge it after the play. `best` is
    the best play that was sought out, and `loss` its chance less that of the play that was made;
    both None where plays are not compared. `luck` is the chance with the card drawn less the mean
    over the cards that could have come; None without a Clan card.
    """

    seq: int
    round: int
    seat: Seat
    played: str
    chance: Estimate
    best: str | None
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
        return cls(**{**data, **estimates, "missed": tuple(data["missed"])})


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


def weigh(turn: PlayedTurn, effort: int = EFFORT) -> WeighedTurn:
    """The worth of a turn: the same for the same turn."""
    position, best, loss, luck = position_in(turn.after), None, None, None
    if turn.is_won:
        chance = Estimate(1.0, 0.0)
    else:
        deals = _Deals(turn, position, effort)
        played = deals.chances(position)
        chance, best = _share(played), _best(turn)
        if best == turn.played:
            loss = Estimate(0.0, 0.0)
        elif best is not None:
            better = position_in(turn.before).after(parse(best))
            loss = _difference(deals.chances(better), played)
        if turn.drawn is not None:
            typical = typical_luck(turn.after.decks["clan"], chance.value)
            luck = shrunk(_difference(deals.chances(position, turn.drawn), played), typical)
    shared = {name: getattr(turn, name) for name in _SHARED}
    return WeighedTurn(**shared, chance=chance, best=best, loss=loss, luck=luck)


def measured_luck(turn: PlayedTurn, effort: int) -> Estimate:
    """The luck of a turn's draw as measured, however uncertain: 0 on the average of many games."""
    assert turn.drawn is not None, "a Clan card was drawn"
    position = position_in(turn.after)
    deals = _Deals(turn, position, effort)
    return _difference(deals.chances(position, turn.drawn), deals.chances(position))


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


def _best(turn: PlayedTurn) -> str | None:
    """The best play that the strategist finds, None where it cannot be compared."""
    if not isinstance(parse(turn.played), _COMPARED):
        return None
    best = strategist.choose(turn.before, _chance_of(position_in(turn.before)))
    return best if isinstance(parse(best), _COMPARED) else None


def _chance_of(position: Position) -> random.Random:
    """Return a random generator that is seeded by the position as its player sees it, so that a
    mirrored game gives the same numbers."""
    return random.Random(hashlib.sha256(repr(position).encode()).digest())


class _Deal(NamedTuple):
    """The unseen Clan cards in an order: the deck, its top last, and then the other hand.

    `next_held` is the card of the deck that the other hand would hold if it lacked one of its own.
    `seed` is that of the turns that are played on.
    """

    cards: list[int]
    next_held: int | None
    seed: float

    def with_on_top(self, card: int, deck: int) -> list[int]:
        """The cards, given that this one lies on top of a deck of so many."""
        cards = self.cards
        if cards.index(card) >= deck:
            assert self.next_held is not None, "a card was drawn"
            cards = _swapped(cards, card, self.next_held)
        return _swapped(cards, card, cards[deck - 1])


def _deal(rng: random.Random, weights: Mapping[int, float], deck: int, lowest: list[int]) -> _Deal:
    """A deal with these cards lowest in the deck: cards of more weight are held more often."""
    others = [card for card in weights if card not in lowest]
    others.sort(key=lambda card: rng.expovariate(weights[card]))
    held = len(weights) - deck
    hand, rest = others[:held], others[held:]
    next_held = rest[0] if rest else None
    rng.shuffle(rest)
    return _Deal([*lowest, *rest, *hand], next_held, rng.random())


def _swapped(cards: list[int], one: int, other: int) -> list[int]:
    """The cards in which these two have changed places."""
    places = {one: other, other: one}
    return [places.get(card, card) for card in cards]


class _Deals:
    """Deals of the cards that a player could not see after a turn, to be played on."""

    def __init__(self, turn: PlayedTurn, position: Position, effort: int) -> None:
        rng = _chance_of(position)
        self._view = turn.after
        self._deck = turn.after.decks["clan"]
        self._is_drawn = turn.drawn is not None or self._deck == 0
        lowest = [BIT[card] for card in turn.below if BIT[card] & position.unseen][: self._deck]
        self._is_deck_revealed = len(lowest) == self._deck
        count = max(1, effort // (self._deck + DECK_OFFSET))
        weights = held_weights(position)
        self._deals = [_deal(rng, weights, self._deck, lowest) for _ in range(count)]

    def chances(self, position: Position, drawn: str | None = None) -> list[float]:
        """The chance that each deal leads to from this position, with this card drawn or any: 1 or
        0 where the round is over."""
        hidden, results = Hidden(self._view, position), []
        if hidden.is_known:
            with suppress(TooLarge):
                theirs = Endgame(hidden.odds).result(hidden.table(position, hidden.cards), 1)
                return [(1 - theirs) / 2] * len(self._deals)
        for deal in self._deals:
            cards = deal.cards
            if drawn is not None and not self._is_deck_revealed:
                cards = deal.with_on_top(BIT[drawn], self._deck)
            table = hidden.table(position, cards)
            if not self._is_drawn:
                table.deck.append(table.hands[0].pop())
            winner = play_on(table, 1, TURNS, hidden.odds, random.Random(deal.seed))
            results.append(outlook.chance(table, winner, 1 - TURNS % 2, hidden.odds))
        return results


def _share(results: list[float]) -> Estimate:
    # Two imagined games, won and lost, keep the error above 0 (Agresti and Coull).
    some = [*results, 0.0, 1.0]
    return Estimate(fmean(results), math.sqrt(pvariance(some) / len(some)))


def _difference(one: list[float], other: list[float]) -> Estimate:
    """The mean difference of results over the same deals."""
    pairs = [mine - theirs for mine, theirs in zip(one, other, strict=True)]
    # As in `_share`, an imagined pair keeps the error above 0: of two results by chance.
    imagined = 2 * pvariance([*one, *other, 0.0, 1.0])
    spread = pvariance(pairs) + imagined / len(pairs)
    return Estimate(fmean(pairs), math.sqrt(spread / len(pairs)))
