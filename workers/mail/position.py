"""Shows the present position, short enough for a phone: as text, and in colours for HTML.

In HTML, board and hand are tables of coloured cells, each with its letters. Nine columns of equal
width fit a phone of 320 pixels. Every colour is backed by a letter, a number or a mark. The colours
are those of pages, but as values, because a mail loads no stylesheet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import zip_longest
from typing import Final

from markupsafe import Markup, escape

from engine import Game, Seat, SeenStone, View
from engine.cards import BIT, BLIND_MANS_BLUFF, CLANS, MUD_FIGHT, in_order
from service.core.words import N_, Words
from service.text.board import board_rows, deck_words, hand_line, hand_words, sides, wrapped
from service.text.card_names import card_name, clan_name
from service.text.drawing.cards import PANELS, SETTS, TACTIC, stripes
from service.text.event_words import as_sentence
from service.text.options import played

_COLOURS: Final = {
    "paper": ("#f3efe3", "#131813"),
    "sheet": ("#fffcf5", "#1d241c"),
    "ink": ("#20271e", "#edeadd"),
    "quiet": ("#4f5849", "#adb4a3"),
    "line": ("#d9d1bd", "#364034"),
    "moss": ("#2f5d3f", "#a3cb90"),
    "moss-ink": ("#ffffff", "#10160d"),
    "table": ("#d3dfbd", "#2b3a27"),
}
LIGHT: Final = {name: light for name, (light, _) in _COLOURS.items()}
"""Colours in light mode, by their names in `service/web/static/scottenbury.css`."""
DARK: Final = {name: dark for name, (_, dark) in _COLOURS.items()}
"""The same colours for a mail program in dark mode."""
STONE: Final = ("#949b8d", "#14170f")
"""The colours of an unclaimed Stone and of the text on it. Cards and Stones have the same colours
in dark mode."""
CLAIMED: Final = {"above": ("#853b76", "#ffffff"), "below": ("#14578c", "#ffffff")}
"""The colours of a Stone that this side has claimed, and of the text on it: as on the page, where
the reader's own are below and blue."""


_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_MODES: Final = {
    MUD_FIGHT: N_("On Stone %(stone)s each side takes four cards: a Mud Fight."),
    BLIND_MANS_BLUFF: N_("On Stone %(stone)s only the sums count: Blind-Man’s Bluff."),
}


