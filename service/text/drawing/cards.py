"""Cards put together from their shapes: as symbols for the pages, or as a picture by itself; and a
board as small as a thumb, for lists of games, in which each colour is a single path.

A Clan card shows its numeral and sign side by side in its upper third, so that both can be read
where cards overlap, and its tartan below. A Tactic card shows its effect as a picture, and its
name on a plate: the shape of the plate tells the family.

A sett is a run of threads from one pivot to the other. The cloth repeats it forwards and backwards,
the same lengthwise and across. The six differ in form as well as colour: double lines, even blocks,
broad bars, dark blocks, a window pane and pairs of lines.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from engine import OTHER, Seat
from engine.cards import (
    CLAN_CARDS,
    COLORS,
    COMBAT_MODES,
    ELITE_TROOPS,
    JOKER,
    STRENGTHS,
    TACTIC_CARDS,
)
from engine.game import Stone
from service.core.words import Words
from service.text.card_names import card_name


class Thread(NamedTuple):
    """Neighbouring threads of one colour, `#rrggbb`."""

    colour: str
    width: int


Sett = tuple[Thread, ...]


def _sett(counts: str) -> Sett:
    """Read a sett from its colours, each with its number of threads."""
    colours, widths = counts.split()[::2], counts.split()[1::2]
    return tuple(Thread(f"#{one}", int(width)) for one, width in zip(colours, widths, strict=True))


SETTS: Final[dict[str, Sett]] = {
    "R": _sett("9e0e10 7  0f2b1c 3  9e0e10 2  0f2b1c 3  f6e7c6 2"),
    "O": _sett("d17b0a 9  3d1c05 9"),
    "Y": _sett("fff98c 8  2b2a10 5  fff98c 2  b5201b 2"),
    "G": _sett("1d7a6e 6  0b1f33 2  1d7a6e 2  0b1f33 7  7ec9a8 1"),
    "B": _sett("94bcf4 11  12306b 2  ffffff 2"),
    "P": _sett("361e52 6  c78ae0 2  361e52 2  c78ae0 2  361e52 4  5d8a4e 3"),
}
"""The sett of each clan, by the clan's letter."""
HOUSE: Final[dict[str, Sett]] = {
    "clan": _sett("2f4a2c 8  16240f 4  2f4a2c 2  d9b45a 1  16240f 3  7d2b35 2"),
    "tactic": _sett("7a4a1e 8  3a1f0b 4  7a4a1e 2  efdcae 1  3a1f0b 3  23506b 2"),
}
"""The setts of the two decks' backs: a back does not show its card's clan."""

THREAD: Final = 0.6
"""The width of a thread on a card that is 50 wide."""


def weave(sett: Sett, width: float, height: float) -> str:
    """This much cloth of the sett, from the corner at 0, 0, as SVG markup."""
    ground = f'<path fill="{sett[0].colour}" d="M0 0h{width}v{height}H0z"/>'
    along, across = "", ""
    for colour, dashes in _dashes(sett):
        along += _threads(f"M0 {height / 2:g}h{width}", height, colour, dashes)
        across += _threads(f"M{width / 2:g} 0v{height}", width, colour, dashes)
    return f'{ground}{along}<g opacity=".5">{ground}{across}</g>'


def _threads(line: str, breadth: float, colour: str, dashes: str) -> str:
    """All threads of a colour in one direction: a broad line, dashed."""
    return (
        f'<path d="{line}" stroke="{colour}" stroke-width="{breadth:g}" stroke-dasharray="{dashes}"'
        ' fill="none"/>'
    )


def _dashes(sett: Sett) -> Iterable[tuple[str, str]]:
    """Each colour except the ground, with its place in one repeat as dashes: on, off, on, off."""
    repeat = [*sett, *reversed(sett[1:-1])]
    for colour in dict.fromkeys(thread.colour for thread in sett[1:]):
        if colour != sett[0].colour:
            yield colour, " ".join(f"{length * THREAD:g}" for length in _runs(repeat, colour))


def _runs(repeat: Sequence[Thread], colour: str) -> list[int]:
    """The lengths of the runs of threads, alternately of this colour and of others: an even
    number."""
    runs, on = [0], True
    for thread in repeat:
        if (thread.colour == colour) != on:
            runs.append(0)
            on = not on
        runs[-1] += thread.width
    return runs if not on else [*runs, 0]


def stripes(sett: Sett) -> str:
    """One repeat of the sett as a CSS background, for mails, which cannot contain pictures."""
    stops, at = [], 0
    for colour, count in [*sett, *reversed(sett[1:-1])]:
        stops.append(f"{colour} {at}px {at + count}px")
        at += count
    return f"repeating-linear-gradient(90deg,{','.join(stops)})"


PANELS: Final = {
    "R": ("#9e0e10", "#fff5ea"),
    "O": ("#d17b0a", "#1d1206"),
    "Y": ("#fff98c", "#2a2503"),
    "G": ("#1d7a6e", "#ffffff"),
    "B": ("#94bcf4", "#0b1930"),
    "P": ("#361e52", "#f6ecff"),
}
"""The panel of a Clan card, and the ink on it. The stylesheets have the same."""
TACTIC: Final = ("#efe3c4", "#2d2415")

