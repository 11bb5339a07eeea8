"""People with browsers: one server a session, and pages that are watched."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.browser import Visit, Watched, launched
from tests.support.site import Site, served


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """A server with its Redis and worker. Tests make players of their own."""
    with served() as site:
        yield site


# While Playwright is there, this thread's asyncio has a loop already, and others want their own.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture
def visit(site: Site, browser: Browser) -> Iterator[Visit]:
    """Opens pages, each for another person. In the end nothing may have gone wrong on any."""
    opened: list[Watched] = []
    with ExitStack() as stack:

        def visit(path: str, player: str | None = None, **context: Any) -> Watched:
            person = stack.enter_context(browser.new_context(base_url=site.url, **context))
            if player:
                person.add_cookies([site.session(player)])  # type: ignore[list-item]
            watched = Watched(person.new_page(), site.url)
            opened.append(watched)
            watched.page.goto(path)
            return watched

        yield visit
    assert [fault for watched in opened for fault in watched.faults] == []
