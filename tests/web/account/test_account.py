"""Signing in, verifying an address, and the page of one's account, as a browser does it."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.accounts.email_addresses import AddressVerification
from service.accounts.faces import face_of
from service.accounts.names import NAMELESS
from service.accounts.players import NAME_CACHE_SECONDS
from service.accounts.tokens import SESSION_LIFE
from service.container import Container
from service.core.redis.client import Client
from service.games import NewGame
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.people import headers_of
from tests.support.settings import settings
from tests.web.people import dump, form_of, link_for, send
from tests.web.shown import signed_in as signed_in_as
from tests.web.shown import words as words_of

ANN = "ann@example.org"


@pytest.fixture
def ann(container: Container) -> str:
    """The id of a player with an address."""
    return container.registrations.register("Ann", ANN).player.id


def signs_in(container: Container, email: str) -> bool:
    """Whether a link asked for at this address would sign anybody in."""
    container.sign_in.request_link(email)
    notices = (notice.id for notice in container.log.outbox.pending())
    requests = [one.partition(".")[0] for one in notices if one.endswith(".sign-in")]
    return any(container.sign_in.link_to_send(request) for request in requests)


@pytest.fixture
def signed_in(client: FlaskClient, container: Container, ann: str) -> FlaskClient:
    send(client, link_for(container), player=ann)
    return client


def test_finished_games_may_be_studied_only_if_one_says_so(
    signed_in: FlaskClient, container: Container, ann: str
) -> None:
    assert 'name="archive" value="no" checked' in signed_in.get("/account").text
    for choice, status in (("nameless", 303), ("perhaps", 422)):
        answer = send(signed_in, "/account", "/account/archive", archive=choice)
        assert answer.status_code == status
    assert container.players.by_id([ann])[ann].archive == "nameless"


def test_a_mark_is_that_of_the_id_until_one_is_chosen(
    signed_in: FlaskClient, container: Container, ann: str
) -> None:
    own = face_of(ann)
    assert f'class="face {own.clan}"' in signed_in.get(f"/players/{ann}").text
    chosen = {"clan": "G", "cloth": "R", "figure": "stag"}
    for wrong in ({"clan": "X"}, {"cloth": ""}, {"figure": "shepherd"}):
        answer = send(signed_in, "/account", "/account/face", **{**chosen, **wrong})
        assert answer.status_code == 422
    assert send(signed_in, "/account", "/account/face", **chosen).status_code == 303
    game = container.games.create(ann, NewGame(bot="shepherd"))
    for path in ("/account", f"/players/{ann}", f"/games/{game.id}"):
        page = signed_in.get(path).text
        assert all(part in page for part in ('"face G"', "#cloth-R", "#figure-stag")), path
    assert "#figure-shepherd" in page
    assert send(signed_in, "/account", "/account/export").get_json()["face"] == "GR-stag"


@pytest.mark.parametrize("name", ["Ada", NAMELESS])
def test_a_chosen_mark_is_known_when_the_name_was_read_long_ago_or_never(
    container: Container, clock: Clock, name: str
) -> None:
    player = container.registrations.register_guest(name).player.id
    container.players.choose_face(player, "GR-stag")
    assert container.players.chosen_face(player) == "GR-stag"
    container.players.names([player])
    clock.time += NAME_CACHE_SECONDS + 1
    assert container.players.chosen_face(player) == "GR-stag"


class TestSigningIn:
    def test_the_page_sends_a_link(
        self, client: FlaskClient, container: Container, ann: str
    ) -> None:
        before = len(list(container.log.outbox.pending()))
        assert "a link is on its way" in send(client, "/sign-in", email=ANN).text
        assert len(list(container.log.outbox.pending())) == before + 1

    def test_the_answer_does_not_tell_whose_address_it_is(
        self, client: FlaskClient, ann: str
    ) -> None:
        answers = [send(client, "/sign-in", email=email) for email in (ANN, "nobody@example.org")]
        one, other = [(answer.status, answer.data, headers_of(answer)) for answer in answers]
        assert one == other

    def test_what_is_no_address_is_told(self, client: FlaskClient) -> None:
        assert send(client, "/sign-in", email="nobody").status_code == 422

    def test_the_link_works_once(
        self, signed_in: FlaskClient, container: Container, ann: str
    ) -> None:
        path = link_for(container)
        assert send(signed_in, path, player=ann).status_code == 303
        assert signed_in.get(path).status_code == 410
        form = form_of(signed_in.get("/account"))
        assert signed_in.post(path, data={"form": form, "player": ann}).status_code == 410

    @pytest.mark.parametrize("foreign", ["https://example.org/", "//example.org", "/\\example.org"])
    def test_a_visitor_of_a_game_is_asked_to_sign_in_and_lands_there(
        self, client: FlaskClient, container: Container, ann: str, foreign: str
    ) -> None:
        bob = container.registrations.register("Bob").player.id
        game = container.games.create(ann, NewGame(salt="a", opponent=bob))
        container.games.join(game.id, bob, salt="b")
        assert "Are you Ann or Bob?" in client.get(f"/games/{game.id}").text
        for asked, landed in ((f"/games/{game.id}", f"/games/{game.id}"), (foreign, "/")):
            page = client.get("/sign-in", query_string={"next": asked}).text
            assert f'name="next" value="{landed}"' in page
            known = set(container.log.outbox.pending())
            send(client, "/sign-in", email=ANN, next=asked)
            (notice,) = set(container.log.outbox.pending()) - known
            found = container.sign_in.link_to_send(notice.id.partition(".")[0])
            assert found is not None
            link = found[1].removeprefix(container.settings.base_url)
            assert send(client, link, player=ann).location == landed
        assert "Are you Ann" not in client.get(f"/games/{game.id}").text

    def test_an_account_without_an_address_is_left_only_when_one_is_sure(
        self, app: Flask, container: Container
    ) -> None:
        guest = signed_in_as(app, container.registrations.register("Gil").player.id)
        asked = send(guest, "/account", "/sign-out")
        assert "you cannot come back to this account" in asked.text
        assert guest.get("/account").status_code == 200
        assert send(guest, "/account", "/sign-out", sure="yes").location == "/"
        assert guest.get("/account").status_code == 303

    def test_an_answer_for_nobody_does_not_use_it_up(
        self, client: FlaskClient, container: Container, ann: str
    ) -> None:
        path = link_for(container)
        for nobody in ("", "a" * 16):
            assert send(client, path, player=nobody).status_code == 410
        assert send(client, path, player=ann).status_code == 303

    def test_a_forged_link_is_no_good(self, client: FlaskClient) -> None:
        assert client.get("/sign-in/forged").status_code == 410

    def test_the_cookie_is_for_this_site_and_no_script(
        self, client: FlaskClient, container: Container, ann: str
    ) -> None:
        answer = send(client, link_for(container), player=ann)
        (cookie,) = [text for text in answer.headers.getlist("Set-Cookie") if "session" in text]
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert f"Max-Age={SESSION_LIFE}" in cookie
        assert "Secure" not in cookie

    def test_the_link_asks_and_its_answer_signs_in_once_on_this_site(
        self, client: FlaskClient, container: Container, ann: str
    ) -> None:
        path = link_for(container)
        form = form_of(client.application.test_client().get(path))
        assert client.post(path, data={"form": form, "player": ann}).status_code == 403
        assert client.post(path, data={"player": ann}).status_code == 403
        assert client.get(path).status_code == 200

        for _ in range(2):
            page = client.get(path).text
            assert "Sign in as Ann" in page
            assert "Go on only if you asked for this link yourself" in page
        assert client.get("/account").status_code == 303

        answer = send(client, path, player=ann)

        assert (answer.status_code, answer.location) == (303, "/")
        assert "Ann" in client.get("/account").text


class TestAccount:
    def test_without_a_session_it_leads_to_the_door(self, client: FlaskClient) -> None:
        assert client.get("/account").location == "/sign-in?why=needed&next=/account"
        for path in ("/account/tokens", f"/account/tokens/{'0' * 16}/revoke"):
            assert send(client, "/sign-in", path).location == "/sign-in?why=needed"

    def test_after_signing_in_it_opens(self, client: FlaskClient) -> None:
        asked = client.get("/account/mail").location
        assert '<input type="hidden" name="next" value="/account/mail">' in client.get(asked).text

    def test_it_lists_tokens_and_browsers(self, signed_in: FlaskClient) -> None:
        new = {"name": "my bot", "scopes": ["games:read"]}
        send(signed_in, "/account/tokens", "/account/tokens", **new)
        for path, words in (("tokens", "my bot"), ("devices", "a browser (this one)")):
            page = signed_in.get(f"/account/{path}")
            assert words in page.text
            assert page.headers["Cache-Control"] == "no-store"

    def test_the_token_of_a_registration_is_listed_in_words_until_it_is_revoked(
        self, client: FlaskClient, container: Container
    ) -> None:
        player, _ = container.registrations.register("Bo")
        page = signed_in_as(client.application, player.id)
        listed = words_of(page.get("/account/tokens").text)
        assert "Made with your account : games:read, games:play, account never used" in listed
        assert "If you registered in a browser, nobody was shown it" in listed
        (first,) = (token for token in container.tokens.all_of(player.id) if token.kind == "api")
        send(page, "/account/tokens", f"/account/tokens/{first.id}/revoke")
        assert "You have no tokens." in page.get("/account/tokens").text

    def test_a_new_token_is_shown_once_and_works(self, signed_in: FlaskClient) -> None:
        shown = send(
            signed_in, "/account/tokens", "/account/tokens", name="my bot", scopes=["games:read"]
        )
        (token,) = re.findall(r"scot_[\w-]+", shown.text)
        assert token not in signed_in.get("/account/tokens").text
        bearer = {"Authorization": f"Bearer {token}"}
        assert signed_in.get("/v1/games", headers=bearer).status_code == 200
        assert signed_in.get("/v1/me/settings", headers=bearer).status_code == 403

    @pytest.mark.parametrize("asked", [{"name": "bot"}, {"name": "", "scopes": ["account"]}])
    def test_what_is_no_token_is_told(
        self, signed_in: FlaskClient, asked: dict[str, object]
    ) -> None:
        answer = send(signed_in, "/account/tokens", "/account/tokens", **asked)
        assert answer.status_code == 422
        assert "at least one scope" in answer.text

    def test_a_token_is_revoked(
        self, signed_in: FlaskClient, container: Container, ann: str
    ) -> None:
        (first, *_) = [token for token in container.tokens.all_of(ann) if token.kind == "api"]
        send(signed_in, "/account/tokens", f"/account/tokens/{first.id}/revoke")
        assert [token.kind for token in container.tokens.all_of(ann)] == ["session"]

    def test_signing_out_ends_the_session_everywhere(
        self, signed_in: FlaskClient, container: Container, ann: str
    ) -> None:
        kept = signed_in.get_cookie("scottenbury_session")
        assert kept is not None
        assert send(signed_in, "/account", "/sign-out").location == "/"
        assert signed_in.get("/account").status_code == 303
        signed_in.set_cookie("scottenbury_session", kept.value)
        assert signed_in.get("/account").status_code == 303

    def test_another_site_changes_nothing(
        self, signed_in: FlaskClient, container: Container, ann: str
    ) -> None:
        form = form_of(signed_in.application.test_client().get("/sign-in"))
        for path in ("/sign-out", "/account/tokens", f"/account/tokens/{'0' * 16}/revoke"):
            assert signed_in.post(path, data={"form": form}).status_code == 403
            assert signed_in.post(path).status_code == 403
        assert signed_in.get("/account").status_code == 200

    def test_a_name_is_never_html(self, client: FlaskClient, container: Container) -> None:
        nasty = container.registrations.register("<b>Ann</b>", "nasty@example.org").player.id
        path = link_for(container, "nasty@example.org")
        assert "<b>Ann" not in client.get(path).text
        send(client, path, player=nasty)
        assert "<b>Ann" not in client.get("/account").text

    def test_a_look_changes_nothing(self, signed_in: FlaskClient, container: Container) -> None:
        path = link_for(container)
        before = dump(container.redis)
        for page in ("/account", "/sign-in", path):
            signed_in.get(page)
            signed_in.head(page)
        assert dump(container.redis) == before


class TestCookies:
    def test_where_the_site_is_https_they_are_for_this_host_alone(self, redis: Client) -> None:
        app = create_app(settings(base_url="https://stones.example"), redis, Clock())
        container = app.extensions["scottenbury"]
        ann = container.registrations.register("Ann", ANN).player.id
        client = app.test_client()
        link = link_for(container)
        page = client.get(link, base_url="https://stones.example")
        fields = {"form": form_of(page), "player": ann}
        answer = client.post(link, data=fields, base_url="https://stones.example")
        for response, name in ((page, "form"), (answer, "session")):
            cookie = response.headers["Set-Cookie"]
            assert cookie.startswith(f"__Host-scottenbury_{name}=")
            assert "; Secure" in cookie
            assert "; Path=/" in cookie
            assert "Domain" not in cookie
        planted = app.test_client()
        text = container.tokens.open_session(ann, "planted")
        planted.set_cookie("scottenbury_session", text, domain="stones.example", secure=True)
        assert planted.get("/account", base_url="https://stones.example").status_code == 303


class TestSecurity:
    def test_all_other_browsers_and_tokens_end_at_once(
        self, signed_in: FlaskClient, container: Container, ann: str
    ) -> None:
        other = container.tokens.open_session(ann, "another browser")
        answer = send(signed_in, "/account", "/account/tokens/revoke-others")
        assert answer.status_code == 303
        assert container.tokens.authenticate(other, "session") is None
        assert [token.name for token in container.tokens.all_of(ann)] == ["a browser"]
        assert signed_in.get("/account").status_code == 200

    def test_another_address_counts_once_it_is_confirmed(
        self, app: Flask, signed_in: FlaskClient, container: Container, ann: str
    ) -> None:
        container.players.verify(AddressVerification(ann, ANN, 0))
        assert f"<b>{ANN}</b>, confirmed." in signed_in.get("/account/mail").text
        send(signed_in, "/account/mail", "/account/address", email="ann@example.com")
        page = signed_in.get("/account/mail").text
        assert f"<b>{ANN}</b>, confirmed. ann@example.com once it is confirmed." in page
        link = container.addresses.links.url(
            ann, "ann@example.com", int(container.addresses._now())
        )
        path = link.removeprefix(container.settings.base_url)
        elsewhere = app.test_client()
        assert "to ann@example.com?" in elsewhere.get(path).text
        assert "now goes to ann@example.com" in send(elsewhere, path).text
        assert not signs_in(container, ANN)

    def test_an_address_to_answer_from_counts_once_it_is_confirmed(
        self, app: Flask, signed_in: FlaskClient, container: Container, ann: str
    ) -> None:
        path, email = "/account/answer-addresses", "a.b@example.com"
        assert send(signed_in, "/account/mail", path, email="nowhere").status_code == 422
        assert send(signed_in, "/account/mail", path, email=email).status_code == 303
        assert (
            f'<b class="who">{email}</b>, not confirmed yet' in signed_in.get("/account/mail").text
        )

        link = container.answer_addresses.links.url(ann, email, int(container.now()))
        asked = link.removeprefix(container.settings.base_url)
        elsewhere = app.test_client()
        assert f"reply to mails about games from {email}?" in elsewhere.get(asked).text
        assert not container.answer_addresses.is_confirmed(ann, email)
        assert f"can now reply from {email}" in signed_in.get(asked).text
        assert container.answer_addresses.is_confirmed(ann, email)
        assert "not confirmed yet</p>" not in signed_in.get("/account/mail").text
        assert not signs_in(container, email)

        (address,) = container.answer_addresses.all_of(ann)
        send(signed_in, "/account/mail", f"{path}/{address.id}/remove")
        assert email not in signed_in.get("/account/mail").text
        assert signed_in.get(asked).status_code == 410
        assert send(signed_in, "/account", asked).status_code == 410

    def test_an_address_that_is_refused_is_told_until_it_is_confirmed_again(
        self, signed_in: FlaskClient, container: Container, ann: str
    ) -> None:
        container.addresses.failing.mark(ANN, "550 <b>nobody</b>")
        assert "does not reach" not in signed_in.get("/account/mail").text  # it may be another's
        assert container.players.verify(AddressVerification(ann, ANN, 0))
        assert "does not reach" not in signed_in.get("/account/mail").text
        container.addresses.failing.mark(ANN, "550 <b>nobody</b>")

        told = signed_in.get("/account/mail").text
        assert f"Mail does not reach {ANN}</b> since " in told
        assert "A mail was refused" in told
        assert f"Mail does not reach {ANN}" in signed_in.get("/").text
        assert "<q>550 &lt;b&gt;nobody&lt;/b&gt;</q>" in told

        container.addresses.failing.clear(ANN)
        container.addresses.failing.mark(ANN, "554 5.7.1 spam", by_policy=True)
        told = signed_in.get("/account/mail").text
        assert f"Mail is refused at {ANN}</b> since " in told
        assert "The address itself is in order" in told
        assert "<q>554 5.7.1 spam</q>" in told
        assert f"Mail is refused at {ANN}" in signed_in.get("/").text

        container.addresses.failing.mark(ANN, "5.1.1 nobody", "returned")
        assert "A mail came back" in signed_in.get("/account/mail").text

        assert container.players.verify(AddressVerification(ann, ANN, 0))
        assert "does not reach" not in signed_in.get("/account/mail").text
        assert "does not reach" not in signed_in.get("/").text

    def test_what_is_no_address_is_refused(self, signed_in: FlaskClient) -> None:
        answer = send(signed_in, "/account/mail", "/account/address", email="nowhere")
        assert answer.status_code == 422


class TestVerifying:
    @pytest.fixture
    def path(self, container: Container, ann: str) -> str:
        since = int(container.addresses._now())
        return container.addresses.links.url(ann, ANN, since).removeprefix(
            container.settings.base_url
        )

    def verified(self, container: Container, ann: str) -> bool:
        player = container.players.find(ann)
        return player is not None and player.verified

    def test_the_page_asks_and_only_the_answer_verifies(
        self, client: FlaskClient, container: Container, ann: str, path: str
    ) -> None:
        assert "Yes, this address is mine" in client.get(path).text
        assert not self.verified(container, ann)
        confirmed = send(client, path).text
        assert f"now goes to {ANN}" in confirmed
        assert "This browser is not signed in: go on where you began" in confirmed
        assert self.verified(container, ann)
        assert f"now goes to {ANN}" in client.get(path).text

    def test_one_press_is_enough_in_the_players_own_browser_and_no_other(
        self, app: Flask, signed_in: FlaskClient, container: Container, ann: str, path: str
    ) -> None:
        bob = signed_in_as(app, container.registrations.register("Bob").player.id)
        assert "Yes, this address is mine" in bob.get(path).text
        assert not self.verified(container, ann)
        assert f"now goes to {ANN}" in signed_in.get(path).text
        assert self.verified(container, ann)

    def test_it_leads_back_to_the_one_game(
        self, app: Flask, signed_in: FlaskClient, container: Container, ann: str, path: str
    ) -> None:
        game = container.games.create(ann, NewGame()).id
        assert f'href="/games/{game}"' in signed_in.get(path).text
        assert f'href="/games/{game}"' not in app.test_client().get(path).text
        container.games.create(ann, NewGame())
        assert 'href="/games/' not in signed_in.get(path).text

    def test_an_old_address_is_not_verified(
        self, client: FlaskClient, container: Container, ann: str, path: str
    ) -> None:
        player = container.players.find(ann)
        assert player is not None
        container.players.set_address(player, "ann@example.com")
        assert client.get(path).status_code == 410
        assert send(client, "/sign-in", path).status_code == 410
        assert not self.verified(container, ann)

    def test_a_forged_link_is_no_good(self, client: FlaskClient) -> None:
        assert client.get("/verify/forged").status_code == 410
        assert send(client, "/sign-in", "/verify/forged").status_code == 410


class TestParts:
    def test_each_part_has_its_page_and_the_menu_tells_where_one_is(
        self, signed_in: FlaskClient
    ) -> None:
        menu = {
            "You": "/account",
            "Mail": "/account/mail",
            "Other alerts": "/account/channels",
            "Time off": "/account/time-off",
            "Devices": "/account/devices",
            "Programs": "/account/tokens",
        }
        for words, path in menu.items():
            page = signed_in.get(path).text
            links = re.findall(r'<a href="(/account[^"]*)" (aria-current="page")?>([^<]+)', page)
            assert {told: href for href, _, told in links if told != "Account"} == menu
            assert [told for _, here, told in links if here and told != "Account"] == [words]
            assert 'href="/account" aria-current' in page  # in the pages' own menu, too

    def test_deleting_is_asked_in_the_first_part(self, signed_in: FlaskClient) -> None:
        assert 'href="/account/delete"' in signed_in.get("/account").text
