"""Signing in with an OpenID provider."""

import logging
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.accounts.email_addresses import AddressVerification
from service.accounts.openid import LARGEST
from service.container import EXTENSION, Container
from service.core.redis.client import Client
from service.server.app import create_app
from tests.support.arriving import arriving, settings_with_header
from tests.support.clock import Clock
from tests.support.open_id_provider import (
    CLIENT,
    SECRET,
    OpenIdProvider,
    elliptic_key,
    shared_key,
    stranger_key,
)
from tests.support.settings import settings
from tests.web.people import browser_of, hidden, is_signed_in, press

START = "/sign-in/openid"
CALLBACK = "/sign-in/openid/callback"
ANN = "ann@example.org"


@pytest.fixture
def provider(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenIdProvider]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with OpenIdProvider(clock) as provider:
        yield provider


def with_provider(provider: OpenIdProvider, **changes: object) -> dict[str, object]:
    return {
        "base_url": "http://localhost",
        "oidc_issuer": provider.issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SECRET,
        **changes,
    }


@pytest.fixture
def app(provider: OpenIdProvider, redis: Client, clock: Clock) -> Flask:
    return create_app(settings(**with_provider(provider)), redis, clock)


@pytest.fixture
def store(app: Flask) -> Container:
    found: Container = app.extensions[EXTENSION]
    return found


@pytest.fixture
def browser(app: Flask) -> FlaskClient:
    return app.test_client()


class Door(NamedTuple):
    """A browser, the provider at which it signs in, and the server that it signs in to."""

    browser: FlaskClient
    provider: OpenIdProvider
    app: Flask
    store: Container
    redis: Client
    clock: Clock


@pytest.fixture
def door(
    browser: FlaskClient,
    provider: OpenIdProvider,
    app: Flask,
    store: Container,
    redis: Client,
    clock: Clock,
) -> Door:
    return Door(browser, provider, app, store, redis, clock)


def sent(browser: FlaskClient, next_path: str = "/") -> str:
    """The address of the provider to which this browser is sent."""
    answer = browser.get(START, query_string={"next": next_path})
    assert answer.status_code == 303
    return answer.location


def come(browser: FlaskClient, provider: OpenIdProvider, **claims: Any) -> TestResponse:
    """Sign in at the provider, and come back."""
    return browser.get(provider.sign_in(sent(browser), **claims))


def begin(browser: FlaskClient, provider: OpenIdProvider, name: str = "Gus", **claims: Any) -> None:
    """Begin an account by it."""
    assert come(browser, provider, **claims).location == "/arrival?next=/"
    press(browser, "/arrival", "/arrival/begin", name=name)


def confirmed(store: Container, name: str, email: str = ANN) -> str:
    """A player with a confirmed address."""
    player = store.registrations.register(name, email).player.id
    assert store.players.verify(AddressVerification(player, email, 0))
    return player


