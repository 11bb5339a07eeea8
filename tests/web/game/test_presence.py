"""Whether a game's page shows when the other player was last here: as far as they let it."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.accounts.privacy import PresenceChoice
from service.container import Container
from service.core.redis.batch import execute
from service.core.times import DAY, HOUR, MINUTE, unix
from service.games import NewGame
from tests.support.application import Server
from tests.support.clock import Clock
from tests.web.news_stream import STREAM
from tests.web.people import hidden
from tests.web.pressing import read
from tests.web.shown import Shown, begin, signed_in


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
    bob = bob_comes(app, game)
    assert shown_to(ann_looks, game) == "online"
    beats(bob, game, "here")
    assert shown_to(ann_looks, game) == "here now"


def test_an_answer_by_mail_is_said_as_one(server: Server) -> None:
    game = begin(server.container)
    ann, tokens = signed_in(server.app, game.ann), server.container.tokens
    tokens.record_answer(game.bob)
    assert shown_to(ann, game) == listed_to(ann) == "by mail a moment ago"
    server.clock.time += 5 * MINUTE
    assert shown_to(ann, game) == listed_to(ann) == "by mail 5 min ago"
    server.clock.time += 3 * HOUR
    assert shown_to(ann, game) == listed_to(ann) == "by mail 3 hours ago"
    server.container.presences.choose(game.bob, "days")
    assert shown_to(ann, game) == listed_to(ann) == "by mail today"
    server.container.presences.choose(game.bob, "never")
    assert shown_to(ann, game) == listed_to(ann) == ""
    server.container.presences.choose(game.bob, "live")
    tokens.record_answer(game.bob)
    bob_comes(server.app, game)
    server.clock.time += MINUTE
    assert shown_to(ann, game) == "online"


def test_a_visit_right_after_an_answer_by_mail_is_one(server: Server) -> None:
    game = begin(server.container)
    bob = bob_comes(server.app, game)
    server.clock.time += 20
    server.container.tokens.record_answer(game.bob)
    server.clock.time += 20
    bob.get(f"/games/{game.id}")  # within the minute of the visit before
    server.clock.time += 5
    assert shown_to(signed_in(server.app, game.ann), game) == "online"


def test_who_signed_out_has_not_answered_by_mail(server: Server) -> None:
    game = begin(server.container)
    bob_comes(server.app, game)
    server.container.tokens.revoke_all(game.bob)
    server.clock.time += HOUR
    assert shown_to(signed_in(server.app, game.ann), game) == ""


def test_who_registered_and_never_came_is_not_here(game: Shown, ann_looks: FlaskClient) -> None:
    assert shown_to(ann_looks, game) == listed_to(ann_looks) == ""


def test_the_list_of_games_says_what_the_board_says(
    app: Flask, container: Container, game: Shown, clock: Clock, ann_looks: FlaskClient
) -> None:
    container.presences.choose(game.ann, "days")
    bob = bob_comes(app, game)
    assert listed_to(ann_looks) == shown_to(ann_looks, game) == "online"
    assert listed_to(bob) == shown_to(bob, game) == "here today"
    container.presences.choose(game.bob, "never")
    assert listed_to(ann_looks) == shown_to(ann_looks, game) == ""
    container.presences.choose(game.bob, "days")
    container.games.conversations.set_off(game.id, game.bob, off=True)
    assert listed_to(ann_looks) == shown_to(ann_looks, game) == ""


def test_all_pages_say_that_the_page_was_closed(
    app: Flask, game: Shown, ann_looks: FlaskClient
) -> None:
    bob = bob_comes(app, game)
    form = {**hidden(bob.get(f"/games/{game.id}").text), "sign": "away"}
    bob.post(f"/games/{game.id}/page-sign", data=form)
    assert listed_to(ann_looks) == shown_to(ann_looks, game) == "here a moment ago"
    assert presences(ann_looks, f"/players/{game.bob}") == "here a moment ago"


def test_a_browser_that_is_killed_is_away_seconds_later(
    app: Flask, container: Container, game: Shown, clock: Clock, ann_looks: FlaskClient
) -> None:
    bob = bob_comes(app, game)
    beats(bob, game, "here")
    before = container.page_signs.begin_stream(game.bob)
    is_gone = container.page_signs.begin_stream(game.bob)  # another page of the same browser
    before()
    clock.time += 10
    assert shown_to(ann_looks, game) == "here now"
    is_gone()
    clock.time += 9
    assert shown_to(ann_looks, game) == "here now"  # it may reconnect
    clock.time += 1
    assert shown_to(ann_looks, game) == listed_to(ann_looks) == "here a moment ago"
    sight = container.page_signs.sight_query(game.id, game.bob)
    assert not execute(container.redis, sight).is_open
    container.page_signs.begin_stream(game.bob)
    assert shown_to(ann_looks, game) == "here now"


def test_two_games_with_one_person_say_one_thing(
    app: Flask, container: Container, game: Shown, ann_looks: FlaskClient
) -> None:
    bob = bob_comes(app, game)
    other = container.games.create(game.ann, NewGame(opponent=game.bob))
    container.games.join(other.id, game.bob)
    for sign, words in (("away", "here a moment ago"), ("writing", "is writing to you…")):
        beats(bob, game, sign)
        assert listed_to(ann_looks) == f"{words} {words}"


def test_the_page_of_a_plan_shows_it_too(app: Flask, game: Shown, ann_looks: FlaskClient) -> None:
    bob = bob_comes(app, game)
    ann_looks.get("/rules")
    assert presences(bob, f"/games/{game.id}/orders") == "online"


def test_the_lobby_shows_it_of_whoever_waits_there(
    app: Flask, container: Container, game: Shown, client: FlaskClient
) -> None:
    bob = bob_comes(app, game)
    container.games.create(game.bob, NewGame(listed=True))
    assert presences(client, "/lobby") == "online"
    assert presences(bob, "/lobby") == ""
    container.presences.choose(game.bob, "never")
    assert presences(client, "/lobby") == ""


@pytest.mark.parametrize(
    ("choice", "ago", "words"),
    [
        ("live", MINUTE, "online"),
        ("live", 5 * MINUTE / 2 - 1, "online"),
        ("live", 5 * MINUTE / 2, "here a moment ago"),
        ("live", 20 * MINUTE, "here within the hour"),
        ("live", HOUR, "here 1 hour ago"),
        ("live", DAY - 1, "here 23 hours ago"),
        ("live", DAY, "here yesterday"),
        ("days", MINUTE, "here today"),
        ("days", DAY - 1, "here today"),
        ("days", DAY, "here this week"),
        ("live", 7 * DAY - 1, "here 6 days ago"),
        ("live", 7 * DAY, ""),
        ("never", MINUTE, ""),
    ],
)
def test_it_is_as_exact_as_the_player_chose(
    server: Server,
    game: Shown,
    ann_looks: FlaskClient,
    choice: PresenceChoice,
    ago: float,
    words: str,
) -> None:
    server.container.presences.choose(game.bob, choice)
    server.clock.time += DAY
    bob_comes(server.app, game)
    server.clock.time += ago
    assert shown_to(ann_looks, game) == words


def test_nobody_but_the_opponent_sees_it_and_they_for_a_day_after_the_game(
    app: Flask, container: Container, game: Shown, clock: Clock, ann_looks: FlaskClient
) -> None:
    container.presences.choose(game.bob, "live")
    bob_comes(app, game)
    eve = signed_in(app, container.registrations.register("Eve").player.id)
    assert shown_to(ann_looks, game) == "online"
    assert shown_to(ann_looks, game, "?at=3") == "-"
    assert shown_to(eve, game) == shown_to(app.test_client(), game) == "-"
    container.games.resign(game.id, game.ann)
    assert shown_to(ann_looks, game) == "online"
    clock.time += DAY
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
    assert shown_to(ann_looks, game) == "here 2 days ago"
    bob.get(f"/games/{game.id}/news?said=0", headers={"Accept": "application/json"})
    assert shown_to(ann_looks, game) == "online"


def test_the_account_has_the_choice(
    container: Container, game: Shown, ann_looks: FlaskClient
) -> None:
    form = hidden(ann_looks.get("/account").text)
    assert ann_looks.post("/account/presence", data={**form, "shown": "always"}).status_code == 422
    stored = ann_looks.post(
        "/account/presence", data={**form, "shown": "days"}, follow_redirects=True
    )
    assert "Saved." in stored.text
    assert 'value="days" checked' in stored.text
    assert container.presences.choice(game.ann) == "days"


def test_who_reads_another_page_of_the_site_is_online(
    app: Flask, container: Container, game: Shown, clock: Clock, ann_looks: FlaskClient
) -> None:
    bob, count = bob_comes(app, game), container.games.conversations.news.count
    beats(bob, game, "here", page="game")
    signs_elsewhere(bob, "/page-sign", "here", page="rules")
    assert beats(bob, game, "away", page="game", number="2") == 204
    assert shown_to(ann_looks, game) == listed_to(ann_looks) == "online"
    assert presences(ann_looks, f"/players/{game.bob}") == "online"
    before = count(game.ann)
    signs_elsewhere(bob, "/page-sign", "here", page="rules", number="2")
    assert count(game.ann) == before  # nothing has changed
    signs_elsewhere(bob, "/page-sign", "away", page="rules", number="3")
    assert shown_to(ann_looks, game) == listed_to(ann_looks) == "here a moment ago"
    signs_elsewhere(bob, "/games/page-sign", "here", page="list")
    assert shown_to(ann_looks, game) == "online"
    assert count(game.ann) == before + 2  # the page in sight heard of both
    container.presences.choose(game.bob, "never")
    signs_elsewhere(bob, "/games/page-sign", "away", page="list", number="2")
    assert shown_to(ann_looks, game) == listed_to(ann_looks) == ""
    assert count(game.ann) == before + 2


def test_a_page_of_the_help_can_tell_too_in_a_browser_that_has_opened_no_other(
    app: Flask, game: Shown
) -> None:
    bob = signed_in(app, game.bob)
    data = {**hidden(bob.get("/help").text), "sign": "here"}
    assert bob.post("/page-sign", data=data).status_code == 204


def test_the_opponent_in_the_game_that_was_left_for_another_hears_that_one_is_online(
    app: Flask, container: Container, game: Shown, ann_looks: FlaskClient
) -> None:
    eve = container.registrations.register("Eve").player.id
    other = container.games.create(eve, NewGame(opponent=game.bob))
    container.games.join(other.id, game.bob)
    bob = bob_comes(app, game)
    beats(bob, game, "here", page="one")
    beats(bob, game, "away", page="one", number="2")
    before = container.games.conversations.news.count(game.ann)
    data = {**hidden(bob.get(f"/games/{other.id}").text), "sign": "here", "page": "two"}
    bob.post(f"/games/{other.id}/page-sign", data=data)
    assert container.games.conversations.news.count(game.ann) == before + 1
    assert shown_to(ann_looks, game) == "online"
    assert presences(signed_in(app, eve), f"/games/{other.id}") == "here now"


def signs_elsewhere(browser: FlaskClient, address: str, sign: str, **more: str) -> None:
    """Send a sign from a page that is no game's."""
    data = {**hidden(browser.get("/rules").text), "sign": sign, **more}
    assert browser.post(address, data=data).status_code == 204


