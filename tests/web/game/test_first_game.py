"""A first game: hints on the first turn, the formations, and how to be told of the next."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client
from service.games import NewGame
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.web.people import browser_of, put_together, visitor
from tests.web.pressing import Visitor

HEADING = "How shall we tell you?"


@pytest.fixture
def guest(client: FlaskClient) -> Visitor:
    """Somebody who plays the bot, before their first turn."""
    person = Visitor(client)
    person.press("Play the bot")
    return person


def hint(person: Visitor) -> str | None:
    """Which of the hints the page shows."""
    found = re.search(r"<strong>(\d) of 3</strong>", person.answer.text)
    return found and found[1]


class TestHints:
    def test_each_stands_where_it_helps_and_none_after_the_first_turn(self, guest: Visitor) -> None:
        assert hint(guest) == "1"
        guest.press(guest.hand[0])
        assert hint(guest) == "2"
        guest.press("Play on Stone 3")
        assert hint(guest) == "3"
        guest.send()
        assert hint(guest) is None
        assert "Formations, the strongest first" in guest.answer.text

    def test_they_are_put_away_for_good_and_the_turn_stays(self, guest: Visitor) -> None:
        put_together(guest)
        guest.press("Hide the hints")
        assert guest.status.startswith("Your turn")
        assert any(name.startswith("Send") for name in guest.buttons)
        assert hint(guest) is None
        guest.go(guest.path)
        assert hint(guest) is None

    def test_a_second_game_has_none(self, app: Flask, container: Container) -> None:
        ann = container.players.register("Ann").player.id
        wanted = NewGame(bot="steward", first_player="creator")
        first, second = (container.games.create(ann, wanted).id for _ in range(2))
        person = visitor(app, ann)
        for game in (first, second):
            person.go(f"/games/{game}")
            assert hint(person) is None
            assert "Formations, the strongest first" not in person.answer.text

    def test_who_looks_on_has_none(self, app: Flask, guest: Visitor) -> None:
        stranger = Visitor(app.test_client())
        stranger.go(guest.path)
        assert hint(stranger) is None

    def test_what_is_no_hint_is_not_put_away(self, guest: Visitor) -> None:
        action, fields = guest.fields_of("Hide the hints")
        guest.post(action, [*(field for field in fields if field[0] != "hint"), ("hint", "cards")])
        assert guest.answer.status_code == 422


class TestTelling:
    def test_a_guest_is_asked_after_the_first_turn_until_they_say_not_now(
        self, guest: Visitor
    ) -> None:
        assert HEADING not in guest.answer.text
        put_together(guest)
        guest.send()
        assert HEADING in guest.answer.text
        guest.press("Not now")
        assert HEADING not in guest.answer.text
        guest.go(guest.path)
        assert HEADING not in guest.answer.text

    def test_an_address_is_asked_for_and_to_be_confirmed(self, redis: Client) -> None:
        app = create_app(settings(smtp_url="smtp://mail"), redis, Clock())
        guest = Visitor(app.test_client())
        guest.press("Play the bot")
        put_together(guest)
        guest.send()
        guest.press("Mail me", email="zoe at home")
        assert "Give a whole e-mail address" in guest.answer.text
        guest.press("Mail me", email="zoe@example.org")
        assert "Open the link we mail you to confirm zoe@example.org." in guest.answer.text
        assert HEADING not in guest.answer.text
        guest.press("Hide this")
        assert "zoe@example.org" not in guest.answer.text

    def test_push_is_one_press(self, redis: Client) -> None:
        app = create_app(settings(contact="mailto:ada@example.org"), redis, Clock())
        container: Container = app.extensions["scottenbury"]
        eve = browser_of(app, container, "Eve")
        wanted = NewGame(bot="steward", first_player="creator")
        game = container.games.create(eve.player, wanted).id
        person = visitor(app, eve.player)
        person.go(f"/games/{game}")
        assert "data-push" not in person.answer.text
        put_together(person)
        person.send()
        keys = {"p256dh": "B" * 87, "auth": "A" * 22}
        person.press("Push to this browser", endpoint="https://push.example.org/1", **keys)
        assert person.path == f"/games/{game}"
        assert HEADING not in person.answer.text
        (channel,) = container.channels.all(eve.player)
        assert (channel.type, channel.name) == ("push", "This browser")

    def test_whoever_is_reached_is_not_asked(self, app: Flask, container: Container) -> None:
        cat = container.players.register("Cat", "cat@example.org").player.id
        game = container.games.create(cat, NewGame(bot="steward", first_player="creator")).id
        person = visitor(app, cat)
        person.go(f"/games/{game}")
        put_together(person)
        person.send()
        assert HEADING not in person.answer.text
        assert "Check your mail" not in person.answer.text

    def test_a_guest_who_waits_for_a_friend_is_asked_at_once(
        self, app: Flask, container: Container
    ) -> None:
        dot = browser_of(app, container, "Dot").player
        made = container.games.create(dot, NewGame())
        maker = visitor(app, dot)
        maker.go(f"/games/{made.id}")
        assert HEADING in maker.answer.text
        assert "when somebody joins" in maker.answer.text
        stranger = Visitor(app.test_client())
        stranger.go(maker.path)
        assert HEADING not in stranger.answer.text
        maker.press("Not now")
        assert HEADING not in maker.answer.text

    def test_the_question_is_announced_in_the_news_while_the_other_player_moves(
        self, app: Flask, container: Container
    ) -> None:
        ann, bob = (browser_of(app, container, name) for name in ("Ann", "Bob"))
        made = container.games.create(ann.player, NewGame(first_player="creator"))
        invite = container.games.invitations.token(made.id)
        container.games.join(made.id, bob.player, invite=invite)
        person = visitor(app, ann.player)
        person.go(f"/games/{made.id}")
        assert 'href="#telling-title"' not in person.answer.text
        put_together(person)
        person.send()
        assert 'href="#telling-title"' in person.answer.text
