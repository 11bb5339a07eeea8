"""Shows the present position, short enough for a phone: as text, and as cells for HTML."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from engine import Game, Seat, View
from engine.cards import BIT, in_order, name
from service.text.board import board_rows, hand_line, sides, wrapped
from service.text.card_names import CLANS
from service.text.history import DECK_TITLES, join_words
from service.text.tactic_words import played
from workers.mail import html_board


@dataclass(frozen=True)
class PositionShown:
    """A game as the reader in `seat` may see it. `names` calls the reader `You`."""

    view: View
    game: Game
    names: Mapping[str, str]
    seat: Seat | None

    @cached_property
    def above(self) -> str:
        """The name of the seat above the Stones."""
        return self.names[sides(self.view)[0]]

    @property
    def below(self) -> str:
        """The name of the seat below the Stones."""
        return self.names[sides(self.view)[1]]

    @property
    def rows(self) -> list[str]:
        """The Stones with their cards, as a drawing."""
        return board_rows(self.view, self.names)

    @property
    def cells(self) -> Markup:
        """The Stones with their cards, as rows of a table."""
        return html_board.board_rows(self.view)

    @property
    def marks(self) -> list[str]:
        """The meaning of the marks in the drawing: one line, or none."""
        claimed = [
            f"{mark} claimed by {_within(self.names[seat])}: {held}"
            for mark, seat in zip("^v", sides(self.view), strict=True)
            if (held := self._held(seat))
        ]
        meant = " · ".join([*claimed, *self._stars])
        return [meant] if meant else []

    @property
    def key(self) -> str:
        """The meaning of the codes in drawing and hands."""
        view = self.view
        sides_shown = [(*stone.north, *stone.south, *stone.modes) for stone in view.stones]
        shown = {card for cards in (view.own_cards, view.discard, *sides_shown) for card in cards}
        tactics = [f"{card} {name(card)}" for card in in_order(shown - BIT.keys())]
        return " · ".join([*(f"{letter} {clan}" for letter, clan in CLANS.items()), *tactics])

    @property
    def beside_above(self) -> str:
        """The hand and the Stones of the seat above, for a place next to its name."""
        seat = sides(self.view)[0]
        hand, held = hand_line(self.view, seat, self.names).partition(": ")[2], self._held(seat)
        return f"{hand} · {html_board.ABOVE} claimed {held}" if held else hand

    @property
    def beside_below(self) -> str:
        """The Stones of the seat below, for a place next to its name."""
        held = self._held(sides(self.view)[1])
        return f"{html_board.BELOW} claimed {held}" if held else ""

    @property
    def small_print(self) -> str:
        """Lines below the board: the meaning of the star, the decks, and the cards out of play."""
        discard = " ".join(self.view.discard)
        stars = [f"{star}." for star in self._stars]
        out = [f"Discard: {discard}."] if discard else []
        return " ".join([*stars, *self._counts, *out, f"{self.key}."])

    def hand(self, links: Mapping[str, str]) -> Markup:
        """Return the reader's hand, in colours; `links` has, for each card, a link to an answer
        that plays it."""
        return html_board.hand(self.view.own_cards, links)

    @property
    def own_cards(self) -> list[str]:
        """The reader's hand, as a line."""
        return [hand_line(self.view, self.seat, self.names)] if self.seat else []

    @property
    def other_cards(self) -> list[str]:
        """Lines about the other hand, the decks, and the cards out of play."""
        hand = hand_line(self.view, sides(self.view)[0], self.names)
        discard = self.view.discard
        counts = " ".join(self._counts)
        return [hand, *filter(None, [counts]), *(wrapped("Discard: ", discard) if discard else [])]

    @property
    def _counts(self) -> list[str]:
        """The decks, while the game goes on, and the number of Tactic cards each side has
        played."""
        view = self.view
        decks = ", ".join(
            f"{view.decks[deck]} {name}"
            for deck, name in DECK_TITLES.items()
            if deck == "clan" or view.tactics
        )
        counts = []
        if view.tactics and self.seat:
            counts.append(played(self.game, self.seat, self.above))
        # At the end: "1 Tactic. Tactic" would be read as the draws of a Recruiter.
        return counts if self.game.over else [*counts, f"Decks: {decks}."]

    @property
    def _stars(self) -> list[str]:
        is_marked = any(stone.completed_first for stone in self.view.stones)
        return ["* complete first, wins a tie"] if is_marked else []

    def _held(self, seat: Seat) -> str:
        """Return the Stones that this seat has claimed, by their numbers."""
        stones = self.view.stones
        return join_words(str(stone.number) for stone in stones if stone.owner == seat)


def _within(name: str) -> str:
    """Return the name for the inside of a sentence: `You` becomes lower case."""
    return "you" if name == "You" else name
