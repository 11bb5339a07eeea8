"""A guest who began by playing the bot is asked for a name before other people see them."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client
from service.games import NewGame
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.web.games.game_form import PLAIN, made
from tests.web.people import Browser, press


@pytest.fixture
def nameless(client: FlaskClient) -> FlaskClient:
    """The browser of somebody who plays the bot."""
    press(client, "/", "/play-the-steward")
    return client


@pytest.fixture
def lobby_game(container: Container, ann: Browser) -> str:
    """The id of a game that Ann opened in the lobby."""
    return container.games.create(ann.player, NewGame(listed=True)).id


def test_whoever_invites_gives_it_in_the_same_form(
    app: Flask, container: Container, nameless: FlaskClient
) -> None:
    fields = {**PLAIN, "whom": "link"}
    unnamed = press(nameless, "/games/new", "/games/new", **fields)
    assert (unnamed.status_code, "own_name-wrong" in unnamed.text) == (422, True)
    answer = press(nameless, "/games/new", "/games/new", **fields, own_name="Zoe")
    game = made(container, answer.location)
    invite = container.games.invitations.token(game.id)
    page = app.test_client().get(f"/games/{game.id}?invite={invite}").text
    assert "Zoe invites you" in page
    assert 'id="own_name"' not in nameless.get("/games/new").text


def test_whoever_joins_gives_it_in_the_same_form(
    container: Container, nameless: FlaskClient, lobby_game: str
) -> None:
    page = f"/games/{lobby_game}"
    path = f"{page}/seat"
    assert f'href="{page}" aria-label="Join ' in nameless.get("/lobby").text
    assert 'autocomplete="nickname"' in nameless.get(page).text
    assert press(nameless, page, path, name=" ").status_code == 422
    taken = press(nameless, page, path, name="Ann")
    assert (taken.status_code, "Ann 2" in taken.text) == (422, True)
    assert press(nameless, page, path, name="Zoe").location == f"/games/{lobby_game}"
    assert "Zoe" in container.games.seat_names(container.games.load(lobby_game)).values()


def test_somebody_new_under_a_taken_name_is_shown_one_that_is_free(
    app: Flask, container: Container, lobby_game: str
) -> None:
    page, stranger = f"/games/{lobby_game}", app.test_client()
    path = f"{page}/seat"
    taken = press(stranger, page, path, name="ann")
    assert (taken.status_code, "ann 2 is free" in taken.text) == (422, True)
    assert container.players.named("ann 2") == []
    assert press(stranger, page, path, name="ann 2").location == f"/games/{lobby_game}"


def test_who_has_a_name_is_not_asked(bob: Browser, lobby_game: str) -> None:
    for page in ("/lobby", f"/games/{lobby_game}", "/games/new"):
        assert "Your name" not in bob.get(page)


def test_no_process_goes_on_showing_them_without_it(
    redis: Client, clock: Clock, container: Container, nameless: FlaskClient
) -> None:
    (guest,) = container.players.starting_with("Guest", None, 2)[0]
    elsewhere = create_app(settings(), redis, clock).extensions["scottenbury"].players
    assert elsewhere.names([guest.id]) == {guest.id: "Guest"}
    container.players.rename(guest.id, "Zoe")
    assert elsewhere.names([guest.id]) == {guest.id: "Zoe"}


def test_saving_the_name_in_the_readers_language_gives_none(
    nameless: FlaskClient, container: Container
) -> None:
    nameless.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert 'value="Gast"' in nameless.get("/account").text
    press(nameless, "/account", "/account/name", name="Gast")
    assert [one.name for one in container.players.starting_with("Guest", None, 2)[0]] == ["Guest"]
    press(nameless, "/account", "/account/name", name="Zoe")
    assert 'value="Zoe"' in nameless.get("/account").text
