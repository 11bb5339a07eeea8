"""Opening an account on another device, and what one does with the account there."""

import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.accounts.links import CODE_LENGTH, CODE_LIFE, DeviceLinks
from service.container import Container
from service.core.redis.client import Client
from service.games import NewGame
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.web.people import Browser, browser_of, dump, hidden, press


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    return app.test_client()


def code_of(browser: Browser) -> str:
    """A new code, as the page shows it."""
    page = browser.press("/account/devices", "/account/devices/link").text
    found = re.search(r'class="code">([a-z2-7-]+)<', page)
    assert found is not None
    return found[1]


class TestCode:
    def test_a_code_is_shown_in_three_ways_stored_nowhere_and_lasts_ten_minutes(
        self, ann: Browser, redis: Client
    ) -> None:
        page = ann.press("/account/devices", "/account/devices/link").text
        code = re.search(r'class="code">([^<]+)<', page)
        assert code is not None
        assert re.fullmatch("[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}", code[1])
        assert f'/open/{code[1]}"' in page
        assert re.search(r'<svg[^>]* class="qr"', page)
        assert " style=" not in page

        code = code_of(ann).replace("-", "")
        assert len(code) == CODE_LENGTH
        assert code not in " ".join([*redis.keys("*device-link*"), *dump(redis)])

        code_of(ann)
        lives = [redis.ttl(key) for key in redis.keys("*device-link*")]
        assert len(lives) == 2
        assert set(lives) == {CODE_LIFE}

    def test_it_asks_and_only_the_answer_signs_in(self, ann: Browser, phone: FlaskClient) -> None:
        path = f"/open/{code_of(ann)}"
        before = dump(ann.container.redis)
        assert "Sign in as Ann?" in phone.get(path).text
        assert dump(ann.container.redis) == before
        assert press(phone, path, path).location == "/"
        assert ">Ann</h1>" in phone.get("/account").text

    def test_it_works_once(self, app: Flask, ann: Browser, phone: FlaskClient) -> None:
        path = f"/open/{code_of(ann)}"
        fields = hidden(phone.get(path).text)
        other = app.test_client()
        theirs = hidden(other.get(path).text)
        assert phone.post(path, data=fields).status_code == 303
        assert other.post(path, data=theirs).status_code == 410
        assert other.get(path).status_code == 410

    def test_a_new_one_takes_its_place(self, ann: Browser, phone: FlaskClient) -> None:
        first, second = code_of(ann), code_of(ann)
        assert phone.get(f"/open/{first}").status_code == 410
        assert phone.get(f"/open/{second}").status_code == 200

    def test_the_later_of_two_made_at_once_counts(self, container: Container) -> None:
        links = container.device_links
        first = links.make("a" * 16)
        (kept,) = container.redis.keys("st:device-link:*")
        second = links.make("a" * 16)
        container.redis.set(kept, "a" * 16)
        assert (links.owner(first), links.owner(second)) == (None, "a" * 16)
        assert links.use(first) is None

    def test_it_can_be_taken_back(self, ann: Browser, phone: FlaskClient) -> None:
        code = code_of(ann)
        assert "still works" in ann.get("/account/devices")
        ann.press("/account/devices", "/account/devices/link/revoke")
        assert phone.get(f"/open/{code}").status_code == 410
        assert "still works" not in ann.get("/account/devices")

    @pytest.mark.parametrize("code", ["a", "a" * 12, "%00", "ä" * 12, "a" * 3000])
    def test_a_wrong_one_is_told_plainly(self, phone: FlaskClient, code: str) -> None:
        answer = phone.get(f"/open/{code}")
        assert answer.status_code == 410
        assert "works once, for ten minutes" in answer.text

    def test_a_code_is_typed_as_people_do_but_not_on_another_site(
        self, ann: Browser, phone: FlaskClient
    ) -> None:
        path = f"/open/{code_of(ann)}"
        assert phone.post(path).status_code == 403
        assert phone.get(path).status_code == 200

        code = code_of(ann).upper().replace("-", " ")
        answer = phone.get("/open", query_string={"code": f" {code} "}, follow_redirects=True)
        assert "Sign in as Ann?" in answer.text

    def test_whoever_would_lose_an_account_is_warned(self, app: Flask, ann: Browser) -> None:
        page = browser_of(app, ann.container, "Gustav").get(f"/open/{code_of(ann)}")
        assert "could not come back" in page
        assert "you could" not in ann.get(f"/open/{code_of(ann)}")

    def test_a_deleted_account_cannot_be_opened(self, ann: Browser, phone: FlaskClient) -> None:
        code = code_of(ann)
        player = ann.container.players.find(ann.player)
        assert player is not None
        ann.container.accounts.close(player)
        assert phone.get(f"/open/{code}").status_code == 410

    def test_guesses_are_counted(self, redis: Client) -> None:
        client = create_app(settings(rate_limits=True), redis, Clock()).test_client()
        statuses = [client.get(f"/open/{'a' * 11}{n % 10}").status_code for n in range(25)]
        assert statuses[:20] == [410] * 20
        assert statuses[20:] == [429] * 5
        answer = client.get("/open/aaaaaaaaaaaa")
        assert "Too many requests" in answer.text
        assert int(answer.headers["Retry-After"]) > 0


