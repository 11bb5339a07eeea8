"""A small drawing packed more tightly than resvg does, which is quick rather than thorough.

It stores how each pixel differs from those around. Where few colours make flat shapes, the pixels
themselves repeat more than their differences, and take a quarter less.
"""

import zlib
from collections.abc import Callable, Sequence
from typing import Final

_HEAD, _PIXEL = 33, 4
"""Bytes before the data, and of a pixel: red, green, blue and how opaque it is."""


def packed(png: bytes) -> bytes:
    """Return the same picture: one of resvg's, whose data is in one chunk."""
    width = int.from_bytes(png[16:20], "big") * _PIXEL
    end = _HEAD + 8 + int.from_bytes(png[_HEAD : _HEAD + 4], "big")
    data, above, rows = zlib.decompress(png[_HEAD + 8 : end]), bytes(width), b""
    for start in range(0, len(data), width + 1):
        above = _row(data[start], data[start + 1 : start + 1 + width], above)
        rows += b"\0" + above
    chunk = b"IDAT" + zlib.compress(rows, 9)
    length, check = len(chunk) - 4, zlib.crc32(chunk)
    return (
        png[:_HEAD] + length.to_bytes(4, "big") + chunk + check.to_bytes(4, "big") + png[end + 4 :]
    )


def _row(kind: int, differences: bytes, above: bytes) -> bytes:
    expect = _EXPECTED[kind]
    row, above = bytearray(_PIXEL), bytes(_PIXEL) + above
    for at, difference in enumerate(differences):
        row.append(difference + expect(row[at], above[at + _PIXEL], above[at]) & 255)
    return bytes(row[_PIXEL:])


def _nearest(left: int, above: int, corner: int) -> int:
    return min(left, above, corner, key=lambda value: abs(left + above - corner - value))


_EXPECTED: Final[Sequence[Callable[[int, int, int], int]]] = (
    lambda left, above, corner: 0,
    lambda left, above, corner: left,
    lambda left, above, corner: above,
    lambda left, above, corner: (left + above) // 2,
    _nearest,
)
"""What a byte is expected to be, from those of the pixels around: by the five kinds of row."""