class TestSigningIn:
    def test_begins_an_account_the_first_time(self, door: Door) -> None:
        begin(door.browser, door.provider)
        assert is_signed_in(door.browser, "Gus")

    def test_and_opens_it_afterwards(self, door: Door) -> None:
        begin(door.browser, door.provider)
        another = door.app.test_client()
        assert come(another, door.provider).location == "/"
        assert is_signed_in(another, "Gus")

    def test_leads_to_the_page_that_was_wanted_on_this_site_alone(self, door: Door) -> None:
        begin(door.browser, door.provider)
        another = door.app.test_client()
        assert another.get(door.provider.sign_in(sent(another, "/lobby"))).location == "/lobby"

        back = another.get(door.provider.sign_in(sent(another, "//evil.example")))
        assert back.location == "/"

    def test_is_offered_on_the_sign_in_page(self, browser: FlaskClient) -> None:
        page = browser.get("/sign-in").text
        assert "Sign in with the club" in page
        assert f'href="{START}"' in page

    def test_begins_under_the_name_that_the_provider_knows(self, browser: FlaskClient) -> None:
        sent_on = browser.get(START, base_url="http://127.0.0.1")
        assert sent_on.location == f"http://localhost{START}"

    def test_works_with_keys_of_another_kind_and_with_new_ones(self, door: Door) -> None:
        begin(door.browser, door.provider)
        door.provider.signer = elliptic_key()
        door.provider.algorithm, door.provider.published = "ES256", [door.provider.signer]
        door.clock.time += 31
        another = door.app.test_client()
        come(another, door.provider)
        assert is_signed_in(another, "Gus")

    @pytest.mark.parametrize(
        ("offered", "is_in_form"), [(["client_secret_post"], True), (None, False)]
    )
    def test_proves_itself_as_the_provider_takes_it(
        self, browser: FlaskClient, provider: OpenIdProvider, offered: object, is_in_form: bool
    ) -> None:
        if offered:
            provider.metadata = {"token_endpoint_auth_methods_supported": offered}
        come(browser, provider)
        (form,) = provider.redeemed
        assert ("client_secret" in form) == is_in_form
        assert form["authorization"].startswith("Basic ") != is_in_form

    def test_as_a_public_client_proves_itself_by_pkce(self, door: Door) -> None:
        public = settings(**with_provider(door.provider, oidc_client_secret=None))
        come(create_app(public, door.redis, door.clock).test_client(), door.provider)
        (form,) = door.provider.redeemed
        assert "client_secret" not in form
        assert form["authorization"] == ""
        assert len(form["code_verifier"]) >= 43

    def test_asks_the_provider_for_its_documents_once(self, door: Door) -> None:
        come(door.browser, door.provider)
        come(door.app.test_client(), door.provider)
        assert sum(path.endswith("/openid-configuration") for path in door.provider.requests) == 1
        assert sum(path.endswith("/keys") for path in door.provider.requests) == 1

    def test_is_not_there_where_no_provider_is_set(self, redis: Client, clock: Clock) -> None:
        browser = create_app(settings(), redis, clock).test_client()
        assert browser.get(START).status_code == 404
        assert browser.get(CALLBACK).status_code == 404
        assert START not in browser.get("/sign-in").text

    def test_gives_way_to_a_trusted_header(self, door: Door) -> None:
        both = settings_with_header(**with_provider(door.provider))
        arrived = arriving(create_app(both, door.redis, door.clock), "ann")
        press(arrived, "/arrival", "/arrival/begin", name="Ann")
        assert arrived.get(START).location == "/"


class TestLinking:
    def test_an_address_that_both_sides_have_confirmed_opens_its_account(self, door: Door) -> None:
        confirmed(door.store, "Ann")
        come(door.browser, door.provider, email="Ann@Example.org", email_verified=True)
        assert is_signed_in(door.browser, "Ann")
        another = door.app.test_client()
        come(another, door.provider)
        assert is_signed_in(another, "Ann")

    @pytest.mark.parametrize("verified", [False, None, "true", 1])
    def test_not_one_that_the_provider_has_not(self, door: Door, verified: object) -> None:
        confirmed(door.store, "Ann")
        come(door.browser, door.provider, email=ANN, email_verified=verified)
        assert not is_signed_in(door.browser, "Ann")
        assert "Ann" not in door.browser.get("/arrival").text.replace("ann@", "")

    def test_nor_one_that_only_looks_the_same_in_lower_case(
        self, browser: FlaskClient, provider: OpenIdProvider, store: Container
    ) -> None:
        confirmed(store, "Kate", "kate@example.org")
        come(browser, provider, email="\N{KELVIN SIGN}ate@example.org", email_verified=True)
        assert not is_signed_in(browser, "Kate")

    def test_nor_one_that_we_have_not(self, door: Door) -> None:
        door.store.registrations.register("Ann", ANN)
        come(door.browser, door.provider, email=ANN, email_verified=True)
        assert not is_signed_in(door.browser, "Ann")

    def test_of_several_accounts_with_the_address_they_choose(self, door: Door) -> None:
        confirmed(door.store, "Ann")
        second = confirmed(door.store, "Ann the second")
        come(door.browser, door.provider, email=ANN, email_verified=True)
        assert "has your address" in door.browser.get("/arrival").text
        press(door.browser, "/arrival", f"/arrival/link/{second}")
        assert is_signed_in(door.browser, "Ann the second")

    def test_somebody_elses_session_is_not_ended_unasked(self, door: Door) -> None:
        begin(door.browser, door.provider)
        ann = browser_of(door.app, door.store, "Ann")
        come(ann.client, door.provider)
        assert is_signed_in(ann.client, "Ann")
        page = ann.get("/arrival")
        assert "Sign in as Gus?" in page
        assert "you could not come back to that account" in page

    def test_a_player_lets_it_open_the_account_that_is_open_here(self, door: Door) -> None:
        ann = browser_of(door.app, door.store, "Ann")
        assert "Let the club open this account" in ann.get("/account")
        back = ann.client.get(door.provider.sign_in(sent(ann.client, "/account")))
        assert back.location == "/arrival?next=/account"
        assert door.store.identities.all_of(ann.player) == []
        assert "you could not come back to that account" in ann.get("/arrival")
        press(ann.client, "/arrival", f"/arrival/link/{ann.player}")
        another = door.app.test_client()
        come(another, door.provider)
        assert is_signed_in(another, "Ann")

    def test_and_no_longer(self, app: Flask, provider: OpenIdProvider, store: Container) -> None:
        player = confirmed(store, "Ann")
        browser = app.test_client()
        come(browser, provider, email=ANN, email_verified=True)
        assert "As <strong>gus</strong>, by the club, since" in browser.get("/account").text
        (linked,) = store.identities.all_of(player)
        press(browser, "/account", f"/account/identities/{linked.id}/end")
        assert come(app.test_client(), provider).location == "/arrival?next=/"

    def test_nobody_takes_an_account_that_is_not_offered(self, door: Door) -> None:
        ann = confirmed(door.store, "Ann")
        come(door.browser, door.provider)
        door.browser.post(f"/arrival/link/{ann}", data=hidden(door.browser.get("/arrival").text))
        assert door.store.identities.all_of(ann) == []
        assert not is_signed_in(door.browser, "Ann")

    def test_a_suspended_account_stays_closed(self, door: Door) -> None:
        begin(door.browser, door.provider)
        (player,) = door.store.players.everybody()
        door.store.players.suspend(player.id)
        another = door.app.test_client()
        come(another, door.provider)
        assert "Your account is suspended" in another.get("/arrival").text
        assert not is_signed_in(another, "Gus")

    def test_nor_does_its_address_begin_another(self, door: Door) -> None:
        door.store.players.suspend(confirmed(door.store, "Ann"))
        come(door.browser, door.provider, email=ANN, email_verified=True)
        assert "Your account is suspended" in door.browser.get("/arrival").text

    def test_registration_holds_here_too(self, door: Door) -> None:
        closed = settings(**with_provider(door.provider, registration="closed"))
        browser = create_app(closed, door.redis, door.clock).test_client()
        come(browser, door.provider)
        refused = press(browser, "/arrival", "/arrival/begin", name="Gus")
        assert refused.status_code == 422
        assert "takes no new players" in refused.text


