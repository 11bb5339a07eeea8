"""How many round trips to Redis a request takes, rate limits included: they must not grow back."""

from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.accounts import tokens
from service.container import Container
from service.core.redis.client import Client
from service.games import ChangeContext, NewGame
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.people import Person, Started
from tests.support.round_trips import round_trips
from tests.support.servers import SocketServer
from tests.support.settings import settings
from tests.web.shown import Shown, begin, signed_in


@pytest.fixture(autouse=True)
def no_cached_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request looks its token up, as the first within a moment does."""
    monkeypatch.setattr(tokens, "ACCESS_CACHE_SECONDS", 0.0)


@pytest.fixture(params=[None, "smtp://mail.test"], ids=["local mailbox", "mail server"])
def app(
    redis: Client, redis_server: SocketServer, clock: Clock, request: pytest.FixtureRequest
) -> Flask:
    limited = settings(smtp_url=request.param, rate_limits=True, redis_url=redis_server.url)
    return create_app(limited, redis, clock)


@pytest.fixture
def busy(container: Container) -> Shown:
    """A game with all that a page shows: offers, messages, notes, orders; and others that wait."""
    game, games = begin(container, clock={"days_per_move": 3}), container.games
    for _ in range(3):
        games.join(games.create(game.ann, NewGame(opponent=game.bob)).id, game.bob)
    games.conversations.write(game.id, game.ann, "Good luck!", "web")
    games.private_notes.write(game.bob, game.id, "Red on the left.")
    games.abandonments.agree(game.id, game.ann, ChangeContext())
    games.pauses.agree(game.id, game.bob, None, ChangeContext())
    return game


def trips(send: Callable[[], TestResponse]) -> int:
    """How many round trips this request takes."""
    with round_trips() as counted:
        assert send().status_code == 200
    return counted.count


def test_a_page_of_a_game_takes_one_trip_with_the_session_and_one_for_what_follows(
    app: Flask, busy: Shown
) -> None:
    for player in (busy.ann, busy.bob):
        browser = signed_in(app, player)
        for path in (f"/games/{busy.id}", f"/games/{busy.id}?at=3", f"/games/{busy.id}/orders"):
            browser.get(path)
            assert trips(partial(browser.get, path)) <= 2, (player, path)


def test_a_page_of_a_finished_game_with_a_rematch_takes_no_more(
    app: Flask, container: Container, busy: Shown
) -> None:
    container.games.resign(busy.id, busy.ann)
    container.games.rematches.ask(busy.id, busy.ann)
    browser = signed_in(app, busy.bob)
    browser.get(f"/games/{busy.id}")
    assert trips(lambda: browser.get(f"/games/{busy.id}")) <= 2


def test_a_page_takes_one_trip_where_nobody_is_signed_in(client: FlaskClient, busy: Shown) -> None:
    client.get(f"/games/{busy.id}")
    assert trips(lambda: client.get(f"/games/{busy.id}")) == 1


def test_a_process_that_knows_nothing_of_a_game_takes_no_more_for_its_page(
    redis: Client, clock: Clock, busy: Shown, app: Flask
) -> None:
    other = create_app(settings(), redis, clock)
    signed_in(other, busy.bob).get("/rules")
    browser = signed_in(other, busy.bob)
    assert trips(lambda: browser.get(f"/games/{busy.id}")) <= 3


def test_a_game_is_read_along_with_the_token(client: FlaskClient, game: Started) -> None:
    assert trips(lambda: game.ada.get(game.path)) == 1
    assert trips(lambda: client.get(f"/v1{game.path}")) == 1


def test_a_move_is_one_trip_to_read_and_one_to_write(game: Started) -> None:
    for _ in range(12):
        mover, legal = game.mover(), game.legal()
        assert trips(partial(mover.post, f"{game.path}/turns", {"actions": legal[:1]})) == 2


def test_a_move_is_two_trips_where_the_token_need_not_be_looked_up(
    game: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "ACCESS_CACHE_SECONDS", 60.0)
    mover, legal = game.mover(), game.legal()
    assert trips(lambda: mover.post(f"{game.path}/turns", {"actions": legal[:1]})) == 2


def test_a_list_of_games_takes_two_trips_beside_the_token(ada: Person, game: Started) -> None:
    assert trips(lambda: ada.get("/games")) <= 3