@dataclass(frozen=True)
class PositionShown:
    """A game as the reader in `seat` may see it, in their `words`. `names` calls the reader
    `You`."""

    words: Words
    view: View
    game: Game
    names: Mapping[str, str]
    seat: Seat | None
    is_known: bool = False
    """Whether the reader knows the letters of the clans: they have played a turn of it by mail."""

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
        return board_rows(self.words, self.view, self.names)

    @property
    def cells(self) -> Markup:
        """The Stones with their cards, as rows of a table of nine places each, starting with the
        upper cards farthest from the Stones. Each cell says its Stone to those who cannot see in
        which column it is."""
        words, stones, (above, below) = self.words, self.view.stones, sides(self.view)
        numbers = [
            _number(words, stone.number, stone.owner, above, self._owner(stone)) for stone in stones
        ]
        modes = _rows(
            [[_card(words, mode, stone.number) for mode in stone.modes] for stone in stones]
        )
        upper, lower = (
            _rows([_side(words, stone, seat) for stone in stones]) for seat in (above, below)
        )
        rows = [*reversed(upper), numbers, *modes, *lower]
        return Markup("\n".join(f"<tr>{''.join(row)}</tr>" for row in rows))

    def _owner(self, stone: SeenStone) -> str:
        """Say who has claimed this Stone; empty if nobody has."""
        if stone.owner is None:
            return ""
        if stone.owner == self.seat:
            return self.words.say("claimed by you")
        return self.words.say("claimed by %(name)s", name=self.names[stone.owner])

    @property
    def by_stone(self) -> list[str]:
        """The drawing's Stones once more, a line each, for readers who hear it; of those with cards
        alone."""
        words, (above, below) = self.words, sides(self.view)
        # Note: after a player's name: no cards
        nothing = words.say("nothing")
        lines = []
        for stone in self.view.stones:
            upper, lower = (" ".join(stone.side(seat)) or nothing for seat in (above, below))
            if stone.north or stone.south:
                # Note: a Stone with the cards of its two sides: "Stone 5: You R4 R5; Bob nothing"
                message = N_("Stone %(stone)s: %(one)s %(cards)s; %(other)s %(others)s")
                sides_said = {"one": self.below, "cards": lower, "other": self.above}
                lines.append(words.say(message, stone=stone.number, others=upper, **sides_said))
        return lines

    @property
    def marks(self) -> list[str]:
        """The meaning of the marks in the drawing: one line, or none."""
        claimed = [
            f"{mark} {self._claimed_by(seat, held)}"
            for mark, seat in zip("^v", sides(self.view), strict=True)
            if (held := self._held(seat))
        ]
        meant = " · ".join([*claimed, *self._stars])
        return [meant] if meant else []

    def _claimed_by(self, seat: Seat, stones: str) -> str:
        if seat == self.seat:
            # Note: the meaning of the mark before it; %(stones)s is such as "3 and 5"
            return self.words.say("claimed by you: %(stones)s", stones=stones)
        name = self.names[seat]
        return self.words.say("claimed by %(name)s: %(stones)s", name=name, stones=stones)

    @property
    def key(self) -> str:
        """The meaning of the codes in drawing and hands, but for letters that the reader knows;
        empty for none."""
        view, words = self.view, self.words
        sides_shown = [(*stone.north, *stone.south, *stone.modes) for stone in view.stones]
        shown = {card for cards in (view.own_cards, self._discard, *sides_shown) for card in cards}
        others = in_order(shown - BIT.keys())
        tactics = [f"{card}{_NO_BREAK}{card_name(words, card)}" for card in others]
        return " · ".join([*([] if self.is_known else [self.letters]), *tactics])

    @property
    def letters(self) -> str:
        """The meaning of the letters of the clans."""
        return " · ".join(f"{clan}{_NO_BREAK}{clan_name(self.words, clan)}" for clan in CLANS)

    @property
    def _discard(self) -> tuple[str, ...]:
        """The cards out of play, while that matters."""
        return () if self.game.over else tuple(self.view.discard)

    @property
    def beside_above(self) -> str:
        """The hand and the Stones of the seat above, for a place next to its name."""
        seat = sides(self.view)[0]
        hand, held = hand_words(self.words, self.view, seat), self._held(seat)
        return f"{hand} · {ABOVE} {self._claimed(held)}" if held else hand

    @property
    def beside_below(self) -> str:
        """The Stones of the seat below, for a place next to its name."""
        held = self._held(sides(self.view)[1])
        return f"{BELOW} {self._claimed(held)}" if held else ""

    def _claimed(self, stones: str) -> str:
        # Note: after the mark of claimed Stones; %(stones)s is such as "3 and 5"
        return self.words.say("claimed %(stones)s", stones=stones)

    @property
    def modes(self) -> list[str]:
        """What the Combat Modes on unclaimed Stones do, while the game goes on."""
        if self.game.over:
            return []
        return [
            self.words.say(_MODES[mode], stone=stone.number)
            for stone in self.view.stones
            if stone.owner is None
            for mode in stone.modes
        ]

    @property
    def small_print(self) -> str:
        """Lines below the board: the meaning of the star, the decks, and the cards out of play."""
        words, discard = self.words, " ".join(self._discard)
        stars = [as_sentence(words, star) for star in self._stars]
        out = [words.say("Discard: %(cards)s.", cards=discard)] if discard else []
        key = [as_sentence(words, self.key)] if self.key else []
        return " ".join([*stars, *self._counts, *out, *key])

    def hand(self, links: Mapping[str, str]) -> Markup:
        """Return the reader's hand, in colours; `links` has, for each card, a link to an answer
        that plays it."""
        drawn = []
        for card in self.view.own_cards:
            name = escape(card_name(self.words, card))
            style = f'style="{_style_in_hand(card)}"'
            label = f'aria-label="{name} ({card})"'
            if card in links:
                drawn.append(f'<a href="{escape(links[card])}" {label} {style}>{card}</a>')
            else:
                drawn.append(f'<span role="img" {label} {style}>{card}</span>')
        return Markup("\n".join(drawn))

    @property
    def own_cards(self) -> list[str]:
        """The reader's hand, as a line."""
        return [hand_line(self.words, self.view, self.seat, self.names)] if self.seat else []

    @property
    def other_cards(self) -> list[str]:
        """Lines about the other hand, the decks, and the cards out of play."""
        hand = hand_line(self.words, self.view, sides(self.view)[0], self.names)
        discard = self._discard
        # Note: followed by the codes of cards
        label = self.words.say("Discard:")
        return [hand, *self._counts, *(wrapped(f"{label} ", discard) if discard else [])]

    @property
    def _counts(self) -> list[str]:
        """While the game goes on: the decks and, if one side is ahead, the number of Tactic cards
        that each has played."""
        view, words, counts = self.view, self.words, list[str]()
        if self.game.over:
            return counts
        # Before the decks: "draw. Tactic" would be read as a draw.
        if view.tactics and self.seat and len(set(self.game.tactics_played.values())) > 1:
            counts.append(played(words, self.game, self.seat, self.above))
        return [*counts, as_sentence(words, deck_words(words, view))]

    @property
    def _stars(self) -> list[str]:
        if not any(stone.completed_first for stone in self.view.stones):
            return []
        # Note: the meaning of the mark "*" at a side of a Stone
        meaning = self.words.say("complete first, wins a tie")
        return [f"* {meaning}"]

    def _held(self, seat: Seat) -> str:
        """Return the Stones that this seat has claimed, by their numbers."""
        stones = self.view.stones
        return self.words.joined(str(stone.number) for stone in stones if stone.owner == seat)


