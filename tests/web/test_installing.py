"""This server as an app: the manifest, icons, and the preview of its front page."""

import re

import pytest
from flask.testing import FlaskClient
from resvg_py import svg_to_bytes

from service.core.words import ENGLISH
from service.text.drawing import moor
from tests.web.people import Browser


def size_of(png: bytes) -> tuple[int, int]:
    """The width and height that the head of a PNG tells."""
    assert png.startswith(b"\x89PNG")
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def test_every_page_leads_to_a_manifest_whose_icons_are_there(client: FlaskClient) -> None:
    (path,) = re.findall('<link rel="manifest" href="([^"]+)">', client.get("/rules").text)
    answer = client.get(path)
    assert answer.mimetype == "application/manifest+json"
    told = answer.get_json()
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    icons = {(icon["sizes"], icon["purpose"]): icon["src"] for icon in told["icons"]}
    assert set(icons) == {
        ("180x180", "any"),
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }
    for (size, _), source in icons.items():
        icon = client.get(source)
        assert icon.mimetype == "image/png"
        assert "{}x{}".format(*size_of(icon.data)) == size


def test_an_iphone_finds_its_icon(client: FlaskClient) -> None:
    (path,) = re.findall('<link rel="apple-touch-icon" href="([^"]+)">', client.get("/").text)
    assert size_of(client.get(path).data) == (180, 180)
    assert client.get("/icons/nothing.png").status_code == 404


def test_a_reader_s_browser_keeps_the_icon_for_a_day(ann: Browser) -> None:
    assert ann.client.get("/icons/icon-180.png").headers["Cache-Control"] == "public, max-age=86400"


def test_the_front_page_has_a_picture_for_chats(client: FlaskClient) -> None:
    page = client.get("/").text
    (image,) = re.findall('<meta property="og:image" content="([^"]+)">', page)
    picture = client.get(image.removeprefix("http://scottenbury.test"))
    assert size_of(picture.data) == (moor.WIDE, moor.HIGH)


@pytest.mark.parametrize("name", ["Ada", "Zoë", "Łukasz", "Иван", "Ωmega", "D'Arcy"])
def test_a_picture_has_the_letters_of_a_name(name: str) -> None:
    assert moor.can_write(name)
    blank = moor.preview(ENGLISH, " ", (), ())
    assert all(moor.preview(ENGLISH, letter, (), ()) != blank for letter in name)


@pytest.mark.parametrize("name", ["太郎", "ليلى", "🦊"])
def test_a_name_that_no_font_has_is_left_out(name: str) -> None:
    assert not moor.can_write(name)


def test_whoever_is_signed_in_has_a_badge(client: FlaskClient, ann: Browser) -> None:
    assert "badge.js" in ann.get("/rules")
    assert "badge.js" not in client.get("/rules").text


def test_figures_in_pictures_stand_on_the_line() -> None:
    """Old ones hang below it, as a 3 in `3 days a move` did."""

    def below_the_line(text: str) -> bytes:
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 104 900 60">'
            f'<text y="100" font-family="Alegreya" font-size="100">{text}</text></svg>'
        )
        return svg_to_bytes(svg_string=svg, font_files=moor.FONTS, skip_system_fonts=True)

    assert below_the_line("Qg") != below_the_line("")
    assert below_the_line("0123456789") == below_the_line("")
