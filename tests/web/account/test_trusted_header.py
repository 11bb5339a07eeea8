"""Signing in by a header of a listed peer."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import EXTENSION, Container
from service.core.redis.client import Client
from service.games import NewGame
from service.server.app import create_app
from tests.support.arriving import STRANGER, arrive, arriving, settings_with_header
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.web.people import browser_of, form_of, hidden, is_signed_in, link_for, press, send


@pytest.fixture
def app(redis: Client, clock: Clock) -> Flask:
    return create_app(settings_with_header(), redis, clock)


@pytest.fixture
def store(app: Flask) -> Container:
    found: Container = app.extensions[EXTENSION]
    return found


def begun(app: Flask, subject: str, name: str | None = None) -> FlaskClient:
    """The browser of somebody who has arrived, and begun an account."""
    browser = arriving(app, subject)
    press(browser, "/arrival", "/arrival/begin", name=name or subject.title())
    return browser


def arrival_of(browser: FlaskClient) -> str:
    """The text of the session that the header began in this browser."""
    cookie = browser.get_cookie("scottenbury_arrival")
    assert cookie is not None
    return cookie.value


class TestArriving:
    def test_whoever_is_new_is_asked_for_a_name_first(self, app: Flask, store: Container) -> None:
        browser = arriving(app, "gus")
        asked = browser.get("/lobby")
        assert (asked.status_code, asked.location) == (303, "/arrival?next=/lobby")
        page = browser.get(asked.location)
        assert "You come as <strong>gus</strong>" in page.text
        assert 'value="gus"' in page.text
        assert list(store.players.everybody()) == []

    def test_the_account_begun_is_theirs_in_every_browser(self, app: Flask) -> None:
        assert is_signed_in(begun(app, "gus"), "Gus")
        assert is_signed_in(arriving(app, "gus"), "Gus")

    def test_they_go_on_to_the_page_they_came_for(self, app: Flask) -> None:
        browser = arriving(app, "gus")
        form = hidden(browser.get("/arrival?next=/lobby").text)
        sent = browser.post("/arrival/begin", data={**form, "name": "Gus", "next": "/lobby"})
        assert sent.location == "/lobby"

    @pytest.mark.parametrize("path", ["//evil.example", "/\\evil.example", "https://evil.example"])
    def test_but_to_no_other_site(self, app: Flask, path: str) -> None:
        browser = begun(app, "gus")
        assert browser.get("/arrival", query_string={"next": path}).location == "/"

    def test_an_address_gives_a_name_without_its_domain(self, app: Flask) -> None:
        assert 'value="gus"' in arriving(app, "gus@example.org").get("/arrival").text

    def test_a_name_beyond_ascii_comes_as_utf_8(self, app: Flask) -> None:
        page = arriving(app, "jürgen".encode().decode("latin-1")).get("/arrival").text
        assert "<strong>jürgen</strong>" in page

    @pytest.mark.parametrize("subject", ["nicolà", "SKÅ"])
    def test_even_if_it_ends_like_a_blank_of_latin_1(self, app: Flask, subject: str) -> None:
        page = arriving(app, subject.encode().decode("latin-1")).get("/arrival").text
        assert f"<strong>{subject}</strong>" in page

    def test_a_taken_name_is_asked_for_again(self, app: Flask, store: Container) -> None:
        store.registrations.register("Gus")
        asked = press(arriving(app, "gus"), "/arrival", "/arrival/begin", name="Gus")
        assert asked.status_code == 422
        assert 'role="alert"' in asked.text

    def test_the_form_sent_twice_begins_one_account(self, app: Flask, store: Container) -> None:
        browser = arriving(app, "gus")
        form = {**hidden(browser.get("/arrival").text), "name": "Gus"}
        browser.post("/arrival/begin", data=form)
        assert browser.post("/arrival/begin", data=form).status_code in (303, 403)
        assert len(list(store.players.everybody())) == 1

    def test_rules_and_pictures_are_for_everybody(self, app: Flask) -> None:
        assert arriving(app, "gus").get("/rules").status_code == 200
        for page in ("/operator", "/operator/games", f"/operator/games/{'a' * 20}"):
            assert "/arrival" not in arriving(app, "gus").get(page).headers.get("Location", "")


class TestLinking:
    def test_the_account_of_this_browser_is_theirs_if_they_say_so(
        self, app: Flask, store: Container
    ) -> None:
        gus = browser_of(app, store, "Gus")
        browser = arrive(gus.client, "august")
        assert "Are you Gus?" in browser.get("/arrival").text
        press(browser, "/arrival", f"/arrival/link/{gus.player}")
        assert is_signed_in(browser, "Gus")
        assert is_signed_in(arriving(app, "august"), "Gus")

    def test_not_before(self, app: Flask, store: Container) -> None:
        browser = arrive(browser_of(app, store, "Gus").client, "mallory")
        assert browser.get("/account").location == "/arrival?next=/account"
        assert "Gus" not in browser.get("/rules").text

    def test_the_cookie_alone_counts_no_more_then(self, app: Flask, store: Container) -> None:
        gus = browser_of(app, store, "Gus")
        browser = arrive(gus.client, "august")
        press(browser, "/arrival", f"/arrival/link/{gus.player}")
        assert not is_signed_in(arrive(browser, None), "Gus")

    def test_a_link_by_mail_leads_to_the_same_question(self, app: Flask, store: Container) -> None:
        player = store.registrations.register("Ann", "ann@example.org").player.id
        browser = arriving(app, "ann")
        send(browser, link_for(store), player=player)
        press(browser, "/arrival", f"/arrival/link/{player}")
        assert is_signed_in(arriving(app, "ann"), "Ann")

    def test_an_identity_opens_one_account(self, app: Flask, store: Container) -> None:
        begun(app, "gus")
        ann = browser_of(app, store, "Ann")
        browser = arrive(ann.client, "gus")
        form = hidden(browser.get("/account").text)
        browser.post(f"/arrival/link/{ann.player}", data=form)
        assert is_signed_in(browser, "Gus")

    def test_and_nobody_elses_account(self, app: Flask, store: Container) -> None:
        ann, gus = (browser_of(app, store, name) for name in ("Ann", "Gus"))
        browser = arrive(gus.client, "mallory")
        form = hidden(browser.get("/arrival").text)
        browser.post(f"/arrival/link/{ann.player}", data=form)
        assert store.identities.all_of(ann.player) == []
        assert not is_signed_in(browser, "Ann")

    def test_it_is_removed_on_the_account_page(self, app: Flask, store: Container) -> None:
        player = store.registrations.register("Ann", "ann@example.org").player
        browser = arriving(app, "ann")
        send(browser, link_for(store), player=player.id)
        press(browser, "/arrival", f"/arrival/link/{player.id}")
        (linked,) = store.identities.all_of(player.id)
        press(browser, "/account", f"/account/identities/{linked.id}/end")
        assert not is_signed_in(browser, "Ann")
        assert "Are you Ann?" not in browser.get("/arrival").text

    def test_unless_nothing_else_leads_to_the_account(self, app: Flask, store: Container) -> None:
        browser = begun(app, "gus")
        (player,) = store.players.everybody()
        (linked,) = store.identities.all_of(player.id)
        refused = press(browser, "/account", f"/account/identities/{linked.id}/end")
        assert refused.status_code == 403
        assert "add an e-mail address first" in refused.text
        assert is_signed_in(browser, "Gus")


class TestTheHeader:
    def test_of_an_unlisted_peer_is_ignored(self, app: Flask) -> None:
        begun(app, "gus")
        assert not is_signed_in(arriving(app, "gus", STRANGER), "Gus")
        assert arriving(app, "gus", STRANGER).get("/").status_code == 200

    def test_is_ignored_while_off(self, app: Flask, redis: Client, clock: Clock) -> None:
        begun(app, "gus")
        off = create_app(settings(), redis, clock)
        assert not is_signed_in(arriving(off, "gus"), "Gus")

    def test_does_not_count_through_x_forwarded_for(self, redis: Client, clock: Clock) -> None:
        app = create_app(settings_with_header(trusted_proxies=1), redis, clock)
        begun(app, "gus")
        forged = arriving(app, "gus", STRANGER, HTTP_X_FORWARDED_FOR="10.0.0.7")
        assert not is_signed_in(forged, "Gus")

    def test_counts_though_x_forwarded_for_names_the_visitor(
        self, redis: Client, clock: Clock
    ) -> None:
        app = create_app(settings_with_header(trusted_proxies=1), redis, clock)
        begun(app, "gus")
        assert is_signed_in(arriving(app, "gus", HTTP_X_FORWARDED_FOR="203.0.113.5"), "Gus")

    def test_counts_from_a_peer_whose_address_is_mapped_into_ipv6(self, app: Flask) -> None:
        begun(app, "gus")
        assert is_signed_in(arriving(app, "gus", "::ffff:10.0.0.7"), "Gus")

    @pytest.mark.parametrize(
        "value", ["gus,ann", "gus, ann", ",", "g\x07us", "a" * 256, "\xff", "gus\xa0"]
    )
    def test_that_names_not_one_person_lets_nobody_in(self, app: Flask, value: str) -> None:
        begun(app, "gus")
        refused = arriving(app, value).get("/account")
        assert refused.status_code == 400
        assert "more than one person" in refused.text

    def test_twice_is_not_one_person(self, app: Flask) -> None:
        begun(app, "gus")
        headers = [("RemoteUser", "gus"), ("RemoteUser", "ann")]
        assert arriving(app, None).get("/account", headers=headers).status_code == 400

    def test_that_cannot_be_read_does_not_fall_back_on_a_cookie(
        self, app: Flask, store: Container
    ) -> None:
        gus = browser_of(app, store, "Gus")
        assert arrive(gus.client, "gus,ann").get("/account").status_code == 400

    def test_empty_is_none(self, app: Flask, store: Container) -> None:
        assert is_signed_in(arrive(browser_of(app, store, "Gus").client, " "), "Gus")

    def test_says_nothing_to_the_api(self, app: Flask) -> None:
        assert begun(app, "gus").get("/v1/me").status_code == 401

    def test_and_a_token_is_its_own_player_whoever_arrives(
        self, app: Flask, store: Container
    ) -> None:
        token = store.registrations.register("Bot owner").token
        seen = begun(app, "gus").get("/v1/me", headers={"Authorization": f"Bearer {token}"})
        assert seen.get_json()["name"] == "Bot owner"


class TestAnotherPerson:
    def test_who_is_new_sees_nothing_of_the_first(self, app: Flask) -> None:
        browser = begun(app, "gus")
        assert arrive(browser, "mallory").get("/account").location == "/arrival?next=/account"
        assert "Gus" not in browser.get("/arrival").text

    def test_in_the_same_browser_is_never_taken_for_the_first_nor_sends_their_forms(
        self, app: Flask, store: Container
    ) -> None:
        begun(app, "ann")
        browser = begun(app, "gus")
        form = {**hidden(browser.get("/account").text), "name": "Taken over"}
        assert arrive(browser, "ann").post("/account/name", data=form).status_code == 403
        assert store.players.named("Taken over") == []

        assert is_signed_in(arrive(browser, "ann"), "Ann")
        assert is_signed_in(arrive(browser, "gus"), "Gus")

    def test_nobody_named_is_nobody_signed_in(self, app: Flask) -> None:
        assert not is_signed_in(arrive(begun(app, "gus"), None), "Gus")

    def test_a_cookie_of_theirs_opens_nothing_as_the_ordinary_one(self, app: Flask) -> None:
        browser, copied = begun(app, "gus"), app.test_client()
        assert is_signed_in(browser, "Gus")
        copied.set_cookie("scottenbury_session", arrival_of(browser))
        assert not is_signed_in(copied, "Gus")

    def test_nor_lets_anybody_else_take_their_account(self, app: Flask) -> None:
        browser, thief = begun(app, "gus"), arriving(app, "mallory")
        assert is_signed_in(browser, "Gus")
        thief.set_cookie("scottenbury_session", arrival_of(browser))
        assert "Gus" not in thief.get("/arrival").text

    def test_a_session_of_before_is_back_once_nobody_is_named(
        self, app: Flask, store: Container
    ) -> None:
        begun(app, "ann")
        gus = browser_of(app, store, "Gus").client
        assert is_signed_in(arrive(gus, "ann"), "Ann")
        assert is_signed_in(arrive(gus, None), "Gus")


class TestForms:
    def test_forms_need_their_token_and_this_site(self, app: Flask) -> None:
        browser = begun(app, "gus")
        assert is_signed_in(browser, "Gus")
        assert browser.post("/account/name", data={"name": "Eve"}).status_code == 403

        form = {"form": form_of(browser.get("/account/time-off")), "name": "Eve"}
        there = {"Sec-Fetch-Site": "cross-site"}
        assert browser.post("/account/name", data=form, headers=there).status_code == 403

    def test_of_whoever_is_new_lead_to_the_question(self, app: Flask, store: Container) -> None:
        browser = arriving(app, "gus")
        form = {**hidden(browser.get("/arrival").text), "whom": "steward", "edition": "base"}
        assert browser.post("/games/new", data=form).location == "/arrival?next=/"
        assert list(store.players.everybody()) == []


class TestSessions:
    def test_ended_elsewhere_begin_anew_with_the_next_page(
        self, app: Flask, store: Container
    ) -> None:
        browser = begun(app, "gus")
        assert is_signed_in(browser, "Gus")
        (player,) = store.players.everybody()
        store.tokens.revoke_all(player.id)
        assert is_signed_in(browser, "Gus")

    def test_signing_out_says_that_the_host_still_signs_in(self, app: Flask) -> None:
        browser = begun(app, "gus")
        page = browser.post("/sign-out", data=hidden(browser.get("/account").text))
        assert "sign out there too" in page.text
        assert browser.get_cookie("scottenbury_arrival") is None

    def test_a_program_without_cookies_does_not_pile_them_up(
        self, app: Flask, store: Container, clock: Clock
    ) -> None:
        begun(app, "gus")
        for _ in range(15):
            clock.time += 1
            arriving(app, "gus").get("/account")
        (player,) = store.players.everybody()
        sessions = [one for one in store.tokens.all_of(player.id) if one.kind == "session"]
        assert len(sessions) == 10

    def test_a_suspended_account_opens_for_nobody(self, app: Flask, store: Container) -> None:
        begun(app, "gus")
        (player,) = store.players.everybody()
        store.players.suspend(player.id)
        page = arriving(app, "gus").get("/account", follow_redirects=True)
        assert "Your account is suspended" in page.text
        assert arriving(app, "gus").get("/arrival").text.count("<form") == 0

    def test_whoever_has_arrived_needs_no_other_way(self, app: Flask) -> None:
        assert begun(app, "gus").get("/sign-in").location == "/"

    def test_an_account_without_an_address_is_not_lost(self, app: Flask) -> None:
        page = begun(app, "gus").get("/account").text
        assert "you lose your games" not in page
        assert "To leave, sign out there" in page


class TestRegistration:
    @pytest.fixture
    def app(self, redis: Client, clock: Clock) -> Flask:
        return create_app(settings_with_header(registration="invited"), redis, clock)

    def test_by_invitation_begins_no_account_without_one(
        self, app: Flask, store: Container
    ) -> None:
        asked = press(arriving(app, "gus"), "/arrival", "/arrival/begin", name="Gus")
        assert asked.status_code == 422
        assert "New players come here by invitation" in asked.text
        assert list(store.players.everybody()) == []

    def test_admits_whoever_came_by_the_operators_link(self, app: Flask, store: Container) -> None:
        self.come(app, f"/welcome/{store.admission.make_invitation()}")
        assert is_signed_in(arriving(app, "gus"), "Gus")

    def test_and_by_the_invite_of_an_open_game(self, app: Flask, store: Container) -> None:
        self.come(app, self.invited(store))
        assert is_signed_in(arriving(app, "gus"), "Gus")

    def test_not_by_that_of_a_game_that_was_called_off(self, app: Flask, store: Container) -> None:
        self.come(app, self.invited(store, called_off=True))
        assert store.players.named("Gus") == []

    def come(self, app: Flask, path: str) -> None:
        browser = arriving(app, "gus")
        form = hidden(browser.get(browser.get(path).location).text)
        browser.post("/arrival/begin", data={**form, "name": "Gus", "next": path})

    def invited(self, store: Container, *, called_off: bool = False) -> str:
        host = store.guests.register("Host", None, store.admission.make_invitation())
        game = store.games.create(host.id, NewGame()).id
        if called_off:
            store.games.call_off(game, host.id)
        return f"/games/{game}?invite={store.games.invitations.token(game)}"


class TestTheAccount:
    def test_closed_its_identity_opens_none(self, app: Flask, store: Container) -> None:
        browser = begun(app, "gus")
        (player,) = store.players.everybody()
        press(browser, "/account/delete", "/account/delete")
        assert store.identities.all_of(player.id) == []
        assert browser.get("/account").location == "/arrival?next=/account"

    def test_is_not_closed_as_an_unused_guests(
        self, app: Flask, store: Container, clock: Clock
    ) -> None:
        begun(app, "gus")
        (player,) = store.players.everybody()
        clock.time += 500 * 86400
        assert store.guests.expire_if_unused(player.id) is not None
        assert is_signed_in(arriving(app, "gus"), "Gus")