BELOW: Final = "▼"
"""Marks a Stone claimed by the side shown below."""
ABOVE: Final = "▲"
_IN_HAND: Final = (
    "display:inline-block;min-width:28px;margin-right:2px;border-radius:6px;"
    "text-align:center;vertical-align:middle;font-weight:700;line-height:38px"
)


def _side(words: Words, stone: SeenStone, seat: Seat) -> list[str]:
    if not (cards := stone.side(seat)):
        return ['<td><span aria-hidden="true">·</span></td>']
    mark, number = "*" if stone.completed_first == seat else "", stone.number
    return [
        *(_card(words, card, number) for card in cards[:-1]),
        _card(words, cards[-1], number, mark),
    ]


def _rows(columns: Sequence[Sequence[str]]) -> list[list[str]]:
    """Turn columns of cells into rows."""
    return [list(row) for row in zip_longest(*columns, fillvalue="<td></td>")]


# The cells make up most of a mail, so each is rendered once per process, and without a template,
# which would take as long for them as for everything else.
@lru_cache(5000)
def _number(words: Words, number: int, owner: Seat | None, above: Seat, claimed: str) -> str:
    name = words.say("Stone %(stone)s", stone=number)
    if claimed:
        name = words.say("Stone %(stone)s, %(state)s", stone=number, state=claimed)
    side = "above" if owner == above else "below"
    ground, ink = CLAIMED[side] if owner else STONE
    mark = {"above": ABOVE, "below": BELOW}[side] if owner else ""
    style = f'bgcolor="{ground}" style="color:{ink}"'
    return f'<th scope="col" aria-label="{escape(name)}" {style}>{number}{mark}</th>'


@cache
def _card(words: Words, card: str, stone: int, mark: str = "") -> str:
    ground, ink = PANELS[card[0]] if card in BIT else TACTIC
    size = "" if card in BIT else ";font-size:10px"
    unbroken = ";white-space:nowrap" if mark else ""
    # In the card's own size the mark would make it wider than a phone's column.
    sign = f'<span style="font-size:9px">{mark}</span>' if mark else ""
    name = escape(
        words.say("%(card)s on Stone %(stone)s", card=card_name(words, card), stone=stone)
    )
    style = f"color:{ink}{size}{unbroken}"
    return f'<td bgcolor="{ground}" style="{style}" aria-label="{name}{mark}">{card}{sign}</td>'


@cache
def _style_in_hand(card: str) -> str:
    if card not in BIT:
        return f"{_IN_HAND};padding:0 2px;font-size:13px;background:{TACTIC[0]};color:{TACTIC[1]}"
    ground, ink = PANELS[card[0]]
    tartan = f"{stripes(SETTS[card[0]])} bottom/100% 6px no-repeat"
    return f"{_IN_HAND};padding:0 5px;background:{ground} {tartan};color:{ink}"
