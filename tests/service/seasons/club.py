"""A club: players of one server, and its seasons."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from service.container import Container
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.core.times import DAY
from service.games import NewGame
from service.seasons.season import Season
from service.seasons.seasons import NewSeason
from service.seasons.verify import verify
from tests.service.seasons.ladders import order_of
from tests.support.clock import Clock

NAMES = ("Ann", "Bob", "Cyrus", "Dora", "Emil", "Flora", "Gus", "Hanna", "Ida", "Jo")
LATEST = 33 * DAY
"""The longest that games last with a bank of three days and twelve hours a turn."""


class Club:
    """Players of one server, and its seasons."""

    def __init__(self, container: Container, clock: Clock, count: int) -> None:
        # A clock that a test moves is no clock that somebody has set.
        self.container = Container(container.settings, container.redis, clock, monotonic=clock)
        self.clock = clock
        register = container.registrations.register
        self.people = [register(name).player.id for name in NAMES[:count]]

    def announce(self, **rules: Any) -> Season:
        wanted = NewSeason(**{"name": "Spring", "players": len(self.people), **rules})
        return self.container.seasons.announce(wanted, None, "operator")

    def started(self, **rules: Any) -> Season:
        """A season that all have entered, and that has begun."""
        season = self.announce(**rules)
        for player in self.people:
            self.container.seasons.enter(season.id, player, None, "api")
        self.container.season_clock.run_all()
        return self.container.seasons.get(season.id)

    def ladder(self, **rules: Any) -> Season:
        """A ladder on which all stand, in the order of their entries."""
        wanted = NewSeason(**{"name": "Ladder", "format": "ladder", **rules})
        season = self.container.seasons.announce(wanted, None, "operator")
        for player in self.people:
            season = self.container.seasons.enter(season.id, player, None, "api")
        return season

    def taken(self, season: Season) -> Season:
        """The season once all results are taken that there are."""
        for _ in range(3):  # who has left loses the games that go on
            self.container.season_clock.run(season.id, season.games)
        return self.container.seasons.get(season.id)

    def pass_time(self, seconds: float) -> None:
        """Let time pass in which web and worker gave their signs of life."""
        self.clock.time += seconds
        for role in ("web", "worker"):
            self.container.redis.hset("st:{outages}:last", role, str(self.clock.time))
            self.container.outages.record_heartbeat(role)

    def records(self, season: Season) -> list[list[Any]]:
        events = self.container.log.events
        return [[json.loads(text) for text in events.read(game)] for game in season.games]


def code_of(action: Callable[[], object]) -> str:
    with pytest.raises(RequestRejected) as refused:
        action()
    return refused.value.code


def reads(container: Container, action: Callable[[], object]) -> int:
    """How many commands the store gets for this."""
    taken, execute = list[object](), container.redis.execute_command
    many = container.redis.execute_all

    def counted(*command: Any, **options: Any) -> Any:
        taken.append(command)
        return execute(*command, **options)

    def counted_all(commands: Any, *args: Any, **options: Any) -> Any:
        taken.extend(listed := [*commands])
        return many(listed, *args, **options)

    container.redis.execute_command, container.redis.execute_all = counted, counted_all  # type: ignore[method-assign]
    action()
    container.redis.execute_command, container.redis.execute_all = execute, many  # type: ignore[method-assign]
    return len(taken)


def against_bob(container: Container, ann: str, bob: str) -> str:
    made = container.games.create(ann, NewGame(listed=True))
    container.games.join(made.id, bob)
    return made.id


def challenge(club: Club, season: Season, one: int, other: int) -> str:
    """One player challenges another, by their numbers; return the game."""
    below, above = club.people[one], club.people[other]
    return club.container.seasons.challenge(season.id, below, above, "api").id


def order(club: Club, season: Season) -> list[int]:
    """Who stands on the ladder, by their numbers, once what is due is done."""
    found = club.taken(club.container.seasons.get(season.id)).ladder
    assert found is not None
    return [club.people.index(player) for player in found.order]


def checked(club: Club, season: Season) -> Season:
    """The ladder as its log tells it, which must be sound."""
    lines = club.container.season_store.lines(season.id)
    found = verify(lines, [*filter(_is_over, club.records(club.container.seasons.get(season.id)))])
    assert found.season.ladder is not None
    assert found.season.ladder.order == order_of(lines)
    return found.season


def _is_over(record: list[Any]) -> bool:
    return record[-1]["type"] == "game_ended"


def worker(club: Club, client: Client | None = None) -> Container:
    """A worker of its own, which knows nothing yet."""
    redis = client or club.container.redis
    return Container(club.container.settings, redis, club.clock, monotonic=club.clock)


def challenged_and_died(club: Club, season: Season, one: int, other: int) -> None:
    """A challenge whose process dies before its game begins."""
    dying = worker(club)
    object.__setattr__(dying.seasons, "_beginning", None)
    with pytest.raises(AttributeError):
        dying.seasons.challenge(season.id, club.people[one], club.people[other], "api")
