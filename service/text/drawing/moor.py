"""Pictures of the moor for places without a stylesheet: the icon, and the preview that chats show
for a link.

Drawn as SVG from the shapes of the cards, in the colours of the morning, and converted to PNG.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from engine import OTHER, Seat
from engine.game import Stone
from service.core.cache import ThreadSafeCache, recently_used
from service.core.words import Words
from service.text.drawing.cards import face, shape_of
from service.text.drawing.packing import packed

MORNING: Final = {
    "far-sky": "#eae1e6",
    "far": "#d9cede",
    "table": "#d3dfbd",
    "near-end": "#bccf9f",
    "hill": "#bda6c4",
    "tuft": "#a5bf86",
    "path": "#e4d3ad",
    "verge": "#b7c08f",
    "rut": "#c9b184",
    "grass": "#5d8145",
    "rock": "#949b8d",
    "rock-light": "#bcc1b3",
    "rock-line": "#4a5044",
    "rock-ink": "#14170f",
    "pole": "#4a3a26",
    "north": "#853b76",
    "south": "#14578c",
    "ink": "#20271e",
    "card-line": "#3a3d34",
}
"""The colours of the light theme. The stylesheet has the same."""
OWNED: Final = {
    "above": ("#86407a", "#a966a0", "#3b1535", "#fff"),
    "below": ("#1c5f96", "#4c8bbd", "#0b2a45", "#fff"),
}
"""The colours of a claimed Stone, by the side of its owner: rock, light, line and number."""
WIDE, HIGH = 1200, 630
"""The size of a preview in pixels; chats show all of it."""

FONTS: Final = sorted(map(str, (Path(__file__).with_name("fonts")).glob("*.ttf")))
"""The files of the fonts, whose figures are lining ones."""
_COVERED: Final = re.compile(r"[ -~\u00a0-\u017f\u0386-\u03ce\u0400-\u045f\u2010-\u2026]*")
"""Matches texts whose letters are all in the fonts."""
_LETTER: Final = 0.46
"""The width of a letter of size 1."""
_previews: ThreadSafeCache[tuple[object, ...], bytes] = recently_used(8_000_000, len)
"""Previews as PNG, up to 8 MB: to draw one takes 0.2 s."""
_ROCK: Final = ("rock", "rock-light", "rock-line", "rock-ink")


class Spot(NamedTuple):
    """A Stone of a picture: its owner's side, and the cards of both sides in the order of play."""

    owner: str | None
    above: tuple[str, ...]
    below: tuple[str, ...]


def can_write(text: str) -> bool:
    """Whether the fonts have every letter of this text."""
    return _COVERED.fullmatch(text) is not None


@lru_cache(maxsize=8)
def icon(size: int, *, whole: bool = False) -> bytes:
    """The icon as PNG, this wide. `whole`: without rounded corners, for a system that cuts them
    itself, up to a circle; the motif stays well inside. A small one, which comes with the first
    page, is packed tightly."""
    corner, inset = (0, 14) if whole else (22, 5)
    side = 100 - 2 * inset
    foot = inset + 0.92 * side - 5
    grass = 'q30-4 50-3t50-2v60H0z" fill="var(--grass)"/>'
    stone = _placed("flag-below", (55, 8, 40, 46), "0 0 26 30")
    stone += _placed("stone-1", (12, 19, 72, 75), "0 0 46 48")
    drawn = _png(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}"'
        ' viewBox="0 0 100 100"><defs><clipPath id="tile">'
        f'<rect width="100" height="100" rx="{corner}"/></clipPath></defs>'
        '<g clip-path="url(#tile)"><rect width="100" height="100" fill="var(--far)"/>'
        f"{_placed('hills', (0, 22, 100, 52), '0 0 500 200')}"
        '<path d="M0 66q30-6 55-2t45-3v40H0z" fill="var(--verge)"/>'
        '<path d="M0 71q30-6 55-2t45-3v14q-25 4-50 1T0 86z" fill="var(--path)"/>'
        f'<path d="M0 {foot:g}{grass}'
        f'<svg x="{inset}" y="{inset}" width="{side}" height="{side}" viewBox="0 0 100 100">'
        f'{stone}</svg><path d="M0 {foot + 3:g}{grass}</g></svg>'
    )
    return packed(drawn) if size < 200 else drawn


def spots_of(stones: Iterable[Stone], below: Seat = "south") -> tuple[Spot, ...]:
    """The Stones of a game, with the cards of the seat `below` below them."""
    above = OTHER[below]
    places = {above: "above", below: "below", None: None}
    return tuple(
        Spot(places[stone.owner], tuple(stone.sides[above]), tuple(stone.sides[below]))
        for stone in stones
    )


def preview(
    words: Words,
    title: str,
    lines: tuple[str, ...],
    spots: tuple[Spot, ...],
    marks: tuple[str, ...] = (),
) -> bytes:
    """A title, a few lines and the border below them, as PNG; `marks` as in `preview_svg`."""
    return _previews.get_or_make(
        (words.language, title, lines, spots, marks),
        lambda: _png(preview_svg(words, title, lines, spots, marks)),
    )


