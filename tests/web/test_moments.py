"""Moments stand by the reader's clock: a deadline to the minute, and the zone by its name."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from tests.web.shown import Shown, begin, signed_in

BERLIN = "until Mon 30 Nov 2026, 13:00 (Europe/Berlin)"


@pytest.fixture
def game(container: Container) -> Shown:
    """A game that Ann is to move in until 30 November, 12:00 UTC."""
    return begin(container, clock={"days_per_move": 9})


def words(page: str) -> str:
    return " ".join(re.sub("<[^>]+>", "", page).split())


def test_a_deadline_stands_in_the_zone_that_the_player_chose(
    app: Flask, container: Container, game: Shown
) -> None:
    container.mail_preferences.set_choice(game.ann, {"time_zone": "Europe/Berlin"})
    client = signed_in(app, game.ann)
    for path in (f"/games/{game.id}", "/"):
        page = client.get(path).text
        assert BERLIN in words(page), path
        assert '<time datetime="2026-11-30T12:00:00Z">' in page
        assert "data-unzoned" not in page


def test_without_a_choice_it_is_utc_and_a_script_may_write_it_otherwise(
    app: Flask, client: FlaskClient, game: Shown
) -> None:
    for reader in (client, signed_in(app, game.ann)):
        page = reader.get(f"/games/{game.id}").text
        assert "until Mon 30 Nov 2026, 12:00 (UTC)" in words(page)
        assert '<time datetime="2026-11-30T12:00:00Z" data-unzoned="minute">' in page


def test_each_of_two_players_has_their_own_clock(
    app: Flask, container: Container, game: Shown
) -> None:
    container.mail_preferences.set_choice(game.ann, {"time_zone": "Asia/Kathmandu"})
    container.mail_preferences.set_choice(game.bob, {"time_zone": "America/New_York"})
    shown = [words(signed_in(app, player).get("/").text) for player in (game.ann, game.bob)]
    assert "Mon 30 Nov 2026, 17:45 (Asia/Kathmandu)" in shown[0]
    assert "Mon 30 Nov 2026, 07:00 (America/New_York)" in shown[1]


def test_a_day_is_that_of_the_readers_clock(app: Flask, container: Container, game: Shown) -> None:
    """Ann came on 21 November at noon in UTC, when it was the 22nd on Kiritimati."""
    container.mail_preferences.set_choice(game.bob, {"time_zone": "Pacific/Kiritimati"})
    page = signed_in(app, game.bob).get(f"/players/{game.ann}").text
    assert "Here since 22 Nov 2026" in words(page)


def test_a_zone_that_is_no_more_is_shown_in_utc(
    app: Flask, container: Container, game: Shown
) -> None:
    container.mail_preferences.set_choice(game.ann, {"time_zone": "Atlantis/Sunken"})
    page = signed_in(app, game.ann).get(f"/games/{game.id}").text
    assert "Mon 30 Nov 2026, 12:00 (UTC)" in words(page)
