"""`make screenshots`: every page, as wide as a phone, a tablet and a desktop, in light and dark.

`make pictures` makes the few of them that the README shows.
"""

import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, BrowserContext

from tests.support.browser import NoBrowser, ensure, launched
from tests.support.gallery import Gallery
from tests.support.site import Site, served

FOLDER: Final = Path("build/screenshots")
PICTURES: Final = Path("docs/images")
IN_README: Final = {
    "game-my-turn": (1280, 800, "light"),
    "game-chosen": (360, 740, "dark"),
    "game-unsent": (360, 740, "light"),
    "game-finished": (1280, 800, "dark"),
    "home-signed-in": (1280, 800, "light"),
    "home": (360, 740, "light"),
}
"""How wide, how high and in which theme."""
WIDTHS: Final = {375: 812, 768: 1024, 1280: 800}
"""The height of what one sees at each width."""

_PACK: Final = """async picture => {
  const bytes = Uint8Array.from(atob(picture), letter => letter.charCodeAt(0));
  const drawn = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
  const canvas = new OffscreenCanvas(drawn.width, drawn.height);
  canvas.getContext("2d").drawImage(drawn, 0, 0);
  const packed = await canvas.convertToBlob({type: "image/webp", quality: .8});
  return btoa(Array.from(await packed.bytes(), byte => String.fromCharCode(byte)).join(""));
}"""


def main(only: str = "") -> None:
    """Make them all, or those of pages whose name begins so."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with served() as site, launched() as browser:
        pages = [page for page in Gallery(site).pages() if page.name.startswith(only)]
        cookies = {page.player: site.session(page.player) for page in pages if page.player}
        for looks, person in _people(site, browser):
            for shown in pages:
                person.clear_cookies()
                if shown.player:
                    person.add_cookies([cookies[shown.player]])  # type: ignore[list-item]
                page = person.new_page()
                page.goto(shown.path)
                page.screenshot(path=FOLDER / f"{shown.name}-{looks}.png", full_page=True)
                page.close()


def pictures() -> None:
    """Make those of the README, small: what one sees at first, packed by the browser."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with served() as site, launched() as browser:
        for shown in Gallery(site).pages():
            if shown.name in IN_README:
                width, height, scheme = IN_README[shown.name]
                with _person(site, browser, width, height, scheme) as person:
                    if shown.player:
                        person.add_cookies([site.session(shown.player)])  # type: ignore[list-item]
                    page = person.new_page()
                    page.goto(shown.path)
                    taken = b64encode(page.screenshot()).decode()
                    packed = browser.new_page().evaluate(_PACK, taken)
                    (PICTURES / f"{shown.name}.webp").write_bytes(b64decode(packed))


def _person(site: Site, browser: Browser, width: int, height: int, scheme: str) -> BrowserContext:
    # A picture shows the table at rest, not a card in flight.
    return browser.new_context(
        reduced_motion="reduce",
        base_url=site.url,
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]
    )


def _people(site: Site, browser: Browser) -> Iterator[tuple[str, BrowserContext]]:
    for width, height in WIDTHS.items():
        for scheme in ("light", "dark"):
            with _person(site, browser, width, height, scheme) as person:
                yield f"{width}-{scheme}", person


if __name__ == "__main__":
    try:
        ensure()
        pictures() if sys.argv[1:] == ["--readme"] else main(*sys.argv[1:2])
    except NoBrowser as missing:
        sys.exit(str(missing))
