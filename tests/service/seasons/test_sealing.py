"""No two games get the same cards, even where the log of a season has lost events."""

import json
from threading import Barrier, Thread
from typing import Any

import pytest

from service.api.endpoints.seasons import exported_line
from service.container import Container
from service.seasons import running
from service.seasons.events import CardsSealed
from service.seasons.season import Season
from service.seasons.verify import UnsoundSeason, verify
from tests.service.seasons.club import Club, challenge, challenged_and_died, checked, order


def secret_of(club: Club, game: str) -> str:
    first: Any = json.loads(next(iter(club.container.log.events.read(game, upto=1))))
    secret: str = first["private"]["secret"]
    return secret


def lose(club: Club, season: Season, count: int = 1) -> None:
    """A failover loses the last events of a season's log, and nothing else."""
    redis = club.container.redis
    (key,) = redis.scan_iter(f"*:season:{season.id}")
    rows = redis.xrange(key)[:-count]
    redis.delete(key)
    for place, fields in rows:
        redis.xadd(key, fields, id=place)


def sealed(club: Club, season: Season) -> int:
    return len(club.container.seasons.get(season.id).sealings)


class TestAChallengeThatAFailoverLost:
    def test_its_cards_are_not_those_of_the_next(self, club: Club) -> None:
        season, games = club.ladder(), club.container.games
        games.resign(lost := challenge(club, season, 5, 4), club.people[4])
        lose(club, season)
        game = challenge(club, season, 3, 2)
        assert secret_of(club, game) != secret_of(club, lost)
        games.resign(game, club.people[2])
        games.resign(challenge(club, season, 1, 0), club.people[0])
        assert order(club, season) == [1, 0, 3, 2, 4, 5]
        found = checked(club, season)
        assert (len(found.results), len(found.sealings)) == (2, 2)

    def test_nor_are_those_of_several(self, club: Club) -> None:
        season, games = club.ladder(), club.container.games
        lost = [challenge(club, season, one, one - 1) for one in (5, 4, 3)]
        for number, game in zip((4, 3, 2), lost, strict=True):
            games.resign(game, club.people[number])
        lose(club, season, 3)
        later = [challenge(club, season, one, one - 2) for one in (5, 4, 3)]
        assert len({secret_of(club, game) for game in (*lost, *later)}) == 6
        for number, game in zip((3, 2, 1), later, strict=True):
            games.resign(game, club.people[number])
        order(club, season)
        assert len(checked(club, season).results) == 3

    def test_by_the_same_two_again_it_goes_on(self, club: Club) -> None:
        season = club.ladder()
        lost = challenge(club, season, 5, 4)
        lose(club, season)
        assert challenge(club, season, 5, 4) == lost
        assert sealed(club, season) == 1

    def test_one_that_has_yet_to_begin_keeps_its_cards(self, club: Club) -> None:
        season, games = club.ladder(), club.container.games
        challenged_and_died(club, season, 5, 4)
        challenge(club, season, 3, 2)
        lose(club, season)
        challenge(club, season, 1, 0)
        order(club, season)
        for game, paired in club.container.seasons.get(season.id).games.items():
            games.resign(game, paired["south"])
        order(club, season)
        assert len(checked(club, season).results) == 2

    def test_of_many_at_once_nobody_takes_the_others_for_lost(self, club: Club) -> None:
        season, gate = club.ladder(), Barrier(5)
        build = lambda: Container(club.container.settings, club.container.redis, club.clock)  # noqa: E731
        servers = [build() for _ in range(5)]

        def climb(number: int) -> None:
            gate.wait()
            one, other = club.people[number + 1], club.people[number]
            servers[number].seasons.challenge(season.id, one, other, "api")

        threads = [Thread(target=climb, args=(number,)) for number in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (len(club.container.seasons.get(season.id).games), sealed(club, season)) == (5, 1)


class TestTheLogShowsIt:
    def test_every_challenge_is_sealed_even_the_first(
        self, club: Club, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        season = club.ladder()
        monkeypatch.setattr(running, "secret_of", lambda *_: "0b" * 32)
        club.container.games.resign(challenge(club, season, 1, 0), club.people[0])
        order(club, season)
        with pytest.raises(UnsoundSeason, match="not those that were sealed"):
            checked(club, season)


def test_the_hidden_secrets_of_a_ladder_stay_hidden_when_it_has_ended(club: Club) -> None:
    season = club.ladder()
    challenge(club, season, 1, 0)
    season = club.container.season_clock.end(season.id)
    lines = [exported_line(one, {}, season) for one in club.container.season_store.lines(season.id)]
    assert verify(lines).season.sealings == [CardsSealed(*told) for told in sealings_in(lines)]
    assert all(line["private"] is None for line in lines[1:])


def sealings_in(lines: list[Any]) -> list[tuple[str, None, str]]:
    data = [line["data"] for line in lines if line["type"] == "sealed"]
    return [(one["commitment"], None, one["next_cards"]) for one in data]
