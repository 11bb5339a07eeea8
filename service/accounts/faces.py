"""The mark of a player: a figure over a clan's colour and another clan's tartan.

Each id has one from the first; a player may choose another. The server's bots have theirs.
"""

import hashlib
import re
from typing import Final, NamedTuple

from engine.cards import COLORS
from service.bots import BOTS, bot_at
from service.core.ids import is_owned_bot
from service.text.drawing.cards import PANELS, SETTS, stripes, weave

FIGURES: Final = {
    "stag": "M12 23c-3 0-4-3-4.5-6L5 15.5 6 14l2.5 1C8 13 8.5 12 9 11.5 5.5 11 3 8.5 2.5 4"
    "l1.5-.5c.5 2 1.3 3.2 2.5 4L6 3l1.6-.3.8 5.8c1 .8 2 1.2 3.6 1.2s2.6-.4 3.6-1.2"
    "L16.4 2.7 18 3l-.5 4.5c1.2-.8 2-2 2.5-4l1.5.5c-.5 4.5-3 7-6.5 7.5.5.5 1 1.5.5 3.5"
    "l2.5-1 1 1.5-2.5 1.5C16 20 15 23 12 23z",
    "castle": "M3 22V4h3v3h3V4h6v3h3V4h3v18h-6v-5a3 3 0 0 0-6 0v5z",
    "boat": "M11 2h2v2l7 9h-7v2h9c-1 4-3 7-5 7H7c-2 0-4-3-5-7h9v-2H4l7-8z",
    "salmon": "M1 12c3-5 7-7 11-7 3 0 5 1.5 7 4l4-3v12l-4-3c-2 2.5-4 4-7 4-4 0-8-2-11-7z"
    "M7 9a1.5 1.5 0 1 0 .01 0z",
    "raven": "M1 9l4-1c1-4 6-5 8-1 2 4 6 5 10 8l-4 .5 2 3-4-1.5c-1 2-3 3-5 3V23h-1.5v-3"
    "L8 22H6l3-3c-3-1.5-5-5-4-8.5zM8 6.5a1 1 0 1 0 .01 0z",
    "sheep": "M6 8a4 4 0 0 1 6-3 4 4 0 0 1 6 1 4 4 0 0 1 3 6 4 4 0 0 1-4 5v5h-2.5v-4.5h-5V22H7v-5"
    "a4 4 0 0 1-3-4l-2 1.5C1 13 1 10 2 8.5z",
    "harp": "M5 22V5c4 0 6-3 10-3 2 0 4 1 4 3.5h-2C17 5 16 4.5 15 4.5c-3 0-4 2-7.5 2.8V19"
    "C13 17 17 12 17.5 7H20C19.5 14 14 20 5 22zM10 8h1v8h-1zm3-1h1v6.5h-1z",
    "axe": "M10.8 3h2.4v19h-2.4zM14 4c4-2 7-1 8 4-2 0-3 1-3.5 3-1-1.5-2.5-2.5-4.5-2.5z"
    "M10 4C6 2 3 3 2 8c2 0 3 1 3.5 3 1-1.5 2.5-2.5 4.5-2.5z",
    "ben": "M1 21L9 5l3.5 7L15 8l8 13zM9 9l-2.5 5.5L9 13l2 1.5z",
    "leaf": "M21 2C9 2 3 7 4 15l-2 6 1.5.5L6 17c8 1 14-4 15-15zM17 6c-4 2-8 5-10 9 1.5-5 5-8 10-9z",
    "key": "M8 1a7 7 0 0 1 3.5 13l.5 2v7H9l-1.5-1.5L9 20l-1.5-1.5L9 17v-2A7 7 0 0 1 8 1z"
    "M8 5a2.5 2.5 0 1 0 .01 0z",
    "hare": "M8 1c2 0 3.5 4 3.5 7h1c0-3 1.5-7 3.5-7s2 5 .5 9c2 2 3 4 3 6.5 0 4-3.5 6.5-7.5 6.5"
    "S4.5 20.5 4.5 16.5c0-2.5 1-4.5 3-6.5C6 6 6 1 8 1zM9 14a1.3 1.3 0 1 0 .01 0z"
    "M15 14a1.3 1.3 0 1 0 .01 0zM10.7 18l1.3 2 1.3-2z",
}
"""The figures to choose from, each a path in a square of 24."""
WHEEL: Final = (
    "M10 1h4v3l2.4 1 2-2 2.8 2.8-2 2 1 2.2H23v4h-2.8l-1 2.3 2 2-2.8 2.8-2-2L14 20v3h-4v-3"
    "l-2.4-1-2 2-2.8-2.8 2-2-1-2.2H1v-4h2.8l1-2.3-2-2L5.6 3l2 2L10 4zM12 8a4 4 0 1 0 .01 0z"
)
"""The figure of a program that plays for its owner."""


