"""Arriving by a sign-in elsewhere, in a real browser: its cookies, redirects and policies."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.open_id_provider import CLIENT, SECRET, OpenIdProvider
from tests.support.servers import SocketServer
from tests.support.web_server import WebServer
from tests.web.browser.checks import PHONE, faults


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenIdProvider]:
    with OpenIdProvider(time.time) as provider:
        yield provider


@pytest.fixture(scope="module")
def server(
    redis_server: SocketServer, provider: OpenIdProvider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebServer]:
    """A server with a provider, that also trusts the header of this machine's connections."""
    server = WebServer(
        redis_server.url,
        tmp_path_factory.mktemp("data"),
        SCOTTENBURY_AUTH_HEADER="RemoteUser",
        SCOTTENBURY_AUTH_PEERS="127.0.0.1",
        SCOTTENBURY_OIDC_ISSUER=provider.issuer,
        SCOTTENBURY_OIDC_CLIENT_ID=CLIENT,
        SCOTTENBURY_OIDC_CLIENT_SECRET=SECRET,
        SCOTTENBURY_OIDC_NAME="the club",
        NO_PROXY="127.0.0.1",
    )
    yield server
    server.stop()


PageOf = Callable[..., Page]
"""A page in a browser of its own, which sends these headers."""


@pytest.fixture
def page_of(browser: Browser, server: WebServer) -> Iterator[PageOf]:
    with ExitStack() as open_:

        def page_of(**headers: str) -> Page:
            context = browser.new_context(
                base_url=f"http://127.0.0.1:{server.port}",
                viewport=PHONE,
                extra_http_headers=headers,
            )
            return open_.enter_context(context).new_page()

        yield page_of


def test_whoever_a_header_names_begins_an_account_and_comes_back(
    page_of: PageOf, server: WebServer
) -> None:
    page = page_of(RemoteUser="flora")
    page.goto("/lobby")
    expect(page.get_by_label("Your name, for all to see")).to_have_value("flora")
    assert list(faults(page)) == []
    page.get_by_role("button", name="Come in").click()
    expect(page).to_have_url(f"http://127.0.0.1:{server.port}/lobby")
    again = page_of(RemoteUser="flora")
    again.goto("/account")
    expect(again.get_by_role("heading", level=1)).to_have_text("flora")


def test_twice_the_header_is_refused_and_one_with_underscores_is_none(
    page_of: PageOf,
) -> None:
    page = page_of(RemoteUser="flora, isla")
    refused = page.goto("/account")
    assert refused is not None
    assert refused.status == 400
    assert list(faults(page)) == []
    page = page_of(Remote_User="flora")
    page.goto("/account")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_the_button_leads_to_the_provider_and_back(page_of: PageOf) -> None:
    page = page_of()
    page.goto("/sign-in")
    assert list(faults(page)) == []
    page.get_by_role("link", name="Sign in with the club").click()
    page.get_by_label("Your name, for all to see").fill("Fergus the First")
    page.get_by_role("button", name="Come in").click()
    page.goto("/account")
    expect(page.get_by_role("heading", level=1)).to_have_text("Fergus the First")
    page.get_by_role("button", name="Sign out").click()
    page.goto("/sign-in")
    page.get_by_role("link", name="Sign in with the club").click()
    page.goto("/account")
    expect(page.get_by_role("heading", level=1)).to_have_text("Fergus the First")
