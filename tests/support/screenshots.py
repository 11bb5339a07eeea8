"""`make screenshots`: every page, as wide as a phone, a tablet and a desk, in light and dark."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, BrowserContext

from tests.support.browser import NoBrowser, ensure, launched
from tests.support.gallery import Gallery
from tests.support.site import Site, served

FOLDER: Final = Path("build/screenshots")
WIDTHS: Final = {360: 740, 768: 1024, 1440: 900}
"""The height of what one sees at each width."""


def main(only: str = "") -> None:
    """Make them all, or those of pages whose name begins so."""
    ensure()
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


def _people(site: Site, browser: Browser) -> Iterator[tuple[str, BrowserContext]]:
    for width, height in WIDTHS.items():
        for scheme in ("light", "dark"):
            size = {"width": width, "height": height}
            with browser.new_context(
                base_url=site.url,
                viewport=size,  # type: ignore[arg-type]
                color_scheme=scheme,
            ) as person:
                yield f"{width}-{scheme}", person


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2])
    except NoBrowser as missing:
        sys.exit(str(missing))
