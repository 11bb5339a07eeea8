"""How far apart colours are, and for whom: CIEDE2000, contrast, and what some people see."""

import math
import re
from pathlib import Path
from typing import Final

import service.web

RGB = tuple[float, float, float]
"""Red, green and blue light, each from 0 to 1."""
Lab = tuple[float, float, float]

# Machado, Oliveira and Fernandes 2009, severity 1: what remains of the light.
VISIONS: Final[dict[str, tuple[RGB, RGB, RGB]]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

_XYZ: Final = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Final = (0.95047, 1.0, 1.08883)


def _tokens(text: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", text))


_CSS: Final = Path(service.web.__file__).with_name("static").joinpath("scottenbury.css").read_text()
LIGHT: Final = _tokens(_CSS.partition("@media")[0])
"""The colours of the stylesheet, by name."""
DARK: Final = LIGHT | _tokens(_CSS.partition("prefers-color-scheme: dark")[2].partition("* {")[0])
"""The same, in the dark."""


def light(colour: str) -> RGB:
    """The light of `#rrggbb` or `#rgb`."""
    found = re.fullmatch("#([0-9a-f]{3}|[0-9a-f]{6})", colour)
    assert found is not None, colour
    digits = found[1] if len(found[1]) == 6 else "".join(digit * 2 for digit in found[1])
    red, green, blue = (_linear(int(digits[i : i + 2], 16) / 255) for i in (0, 2, 4))
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (WCAG 2.2), from 1 to 21."""
    darker, lighter = sorted(_times(_XYZ, light(colour))[1] for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def distance(one: str, other: str, vision: str = "normal") -> float:
    """How different two colours look (CIEDE2000) to those who see so."""
    return ciede2000(_lab(_seen(one, vision)), _lab(_seen(other, vision)))


def ciede2000(one: Lab, other: Lab) -> float:
    """The difference of two colours, by Sharma, Wu and Dalal 2005."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25**7))
    c1, h1 = _polar(a1 * stretch, b1)
    c2, h2 = _polar(a2 * stretch, b2)
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    level, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    for_l = (l2 - l1) / (1 + 0.015 * (level - 50) ** 2 / math.sqrt(20 + (level - 50) ** 2))
    for_c = (c2 - c1) / (1 + 0.045 * chroma)
    for_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    for_h /= 1 + 0.015 * chroma * _hue_weight(hue)
    rotation = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    rotation *= math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    return math.sqrt(for_l**2 + for_c**2 + for_h**2 + rotation * for_c * for_h)


def _hue_weight(hue: float) -> float:
    waves = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    return 1 + sum(size * math.cos(math.radians(k * hue + shift)) for size, k, shift in waves)


def _polar(a: float, b: float) -> tuple[float, float]:
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def _seen(colour: str, vision: str) -> RGB:
    red, green, blue = (min(max(part, 0.0), 1.0) for part in _times(VISIONS[vision], light(colour)))
    return red, green, blue


def _lab(seen: RGB) -> Lab:
    x, y, z = (
        _cube_root(part / white) for part, white in zip(_times(_XYZ, seen), _WHITE, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _cube_root(part: float) -> float:
    return math.cbrt(part) if part > (6 / 29) ** 3 else part / (3 * (6 / 29) ** 2) + 4 / 29


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _times(matrix: tuple[RGB, RGB, RGB], vector: RGB) -> RGB:
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z
