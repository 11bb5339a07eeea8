"""Seasons in backups: their logs, their lists, and the players' signs of life."""

from typing import Any

import pytest

from service.container import Container
from service.core.times import DAY, HOUR
from service.ops.restore import inspect, restore
from tests.service.seasons.club import Club
from tests.support.backups import KEY, backup
from tests.support.clock import Clock


@pytest.fixture
def club(store: Container, clock: Clock) -> Club:
    return Club(store, clock, 6)


@pytest.fixture
def restored(elsewhere: Container, clock: Clock) -> Container:
    """A second, empty store that goes by the clock of the club."""
    return Container(elsewhere.settings, elsewhere.redis, clock, monotonic=clock)


def brought(container: Container, lines: list[bytes], clock: Clock) -> Any:
    """What a restore does with these lines."""
    assert inspect(lines, KEY) == ([], True)
    return restore(container, lines, now=clock)


def test_nobody_is_away_from_a_restored_ladder_who_was_here(
    club: Club, restored: Container, clock: Clock
) -> None:
    season, tokens = club.ladder(), club.container.tokens
    club.pass_time(13 * DAY)
    for player in club.people[:2]:
        assert tokens.authenticate(tokens.create(player, "a program", []).text) is not None
    tokens.record_answer(club.people[2])  # by mail
    brought(restored, backup(club.container), clock)
    Club(restored, clock, 0).pass_time(DAY + HOUR)
    restored.season_clock.run(season.id)
    ladder = restored.seasons.get(season.id).ladder
    assert ladder is not None
    assert ladder.order == club.people[:3]
