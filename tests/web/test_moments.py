"""Moments stand by the reader's clock: a deadline to the minute, and the zone by its name."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.commands import ClockCommand, HoldFlag, PauseClock
from service.container import Container
from service.core.times import HOUR, timestamp
from service.games import ChangeContext
from tests.support.application import Server
from tests.web.pressing import read
from tests.web.shown import Shown, begin, signed_in

BERLIN = "Mon 30 Nov 2026, 13:00 (Europe/Berlin)"


@pytest.fixture
def game(container: Container) -> Shown:
    """A game that Ann is to move in until 30 November, 12:00 UTC."""
    return begin(container, clock={"days_per_move": 9})


def note(container: Container, game: Shown, command: ClockCommand) -> None:
    games = container.games
    assert games.writer.write_all(games.load(game.id), [command]) is not None


def words(page: str) -> str:
    return " ".join(re.sub("<[^>]+>", "", page).split())


def test_a_deadline_stands_in_the_zone_that_the_player_chose(server: Server, game: Shown) -> None:
    server.container.mail_preferences.set_choice(game.ann, {"time_zone": "Europe/Berlin"})
    client = signed_in(server.app, game.ann)
    pages = [client.get(path).text for path in ("/", f"/games/{game.id}")]
    for page in pages:
        assert "Mon 30 Nov, 13:00" in words(page)
        assert f'title="{BERLIN}"' in page
        assert '<time datetime="2026-11-30T12:00:00Z"' in page
        assert "data-unzoned" not in page


def test_without_a_choice_it_is_utc_and_a_script_may_write_it_otherwise(
    app: Flask, client: FlaskClient, game: Shown
) -> None:
    for reader in (client, signed_in(app, game.ann)):
        page = reader.get(f"/games/{game.id}").text
        assert "Mon 30 Nov, 12:00 UTC" in words(page)
        assert '<time datetime="2026-11-30T12:00:00Z" data-unzoned="far"' in page


def test_each_of_two_players_has_their_own_clock(server: Server, game: Shown) -> None:
    server.container.mail_preferences.set_choice(game.ann, {"time_zone": "Asia/Kathmandu"})
    server.container.mail_preferences.set_choice(game.bob, {"time_zone": "America/New_York"})
    shown = [signed_in(server.app, player).get("/").text for player in (game.ann, game.bob)]
    assert "Mon 30 Nov 2026, 17:45 (Asia/Kathmandu)" in shown[0]
    assert "Mon 30 Nov 2026, 07:00 (America/New_York)" in shown[1]


def test_a_day_is_that_of_the_readers_clock(app: Flask, container: Container, game: Shown) -> None:
    """Ann came on 21 November at noon in UTC, when it was the 22nd on Kiritimati."""
    container.mail_preferences.set_choice(game.bob, {"time_zone": "Pacific/Kiritimati"})
    page = signed_in(app, game.bob).get(f"/players/{game.ann}").text
    assert "Joined 22 Nov 2026" in words(page)


def test_a_zone_that_is_no_more_is_shown_in_utc(server: Server, game: Shown) -> None:
    server.container.mail_preferences.set_choice(game.ann, {"time_zone": "Atlantis/Sunken"})
    page = signed_in(server.app, game.ann).get(f"/games/{game.id}").text
    assert 'title="Mon 30 Nov 2026, 12:00 (UTC)"' in page


HELD = HoldFlag("north", "2026-12-05T12:00:00Z")


def test_what_happened_is_told_by_the_readers_clock(server: Server, game: Shown) -> None:
    server.container.mail_preferences.set_choice(game.ann, {"time_zone": "Asia/Kathmandu"})
    note(server.container, game, PauseClock("south", "2026-12-01T20:00:00Z"))
    note(server.container, game, HELD)
    stories = [
        signed_in(server.app, player).get(f"/games/{game.id}").text.split('id="story-title"')[1]
        for player in (game.ann, game.bob)
    ]
    assert "paused until Wed 2 Dec 2026, 01:45 (Asia/Kathmandu)" in words(stories[0])
    assert "before Sat 5 Dec 2026, 17:45 (Asia/Kathmandu)" in words(stories[0])
    assert "paused until Tue 1 Dec 2026, 20:00 (UTC)" in words(stories[1])
    assert '<time datetime="2026-12-01T20:00:00Z" data-unzoned="end">' in stories[1]


def test_the_log_has_the_time_of_each_turn_below_its_day(server: Server, game: Shown) -> None:
    server.container.mail_preferences.set_choice(game.ann, {"time_zone": "Asia/Kathmandu"})
    for _ in range(2):
        server.clock.time += 7 * HOUR
        stored = server.container.games.load(game.id)
        mover = stored.player_to_move()
        assert mover is not None
        move = server.container.games.view(stored, mover).legal[0]
        server.container.games.play(game.id, mover, [move], ChangeContext("web"))
    page = read(signed_in(server.app, game.ann).get(f"/games/{game.id}").text)
    (log,) = [each for each in page.all("ol") if each.attributes.get("class") == "story"]
    days = [day.text for day in log.all("h3") if "hidden" not in day.attributes]
    assert days == ["22 Nov 2026", "21 Nov 2026"]
    assert [list(entry.all("time"))[-1].text for entry in log.all("li")][:2] == ["07:45", "00:45"]


def test_a_message_tells_its_time_short_and_in_full_where_one_points(
    app: Flask, container: Container, game: Shown
) -> None:
    container.games.conversations.write(game.id, game.bob, "Hello", "web")
    page = signed_in(app, game.ann).get(f"/games/{game.id}").text.split('id="talk"')[1]
    assert "Sat 12:00" in words(page)
    assert 'title="Sat 21 Nov 2026, 12:00 (UTC)"' in page


def test_a_name_in_a_sentence_with_moments_is_only_a_name(app: Flask, container: Container) -> None:
    """Older versions of the server let players have any name."""
    game = begin(container, ann="<i>\x001\x00\ufffc", clock={"days_per_move": 9})
    note(container, game, PauseClock("north", timestamp(container.now() + 9999)))
    page = signed_in(app, game.bob).get(f"/games/{game.id}")
    assert page.status_code == 200
    assert "<i>" not in page.text
    assert page.text.count("data-unzoned") > 1