def preview_svg(
    words: Words,
    title: str,
    lines: tuple[str, ...],
    spots: tuple[Spot, ...],
    marks: tuple[str, ...] = (),
) -> str:
    """The preview as SVG, with the colours of the morning; the Tactic cards have the names of this
    language.

    `marks` are those of players, as SVG: one stands before the title, two beside the first line.
    """
    fullest = max((max(len(spot.above), len(spot.below)) for spot in spots), default=0)
    width, gap = 58 if fullest > 3 else 66, 96
    left = (WIDE - 8 * gap - width) / 2
    border = "".join(
        _column(words, spot, number, left + (number - 1) * gap, width)
        for number, spot in enumerate(spots, 1)
    )
    size = _fitting(title, 92, 1080 - 120 * (len(marks) == 1))
    sizes = [_fitting(line, 38, 900) for line in lines]
    drawn_lines = "".join(
        _line(line, 178 + 46 * row, each)
        for row, (line, each) in enumerate(zip(lines, sizes, strict=True))
    )
    if len(marks) == 1:
        drawn_marks = _beside(title, size, marks, 80, 92)
    else:
        drawn_marks = _beside(lines[0], sizes[0], marks, 166, 64) if marks else ""
    return _coloured(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}"'
        f' viewBox="0 0 {WIDE} {HIGH}"><defs>{_SKY}</defs>'
        f'<rect width="{WIDE}" height="{HIGH}" fill="url(#sky)"/>'
        f"{_placed('hills', (0, 130, WIDE, 330), '0 0 900 200')}"
        f'<rect y="420" width="{WIDE}" height="210" fill="var(--table)"/>'
        f"{_placed('tufts', (0, 500, WIDE, 130), '0 0 900 120')}"
        f"{_placed('path', (0, 363, WIDE, 114), '0 0 900 100')}{border}"
        '<g font-family="Alegreya, serif" font-weight="700" fill="var(--ink)">'
        f"{_line(title, 112, size)}{drawn_lines}</g>{drawn_marks}</svg>"
    )


def _fitting(text: str, size: float, width: float) -> float:
    """The size of letters at which a text is at most this wide, at most `size`."""
    return min(size, width / (_LETTER * len(text)))


def _beside(text: str, size: float, marks: tuple[str, ...], middle: float, height: float) -> str:
    """Marks before and after a text in letters of this size."""
    width = 0.9 * _LETTER * size * len(text)
    ends = max(20, (WIDE - width) / 2 - height - 20), (WIDE + width) / 2 + 20
    top = middle - height / 2
    return "".join(
        f'<svg x="{x:g}" y="{top:g}" width="{height:g}" height="{height:g}">{mark}</svg>'
        for mark, x in zip(marks, ends, strict=False)
    )


def _line(text: str, y: float, size: float) -> str:
    middle = f'x="{WIDE / 2:g}" text-anchor="middle"'
    return f'<text {middle} y="{y:g}" font-size="{size:.0f}">{escape(text)}</text>'


def _placed(name: str, place: tuple[float, float, float, float], box: str) -> str:
    """A shape at x and y, this wide and high. `box` is its own `viewBox`."""
    x, y, width, height = place
    return (
        f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" viewBox="{box}"'
        f' preserveAspectRatio="none" overflow="visible">{shape_of(name)}</svg>'
    )


_SKY: Final = (
    '<linearGradient id="sky" x2="0" y2="1"><stop stop-color="var(--far-sky)"/>'
    '<stop offset=".7" stop-color="var(--far)"/></linearGradient>'
)


def _column(words: Words, spot: Spot, number: int, x: float, width: float) -> str:
    """A Stone and its cards."""
    y, strip, tall, foot = 420, width * 0.54, width * 1.4, width * 0.56
    above = "".join(
        _card(words, code, x, y - foot - tall - row * strip, width)
        for row, code in reversed(list(enumerate(spot.above)))
    )
    below = "".join(
        _card(words, code, x, y + foot + row * strip, width) for row, code in enumerate(spot.below)
    )
    return above + below + _stone(spot.owner, number, x, y - foot, width)


def _card(words: Words, code: str, x: float, y: float, width: float) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{width * 1.4:g}"'
    return face(words, code, place)


def _stone(owner: str | None, number: int, x: float, y: float, width: float) -> str:
    drawn = shape_of(f"stone-{number % 3}")
    numeral = _placed(f"n{number}", (15.5, 16, 15, 20), "0 0 15 20")
    drawn += f'<g fill="var(--rock-ink)">{numeral}</g>'
    if owner:
        for name, colour in zip(_ROCK, OWNED[owner], strict=True):
            drawn = drawn.replace(f"var(--{name})", colour)
        drawn += _placed(f"flag-{owner}", (30, -10, 20, 23), "0 0 26 30")
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{width * 48 / 46:g}"'
    return f'<svg {place} viewBox="0 0 46 48" overflow="visible">{drawn}</svg>'


def _coloured(svg: str) -> str:
    """The picture without CSS variables, which stand alone in no program and which resvg does not
    support."""
    return re.sub(r"var\(--([a-z-]+)[^)]*\)", lambda match: MORNING[match[1]], svg)


def _png(svg: str) -> bytes:
    from resvg_py import svg_to_bytes  # imported here, because few pictures are requested: 1 MB

    return svg_to_bytes(svg_string=_coloured(svg), font_files=FONTS, skip_system_fonts=True)
