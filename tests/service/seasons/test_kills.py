"""A worker that dies at any seam begins no game twice, and loses none."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from redis.exceptions import ConnectionError as ConnectionLost

from service.container import Container
from service.core.redis.client import connect
from service.core.times import DAY
from service.eventlog import parse_notice_id
from service.seasons.season import Season
from service.seasons.table import pairs
from service.seasons.verify import verify
from tests.service.seasons.club import Club, challenged_and_died, worker
from tests.support.stored_state import StoredState

DIED = ConnectionLost("the worker has died")


class Dying:
    """Lets a client's commands and pipelines pass until it dies: before one of them, or after it
    was carried out and before its answer came."""

    def __init__(self, client: Any, lives: int, *, answered: bool) -> None:
        self._left, self._answered = lives, answered
        for name in ("execute_command", "execute_all"):
            setattr(client, name, self._mortal(getattr(client, name)))

    def _mortal(self, execute: Callable[..., Any]) -> Callable[..., Any]:
        def once(*args: Any, **options: Any) -> Any:
            self._left -= 1
            if self._left < 0 or (self._left == 0 and not self._answered):
                raise DIED
            reply = execute(*args, **options)
            if self._left == 0:
                raise DIED
            return reply

        return once


def dies(club: Club, season: Season, lives: int, answered: bool) -> bool:
    """Let a worker keep the season until it dies. Return whether it did."""
    path = club.container.redis.connection_pool.connection_kwargs["path"]
    client = connect(f"unix://{path}")
    dying = worker(club, client)
    Dying(client, lives, answered=answered)
    try:
        dying.season_clock.run(season.id, season.games)
    except ConnectionLost:
        return True
    finally:
        client.close()
    return False


def each_death(club: Club, season: Season, answered: bool) -> Iterator[Season]:
    """The season after a worker died at each of its commands, and another went on."""
    before = StoredState.of(club.container.redis)
    for lives in count(1):
        before.put_back(club.container.redis)
        if not dies(club, season, lives, answered):
            assert lives > 5, "it died at some commands before"
            return
        survivor = worker(club)
        survivor.season_clock.run(season.id, season.games)
        yield survivor.seasons.get(season.id)


@pytest.mark.parametrize("answered", [False, True])
def test_a_worker_may_die_anywhere(club_of: Callable[[int], Club], answered: bool) -> None:
    club = club_of(4)
    opened = club.announce()
    for player in club.people:
        opened = club.container.seasons.enter(opened.id, player, None, "api")
    events = club.container.log.events
    for season in each_death(club, opened, answered):
        expected = pairs(season.divisions[0])
        games = [(one["leg"], one["north"], one["south"]) for one in season.games.values()]
        assert games == expected
        assert {*events.game_ids()} == {*season.games}
        assert {*events.versions(season.games).values()} == {3}
        assert mails(club, "season-started") == sorted(club.people)
    for game, paired in season.games.items():
        worker(club).games.resign(game, paired["south"])
    for ended in each_death(club, season, answered):
        assert ended.ended
        assert ended.results.keys() == season.games.keys()
        lines = club.container.season_store.lines(season.id)
        verify(lines, club.records(season))
        types = [line["type"] for line in lines]
        assert [types.count(kind) for kind in ("started", "paired", "ended")] == [1, 1, 1]
        assert mails(club, "season-ended") == sorted(club.people)


@pytest.mark.parametrize("answered", [False, True])
def test_on_a_ladder_too(club_of: Callable[[int], Club], answered: bool) -> None:
    club = club_of(4)
    opened = club.ladder()
    challenged_and_died(club, opened, 2, 1)
    challenged_and_died(club, opened, 3, 1)
    opened = club.container.seasons.get(opened.id)
    events = club.container.log.events
    for season in each_death(club, opened, answered):
        assert {*events.game_ids()} == {*season.games}
        assert len(season.games) == 2
        started = [*mails(club, "turn"), *mails(club, "started")]
        assert started.count(club.people[1]) == 2
    for game, paired in season.games.items():
        worker(club).games.resign(game, paired["south"])
    for ended in each_death(club, season, answered):
        assert ended.results.keys() == season.games.keys()
        lines = club.container.season_store.lines(season.id)
        found = verify(lines, club.records(season)).season.ladder
        assert found is not None
        above = {club.people.index(player) for player in found.order[1:3]}
        assert (found.order[3], above) == (club.people[1], {2, 3})


@pytest.mark.parametrize("answered", [False, True])
def test_whoever_is_away_from_a_ladder_goes_once(
    club_of: Callable[[int], Club], answered: bool
) -> None:
    club = club_of(4)
    season = club.ladder(clock={"bank_days": 30})
    ann, bob = club.people[:2]
    club.container.seasons.challenge(season.id, bob, ann, "api")
    club.pass_time(14 * DAY)
    for player in club.people[1:]:
        club.container.tokens.record_answer(player)
    season = club.container.seasons.get(season.id)
    for after in each_death(club, season, answered):
        (game,) = after.games
        assert after.withdrawn[ann].reason == "away"
        assert worker(club).games.load(game).game.over
        worker(club).season_clock.run(season.id, [game])
        ended = worker(club).seasons.get(season.id)
        assert ended.results[game].winner == bob
        types = [line["type"] for line in club.container.season_store.lines(season.id)]
        assert (types.count("withdrawn"), types.count("result")) == (1, 1)
        verify(club.container.season_store.lines(season.id), club.records(ended))


@pytest.mark.parametrize("answered", [False, True])
def test_whoever_challenges_may_die_anywhere(
    club_of: Callable[[int], Club], answered: bool
) -> None:
    club = club_of(4)
    season = club.ladder()
    before, deaths = StoredState.of(club.container.redis), 0
    path = club.container.redis.connection_pool.connection_kwargs["path"]
    for lives in count(1):
        before.put_back(club.container.redis)
        client = connect(f"unix://{path}")
        dying = worker(club, client)
        Dying(client, lives, answered=answered)
        try:
            dying.seasons.challenge(season.id, club.people[3], club.people[1], "api")
            break
        except ConnectionLost:
            deaths += 1
        finally:
            client.close()
        survivor = worker(club)
        survivor.season_clock.run(season.id)
        begun = survivor.seasons.get(season.id).games
        assert {*survivor.log.events.game_ids()} == {*begun}
        game = survivor.seasons.challenge(season.id, club.people[3], club.people[1], "api").id
        assert {*survivor.log.events.game_ids()} == {*begun, game} == {game}
    assert deaths > 5


def mails(club: Club, kind: str) -> list[str]:
    """Who is to get a mail of this kind."""
    due = [parse_notice_id(notice.id) for notice in club.container.log.outbox.pending()]
    return sorted(notice.recipient for notice in due if notice.kind == kind)


def test_two_workers_at_once_do_it_once(club_of: Callable[[int], Club]) -> None:
    club = club_of(5)
    season = club.announce()
    for player in club.people:
        club.container.seasons.enter(season.id, player, None, "api")
    before = club.container.seasons.get(season.id)
    workers = [
        Container(club.container.settings, club.container.redis, club.clock) for _ in range(2)
    ]
    drafted = [one.season_clock._next(before, set()) for one in workers]
    assert drafted[0] == drafted[1]
    for one in workers:
        one.season_clock.run(season.id)
    season = club.container.seasons.get(season.id)
    assert len({*club.container.log.events.game_ids()}) == len(season.games) == 20
