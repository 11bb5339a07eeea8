"""Seasons in backups: their logs, their lists, and the players' signs of life."""

import json
from typing import Any

import pytest

from service.container import Container
from service.core.times import DAY, HOUR
from service.ops.restore import inspect, restore
from service.seasons.season import Season
from service.seasons.verify import verify
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
    assert {each.id for each in listed[:2]} == {second.id, ladder.id}
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
    assert after[:-1] == club.container.season_store.lines(season.id)
    assert after[-1]["type"] == "sealed"
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


def first_of(container: Container, game: str) -> Any:
    return json.loads(next(iter(container.log.events.read(game, upto=1))))


def test_a_restored_ladder_deals_no_cards_again_that_players_may_know(
    club: Club, restored: Container, clock: Clock
) -> None:
    season = club.ladder()
    lines, games = backup(club.container), club.container.games
    lost = club.container.seasons.challenge(season.id, club.people[5], club.people[4], "api").id
    games.resign(lost, club.people[4])  # now its record is public
    for _ in range(2):  # the second keeps what the first has brought back
        brought(restored, lines, clock)
    again = restored.seasons.challenge(season.id, club.people[3], club.people[2], "api").id
    assert first_of(restored, again)["data"] != first_of(club.container, lost)["data"]
    restored.games.resign(again, club.people[2])
    restored.season_clock.run(season.id, [again])
    found = verify(restored.season_store.lines(season.id), [record(restored, again)])
    assert (found.proved, len(found.season.sealings)) == (1, 2)


def test_a_challenge_whose_game_a_backup_has_not_counts_for_nobody(
    club: Club, restored: Container, clock: Clock
) -> None:
    season = club.ladder()
    lost = club.container.seasons.challenge(season.id, club.people[5], club.people[4], "api").id
    kept = club.container.seasons.challenge(season.id, club.people[3], club.people[2], "api").id
    lines = backup(club.container)
    place = next(n for n, line in enumerate(lines, 1) if json.loads(line).get("game") == lost)
    restore(restored, lines, {place}, now=clock)  # it began after its bucket was read
    restored.season_clock.run(season.id)
    found = restored.seasons.get(season.id)
    assert found.results.keys() == {lost}
    assert found.results[lost].reason == "removed"
    assert restored.log.events.version(lost) == 0
    restored.games.resign(kept, club.people[2])
    restored.season_clock.run(season.id, [kept])
    assert verify(restored.season_store.lines(season.id), [record(restored, kept)]).proved == 1


def test_a_restored_league_that_waited_is_played_with_other_cards(
    club: Club, restored: Container, clock: Clock
) -> None:
    season = club.announce()
    for player in club.people:
        club.container.seasons.enter(season.id, player, None, "api")
    lines = backup(club.container)
    club.container.season_clock.run_all()
    before = {
        first_of(club.container, game)["private"]["secret"] for game in games_of(club, season)
    }
    brought(restored, lines, clock)
    restored.season_clock.run(season.id)
    after = Club(restored, clock, 0)
    secrets = {first_of(restored, game)["private"]["secret"] for game in games_of(after, season)}
    assert (len(before | secrets), len(secrets)) == (60, 30)
    for game, paired in restored.seasons.get(season.id).games.items():
        restored.games.resign(game, paired["north"])
    ended = after.taken(season)
    assert verify(restored.season_store.lines(season.id), after.records(ended)).proved == 30


def games_of(club: Club, season: Season) -> list[str]:
    return [*club.container.seasons.get(season.id).games]


def record(container: Container, game: str) -> list[Any]:
    return [json.loads(text) for text in container.log.events.read(game)]
