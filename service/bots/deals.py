"""Deals of the cards that a player could not see, by guess, to be played on from a position."""

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from engine import View
from engine.cards import BIT
from service.bots.position import Position, held_weights
from service.bots.strategist import Endgame, Hidden, TooLarge


class GuessedDeal(NamedTuple):
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


def _deal(
    rng: random.Random, weights: Mapping[int, float], deck: int, lowest: list[int]
) -> GuessedDeal:
    """A deal with these cards lowest in the deck: cards of more weight are held more often."""
    others = [card for card in weights if card not in lowest]
    others.sort(key=lambda card: rng.expovariate(weights[card]))
    held = len(weights) - deck
    hand, rest = others[:held], others[held:]
    next_held = rest[0] if rest else None
    rng.shuffle(rest)
    return GuessedDeal([*lowest, *rest, *hand], next_held, rng.random())


def _swapped(cards: list[int], one: int, other: int) -> list[int]:
    """The cards in which these two have changed places."""
    places = {one: other, other: one}
    return [places.get(card, card) for card in cards]


class Results(NamedTuple):
    """The chance of winning that each deal leads to: 1 or 0 where the round is over.

    `is_exact`: both hands were known, and every line of play was followed to its end.
    """

    chances: list[float]
    is_exact: bool


class GuessedDeals:
    """A number of deals of what a player cannot see after a play, and any number of others.

    `position` is that after the play, and `before` the one before it, whose cards any play starts
    from. `below` are the Clan cards that the player has put under the deck; `is_drawn`: a Clan card
    was drawn after the play.
    """

    def __init__(
        self,
        view: View,
        position: Position,
        before: Position,
        *,
        below: Sequence[str],
        is_drawn: bool,
        count: int,
        rng: random.Random,
    ) -> None:
        self._rng = rng
        self._deck = view.decks["clan"]
        self._is_drawn = is_drawn or self._deck == 0
        lowest = [BIT[card] for card in below if BIT[card] & position.unseen]
        self._lowest = lowest[: self._deck]
        self._is_deck_revealed = len(self._lowest) == self._deck
        self._weights = held_weights(position)
        # One for all plays: they are judged by the same odds.
        self._hidden = Hidden(view, before if before.unseen == position.unseen else position)
        self._endgame = Endgame(self._hidden.odds)
        self._solved = dict[Position, float | None]()
        self._deals = [self.another() for _ in range(count)]

    def another(self) -> GuessedDeal:
        """A new deal: not one of those for `results`."""
        return _deal(self._rng, self._weights, self._deck, self._lowest)

    def results(self, position: Position, drawn: str | None = None) -> Results:
        """The chances that the deals lead to from this position, with this card drawn or any."""
        chances = [self.result(position, deal, drawn) for deal in self._deals]
        return Results(chances, self._solve(position) is not None)

    def result(self, position: Position, deal: GuessedDeal, drawn: str | None = None) -> float:
        """The chance that this deal leads to from this position."""
        if (solved := self._solve(position)) is not None:
            return solved
        cards = deal.cards
        if drawn is not None and not self._is_deck_revealed:
            cards = deal.with_on_top(BIT[drawn], self._deck)
        table = self._hidden.table(position, cards)
        if not self._is_drawn:
            table.deck.append(table.hands[0].pop())
        return self._hidden.play_on(table, deal.seed)

    def _solve(self, position: Position) -> float | None:
        """The chance by perfect play; None unless both hands are known, and that is not too much to
        follow."""
        if not self._hidden.is_known:
            return None
        if position not in self._solved:
            self._solved[position] = None
            with suppress(TooLarge):
                table = self._hidden.table(position, self._hidden.cards)
                self._solved[position] = (1 - self._endgame.result(table, 1)) / 2
        return self._solved[position]
