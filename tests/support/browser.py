"""The browser that tests, screenshots and figures are made with: found or installed, and watched.

`python -m tests.support.browser` makes sure that there is one, or says in one line that there is
none.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    FloatRect,
    Locator,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tests.support import waiting

NAMES: Final = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
PLAYWRIGHT: Final = (sys.executable, "-m", "playwright", "install", "--only-shell", "chromium")
DEBIAN: Final = (
    ("apt-get", "-qq", "update"),
    ("apt-get", "-qq", "install", "--yes", "--no-install-recommends", "chromium-headless-shell"),
)
PATIENCE: Final = int(1000 * waiting.PATIENCE)
"""Milliseconds after which a test fails that waits for something on a page."""


class NoBrowser(Exception):
    """There is none, and none could be installed; the message is one line for the contributor."""

    def __init__(self) -> None:
        super().__init__(
            "No browser was found, and neither `playwright install` nor Debian's package gave one:"
            " install Chromium, or run `make test BROWSER=no` to leave out the browser's tests."
        )


@contextmanager
def launched(*switches: str) -> Iterator[Browser]:
    """A browser without a window, with these switches. Raises `NoBrowser`."""
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=_on_the_path(), args=switches)
        except Error as error:
            raise NoBrowser from error
        expect.set_options(PATIENCE)
        yield browser
        browser.close()


def ensure() -> None:
    """Have a browser, installed where there is none. Raises `NoBrowser`."""
    if _on_the_path() or _works() or (_run(PLAYWRIGHT) and _works()):
        return
    is_debian = shutil.which("apt-get") is not None and os.geteuid() == 0
    if not (is_debian and all(map(_run, DEBIAN)) and _works()):
        raise NoBrowser


class Watched:
    """A page, and what went wrong while it was shown.

    `allowed`: statuses besides those of success that the server may answer with.
    """

    def __init__(self, page: Page, origin: str) -> None:
        self.page, self.allowed = page, {304}
        self.faults: list[str] = []
        self._origin = origin
        page.set_default_timeout(PATIENCE)
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._asked)
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)

    def _said(self, message: ConsoleMessage) -> None:
        # What failed to load is known by its status, with which it may be allowed.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.faults.append(f"{message.type}: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self._origin}/", "data:", f"blob:{self._origin}/")):
            self.faults.append(f"left the server: {request.url}")

    def _failed(self, request: Request) -> None:
        # A request is given up when its page is left, or another takes its place. A stream, what
        # asks in its stead, and messages that came end with the server and are asked for again.
        is_news = request.url.partition("?")[0].endswith(("/news", "/messages"))
        if request.failure != "net::ERR_ABORTED" and not is_news:
            self.faults.append(f"failed: {request.url} {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.allowed:
            self.faults.append(f"{response.status}: {response.url}")


Visit = Callable[..., Watched]
"""`visit(path, player=None, is_own=False, **context)`: a page in the browser of a person, at rest.

Other tests have used that browser, unless `is_own`: a test that needs one without a cache, or
installs a clock, which stays in a browser, has one of its own.

The context's options are Playwright's: `viewport`, `color_scheme`, `has_touch`,
`java_script_enabled`, …
"""


RESTS: Final = (
    "html:not(.settling, .fontless, :has(.finale)):is(.told, :not(:has([src$='/turn.js'])))"
)
"""A table whose scripts and fonts have come, and that takes presses where there are any."""


def at_rest(page: Page) -> None:
    """Wait until a table can be measured and pressed."""
    expect(page.locator(RESTS)).to_have_count(1)


def bounds(thing: Locator) -> FloatRect:
    """Where something lies, once it is in sight and moves no more."""
    seen: list[FloatRect | None] = [None]

    def rests() -> bool:
        seen.append(thing.bounding_box())
        return seen[-1] is not None and seen[-1] == seen[-2]

    waiting.until(rests)
    place = seen[-1]
    assert place is not None
    return place


LINKED: Final = "[rel~=icon], [rel=apple-touch-icon], [rel=manifest]"
"""What Debian's whole Chromium fetches for a page besides, in a profile of its own."""


def first_view(page: Page, path: str) -> dict[str, int]:
    """Open a page with a cold cache, and return the bytes on the wire of each address, with heads
    and with what a whole browser fetches and one for tests does not."""
    sizes: dict[str, int] = {}
    addresses: dict[str, str] = {}

    def asked(event: dict[str, Any]) -> None:
        addresses[event["requestId"]] = event["request"]["url"]

    def loaded(event: dict[str, Any]) -> None:
        address = addresses[event["requestId"]]
        if address.startswith("data:"):
            return  # it came with another
        sizes[address] = sizes.get(address, 0) + round(event["encodedDataLength"])

    session = page.context.new_cdp_session(page)
    session.on("Network.requestWillBeSent", asked)
    session.on("Network.loadingFinished", loaded)
    session.send("Network.enable")
    page.goto(path, wait_until="networkidle")
    fetched = "links => Promise.all(links.map(async ({href}) => (await fetch(href)).text()))"
    page.locator(LINKED).evaluate_all(fetched)
    return sizes


def _on_the_path() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def _works() -> bool:
    try:
        with launched():
            return True
    except NoBrowser:
        return False


def _run(command: Sequence[str]) -> bool:
    sys.stderr.write(f"No browser yet: trying {' '.join(command[-4:])}\n")
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    try:
        ensure()
    except NoBrowser as missing:
        sys.exit(str(missing))
