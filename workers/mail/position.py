"""The present position, short enough for a phone: as text, and as cells for HTML."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from engine import Game, Seat, View
from service.text.board import board_rows, hand_line, sides, wrapped
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
        """The same as rows of a table."""
        return html_board.board_rows(self.view)

    @property
    def marks(self) -> list[str]:
        """The meaning of the marks in the drawing: one line, or none."""
        return self._marks("^", "v")

    @property
    def cell_marks(self) -> list[str]:
        """The meaning of the marks in the cells."""
        return self._marks(html_board.ABOVE, html_board.BELOW)

    def hand(self, links: Mapping[str, str]) -> Markup:
        """The reader's hand, in colours; `links` has, for each card, a link to an answer that plays
        it."""
        return html_board.hand(self.view.own_cards, links)

    @property
    def own_cards(self) -> list[str]:
        """The reader's hand, as a line."""
        return [hand_line(self.view, self.seat, self.names)] if self.seat else []

    @property
    def other_cards(self) -> list[str]:
        """The other hand, the decks and the discard, and the number of Tactic cards each side has
        played."""
        decks = [
            f"{self.view.decks[deck]} {name}"
            for deck, name in DECK_TITLES.items()
            if deck == "clan" or self.view.tactics
        ]
        hand = hand_line(self.view, sides(self.view)[0], self.names)
        lines = [f"{hand}. In the decks: {' and '.join(decks)}."]
        counts = ""
        if self.view.tactics and self.seat:
            counts = f"{played(self.game, self.seat, self.above)} "
        discard = self.view.discard
        if counts or discard:
            lines += wrapped(f"{counts}Discard: " if discard else counts, discard)
        return lines

    def _marks(self, mark_above: str, mark_below: str) -> list[str]:
        above, below = sides(self.view)
        held = {seat: self._held(seat) for seat in (above, below)}
        told = [
            f"{mark} claimed by {_within(self.names[seat])}: {held[seat]}"
            for seat, mark in ((above, mark_above), (below, mark_below))
            if held[seat]
        ]
        if any(stone.completed_first for stone in self.view.stones):
            told.append("* complete first, wins a tie")
        return [" · ".join(told)] if told else []

    def _held(self, seat: Seat) -> str:
        stones = self.view.stones
        return join_words(str(stone.number) for stone in stones if stone.owner == seat)


def _within(name: str) -> str:
    """A name inside a sentence: `You` becomes lower case."""
    return "you" if name == "You" else name
