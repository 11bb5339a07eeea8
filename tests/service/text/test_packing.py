"""Drawings are packed more tightly, and stay the same pictures."""

import zlib
from typing import Final

from service.text.drawing import moor
from service.text.drawing.packing import packed

ROWS: Final = (
    bytes((0, 1, 2, 3, 4, 250, 6, 7, 8)),
    bytes((1, 9, 9, 9, 9, 200, 1, 2, 255)),
    bytes((2, 1, 0, 255, 7, 90, 90, 90, 90)),
    bytes((3, 30, 20, 10, 0, 40, 30, 20, 10)),
    bytes((4, 1, 2, 3, 4, 5, 6, 7, 8)),
)
"""Two pixels wide; a row of each kind of differences."""
PIXELS: Final = (
    "01020304fa060708",
    "09090909d10a0b08",
    "0a0908102b646562",
    "23180e084f5c4d3f",
    "241a110c54625447",
)
"""What their pixels are."""


def png(data: bytes, width: int, height: int) -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        check = zlib.crc32(name + content)
        return len(content).to_bytes(4, "big") + name + content + check.to_bytes(4, "big")

    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    head = chunk(b"IHDR", size + bytes((8, 6, 0, 0, 0)))
    return (
        b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b"")
    )


def data_of(picture: bytes) -> bytes:
    return zlib.decompress(picture[41 : 41 + int.from_bytes(picture[33:37], "big")])


def test_each_row_of_differences_becomes_its_pixels() -> None:
    drawn = png(b"".join(ROWS), 2, len(ROWS))
    smaller = packed(drawn)
    assert data_of(smaller) == b"".join(b"\0" + bytes.fromhex(row) for row in PIXELS)
    assert smaller == png(data_of(smaller), 2, len(ROWS))


def test_the_icon_that_comes_with_the_first_page_is_small() -> None:
    assert len(moor.icon(180, whole=True)) < 5000
