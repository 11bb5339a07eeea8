"""A new game in three choices, for players and for strangers."""

import re
from pathlib import Path
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from engine import EDITIONS
from service.container import Container
from service.core.redis.client import Client
from service.core.words import Languages
from service.games.rating import Result
from service.server.app import create_app
from service.text.game_terms import EDITION_WORDS
from service.web.games.game_form import SAME_AS_MODERN
from tests.support.catalogues import PO
from tests.support.clock import NOON, Clock
from tests.support.settings import settings
from tests.web.games.game_form import PLAIN, made
from tests.web.people import Browser, hidden, press
from tests.web.pressing import read


def make(browser: Browser, **choices: object) -> Any:
    return browser.press("/games/new", "/games/new", **{**PLAIN, **choices})


def test_three_asks_and_all_editions_in_plain_words_stand_in_sight(ann: Browser) -> None:
    page = ann.get("/games/new")
    folded = re.findall(r"<details.*?</details>", page, re.S)
    assert [" open" in part.split(">")[0] for part in folded] == [False] * 3
    in_sight = re.sub(r"<details.*?</details>", "", page, flags=re.S)
    asks = re.findall(r"<legend>([^<]+)", in_sight)
    assert asks == ["Against whom?", "Tactic cards?", "How long for each turn?"]
    assert {"bank", "until"}.isdisjoint(re.findall(r'name="days" value="([^"]*)"', in_sight))
    for name in ("edition", "expert", "rounds", "first", "vacations", "claim"):
        assert f'name="{name}"' not in in_sight, name
        assert any(f'name="{name}"' in part for part in folded), name

    assert list(EDITION_WORDS) == list(EDITIONS)
    page = ann.get("/games/new")
    for name, words in EDITION_WORDS.items():
        assert (words.title in page) == (name != SAME_AS_MODERN)


@pytest.mark.parametrize(
    ("whom", "opens"),
    [("link", False), ("lobby", False), ("piper", True), ("name", True), ("email", False)],
)
def test_the_rarer_opponents_are_folded_unless_one_is_chosen(
    ann: Browser, whom: str, opens: bool
) -> None:
    page = ann.get(f"/games/new?whom={whom}")
    (others,) = re.findall(r'<details class="others"([^>]*)>', page)
    assert ("open" in others) is opens


def test_a_private_game_is_a_tick_in_sight(ann: Browser) -> None:
    in_sight = re.sub(r"<details.*?</details>", "", ann.get("/games/new"), flags=re.S)
    assert re.search(r'name="private"', in_sight)
    assert "Only the two of us can see it" in in_sight
    assert "Not rated. You can change that below." not in in_sight


UNRATED: Final = '<option value="no" selected>'


def test_the_first_games_are_suggested_unrated_until_one_was_rated(
    container: Container, client: FlaskClient, ann: Browser, bob: Browser
) -> None:
    why = "At first your games are unrated, unless you choose otherwise."
    for page in (client.get("/games/new").text, ann.get("/games/new")):
        assert UNRATED in page
        assert why in page
    one = Result(int(NOON), "0" * 20, ann.player, bob.player, 1.0, 0, True)
    container.games.ratings.add([one])
    page = ann.get("/games/new")
    assert UNRATED not in page
    assert why not in page