class TestDevices:
    def test_one_is_ended(self, app: Flask, ann: Browser, phone: FlaskClient) -> None:
        path = f"/open/{code_of(ann)}"
        press(phone, path, path)
        page = ann.get("/account/devices")
        ((end,),) = [re.findall(r'action="(/account/devices/[0-9a-f]+/end)"', page)]
        ann.press("/account/devices", end)
        assert phone.get("/account").status_code == 303
        assert ann.get("/account")

    def test_ending_all_others_takes_an_open_code_back(
        self, container: Container, ann: Browser, phone: FlaskClient
    ) -> None:
        code = code_of(ann)
        ann.press("/account/devices", "/account/tokens/revoke-others")
        assert phone.get(f"/open/{code}").status_code == 410
        assert [token.kind for token in container.tokens.all_of(ann.player)] == ["session"]

    def test_nobody_ends_the_device_of_another(self, app: Flask, ann: Browser) -> None:
        bob = browser_of(app, ann.container, "Bob")
        (session,) = [t for t in ann.container.tokens.all_of(ann.player) if t.kind == "session"]
        fields = hidden(bob.get("/account/devices"))
        answer = bob.client.post(f"/account/devices/{session.id}/end", data=fields)
        assert answer.status_code == 404
        assert ann.get("/account")


class TestAccount:
    def test_the_name_is_changed(self, container: Container, ann: Browser) -> None:
        assert ann.press("/account", "/account/name", name="Anna").location == "/account?saved=name"
        assert ">Anna</h1>" in ann.get("/account")

    @pytest.mark.parametrize("name", ["", "x" * 41, "steward", "Bob", "http://x.example"])
    def test_a_name_that_cannot_be_is_told(self, app: Flask, ann: Browser, name: str) -> None:
        browser_of(app, ann.container, "Bob")
        answer = ann.press("/account", "/account/name", name=name)
        assert answer.status_code == 422
        assert 'id="name-wrong"' in answer.text
        assert "<h1>Ann</h1>" in answer.text

    def test_a_guest_adds_an_address(self, app: Flask, container: Container) -> None:
        guest = browser_of(app, container, "Gustav")
        assert "You\N{RIGHT SINGLE QUOTATION MARK}re signed in only on this browser" in guest.get(
            "/account"
        )
        answer = guest.press("/account/mail", "/account/address", email="gustav@example.org")
        assert answer.location == "/account/mail?saved=address"
        assert "gustav@example.org</b>, not confirmed yet" in guest.get("/account/mail")

    def test_all_that_is_stored_can_be_taken_along(self, ann: Browser) -> None:
        answer = ann.press("/account", "/account/export")
        assert json.loads(answer.text)["player"]["email"] == "ann@example.org"
        assert "attachment" in answer.headers["Content-Disposition"]

    def test_deleting_asks_first_and_tells_what_is_lost(self, app: Flask, ann: Browser) -> None:
        bob = browser_of(app, ann.container, "Bob")
        game = ann.container.games.create(ann.player, NewGame(opponent=bob.player)).id
        ann.container.games.join(game, bob.player)
        assert "1 running game is resigned" in " ".join(ann.get("/account/delete").split())
        assert ann.container.players.find(ann.player) is not None
        answer = ann.press("/account/delete", "/account/delete")
        assert "Your account is deleted" in answer.text
        assert ann.container.players.find(ann.player) is None
        assert ann.container.games.load(game).game.winner == "south"
        assert "Play a bot" in ann.get("/")


def test_links_are_kept_for_each_player_apart(redis: Client) -> None:
    links = DeviceLinks(redis, "a key")
    one, other = links.make("a" * 16), links.make("b" * 16)
    links.revoke("a" * 16)
    assert (links.owner(one), links.owner(other)) == (None, "b" * 16)
