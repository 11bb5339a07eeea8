"""A tartan for each clan: data, and the one function that weaves it.

A sett is a run of threads from one pivot to the other. The cloth repeats it forwards and backwards,
the same lengthwise and across. The six differ in form as well as colour: double lines, even blocks,
broad bars, dark blocks, a window pane and pairs of lines.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple


class Thread(NamedTuple):
    """Neighbouring threads of one colour, `#rrggbb`."""

    colour: str
    width: int


Sett = tuple[Thread, ...]

SETTS: Final[dict[str, Sett]] = {
    "R": (
        Thread("#9e0e10", 7),
        Thread("#0f2b1c", 3),
        Thread("#9e0e10", 2),
        Thread("#0f2b1c", 3),
        Thread("#f6e7c6", 2),
    ),
    "O": (Thread("#d17b0a", 9), Thread("#3d1c05", 9)),
    "Y": (Thread("#fff98c", 8), Thread("#2b2a10", 5), Thread("#fff98c", 2), Thread("#b5201b", 2)),
    "G": (
        Thread("#1d7a6e", 6),
        Thread("#0b1f33", 2),
        Thread("#1d7a6e", 2),
        Thread("#0b1f33", 7),
        Thread("#7ec9a8", 1),
    ),
    "B": (Thread("#94bcf4", 11), Thread("#12306b", 2), Thread("#ffffff", 2)),
    "P": (
        Thread("#361e52", 6),
        Thread("#c78ae0", 2),
        Thread("#361e52", 2),
        Thread("#c78ae0", 2),
        Thread("#361e52", 4),
        Thread("#5d8a4e", 3),
    ),
}
"""The sett of each clan, by the clan's letter."""
HOUSE: Final[dict[str, Sett]] = {
    "clan": (
        Thread("#2f4a2c", 8),
        Thread("#16240f", 4),
        Thread("#2f4a2c", 2),
        Thread("#d9b45a", 1),
        Thread("#16240f", 3),
        Thread("#7d2b35", 2),
    ),
    "tactic": (
        Thread("#7a4a1e", 8),
        Thread("#3a1f0b", 4),
        Thread("#7a4a1e", 2),
        Thread("#efdcae", 1),
        Thread("#3a1f0b", 3),
        Thread("#23506b", 2),
    ),
}
"""The setts of the two decks' backs: a back does not show its card's clan."""

THREAD: Final = 0.6
"""The width of a thread on a card that is 50 wide."""


def weave(sett: Sett, width: float, height: float) -> str:
    """This much cloth of the sett, from the corner at 0, 0, as SVG markup."""
    cloth = f'<path fill="{sett[0].colour}" d="M0 0h{width}v{height}H0z"/>'
    for colour, dashes in _dashes(sett):
        cloth += _threads(f"M0 {height / 2:g}h{width}", height, colour, dashes)
    across = "".join(
        _threads(f"M{width / 2:g} 0v{height}", width, colour, dashes)
        for colour, dashes in _dashes(sett)
    )
    whole = f'<path fill="{sett[0].colour}" d="M0 0h{width}v{height}H0z"/>'
    return f'{cloth}<g opacity=".5">{whole}{across}</g>'


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
