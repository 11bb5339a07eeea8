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


def test_seasons_are_listed_and_go_on_at_once(
    club: Club, restored: Container, clock: Clock
) -> None:
    first, second = club.announce(), club.announce(name="Summer", starts_at=None)
    following = club.announce(name="Autumn", follows=first.id)
    ladder = club.ladder()
    for player in club.people:
        club.container.seasons.enter(second.id, player, None, "api")
    brought(restored, backup(club.container), clock)
    listed = restored.seasons.all()
    assert listed[0].id == ladder.id
    assert {each.id for each in listed} == {first.id, second.id, following.id, ladder.id}
    found = restored.seasons.following(first)
    assert found is not None
    assert found.id == following.id
    restored.season_clock.run_all()
    assert restored.seasons.get(second.id).status == "running"


@pytest.mark.parametrize("is_older_first", [True, False])
def test_the_longer_log_of_a_season_wins(
    club: Club, restored: Container, clock: Clock, is_older_first: bool
) -> None:
    season = club.ladder()
    older = backup(club.container)
    club.container.seasons.challenge(season.id, club.people[2], club.people[0], "api")
    newer = backup(club.container)
    for lines in (older, newer) if is_older_first else (newer, older):
        if is_older_first:
            restored.season_store.find(season.id)  # a process that remembers it
        assert brought(restored, lines, clock).refused == []
    after = restored.season_store.lines(season.id)
    assert after == club.container.season_store.lines(season.id)
    found = restored.seasons.get(season.id).ladder
    assert found is not None
    assert len(found.running) == 1


def test_a_season_that_went_on_differently_is_named_and_stays(
    club: Club, restored: Container, clock: Clock
) -> None:
    season = club.ladder()
    brought(restored, backup(club.container), clock)
    restored.seasons.withdraw(season.id, club.people[0], "api")
    club.container.seasons.withdraw(season.id, club.people[1], "api")
    (fault,) = brought(restored, backup(club.container), clock).refused
    assert season.id in str(fault)
    assert [*restored.seasons.get(season.id).withdrawn] == [club.people[0]]
