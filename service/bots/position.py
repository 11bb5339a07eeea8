"""The table as a bot thinks about it: what a player sees, and what it would be after an action."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engine import OTHER, Seat
from engine.cards import ALL_CLAN, COMBAT_MODES, STRATEGIST, bits
from engine.claims import side_size
from engine.notation import Action, Banish, Move, Play

Cards = tuple[str, ...]


class Lane(NamedTuple):
    """One Stone and the cards at it: `owner` is "mine", "theirs" or None."""

    mine: Cards
    theirs: Cards
    modes: Cards
    owner: str | None
    mine_first: bool

    @property
    def size(self) -> int:
        """How many cards make a side complete."""
        return side_size(self.modes)


@dataclass(frozen=True)
class Table:
    """All that the bot in a seat sees. `coming` are the Clan cards that may still be drawn, as
    bits: those that lie face-up nowhere and are not in the bot's hand."""

    lanes: tuple[Lane, ...]
    hand: Cards
    coming: int

    def after(self, action: Action) -> "Table":
        """The table once this card is played; other actions leave it as it is."""
        match action:
            case Play(card, stone):
                lane = self.lanes[stone - 1]
                if card in COMBAT_MODES:
                    return self._with(stone, lane._replace(modes=(*lane.modes, card)))._spent(card)
                return self._with(stone, _laid(lane, card))._spent(card)
            case Banish(card, stone):
                return self._with(stone, _robbed(self.lanes[stone - 1], card))._spent("BAN")
            case Move(ruse, card, stone, to):
                return self._moved(ruse, card, stone, to)._spent(ruse)
            case _:
                return self

    def without(self, cards: Cards) -> "Table":
        """The table once these cards have left the hand."""
        table = self
        for card in cards:
            table = table._spent(card)
        return table

    def _moved(self, ruse: str, card: str, stone: int, to: int | None) -> "Table":
        lane = self.lanes[stone - 1]
        left = _taken(lane, card) if ruse == STRATEGIST else _robbed(lane, card)
        table = self._with(stone, left)
        if to is None:
            return table
        return table._with(to, _laid(table.lanes[to - 1], card))

    def _with(self, stone: int, lane: Lane) -> "Table":
        return replace(self, lanes=(*self.lanes[: stone - 1], lane, *self.lanes[stone:]))

    def _spent(self, card: str) -> "Table":
        place = self.hand.index(card)
        return replace(self, hand=self.hand[:place] + self.hand[place + 1 :])


def table_of(view: Mapping[str, Any]) -> Table:
    """The table that a game view shows to the player in its seat."""
    seat: Seat = view["seat"]
    lanes = tuple(_lane(stone, seat) for stone in view["stones"])
    hand = tuple(view["hands"][seat]["cards"])
    shown = [*hand, *view["discard"], *(card for lane in lanes for card in lane.mine + lane.theirs)]
    return Table(lanes, hand, ALL_CLAN & ~bits(shown))


def _lane(stone: Mapping[str, Any], seat: Seat) -> Lane:
    owner = stone["owner"]
    return Lane(
        mine=tuple(stone[seat]),
        theirs=tuple(stone[OTHER[seat]]),
        modes=tuple(stone["modes"]),
        owner=None if owner is None else "mine" if owner == seat else "theirs",
        mine_first=stone["completed_first"] == seat,
    )


def _laid(lane: Lane, card: str) -> Lane:
    mine = (*lane.mine, card)
    first = lane.mine_first or (len(mine) == lane.size and len(lane.theirs) < lane.size)
    return lane._replace(mine=mine, mine_first=first)


def _taken(lane: Lane, card: str) -> Lane:
    return lane._replace(mine=_less(lane.mine, card), mine_first=False)


def _robbed(lane: Lane, card: str) -> Lane:
    complete = len(lane.mine) == lane.size
    return lane._replace(theirs=_less(lane.theirs, card), mine_first=complete)


def _less(cards: Cards, card: str) -> Cards:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