_SHAPES: Final = Path(__file__).with_name("shapes.svg").read_text()
_TACTIC_SHAPE: Final = re.compile(rf'<symbol id="(?:{"|".join(TACTIC_CARDS)})".*')
_EDGE: Final = "#fffaf0"
_FRAME: Final = (
    f'<rect x="1.1" y="1.1" width="47.8" height="67.8" rx="4.6" fill="none" stroke="{_EDGE}"'
    ' stroke-width="2.2"/><rect x=".3" y=".3" width="49.4" height="69.4" rx="5" fill="none"'
    ' stroke="var(--card-line, #3a3d34)" stroke-width=".7"/>'
)
_TROOPS: Final = ("#2b4a66", "M4 46.5h42V58Q37 61.5 25 66.5 13 61.5 4 58z")
_MODES: Final = ("#5f4312", "M13 46.5h24a10 10 0 0 1 0 20H13a10 10 0 0 1 0-20z")
_RUSES: Final = ("#7a2133", "M2.5 46.5h45L45.2 56.5l2.3 10h-45L4.8 56.5z")
_HINTS: Final = {"SPY": "7", "SHB": "3", "MUD": "4", "REC": "3"}
"""The number that stands for the effect, in the place of a numeral."""
_JOKERS_LETTER: Final = (
    '<path d="M9.5 7.2H16v9.6a4.4 4.4 0 0 1-8.8.6" fill="none" stroke="currentColor"'
    ' stroke-width="3.6"/>'
)
"""In the place of a numeral: a covered Joker is read like any other card."""
_BEFORE: Final = {"SHB": "M14 7.5L6 12l8 4.5M6 20.5h8", "REC": "M10.5 9.5v9M6 14h9"}
"""The sign before that number: at most, and plus."""
_ACROSS: Final = 35.0
"""The width available for a name, and the width of a letter of size 1."""
_LETTER: Final = 0.46


@cache
def sprite() -> str:
    """All symbols but those of Tactic cards in one file: shapes, faces of cards without their
    numerals, backs, cloth."""
    clans = (_symbol(f"card-{clan}", _clan_face(clan)) for clan in COLORS)
    backs = (_symbol(f"back-{deck}", _back(deck)) for deck in HOUSE)
    # The tartan and the sign shown before the number of a card that a sentence names.
    chips = (
        f'<symbol id="chip-{clan}" viewBox="0 0 36 24">'
        f'<svg width="10" height="24" viewBox="0 3 7 17">{weave(SETTS[clan], 7, 24)}</svg>'
        f"{_placed(clan, 14, 2.5, 19)}</symbol>"
        for clan in COLORS
    )
    numerals = (_symbol(f"c{strength}", _numeral(str(strength))) for strength in STRENGTHS)
    shapes = _TACTIC_SHAPE.sub("", _SHAPES.partition("</svg>")[0])
    return "\n".join((shapes, *clans, *numerals, *backs, *chips, "</svg>\n"))


def tactic_sprite(words: Words) -> str:
    """The shapes and the faces of the Tactic cards, as symbols in one file, with their names in
    this language."""
    faces = (
        _symbol(f"card-{code}", _tactic_face(words, code)) for code in dict.fromkeys(TACTIC_CARDS)
    )
    symbols = "\n".join((*_TACTIC_SHAPE.findall(_SHAPES), *faces))
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n'


def picture(words: Words, code: str) -> str:
    """A card as a whole SVG document that needs no stylesheet."""
    return face(
        words,
        code,
        f'xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{card_name(words, code)}"'
        ' font-family="Alegreya Sans, sans-serif" font-weight="700"',
    )


def face(words: Words, code: str, attributes: str) -> str:
    """A card as an `svg` element in its own colours, with these extra attributes."""
    is_clan = code in CLAN_CARDS
    ground, ink = PANELS[code[0]] if is_clan else TACTIC
    drawn = _clan_face(code[0]) + _numeral(code[1]) if is_clan else _tactic_face(words, code)
    return (
        f'<svg {attributes} viewBox="0 0 50 70" color="{ink}" fill="currentColor">'
        f"{drawn.replace('var(--panel)', ground)}</svg>"
    )


