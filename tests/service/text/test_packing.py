"""Drawings are packed more tightly, and stay the same pictures."""

import zlib
from typing import Final

from service.text.drawing import moor
from service.text.drawing.packing import COLOURS, packed

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


def chunks_of(picture: bytes) -> dict[bytes, bytes]:
    found, at = {}, 8
    while at < len(picture):
        end = at + 8 + int.from_bytes(picture[at : at + 4], "big")
        assert picture[end : end + 4] == zlib.crc32(picture[at + 4 : end]).to_bytes(4, "big")
        found[picture[at + 4 : at + 8]] = picture[at + 8 : end]
        at = end + 4
    return found


def pixels_of(picture: bytes) -> list[bytes]:
    """Row by row, from a picture whose pixels are places in a table of colours."""
    chunks = chunks_of(picture)
    width, data = int.from_bytes(chunks[b"IHDR"][:4], "big"), zlib.decompress(chunks[b"IDAT"])
    assert chunks[b"IHDR"][8:] == bytes((8, 3, 0, 0, 0))
    assert set(data[:: width + 1]) == {0}  # each row is its pixels, not differences
    opacities = chunks.get(b"tRNS", b"").ljust(COLOURS, b"\xff")
    table = chunks[b"PLTE"]
    return [
        table[3 * place : 3 * place + 3] + opacities[place : place + 1]
        for start in range(1, len(data), width + 1)
        for place in data[start : start + width]
    ]


def test_each_row_of_differences_becomes_its_pixels() -> None:
    wanted = bytes.fromhex("".join(PIXELS))
    assert pixels_of(packed(png(b"".join(ROWS), 2, len(ROWS)))) == [
        wanted[at : at + 4] for at in range(0, len(wanted), 4)
    ]


def test_a_picture_of_many_colours_keeps_the_most_frequent_and_what_is_like_the_others() -> None:
    colours = [bytes((grey, grey, grey, 255)) for grey in range(200)]
    row = [*colours, *colours[:100], *colours[150:178]]
    drawn = png(b"\0" + b"".join(row), len(row), 1)
    seen = pixels_of(packed(drawn))
    often = {*colours[:100], *colours[150:178]}
    assert set(seen) == often
    assert [shown for shown, pixel in zip(seen, row, strict=True) if pixel in often] == [
        pixel for pixel in row if pixel in often
    ]
    assert seen[100] == colours[99]
    assert seen[149] == colours[150]
    assert b"tRNS" not in chunks_of(packed(drawn))  # an iPhone takes it as it is


def test_the_icon_that_comes_with_the_first_page_is_small() -> None:
    assert len(moor.icon(180, whole=True)) < 2700
