"""Percentiles, what processes use, and curves as SVG."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from resvg_py import svg_to_bytes

from service.text.drawing.moor import FONTS

RANKS: Final = (50, 90, 95, 99)


class Usage(NamedTuple):
    """What a process has used: seconds of processor time, and MB of memory.

    Pages that several processes share count in parts.
    """

    seconds: float
    megabytes: float


def percentile(sorted_values: Sequence[float], rank: float) -> float:
    """The least value that at least `rank` percent of the values do not exceed.

    `sorted_values` must be in ascending order and not empty.
    """
    return sorted_values[max(0, -int(-rank * len(sorted_values) // 100) - 1)]


def summary(seconds: Sequence[float]) -> dict[str, float]:
    """The count of these times, and their percentiles and greatest value in milliseconds."""
    ordered = sorted(seconds)
    if not ordered:
        return {"count": 0}
    ranks = {f"p{rank}": round(1000 * percentile(ordered, rank), 2) for rank in RANKS}
    return {"count": len(ordered), **ranks, "max": round(1000 * ordered[-1], 2)}


def usage(pid: int) -> Usage:
    """What this process has used so far. Raises OSError if it has ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    shared = next((int(line.split()[1]) for line in rollup if line.startswith("Pss:")), 0)
    ticks = int(fields[11]) + int(fields[12])
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), shared / 1024)


def thread_seconds(pid: int) -> float:
    """The processor time that the living threads of this process have used, in fine steps."""
    spent = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it has ended
            spent += int((thread / "schedstat").read_text().split()[0])
    return spent / 1e9


_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 320, 60, 40
_COLOURS: Final = (
    *("#1b6ca8", "#c8553d", "#3a7d44", "#8d5a97", "#b38600", "#444444"),
    *("#53b7d8", "#f0a08a", "#8fca7c", "#d48ac0"),
)


def curves(
    title: str, across: str, up: str, series: Mapping[str, Sequence[tuple[float, float]]]
) -> str:
    """An SVG of these points, joined by lines; both axes begin at 0.

    `across` and `up` name the axes, the keys of `series` name the curves.
    """
    points = [point for curve in series.values() for point in curve]
    right = max((x for x, _ in points), default=0) or 1
    top = max((y for _, y in points), default=0) or 1

    def place(x: float, y: float) -> str:
        return f"{_LEFT + x / right * _WIDTH:.1f},{_TOP + _HEIGHT * (1 - y / top):.1f}"

    bottom, box = _TOP + _HEIGHT, f"0 0 {_LEFT + _WIDTH + 220} {_TOP + _HEIGHT + 50}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"'
        ' font-family="Alegreya, sans-serif" font-weight="700" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_LEFT}" y="20">{escape(title)}</text>',
        f'<path d="M{_LEFT} {_TOP}V{bottom}H{_LEFT + _WIDTH}" fill="none" stroke="black"/>',
        f'<text x="{_LEFT}" y="{bottom + 36}">{escape(across)}, up: {escape(up)}</text>',
    ]
    for part in range(5):
        x, y = right * part / 4, top * part / 4
        parts.append(f'<text x="{_LEFT + _WIDTH * part / 4}" y="{bottom + 16}">{x:.4g}</text>')
        parts.append(f'<text x="4" y="{bottom - _HEIGHT * part / 4 + 4}">{y:.4g}</text>')
    for number, (name, curve) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        line = " ".join(place(x, y) for x, y in curve)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        label = f'x="{_LEFT + _WIDTH + 12}" y="{_TOP + 18 * number}" fill="{colour}"'
        parts.append(f"<text {label}>{escape(name)}</text>")
    return "\n".join([*parts, "</svg>\n"])


def save_plot(path: Path, svg: str) -> None:
    """Write a plot as SVG and as PNG, beside `path`."""
    path.with_suffix(".svg").write_text(svg)
    png = svg_to_bytes(svg_string=svg, font_files=FONTS, skip_system_fonts=True)
    path.with_suffix(".png").write_bytes(png)