class TestWhom:
    def test_a_friend_by_a_link(self, container: Container, ann: Browser) -> None:
        answer = make(
            ann, whom="link", edition="bga", days="3", tactics="on", rounds="3", private="on"
        )
        game = made(container, answer.location)
        view = container.games.view(game, ann.player)
        assert (view.status, view.edition, view.tactics, view.rounds) == ("open", "bga", True, 3)
        assert view.clock == {"days_per_move": 3}
        assert view.private
        assert container.games.invitations.url(game.id) in ann.get("/")

    def test_the_steward(self, container: Container, ann: Browser) -> None:
        game = made(container, make(ann, whom="steward", days="x").location)
        assert game.game.status == "active"
        assert game.terms.clock is None

    def test_anybody(self, container: Container, ann: Browser, bob: Browser) -> None:
        game = made(container, make(ann, whom="lobby").location)
        assert "Rated, a week for each turn <span" in " ".join(bob.get("/lobby").split())
        assert bob.press("/lobby", f"/lobby/{game.id}/join").location == f"/games/{game.id}"

    def test_an_address(self, container: Container, ann: Browser) -> None:
        game = made(container, make(ann, whom="email", email="cat@example.org").location)
        assert container.games.invitations.address(game.id) == "cat@example.org"

    def test_an_address_and_a_line_of_ones_own(self, container: Container, ann: Browser) -> None:
        in_sight = re.sub(r"<details.*?</details>", "", ann.get("/games/new"), flags=re.S)
        choices = re.findall(r'name="whom" value="(\w+)"', in_sight)
        assert choices == ["link", "email", "lobby"]
        assert 'name="message" maxlength="300"' in in_sight
        wanted = {"whom": "email", "email": "cat@example.org"}
        for refused in ("x" * 301, "Look at www.example.org", "example.org/x", "Write to x@y.org"):
            answer = make(ann, **wanted, message=refused)
            assert answer.status_code == 422
            assert "at most 300 characters, and no links or addresses" in answer.text
            assert 'name="message" maxlength="300" value="' in answer.text
        game = made(container, make(ann, **wanted, message=" Fancy a game,\n<b>Cat</b>? ").location)
        invitations = container.games.invitations
        assert invitations.message(game.id) == "Fancy a game, <b>Cat</b>?"
        assert "Fancy" not in str(container.games.view_data(game, ann.player))
        invitations.forget_address(game.id)
        assert invitations.message(game.id) == ""

    def test_who_may_write_to_nobody_invites_without_a_line(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        wanted = {"whom": "email", "email": "cat@example.org"}
        container.games.conversations.moderation.mute(ann.player)
        answer = make(ann, **wanted, message="Fancy a game?")
        assert "The host of this server has muted you." in answer.text
        game = made(container, make(ann, **wanted, message="").location)
        assert container.games.invitations.address(game.id) == "cat@example.org"

    def test_an_address_and_the_language_to_write_in(
        self, container: Container, ann: Browser, tmp_path: Path
    ) -> None:
        container.languages = Languages(tmp_path)  # there is only one
        assert 'name="language"' not in ann.get("/games/new")
        (tmp_path / "de.po").write_text(PO.format(name="Deutsch", reviewed="by Eva, 2026"))
        container.languages = Languages(tmp_path)
        assert re.search('<option value="en" lang="en" selected>', ann.get("/games/new"))
        wanted = {"whom": "email", "email": "cat@example.org"}
        game = made(container, make(ann, **wanted, language="de").location)
        assert container.games.invitations.language(game.id) == "de"
        assert make(ann, **wanted, language="tlh").status_code == 422
        container.mail_preferences.set_choice(ann.player, {"language": "de"})
        assert re.search('<option value="de" lang="de" selected>', ann.get("/games/new"))

    def test_a_player_by_name_is_challenged(self, ann: Browser, bob: Browser) -> None:
        location = make(ann, whom="name", name="bob").location
        assert location is not None
        assert "Challenge to Bob" in ann.get(location)
        assert "challenges you" in bob.get("/")
        assert "Challenge from Ann" in bob.get(location)

    def test_a_player_from_their_page(self, ann: Browser, bob: Browser) -> None:
        page = ann.get(f"/players/{bob.player}")
        assert f'href="/games/new?player={bob.player}">Challenge Bob</a>' in page
        form = read(ann.get(f"/games/new?player={bob.player}"))
        assert [each.text for each in form.all("h1", "button")] == [
            "Challenge Bob",
            "Send the challenge",
        ]
        values = [each.attributes.get("value") for each in form.all("input")]
        assert "link" not in values  # whoever is challenged is the only one who can be
        location = make(ann, whom="player", player=bob.player).location
        assert location is not None
        assert "Challenge to Bob" in ann.get(location)

    def test_a_second_press_makes_no_second_game(self, container: Container, ann: Browser) -> None:
        fields = {**hidden(ann.get("/games/new")), **PLAIN, "whom": "link"}
        one, other = (ann.client.post("/games/new", data=fields).location for _ in range(2))
        assert one == other
        assert ann.client.post("/games/new", data={**fields, "days": "1"}).location != one


class TestRefusals:
    @pytest.mark.parametrize(
        ("choices", "field", "words"),
        [
            ({"edition": "scottentots", "tactics": "on"}, "tactics", "has no Tactic cards"),
            ({"edition": "scottentots", "expert": "on"}, "expert", "no Expert variant"),
            ({"edition": "none"}, "edition", "no edition"),
            ({"rounds": "0"}, "rounds", "1"),
            ({"rounds": "many"}, "rounds", "Not a valid integer"),
            ({"days": "91"}, "days", "1 to 90 days"),
            ({"days": "x"}, "days", "1 to 90 days"),
            ({"first": "nobody"}, "first", "Must be one of"),
            ({"visited": "2999-01-01"}, "visited", "still to come"),
            ({"whom": "lobby", "private": "on"}, "private", "cannot be private"),
            ({"whom": "somebody"}, "whom", "Choose one"),
            ({"whom": "name"}, "name", "Give the name"),
            ({"whom": "name", "name": "Nobody Here"}, "name", "no player of this name"),
            ({"whom": "name", "name": "Ann"}, "name", "against themselves"),
            ({"whom": "email", "email": "x"}, "email", "not a valid e-mail address"),
            ({"whom": "player", "player": "a" * 16}, "name", "no player with this id"),
        ],
    )
    def test_what_cannot_be_had_is_told_at_its_field(
        self, ann: Browser, choices: dict[str, str], field: str, words: str
    ) -> None:
        answer = make(ann, **{"whom": "link", **choices})
        assert answer.status_code == 422
        told = re.search(rf'id="{field}-wrong" role="alert">([^<]+)<', answer.text)
        assert told is not None, answer.text
        assert words in told[1]

    def test_what_was_chosen_stays_chosen(self, ann: Browser) -> None:
        page = make(
            ann, whom="email", email="x", edition="community", days="14", rounds="5", expert="on"
        ).text
        assert 'value="x"' in page
        for chosen in ('value="email" checked', 'value="community" checked', 'value="14" checked'):
            assert chosen in " ".join(page.split())
        assert 'value="5" selected' in page
        assert re.search(r"<details[^>]* open", page)

    def test_a_second_request_to_the_same_player_is_told(self, ann: Browser, bob: Browser) -> None:
        assert make(ann, whom="name", name="Bob").status_code == 303
        answer = make(ann, whom="name", name="Bob")
        assert "open challenge or invitation between you" in answer.text

    def test_another_site_makes_nothing(self, container: Container, ann: Browser) -> None:
        assert ann.client.post("/games/new", data={**PLAIN, "whom": "link"}).status_code == 403


class TestStrangers:
    def test_a_name_is_enough(self, container: Container, client: FlaskClient) -> None:
        fields = {**PLAIN, "whom": "link", "own_name": "Cat"}
        game = made(container, press(client, "/games/new", "/games/new", **fields).location)
        assert "Cat" in client.get("/account").text
        assert container.players.names(game.players) == {game.players[0]: "Cat"}

    def test_a_game_with_a_bot_takes_neither_a_name_nor_a_clock(
        self, container: Container, client: FlaskClient
    ) -> None:
        fields = {**PLAIN, "whom": "piper", "own_name": ""}
        game = made(container, press(client, "/games/new", "/games/new", **fields).location)
        assert set(container.games.seat_names(game).values()) == {"Guest", "Piper (bot)"}
        assert game.terms.clock is None

    def test_two_presses_make_one_guest(self, container: Container, client: FlaskClient) -> None:
        page = client.get("/games/new").text
        fields = {**hidden(page), **PLAIN, "whom": "link", "own_name": "Cat"}
        cookies = client.get_cookie("scottenbury_form")
        assert cookies is not None
        twin = client.application.test_client()
        twin.set_cookie("scottenbury_form", cookies.value)
        one = client.post("/games/new", data=fields).location
        assert twin.post("/games/new", data=fields).location == one
        assert len(container.players.named("Cat")) == 1

    @pytest.mark.parametrize(
        "name", ["", "  ", "steward", "a@b.example", "x" * 41, "=?utf-8?b?x?="]
    )
    def test_what_is_no_name_is_told(self, client: FlaskClient, name: str) -> None:
        fields = {**PLAIN, "whom": "link", "own_name": name}
        answer = press(client, "/games/new", "/games/new", **fields)
        assert answer.status_code == 422
        assert 'id="own_name-wrong"' in answer.text

    def test_whoever_gives_none_is_asked_for_it_in_one_sentence(self, client: FlaskClient) -> None:
        fields = {**PLAIN, "whom": "link", "own_name": " "}
        page = press(client, "/games/new", "/games/new", **fields).text
        alerts = re.findall(r'role="alert">([^<]+)', page)
        assert alerts == ["Enter your name: the other player sees it."]
        (field,) = re.findall(r'<input id="own_name"[^>]+>', page)
        assert "autofocus" in field
        assert page.count("autofocus") == 1

    def test_they_write_to_nobody(self, client: FlaskClient, bob: Browser) -> None:
        for choice in (
            {"whom": "name", "name": "Bob"},
            {"whom": "email", "email": "x@example.org"},
        ):
            fields = {**PLAIN, "own_name": "Cat", **choice}
            answer = press(client, "/games/new", "/games/new", **fields)
            assert answer.status_code == 422
            assert "Sign in first" in answer.text

    def test_they_read_where_one_gets_an_account_that_can_invite_by_mail(
        self, client: FlaskClient, redis: Client, clock: Clock
    ) -> None:
        assert "have it mailed" not in client.get("/games/new").text  # nothing goes out from there
        mailing = create_app(settings(smtp_url="smtp://mail"), redis, clock).test_client()
        page = mailing.get("/games/new").text
        assert 'value="email"' not in page
        (way,) = re.findall(r'have it mailed, get <a href="([^"]*)">an account', page)
        address, _, place = way.partition("#")
        led_to = mailing.get(address).text
        assert f'id="{place}"' in led_to
        assert "have invitations mailed" in led_to
        assert "have invitations mailed" not in client.get(address).text
