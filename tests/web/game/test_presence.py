"""Whether a game's page shows when the other player was last here: as far as they let it."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.accounts.presence import PresenceChoice
from service.container import Container
from service.core.durations import DAY, MINUTE
from service.games import NewGame
from tests.support.clock import Clock
from tests.web.news_stream import STREAM
from tests.web.people import hidden
from tests.web.pressing import read
from tests.web.shown import Shown, signed_in


def shown_to(browser: FlaskClient, game: Shown, query: str = "") -> str:
    """The presence that the game's page shows to this reader; `-` where it has no place for it."""
    page = read(browser.get(f"/games/{game.id}{query}").text)
    found = [each.text for each in page.all("span") if each.attributes.get("id") == "presence"]
    return found[0] if found else "-"


@pytest.fixture
def ann_looks(app: Flask, game: Shown) -> FlaskClient:
    return signed_in(app, game.ann)


def bob_comes(app: Flask, game: Shown) -> FlaskClient:
    browser = signed_in(app, game.bob)
    browser.get("/rules")
    browser.get(f"/games/{game.id}")
    return browser


def listed_to(browser: FlaskClient) -> str:
    """The presence of the opponent in the reader's list of games."""
    return presences(browser, "/")


def presences(browser: FlaskClient, path: str) -> str:
    found = read(browser.get(path).text).all("span")
    return " ".join(each.text for each in found if "presence" in each.attributes.get("class", ""))


def test_without_a_choice_everybody_shows_that_they_are_here(
    app: Flask, game: Shown, ann_looks: FlaskClient
) -> None:
    bob_comes(app, game)
    assert shown_to(ann_looks, game) == "here now"


def test_the_list_of_games_says_what_the_board_says(
    app: Flask, container: Container, game: Shown, clock: Clock, ann_looks: FlaskClient
) -> None:
    container.presences.choose(game.ann, "days")
    bob = bob_comes(app, game)
    assert listed_to(ann_looks) == shown_to(ann_looks, game) == "here now"
    assert listed_to(bob) == shown_to(bob, game) == "here today"
    container.presences.choose(game.bob, "never")
    assert listed_to(ann_looks) == shown_to(ann_looks, game) == ""
    container.presences.choose(game.bob, "days")
    container.games.conversations.set_off(game.id, game.bob, off=True)
    assert listed_to(ann_looks) == shown_to(ann_looks, game) == ""


def test_the_lobby_shows_it_of_whoever_waits_there(
    app: Flask, container: Container, game: Shown, client: FlaskClient
) -> None:
    bob = bob_comes(app, game)
    container.games.create(game.bob, NewGame(listed=True))
    assert presences(client, "/lobby") == "here now"
    assert presences(bob, "/lobby") == ""
    container.presences.choose(game.bob, "never")
    assert presences(client, "/lobby") == ""


@pytest.mark.parametrize(
    ("choice", "ago", "words"),
    [
        ("live", MINUTE, "here now"),
        ("live", 4 * MINUTE, "here today"),
        ("days", MINUTE, "here today"),
        ("days", DAY - 1, "here today"),
        ("days", DAY, "here this week"),
        ("live", 7 * DAY - 1, "here this week"),
        ("live", 7 * DAY, ""),
        ("never", MINUTE, ""),
    ],
)
def test_it_is_as_exact_as_the_player_chose(
    app: Flask,
    container: Container,
    game: Shown,
    clock: Clock,
    ann_looks: FlaskClient,
    choice: PresenceChoice,
    ago: float,
    words: str,
) -> None:
    container.presences.choose(game.bob, choice)
    clock.time += DAY
    bob_comes(app, game)
    clock.time += ago
    assert shown_to(ann_looks, game) == words


def test_nobody_but_the_opponent_of_a_running_game_sees_it(
    app: Flask, container: Container, game: Shown, ann_looks: FlaskClient
) -> None:
    container.presences.choose(game.bob, "live")
    bob_comes(app, game)
    eve = signed_in(app, container.players.register("Eve").player.id)
    assert shown_to(ann_looks, game) == "here now"
    assert shown_to(ann_looks, game, "?at=3") == "-"
    assert shown_to(eve, game) == shown_to(app.test_client(), game) == "-"
    container.games.resign(game.id, game.ann)
    assert shown_to(ann_looks, game) == ""


def test_who_takes_no_messages_from_somebody_shows_them_nothing(
    app: Flask, container: Container, game: Shown, ann_looks: FlaskClient
) -> None:
    container.presences.choose(game.bob, "live")
    bob_comes(app, game)
    container.games.conversations.set_off(game.id, game.bob, off=True)
    assert shown_to(ann_looks, game) == ""


def test_a_page_that_waits_for_news_in_the_background_is_no_visit(
    app: Flask, container: Container, game: Shown, clock: Clock, ann_looks: FlaskClient
) -> None:
    container.presences.choose(game.bob, "live")
    bob = bob_comes(app, game)
    clock.time += 2 * DAY
    bob.get("/news", headers=STREAM)
    assert shown_to(ann_looks, game) == "here this week"
    bob.get(f"/games/{game.id}/news?said=0", headers={"Accept": "application/json"})
    assert shown_to(ann_looks, game) == "here now"


def test_the_account_has_the_choice_and_the_game_leads_to_it(
    container: Container, game: Shown, ann_looks: FlaskClient
) -> None:
    page = ann_looks.get(f"/games/{game.id}").text
    assert "Bob sees “here now” while you are." in page
    assert 'href="/account#presence"' in page
    form = hidden(ann_looks.get("/account").text)
    assert ann_looks.post("/account/presence", data={**form, "shown": "always"}).status_code == 422
    stored = ann_looks.post(
        "/account/presence", data={**form, "shown": "days"}, follow_redirects=True
    )
    assert "Saved." in stored.text
    assert 'value="days" checked' in stored.text
    assert container.presences.choice(game.ann) == "days"
