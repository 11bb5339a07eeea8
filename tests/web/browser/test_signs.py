"""The six signs, as a browser draws them at ten pixels in one colour."""

from itertools import combinations

from playwright.sync_api import Browser

from engine.cards import COLORS
from service.text.drawing.cards import sprite
from tests.support.browser import Visit

# How much of each of the hundred pixels is covered, 0 to 255.
DRAW = """async ([sprite, sign]) => {
  const symbol = new DOMParser().parseFromString(sprite, "text/xml").getElementById(sign);
  const picture = new Image(10, 10);
  picture.src = URL.createObjectURL(new Blob(
    [`<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10" viewBox="0 0 24 24">`,
     symbol.innerHTML, "</svg>"], {type: "image/svg+xml"}));
  await picture.decode();
  const canvas = new OffscreenCanvas(10, 10).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  return [...canvas.getImageData(0, 0, 10, 10).data].filter((_, place) => place % 4 == 3);
}"""


def test_no_two_signs_look_alike(browser: Browser) -> None:
    with browser.new_page() as page:
        drawn = {sign: page.evaluate(DRAW, [sprite(), sign]) for sign in COLORS}
    for one, other in combinations(COLORS, 2):
        pairs = list(zip(drawn[one], drawn[other], strict=True))
        overlap = sum(map(min, pairs)) / sum(map(max, pairs))
        assert overlap < 0.8, (one, other, overlap)
    for sign, pixels in drawn.items():
        assert 0.3 < sum(pixels) / (255 * len(pixels)) < 0.9, sign


def test_cards_are_seen_in_the_colours_that_a_reader_forces(visit: Visit) -> None:
    card = visit("/", forced_colors="active").page.locator(".moor .card").first
    drawn = (
        "card => (style => [style.color, style.fill, style.borderColor])(getComputedStyle(card))"
    )
    assert len(set(card.evaluate(drawn))) == 1
