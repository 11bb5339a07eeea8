"""The position as a bot sees it: the cards that its player sees, and the result of an action."""

from dataclasses import dataclass, replace

from engine import OTHER, Seat, SeenStone, View
from engine.cards import ALL_CLAN, COMBAT_MODES, STRATEGIST, bits
from engine.claims import side_size
from engine.notation import Action, Banish, Move, Play

Cards = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoneSides:
    """One Stone from the bot's side: `owner` is "mine", "theirs" or None."""

    mine: Cards
    theirs: Cards
    modes: Cards
    owner: str | None
    mine_first: bool

    @property
    def size(self) -> int:
        """The number of cards that make a side complete."""
        return side_size(self.modes)


@dataclass(frozen=True, slots=True)
class Position:
    """All that a bot sees. `unseen` are the Clan cards it may still draw or meet, as bits: those
    that lie face-up nowhere and are not in its hand."""

    stones: tuple[StoneSides, ...]
    hand: Cards
    unseen: int

    def after(self, action: Action) -> "Position":
        """The position once this card is played; other actions leave it as it is."""
        match action:
            case Play(card, number):
                return self._with(number, _played(self.stones[number - 1], card))._spent(card)
            case Banish(card, number):
                return self._with(number, _robbed(self.stones[number - 1], card))._spent(
                    action.ruse
                )
            case Move():
                return self._moved(action)._spent(action.ruse)
            case _:
                return self

    def without(self, cards: Cards) -> "Position":
        """The position once these cards have left the hand."""
        position = self
        for card in cards:
            position = position._spent(card)
        return position

    def _moved(self, move: Move) -> "Position":
        stone = self.stones[move.stone - 1]
        taken = _given_up if move.ruse == STRATEGIST else _robbed
        position = self._with(move.stone, taken(stone, move.card))
        if move.to is None:
            return position
        return position._with(move.to, _played(position.stones[move.to - 1], move.card))

    def _with(self, number: int, stone: StoneSides) -> "Position":
        return replace(self, stones=(*self.stones[: number - 1], stone, *self.stones[number:]))

    def _spent(self, card: str) -> "Position":
        return replace(self, hand=_less(self.hand, card))


def position_in(view: View) -> Position:
    """The position that a game view shows to the player in its seat."""
    seat = view.seat
    assert seat is not None, "a bot plays"
    stones = tuple(_stone(stone, seat) for stone in view.stones)
    hand = tuple(view.own_cards)
    on_sides = (card for stone in stones for card in stone.mine + stone.theirs)
    return Position(stones, hand, ALL_CLAN & ~bits([*hand, *view.discard, *on_sides]))


def _stone(stone: SeenStone, seat: Seat) -> StoneSides:
    owner = stone.owner
    return StoneSides(
        mine=tuple(stone.side(seat)),
        theirs=tuple(stone.side(OTHER[seat])),
        modes=tuple(stone.modes),
        owner=None if owner is None else "mine" if owner == seat else "theirs",
        mine_first=stone.completed_first == seat,
    )


def _played(stone: StoneSides, card: str) -> StoneSides:
    if card in COMBAT_MODES:
        return replace(stone, modes=(*stone.modes, card))
    mine = (*stone.mine, card)
    completes = len(mine) == stone.size and len(stone.theirs) < stone.size
    return replace(stone, mine=mine, mine_first=stone.mine_first or completes)


def _given_up(stone: StoneSides, card: str) -> StoneSides:
    """The Stone without one of the bot's own cards."""
    return replace(stone, mine=_less(stone.mine, card), mine_first=False)


def _robbed(stone: StoneSides, card: str) -> StoneSides:
    """The Stone without one of the opponent's cards."""
    complete = len(stone.mine) == stone.size
    return replace(stone, theirs=_less(stone.theirs, card), mine_first=complete)


def _less(cards: Cards, card: str) -> Cards:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
