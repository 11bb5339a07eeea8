"""A small drawing packed more tightly than resvg does, which is quick rather than thorough.

It stores how each pixel differs from those around, in millions of colours. Where few colours make
flat shapes, the pixels themselves repeat more than their differences, and where the shapes meet
few mixtures will do: with a table of colours it takes a third less.
"""

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

COLOURS: Final = 128
"""As many are kept: those of the most pixels. Another becomes the one that is most like it."""

_HEAD, _PIXEL = 33, 4
"""Bytes before the data, and of a pixel: red, green, blue and how opaque it is."""
_DEPTH, _BY_TABLE = 8, 3
"""Bits of a pixel, and the kind of picture whose pixels are places in a table of colours."""


def packed(png: bytes) -> bytes:
    """Return the same picture, hardly changed: one of resvg's, whose data is in one chunk."""
    pixels = [*_pixels(png)]
    counted = [colour for colour, _ in Counter(pixels).most_common()]
    kept = counted[:COLOURS]
    places = {colour: _nearest(colour, kept) for colour in counted}
    width = int.from_bytes(png[16:20], "big")
    rows = b"".join(
        b"\0" + bytes(places[pixel] for pixel in pixels[start : start + width])
        for start in range(0, len(pixels), width)
    )
    opacities = bytes(colour[3] for colour in kept).rstrip(b"\xff")
    return png[:8] + b"".join(
        (
            _chunk(b"IHDR", png[16:24] + bytes((_DEPTH, _BY_TABLE, 0, 0, 0))),
            _chunk(b"PLTE", b"".join(colour[:3] for colour in kept)),
            _chunk(b"tRNS", opacities) if opacities else b"",
            _chunk(b"IDAT", zlib.compress(rows, 9)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(name: bytes, data: bytes) -> bytes:
    check = zlib.crc32(name + data)
    return len(data).to_bytes(4, "big") + name + data + check.to_bytes(4, "big")


def _nearest(colour: bytes, kept: Sequence[bytes]) -> int:
    def distance(place: int) -> int:
        return sum((one - other) ** 2 for one, other in zip(colour, kept[place], strict=True))

    return min(range(len(kept)), key=distance)


def _pixels(png: bytes) -> Iterator[bytes]:
    width = int.from_bytes(png[16:20], "big") * _PIXEL
    end = _HEAD + 8 + int.from_bytes(png[_HEAD : _HEAD + 4], "big")
    data, above = zlib.decompress(png[_HEAD + 8 : end]), bytes(width)
    for start in range(0, len(data), width + 1):
        above = _row(data[start], data[start + 1 : start + 1 + width], above)
        yield from (above[at : at + _PIXEL] for at in range(0, width, _PIXEL))


def _row(kind: int, differences: bytes, above: bytes) -> bytes:
    expect = _EXPECTED[kind]
    row, above = bytearray(_PIXEL), bytes(_PIXEL) + above
    for at, difference in enumerate(differences):
        row.append(difference + expect(row[at], above[at + _PIXEL], above[at]) & 255)
    return bytes(row[_PIXEL:])


def _most_likely(left: int, above: int, corner: int) -> int:
    return min(left, above, corner, key=lambda value: abs(left + above - corner - value))


_EXPECTED: Final[Sequence[Callable[[int, int, int], int]]] = (
    lambda left, above, corner: 0,
    lambda left, above, corner: left,
    lambda left, above, corner: above,
    lambda left, above, corner: (left + above) // 2,
    _most_likely,
)
"""What a byte is expected to be, from those of the pixels around: by the five kinds of row."""
