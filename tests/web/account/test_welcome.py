"""A server that takes new players by invitation: its front page, and the operator's link."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import EXTENSION, Container
from service.core.redis.client import Client
from service.games import NewGame
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.web.games.game_form import PLAIN
from tests.web.people import send


@pytest.fixture
def app(redis: Client, clock: Clock) -> Flask:
    return create_app(settings(registration="invited"), redis, clock)


@pytest.fixture
def store(app: Flask) -> Container:
    found: Container = app.extensions[EXTENSION]
    return found


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def link(store: Container) -> str:
    return f"/welcome/{store.admission.make_invitation()}"


def test_the_front_page_offers_strangers_no_game(stranger: FlaskClient) -> None:
    page = stranger.get("/").text
    assert "New players come here by invitation" in page
    assert "Play a bot" not in page
    assert "No account needed" not in page


def test_a_form_from_elsewhere_is_refused_in_words(stranger: FlaskClient, store: Container) -> None:
    refused = send(stranger, "/games/new", own_name="Gus", whom="steward", edition="base")
    assert refused.status_code == 422
    assert "New players come here by invitation" in refused.text
    assert store.players.named("Gus") == []


def test_a_game_with_a_bot_is_refused_where_it_is_seen(stranger: FlaskClient) -> None:
    refused = send(stranger, "/games/new", whom="steward", **PLAIN)
    assert refused.status_code == 422
    assert 'id="whom-wrong"' in refused.text  # a bot's form hides the ask for a name


def test_a_link_admits_one_person(stranger: FlaskClient, app: Flask, link: str) -> None:
    assert "You are invited" in stranger.get(link).text
    assert send(stranger, link, name="Gus").status_code == 303
    assert ">Gus</h1>" in stranger.get("/account").text
    late = app.test_client().get(link)
    assert late.status_code == 410
    assert "admits one person" in late.text


def test_a_bad_name_is_asked_for_again(stranger: FlaskClient, link: str) -> None:
    asked = send(stranger, link, name=" ")
    assert asked.status_code == 422
    assert 'role="alert"' in asked.text
    assert send(stranger, link, name="Gus").status_code == 303


def test_whoever_is_signed_in_uses_no_invitation_up(
    stranger: FlaskClient, link: str, store: Container
) -> None:
    send(stranger, link, name="Gus")
    another = f"/welcome/{store.admission.make_invitation()}"
    assert stranger.get(another).status_code == 303
    assert store.admission.is_invitation(another.rpartition("/")[2])


def test_the_lobby_offers_strangers_no_seat(stranger: FlaskClient, store: Container) -> None:
    guests, admission = store.guests, store.admission
    host = guests.register("Host", None, admission.make_invitation())
    game = store.games.create(host.id, NewGame(listed=True)).id
    lobby = stranger.get("/lobby").text
    assert f"/games/{game}" in lobby
    assert f"/lobby/{game}/join" not in lobby
    assert f"/games/{game}/seat" not in stranger.get(f"/games/{game}").text


def test_the_invite_of_a_game_admits_a_guest(stranger: FlaskClient, store: Container) -> None:
    host = store.guests.register("Host", None, store.admission.make_invitation())
    game = store.games.create(host.id, NewGame()).id
    invite = store.games.invitations.token(game)
    page = f"/games/{game}?invite={invite}"
    joined = send(stranger, page, f"/games/{game}/seat", invite=invite, name="Gus", once="1")
    assert joined.status_code == 303
    assert store.games.load(game).game.status == "active"
