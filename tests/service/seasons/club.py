"""A club: players of one server, and its seasons."""

import json
from typing import Any

from service.container import Container
from service.seasons.season import Season
from service.seasons.seasons import NewSeason
from tests.support.clock import Clock

NAMES = ("Ann", "Bob", "Cyrus", "Dora", "Emil", "Flora", "Gus", "Hanna", "Ida", "Jo")


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
