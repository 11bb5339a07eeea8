"""People with browsers: one server a session, and pages that are watched."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.browser import Visit, Watched, at_rest, launched
from tests.support.site import Site, served
from tests.web.browser.profiles import Profiles
from tests.web.browser.table import Table

FEW_PIXELS = "--force-gpu-mem-available-mb=1"
"""Chromium paints no more than what is in sight: no test looks at the pixels."""


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """A server with its Redis and worker. Tests make players of their own."""
    with served() as site:
        yield site


# While Playwright is there, this thread's asyncio has a loop already, and others want their own.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched(FEW_PIXELS) as browser:
        yield browser


@pytest.fixture(scope="package")
def profiles(site: Site, browser: Browser) -> Profiles:
    """The browsers of people, which are used again."""
    return Profiles(browser, site.url)


@pytest.fixture
def visit(site: Site, profiles: Profiles) -> Iterator[Visit]:
    """Opens pages, each for another person. In the end nothing may have gone wrong on any."""
    opened: list[Watched] = []

    def visit(
        path: str, player: str | None = None, *, is_own: bool = False, **context: Any
    ) -> Watched:
        is_alone = is_own or context.keys() - {"viewport"}
        page = (profiles.open_own if is_alone else profiles.open)(**context)
        if player:
            page.context.add_cookies([site.session(player)])  # type: ignore[list-item]
        opened.append(Watched(page, site.url))
        page.goto(path)
        if context.get("java_script_enabled", True):
            at_rest(page)
        return opened[-1]

    yield visit
    profiles.give_back()
    assert [fault for watched in opened for fault in watched.faults] == []


@pytest.fixture
def table(site: Site) -> Table:
    return Table(site)