class TestAttacks:
    """None of them signs anybody in."""

    @pytest.fixture(autouse=True)
    def _gus(self, app: Flask, provider: OpenIdProvider) -> None:
        begin(app.test_client(), provider)

    def refused(self, browser: FlaskClient, answer: TestResponse, status: int = 403) -> None:
        assert answer.status_code == status
        assert not is_signed_in(browser, "Gus")
        assert browser.get("/arrival").location == "/"

    @pytest.mark.parametrize(
        "claims",
        [
            {"nonce": "of another sign-in"},
            {"nonce": None},
            {"aud": "another-client"},
            {"aud": None},
            {"aud": [CLIENT, "another-client"]},
            {"aud": [CLIENT, "another-client"], "azp": "another-client"},
            {"iss": "https://evil.example"},
            {"iss": None},
            {"exp": 1},
            {"exp": None},
            {"iat": None},
            {"sub": None},
            {"sub": ""},
            {"sub": "g\x00us"},
            {"sub": ["248289761001"]},
            {"sub": "x" * 256},
        ],
        ids=str,
    )
    def test_a_token_that_is_not_for_this(self, door: Door, claims: dict[str, Any]) -> None:
        self.refused(door.browser, come(door.browser, door.provider, **claims))

    def test_a_token_without_a_signature(self, door: Door) -> None:
        door.provider.algorithm = "none"
        self.refused(door.browser, come(door.browser, door.provider))

    def test_a_token_signed_with_the_clients_secret(self, door: Door) -> None:
        door.provider.signer, door.provider.algorithm = shared_key(), "HS256"
        self.refused(door.browser, come(door.browser, door.provider))

    def test_a_token_signed_by_somebody_else(self, door: Door) -> None:
        door.provider.signer = stranger_key()
        self.refused(door.browser, come(door.browser, door.provider))

    def test_a_state_used_again(self, browser: FlaskClient, provider: OpenIdProvider) -> None:
        path = provider.sign_in(sent(browser))
        browser.get(path)
        press(browser, "/account", "/sign-out")
        self.refused(browser, browser.get(path), 410)

    def test_the_state_of_another_browser(self, door: Door) -> None:
        path = door.provider.sign_in(sent(door.browser))
        victim = door.app.test_client()
        sent(victim)
        self.refused(victim, victim.get(path), 410)

    @pytest.mark.parametrize("query", [{}, {"state": "made-up", "code": "code-0"}], ids=str)
    def test_a_state_that_nobody_has(self, browser: FlaskClient, query: dict[str, str]) -> None:
        self.refused(browser, browser.get(f"{CALLBACK}?{urlencode(query)}"), 410)

    def test_a_state_that_has_expired(self, door: Door) -> None:
        path = door.provider.sign_in(sent(door.browser))
        (key,) = door.redis.keys("st:openid:*")
        assert 0 < door.redis.ttl(key) <= 600
        door.redis.unlink(key)
        self.refused(door.browser, door.browser.get(path), 410)

    def test_a_code_of_another_sign_in(
        self, app: Flask, browser: FlaskClient, provider: OpenIdProvider
    ) -> None:
        stolen = provider.sign_in(sent(app.test_client())).partition("code=")[2].partition("&")[0]
        mine = provider.sign_in(sent(browser))
        forged = mine.replace(mine.partition("code=")[2].partition("&")[0], stolen)
        self.refused(browser, browser.get(forged))

    def test_an_answer_of_another_issuer(self, door: Door) -> None:
        path = door.provider.sign_in(sent(door.browser)).partition("&iss=")[0]
        self.refused(door.browser, door.browser.get(f"{path}&iss=https://evil.example"))
        assert len(door.provider.redeemed) == 1

    def test_an_answer_with_two_codes(self, browser: FlaskClient, provider: OpenIdProvider) -> None:
        path = provider.sign_in(sent(browser))
        self.refused(browser, browser.get(f"{path}&code=another"))

    def test_documents_of_another_issuer(self, door: Door) -> None:
        door.provider.metadata = {"issuer": "https://evil.example"}
        door.clock.time += 3600
        self.refused(door.browser, door.browser.get(START))

    def test_the_choice_of_another_browser(self, door: Door) -> None:
        come(door.browser, door.provider, sub="somebody new")
        assert "You come as" in door.browser.get("/arrival").text
        another = door.app.test_client()
        another.get("/sign-in")
        assert another.get("/arrival").location == "/"


