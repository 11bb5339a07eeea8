"""Whether a game's page shows when the other player was last here: as far as they let it."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.accounts.email_addresses import AddressVerification
from service.accounts.presence import PresenceChoice
from service.container import Container
from service.core.durations import DAY, MINUTE
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


def test_a_guest_shows_nothing_and_a_confirmed_player_the_day(
    app: Flask, container: Container, game: Shown, ann_looks: FlaskClient
) -> None:
    bob_comes(app, game)
    assert shown_to(ann_looks, game) == ""
    bob = container.players.find(game.bob)
    assert bob is not None
    container.players.set_address(bob, "bob@example.org")
    assert shown_to(ann_looks, game) == ""
    assert container.players.verify(AddressVerification(game.bob, "bob@example.org", 0))
    assert shown_to(ann_looks, game) == "here today"


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
    assert "Show Bob when you were here: never." in page
    assert 'href="/account#presence"' in page
    form = hidden(ann_looks.get("/account").text)
    for value, status in (("live", 303), ("always", 422)):
        answer = ann_looks.post("/account/presence", data={**form, "shown": value})
        assert answer.status_code == status
    assert container.presences.choice(game.ann) == "live"
    assert 'value="live" checked' in ann_looks.get("/account").text
