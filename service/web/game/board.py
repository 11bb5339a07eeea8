"""The board from one player's point of view: Stone by Stone, with their own side nearest."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import engine
from engine import Seat, SeenStone, View
from engine.cards import STRATEGIST
from engine.notation import Claim, Move, Play
from service.core.words import N_, Words
from service.text.board import sides
from service.text.card_names import card_name, the_cards
from service.text.claim_words import ClaimState
from service.web.game.turn_choices import Button, Choices

NO_CHOICES: Final = Choices("", [], {}, {}, {}, [])


class Laid(NamedTuple):
    """A card on the board. `button` picks it up; None if the player cannot pick it up now.

    `is_unsent`: the unsent turn laid it there, and the other player does not see it.
    """

    card: str
    button: Button | None
    is_unsent: bool


class Side(NamedTuple):
    """A player's side of a Stone. `is_first`: it was complete before the other side."""

    seat: Seat
    cards: list[Laid]
    is_first: bool


class Column(NamedTuple):
    """A Stone with both its sides. `owner` is `above` or `below`, as the reader sees it, or None.

    `place` lays the chosen card here, `claim` claims the Stone: None if that is not possible now.
    `is_unsent`: the unsent turn claims the Stone. `words` describe it for screen readers.
    """

    number: int
    owner: str | None
    above: Side
    below: Side
    modes: list[Laid]
    place: Button | None
    claim: Button | None
    claim_state: ClaimState | None
    is_unsent: bool
    words: str


def columns(
    words: Words,
    view: View,
    names: Mapping[str, str],
    actions: Iterable[str] = (),
    buttons: Choices = NO_CHOICES,
    claim_states: Mapping[int, ClaimState] | None = None,
) -> list[Column]:
    """Return the nine Stones. `actions` are those of the unsent turn; `view` includes their
    effects."""
    above, below = sides(view)
    put = _put(actions)
    own_taken = buttons.chosen.startswith(STRATEGIST)
    taken_from = below if own_taken else above
    shown = []
    for stone in view.stones:
        number = stone.number
        owner = {above: "above", below: "below", None: None}[stone.owner]
        column = Column(
            number,
            owner,
            _side(stone, above, _targets(buttons, number, taken_from == above), set()),
            _side(stone, below, _targets(buttons, number, taken_from == below), put),
            [Laid(mode, None, (number, mode) in put) for mode in stone.modes],
            buttons.places.get(number),
            buttons.claims.get(number),
            (claim_states or {}).get(number),
            (number, "") in put,
            _described(words, stone, names, view.seat, (below, above)),
        )
        shown.append(column)
    return shown


def _put(actions: Iterable[str]) -> set[tuple[int, str]]:
    """Return the cards that the unsent turn lays, with their Stones; `""` stands for a claim."""
    put = set()
    for action in map(engine.parse, actions):
        if isinstance(action, Play):
            put.add((action.stone, action.card))
        elif isinstance(action, Move) and action.to is not None:
            put.add((action.to, action.card))
        elif isinstance(action, Claim):
            put.add((action.stone, ""))
    return put


def _targets(buttons: Choices, number: int, is_taken_from: bool) -> dict[str, Button]:
    """Return the buttons on the cards of one side of a Stone, by card."""
    if not is_taken_from:
        return {}
    return {card: button for (stone, card), button in buttons.targets.items() if stone == number}


def _side(
    stone: SeenStone, seat: Seat, targets: Mapping[str, Button], put: set[tuple[int, str]]
) -> Side:
    number = stone.number
    cards = [Laid(card, targets.get(card), (number, card) in put) for card in stone.side(seat)]
    return Side(seat, cards, stone.completed_first == seat)


def _described(
    words: Words,
    stone: SeenStone,
    names: Mapping[str, str],
    reader: Seat | None,
    seats: tuple[Seat, Seat],
) -> str:
    """Return the Stone in words, for a screen reader; the sides in the order of `seats`."""
    modes = [card_name(words, mode) for mode in stone.modes]
    state = ", ".join([_owned(words, stone.owner, names, reader), *modes])
    first, second = (_laid(words, stone, seat, names, reader) for seat in seats)
    # Note: a Stone: "unclaimed, Mud Fight. You: Red 7. Bob: no cards."
    message = N_("%(state)s. %(first)s. %(second)s.")
    return words.say(message, state=state, first=first, second=second)


def _owned(words: Words, owner: Seat | None, names: Mapping[str, str], reader: Seat | None) -> str:
    if owner is None:
        # Note: a Stone
        return words.say("unclaimed")
    if owner == reader:
        # Note: a Stone
        return words.say("claimed by you")
    # Note: a Stone
    return words.say("claimed by %(name)s", name=names[owner])


def _laid(
    words: Words, stone: SeenStone, seat: Seat, names: Mapping[str, str], reader: Seat | None
) -> str:
    # Note: on a side of a Stone
    cards = the_cards(words, stone.side(seat)) or words.say("no cards")
    if seat == reader:
        # Note: whose cards lie on a Stone
        return words.say("You: %(cards)s", cards=cards)
    return words.say("%(name)s: %(cards)s", name=names[seat], cards=cards)
