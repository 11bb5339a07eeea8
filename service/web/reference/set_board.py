"""Boards of puzzles and lessons, which are set up instead of played. The reader is south, below."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import engine
from engine import Game, Seat, View
from engine.cards import ALL_CLAN, CLAN_CARDS, DECK_OF, TACTIC_CARDS, Deck, bits
from engine.game import EMPTY_STONE, STONES, both
from engine.options import RULES_VERSION, options_for
from service.text.claim_words import ClaimState
from service.web.game.board import NO_CHOICES, Column, columns
from service.web.game.page import Turn
from service.web.game.since import Since

YOU: Final[Seat] = "south"
OPPONENT: Final[Seat] = "north"
_DECKS: Final[tuple[Deck, ...]] = ("clan", "tactic")
_NAMES: Final[Mapping[str, str]] = {YOU: "South", OPPONENT: "North"}


class SetStone(NamedTuple):
    """The cards at a Stone, as codes: the reader's side, the opponent's, and the Combat Modes."""

    yours: str
    theirs: str = ""
    modes: str = ""


def set_up(stones: Mapping[int, SetStone], hand: str = "", *, tactics: bool = False) -> Game:
    """Return a game in its first round, at the reader's turn, with these cards on the Stones and in
    the reader's hand.

    All other cards are in the decks.
    """
    laid = {number: _stone(stone) for number, stone in stones.items()}
    shown = [card for stone in laid.values() for side in stone.sides.values() for card in side]
    cards = tuple(hand.split())
    left = Counter(CLAN_CARDS + (TACTIC_CARDS if tactics else ()))
    left -= Counter([*shown, *cards, *(mode for stone in laid.values() for mode in stone.modes)])
    return Game(
        creator=YOU,
        edition="iello",
        tactics=tactics,
        expert=False,
        rounds=1,
        first_player="creator",
        options=options_for("iello", tactics, expert=False),
        rules_version=RULES_VERSION,
        commitment="",
        secret="",
        terms={},
        players={YOU: "south", OPPONENT: "north"},
        salts=both(""),
        visited=both(None),
        version=_VERSION,
        status="active",
        round=1,
        first=YOU,
        turn=YOU,
        phase="play",
        stones=tuple(laid.get(number, EMPTY_STONE) for number in STONES),
        hands={YOU: cards, OPPONENT: ()},
        decks={
            deck: tuple(card for card in left.elements() if DECK_OF[card] == deck)
            for deck in _DECKS
        },
        unseen=ALL_CLAN & ~bits(shown),
    )


_VERSION: Final = 100
"""The version of the game. It is more than the number of cards, because each card counts as laid at
a different version."""


def _stone(stone: SetStone) -> engine.Stone:
    built, version = EMPTY_STONE, 0
    for mode in stone.modes.split():
        built = built.with_mode(mode)
    for seat, cards in ((YOU, stone.yours), (OPPONENT, stone.theirs)):
        for card in cards.split():
            version += 1
            built = built.with_card(seat, card, version)
    return built


@dataclass(frozen=True)
class SetBoard:
    """The attributes of a page with which `game/board.html` shows a game that is set up."""

    columns: list[Column]
    turn: Turn | None = None
    above: Seat = OPPONENT
    below: Seat = YOU
    timing: str = "Stones are claimed after playing a card."
    is_plan: bool = False


def board_of(
    game: Game,
    turn: Turn | None = None,
    claim_states: Mapping[int, ClaimState] | None = None,
    marked: Iterable[tuple[int, str]] = (),
    asked: int | None = None,
) -> dict[str, object]:
    """Return the values that `game/board.html` takes. It highlights the Stone that is `asked`
    about, and the `marked` cards at their Stones."""
    view: View = engine.view(game, YOU)
    actions = turn.draft.actions if turn else ()
    buttons = turn.choices if turn else NO_CHOICES
    return {
        "page": SetBoard(columns(view, _NAMES, actions, buttons, claim_states), turn),
        "view": view,
        "names": _NAMES,
        "over": False,
        "is_step": True,
        "news": Since([], list(marked), [], {asked: YOU} if asked else {}),
    }