class TestTrouble:
    def test_whoever_says_no_there_reads_that(self, door: Door) -> None:
        state = door.provider.sign_in(sent(door.browser)).partition("state=")[2]
        page = door.browser.get(f"{CALLBACK}?error=access_denied&state={state}")
        assert page.status_code == 403
        assert "It did not confirm that you signed in" in page.text

    @pytest.mark.parametrize("status", [302, 404, 500])
    def test_a_provider_that_is_away_is_not_waited_for(self, door: Door, status: int) -> None:
        door.provider.status = status
        page = door.browser.get(START)
        assert page.status_code == 503
        assert "It does not answer now" in page.text

    def test_an_answer_that_breaks_off_is_none(self, door: Door) -> None:
        door.provider.cuts = True
        assert door.browser.get(START).status_code == 503
        door.provider.cuts = False
        back = door.provider.sign_in(sent(door.browser))
        door.provider.cuts = True
        assert door.browser.get(back).status_code == 503

    def test_an_answer_without_end_is_not_read(self, door: Door) -> None:
        back = door.provider.sign_in(sent(door.browser))
        door.provider.padding = LARGEST
        assert door.browser.get(back).status_code == 403

    def test_the_log_names_the_reason_and_nothing_that_came(
        self, browser: FlaskClient, provider: OpenIdProvider, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO)
        come(browser, provider, aud="another-client", email=ANN)
        line = next(one.getMessage() for one in caplog.records if "OpenID" in one.getMessage())
        assert line == "The OpenID provider: sign-in-refused (InvalidClaimError aud)"

    def test_the_store_holds_no_token_and_no_secret_of_a_browser(self, door: Door) -> None:
        state = sent(door.browser).partition("state=")[2].partition("&")[0]
        (key,) = door.redis.keys("st:openid:*")
        cookie = door.browser.get_cookie("scottenbury_form")
        assert cookie is not None
        stored = f"{key!r} {door.redis.get(key)!r}"
        assert cookie.value not in stored
        assert state not in stored


class TestTheAccount:
    def test_closed_leaves_nothing_of_it(self, door: Door) -> None:
        begin(door.browser, door.provider)
        assert door.redis.keys("st:identity:*")
        press(door.browser, "/account/delete", "/account/delete")
        assert door.redis.keys("st:identity:*") == []
        assert door.redis.keys("st:{*}:identities") == []