def beats(browser: FlaskClient, game: Shown, sign: str, **more: str) -> int:
    """Send a sign from the page of the game that is open in this browser."""
    data = {**hidden(browser.get(f"/games/{game.id}").text), "sign": sign, **more}
    return browser.post(f"/games/{game.id}/page-sign", data=data).status_code


def test_an_overtaken_sign_changes_nothing_and_an_open_page_says_more_than_a_visit(
    app: Flask, game: Shown, ann_looks: FlaskClient, container: Container
) -> None:
    bob = bob_comes(app, game)
    assert beats(bob, game, "away", page="one", number="2") == 204
    assert beats(bob, game, "here", page="one", number="1") == 204
    assert shown_to(ann_looks, game) == "here a moment ago"
    assert beats(bob, game, "here", page="other", number="1") == 204
    assert shown_to(ann_looks, game).startswith("here now")
    for wrong in ({"page": "a b"}, {"number": "x"}, {"number": "1234567"}):
        assert beats(bob, game, "here", **wrong) == 422

    assert beats(bob, game, "here") == 204
    assert shown_to(ann_looks, game) == "here now"
    assert beats(bob, game, "writing") == 204
    assert shown_to(ann_looks, game) == "is writing to you…"
    assert beats(bob, game, "away") == 204
    assert shown_to(ann_looks, game) == "here a moment ago"
    assert beats(bob, game, "asleep") == 422


