"""A season whose log cannot be read is named, and stands in no other's way."""

import logging
from typing import Any

import pytest

from service.container import Container
from service.core.times import HOUR
from service.eventlog import UnreadableLog, keys
from service.ops.doctor import examine
from service.seasons.season import Season
from service.seasons.store import EVENT
from tests.service.seasons.club import Club
from tests.support.clock import Clock


def damage(container: Container, season: Season, text: str = '{"x":1}') -> None:
    """Add an event that no program wrote."""
    key = keys.season_key(season.id)
    container.redis.xadd(key, {EVENT: text}, id=f"{season.version + 1}-0")


@pytest.fixture(params=['{"x":1}', "{broken", "[]", "a string in its place"])
def damaged(club: Club, request: Any) -> Season:
    """A season that cannot be read, the newest of three."""
    club.announce(name="One")
    club.ladder()
    season = club.announce(name="Bad", players=4)
    if request.param.startswith("a string"):
        club.container.redis.set(keys.season_key(season.id), "no stream")
    else:
        damage(club.container, season, request.param)
    return season


def test_the_others_are_listed_and_found(club: Club, damaged: Season) -> None:
    fresh = Container(club.container.settings, club.container.redis, club.clock)
    for seasons in (club.container.seasons, fresh.seasons):
        assert [each.rules.name for each in seasons.page(None, 5)[0]] == ["Ladder", "One"]
        with pytest.raises(UnreadableLog, match=f"season {damaged.id} is damaged"):
            seasons.get(damaged.id)


def test_reindexing_names_it(club: Club, damaged: Season) -> None:
    club.container.redis.delete(*club.container.redis.scan_iter("st:{seasons}:*"))
    found = club.container.season_store.reindex()
    assert len(found) == 3
    assert [one for one, why in found.items() if why is not None] == [damaged.id]
    assert len(club.container.seasons.all()) == 2


def test_the_clock_goes_on_with_the_others_and_complains_once_an_hour(
    club: Club, clock: Clock, damaged: Season, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    other = club.announce(name="Other")
    for player in club.people:
        club.container.seasons.enter(other.id, player, None, "api")
    for _ in range(3):
        club.container.season_clock.run_all()
        clock.time += 10
    assert club.container.seasons.get(other.id).status == "running"
    (record,) = [each for each in caplog.records if damaged.id in each.getMessage()]
    assert record.exc_info is None
    clock.time += HOUR
    club.container.season_clock.run_all()
    assert len([each for each in caplog.records if damaged.id in each.getMessage()]) == 2


def test_the_doctor_names_it(club: Club, damaged: Season) -> None:
    found = examine(club.container.settings, club.container.redis, club.clock, lambda _: None)
    (seasons,) = [each for each in found if each.subject == "seasons"]
    assert seasons.state == "bad"
    assert damaged.id in seasons.says


def test_a_game_of_it_is_played_on(club: Club) -> None:
    season = club.started()
    game, pair = next(iter(season.games.items()))
    damage(club.container, season)
    ended = club.container.games.resign(game, pair["north"])
    club.container.season_clock.take(ended)
    assert club.container.games.load(game).game.over