class Face(NamedTuple):
    """A mark: the clan of the ground, the clan of the tartan, and the figure's name."""

    clan: str
    cloth: str
    figure: str

    def __str__(self) -> str:
        return f"{self.clan}{self.cloth}-{self.figure}"


CHOSEN: Final = rf"[{COLORS}][{COLORS}]-(?:{'|'.join(FIGURES)})"
"""Matches a face that a player has chosen, as it is stored."""


def face_of(player_id: str, chosen: str = "") -> Face:
    """Return the face of a player: the chosen one if there is one, else that of the id."""
    if re.fullmatch(CHOSEN, chosen):
        return Face(chosen[0], chosen[1], chosen[3:])
    drawn = hashlib.sha256(player_id.encode()).digest()
    clan = drawn[0] % 6
    cloth = (clan + 1 + drawn[1] % 5) % 6
    bot = bot_at(player_id)
    own = "wheel" if is_owned_bot(player_id) else sorted(FIGURES)[drawn[2] % len(FIGURES)]
    return Face(COLORS[clan], COLORS[cloth], bot.name if bot else own)


def drawing(face: Face) -> str:
    """Return the mark as SVG of its own, 48 by 48, for pictures without a stylesheet."""
    ground, ink = PANELS[face.clan]
    return (
        f'<svg viewBox="0 0 48 48" color="{ink}" fill="{ink}"><clipPath id="{face}">'
        f'<circle cx="24" cy="24" r="24"/></clipPath><g clip-path="url(#{face})">'
        f'<path fill="{ground}" d="M0 0h48v48H0z"/>{_cloth(face.cloth)}{_figure(face.figure)}'
        "</g></svg>"
    )


def mail_style(face: Face) -> str:
    """Return the style of the mark in a mail: its ground alone. A mail cannot contain pictures, and
    fonts lack letters that would show the figures."""
    hem = "linear-gradient(#fffaf0,#fffaf0) 0 16px/100% 1px no-repeat"
    cloth = f"{stripes(SETTS[face.cloth])} bottom/100% 9px no-repeat"
    return (
        "display:inline-block;min-width:26px;border-radius:13px;font-size:13px;"
        f"line-height:16px;padding-bottom:10px;background:{hem},{cloth} {PANELS[face.clan][0]}"
    )


def symbols() -> str:
    """Return the cloths and figures of which pages put faces together, for the sprite."""
    figures = {**FIGURES, "wheel": WHEEL, **dict.fromkeys(BOTS, "")}
    return "\n".join(
        f'<symbol id="{name}" viewBox="0 0 48 48">{drawn}</symbol>'
        for name, drawn in (
            *((f"cloth-{clan}", _cloth(clan)) for clan in COLORS),
            *((f"figure-{name}", _figure(name)) for name in figures),
        )
    )


def _cloth(clan: str) -> str:
    cloth = weave(SETTS[clan], 48, 15)
    return (
        f'<svg y="33" width="48" height="15" viewBox="0 0 48 15">{cloth}</svg>'
        '<path d="M0 33h48" stroke="#fffaf0" stroke-width="1.5"/>'
    )


def _figure(name: str) -> str:
    # Bots are drawn in lines, everybody else as a silhouette.
    look = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"'
    path, look = (BOTS[name].face, look) if name in BOTS else (FIGURES.get(name, WHEEL), "")
    return (
        '<svg x="12" y="6" width="24" height="24" viewBox="0 0 24 24">'
        f'<path fill-rule="evenodd" {look} d="{path}"/></svg>'
    )