def test_nobody_is_said_to_think_whose_page_is_merely_open(
    app: Flask, container: Container, game: Shown, ann_looks: FlaskClient
) -> None:
    assert beats(ann_looks, game, "here") == 204
    assert shown_to(signed_in(app, game.bob), game) == "here now"


@pytest.mark.parametrize("choice", ["never", "days"])
def test_the_opponent_learns_nothing_of_who_does_not_show_it(
    app: Flask, container: Container, game: Shown, choice: PresenceChoice
) -> None:
    container.presences.choose(game.bob, choice)
    before = container.games.conversations.news.count(game.ann)
    assert beats(signed_in(app, game.bob), game, "writing") == 204
    assert container.games.conversations.news.count(game.ann) == before
    container.presences.choose(game.bob, "live")
    assert shown_to(signed_in(app, game.ann), game) == "online"


def test_a_sign_wakes_the_opponents_pages_only_when_it_changes(
    app: Flask, container: Container, game: Shown
) -> None:
    bob, count = signed_in(app, game.bob), container.games.conversations.news.count
    for sign, signals in (("here", 1), ("here", 1), ("writing", 2), ("here", 3)):
        beats(bob, game, sign)
        assert count(game.ann) == signals


def test_nights_and_vacations_that_stop_the_clock_are_said_instead(server: Server) -> None:
    terms = {"days_per_move": 3, "sleeping_hours": True, "vacations": True}
    server.clock.time = unix("2027-07-01T00:10:00Z")
    game = begin(server.container, clock=terms)
    ann, zone, hours = signed_in(server.app, game.ann), "Europe/Berlin", ("23:00", "07:00")
    signed_in(server.app, game.bob)
    server.clock.time += HOUR
    server.container.games.calendars.change(game.bob, zone, hours, [])
    server.container.games.play(game.id, game.ann, [first_card(server.container, game)])
    assert shown_to(ann, game) == listed_to(ann) == "3 at night there"
    server.clock.time += 4 * HOUR
    assert shown_to(ann, game) == listed_to(ann) == "here 5 hours ago"
    away = [(int(server.clock.time), int(server.clock.time) + 2 * DAY)]
    server.container.games.calendars.change(game.bob, zone, hours, away)
    assert shown_to(ann, game) == listed_to(ann) == "on vacation until Sat 05:10 UTC"
    bob_comes(server.app, game)
    assert shown_to(ann, game) == listed_to(ann) == "online"


def test_the_players_page_says_it_to_the_people_they_play(
    app: Flask, container: Container, game: Shown, ann_looks: FlaskClient
) -> None:
    bob_comes(app, game)
    page = f"/players/{game.bob}"
    eve = signed_in(app, container.registrations.register("Eve").player.id)
    assert presences(ann_looks, page) == "online"
    assert presences(eve, page) == presences(app.test_client(), page) == ""
    container.contact_choices.block(game.ann, game.bob)
    assert presences(ann_looks, page) == ""


def first_card(container: Container, game: Shown) -> str:
    view = container.games.view(container.games.load(game.id), game.ann)
    return f"{view.own_cards[0]}@5"
