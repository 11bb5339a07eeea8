"""People's browsers, which one test after another uses: a new one takes most of a second."""

from contextlib import suppress
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page


class Profile:
    """The browser of one person. A page stays open in it, and with it what was loaded and started.

    `context`: where pages are opened. What the server lets a browser keep stays in its cache.
    """

    def __init__(self, browser: Browser, origin: str) -> None:
        self._origin = origin
        self.context: BrowserContext = browser.new_context(base_url=origin)
        self._resting = self.context.new_page()
        self._resting.goto("/healthz")  # no scripts: it hears and does nothing
        self._devtools = self.context.new_cdp_session(self._resting)
        self._browser = browser.new_browser_cdp_session()

    def empty(self) -> None:
        """Close all other pages and forget who it was, and all that was stored and allowed."""
        for page in self.context.pages:
            if page is not self._resting:
                self._close(page)
        self.context.clear_cookies()
        self.context.clear_permissions()
        everything = {"origin": self._origin, "storageTypes": "all"}
        self._devtools.send("Storage.clearDataForOrigin", everything)

    def _close(self, page: Page) -> None:
        # Chromium forgets to close a page that is just going elsewhere (crbug.com/536385539), and
        # Playwright's own `close` waits for that without end: ask again.
        found = self.context.new_cdp_session(page).send("Target.getTargetInfo")
        target = {"targetId": found["targetInfo"]["targetId"]}
        while not page.is_closed():
            with suppress(Error):  # it is closed, or is not yet
                self._browser.send("Target.closeTarget", target)
                page.wait_for_event("close", timeout=200)


class Profiles:
    """As many as a test needs at one time."""

    def __init__(self, browser: Browser, origin: str) -> None:
        self._browser, self._origin = browser, origin
        self._free: list[Profile] = []
        self._taken: list[Profile] = []
        self._own: list[BrowserContext] = []

    def open(self, *, viewport: Any = None) -> Page:
        """A page in the browser of another person."""
        profile = self._free.pop() if self._free else Profile(self._browser, self._origin)
        self._taken.append(profile)
        page = profile.context.new_page()
        page.bring_to_front()  # behind another page, nothing would move
        if viewport:
            page.set_viewport_size(viewport)
        return page

    def open_own(self, **context: Any) -> Page:
        """A page in a browser for this test alone, with these options of Playwright's."""
        self._own.append(self._browser.new_context(base_url=self._origin, **context))
        return self._own[-1].new_page()

    def give_back(self) -> None:
        """End the test: whatever it opened is closed."""
        while self._own:
            self._own.pop().close()
        while self._taken:
            profile = self._taken.pop()
            profile.empty()
            self._free.append(profile)