def _symbol(name: str, content: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 50 70">{content}</symbol>'


def _clan_face(clan: str) -> str:
    cloth = weave(SETTS[clan], 46, 14)
    return (
        '<rect x=".3" y=".3" width="49.4" height="69.4" rx="5" fill="var(--panel)"/>'
        f"{_placed(clan, 27.5, 5, 17)}{_placed(clan, 14, 27, 22)}"
        f'<svg x="2" y="53.5" width="46" height="14.5" viewBox="0 0 46 14.5">{cloth}</svg>'
        f'<path d="M2 53.5h46" stroke="{_EDGE}" stroke-width="1.1"/>{_FRAME}'
    )


def _numeral(strength: str) -> str:
    return f'<svg x="5" y="4.5" width="15" height="20">{shape_of(f"n{strength}")}</svg>'


def _tactic_face(words: Words, code: str) -> str:
    # The shape of the plate tells the family, and so does the colour of the frame.
    others = _MODES if code in COMBAT_MODES else _RUSES
    colour, plate = _TROOPS if code in ELITE_TROOPS else others
    name = card_name(words, code)
    lines = (name if " " in name else name.replace("-", "- ")).rsplit(" ", 1)
    size = min(9.5 if len(lines) == 1 else 8.3, _ACROSS / (_LETTER * max(map(len, lines))))
    first = 56 + size * 0.32 - (len(lines) - 1) * 4.6
    texts = ""
    for row, line in enumerate(lines):
        # A long line stays inside its plate, in any font.
        width = len(line) * size * _LETTER
        fitted = f' textLength="{min(_ACROSS, width):.1f}" lengthAdjust="spacingAndGlyphs"'
        texts += (
            f'<text x="25" y="{first + row * 8:g}" font-size="{size:.1f}" text-anchor="middle"'
            f'{fitted if width > 0.7 * _ACROSS else ""} fill="#fff8e8">{escape(line)}</text>'
        )
    return (
        '<rect x=".3" y=".3" width="49.4" height="69.4" rx="5" fill="var(--panel)"/>'
        f'{_tactic_art(code)}<path d="{plate}" fill="{colour}"/>{texts}'
        f'<rect x="3.2" y="3.2" width="43.6" height="63.6" rx="3" fill="none" stroke="{colour}"'
        f' stroke-width="1.3"/>{_FRAME}'
    )


def _tactic_art(code: str) -> str:
    """The picture of a Tactic card; with a number before it, both are placed as on a Clan card."""
    if code == JOKER:
        return _JOKERS_LETTER + _beside_a_number(code)
    number = _HINTS.get(code)
    if number is None:
        return _placed(code, 9.5, 10, 31)
    sign, x = _BEFORE.get(code, ""), 16.5 if code in _BEFORE else 5.5
    return (
        f'<path d="{sign}" fill="none" stroke="currentColor" stroke-width="2.6"/>'
        f'<svg x="{x:g}" y="5.5" width="13.5" height="18" viewBox="0 0 15 20">'
        f"{shape_of(f'n{number}')}</svg>{_beside_a_number(code)}"
    )


def _beside_a_number(code: str) -> str:
    return _placed(code, 30.5, 6.5, 14) + _placed(code, 15, 25, 20)


def _back(deck: str) -> str:
    cloth = weave(HOUSE[deck], 46, 66)
    return f'<svg x="2" y="2" width="46" height="66" viewBox="0 0 46 66">{cloth}</svg>{_FRAME}'


def _placed(shape: str, x: float, y: float, size: float) -> str:
    """This shape, 24 wide and high, at the given place and size."""
    return (
        f'<svg x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}" viewBox="0 0 24 24">'
        f"{shape_of(shape)}</svg>"
    )


def shape_of(name: str) -> str:
    """The markup of a shape. Raises LookupError."""
    match = re.search(rf'<symbol id="{name}"[^>]*>(.*?)</symbol>', _SHAPES)
    if match is None:
        raise LookupError(name)
    return match[1]


_COLUMN: Final = 14
_STRIP: Final = 5
"""The distance from one card to the next."""
_MIDDLE: Final = 33
"""The vertical position of free Stones."""
_NEAR: Final = 10
"""The distance from the middle to the first card on either side."""
_CROSSED: Final = 4
"""The distance that a claimed Stone has moved towards its owner."""
HEIGHT: Final = 2 * _MIDDLE
WIDTH: Final = 9 * _COLUMN + 2


@lru_cache(maxsize=512)  # a list is requested again and again, and Stones are values
def small_board(stones: tuple[Stone, ...], below: Seat) -> str:
    """The board as SVG markup, `below` on the near side. It has no text: show the score beside
    it."""
    paths = defaultdict[str, str](str)
    for column, stone in enumerate(stones):
        x = 1 + _COLUMN * column
        shift = 0 if stone.owner is None else _CROSSED if stone.owner == below else -_CROSSED
        whose = {None: "free", below: "below"}.get(stone.owner, "above")
        paths[whose] += f"M{x + 2} {_MIDDLE + 5 + shift}v-5a5 5 0 0 1 10 0v5z"
        for row, card in enumerate(stone.sides[below]):
            paths[_cloth(card)] += f"M{x + 2} {_MIDDLE + _NEAR + row * _STRIP}h10v4h-10z"
        for row, card in enumerate(stone.sides[OTHER[below]]):
            paths[_cloth(card)] += f"M{x + 2} {_MIDDLE - _NEAR - 4 - row * _STRIP}h10v4h-10z"
    drawn = "".join(f'<path class="{name}" d="{path}"/>' for name, path in paths.items())
    return (
        f'<svg class="small-board" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{drawn}</svg>'
    )


def _cloth(card: str) -> str:
    return card[0] if card in CLAN_CARDS else "tactic"
