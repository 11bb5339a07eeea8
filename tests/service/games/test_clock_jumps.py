"""Kills, sleep and clocks that are set: no game ends before its true time, and soon after it.

The true time is that of a clock that nobody sets and no process reads. It counts while web and
worker give their signs of life.
"""

import random
from typing import Any, Final

import pytest

from service.core.heartbeat import SILENCE
from service.core.redis.client import Client
from service.games import ChangeContext
from service.games.clock.calendar import union
from tests.service.games.unattended import DAY, UnattendedGame

ROLES: Final = ("web", "worker")
HOUR: Final = 3600
SOON: Final = 60
"""Seconds after the true deadline within which the game ends."""


class Storm(UnattendedGame):
    """A server to which something happens now and then, in the hands of one source of chance."""

    def __init__(self, redis: Client, seed: int) -> None:
        super().__init__(redis)
        self.random = random.Random(seed)
        self.true = 0
        """Seconds since the turn began."""
        self.away: list[tuple[int, int]] = []
        """When the server was not there, and that for longer than a restart takes."""
        self.set_back = 0
        self.down_until = dict.fromkeys(ROLES, 0)
        self.last_heartbeat = dict.fromkeys(ROLES, 0)

    @property
    def counted(self) -> int:
        return self.true - sum(end - begin for begin, end in union(self.away))

    @property
    def is_down(self) -> bool:
        return max(self.down_until.values()) > self.true

    def step(self, seconds: int) -> None:
        self.machine.run(seconds)
        self.true += seconds
        for role in ROLES:
            if self.down_until[role] <= self.true:
                self.sign(role)
        if self.down_until["worker"] <= self.true:
            self.worker.games.outages.apply_all()
            self.worker.games.time_out(self.id)
        if self.down_until["web"] <= self.true:
            self.looked_at()

    def begin(self, seconds: int) -> None:
        """The first part of the turn, in which all is well."""
        self.run(seconds)
        self.true += seconds
        self.last_heartbeat = dict.fromkeys(ROLES, self.true)

    def sign(self, role: str) -> None:
        self.heartbeat(**{other: other == role for other in ROLES})
        if self.true - self.last_heartbeat[role] > SILENCE:
            self.away.append((self.last_heartbeat[role], self.true))
        self.last_heartbeat[role] = self.true

    def trouble(self) -> None:
        """Something that happens to servers, one thing at a time."""
        if self.is_down:
            return
        match self.random.randrange(6):
            case 0:
                self.kill(self.random.choice(ROLES), self.random.choice([20, 50, 300, 700]))
            case 1:
                length = self.random.choice([30, 300, 900])
                self.kill("web", length)
                self.kill("worker", length + self.random.choice([0, 100]))
            case 2:
                self.machine.set_clock(self.random.choice([7, 45, 1200, 86400]))
            case 3:
                self.turn_back(self.random.choice([7, 45, 1200, 7200]))
            case 4:
                self.sleep(self.random.choice([30, 600]))
            case 5:
                self.set_during_next_write(self.random.choice([-600, 45, 86400]))

    def kill(self, role: str, seconds: int) -> None:
        setattr(self, role, self.process(self.web.redis))
        self.down_until[role] = self.true + seconds

    def turn_back(self, seconds: int) -> None:
        self.machine.set_clock(-seconds)
        self.set_back += seconds

    def sleep(self, seconds: int) -> None:
        self.machine.suspend(seconds)
        self.away.append((self.true, self.true + seconds))
        self.true += seconds
        self.last_heartbeat = dict.fromkeys(ROLES, self.true)

    def set_during_next_write(self, seconds: int) -> None:
        events = self.worker.log.events
        append = events.append

        def overtaken(*args: Any, **options: Any) -> Any:
            events.append = append  # type: ignore[method-assign]
            self.machine.set_clock(seconds)
            self.set_back += max(0, -seconds)
            return append(*args, **options)

        events.append = overtaken  # type: ignore[method-assign]


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_the_true_deadline_holds(redis: Client, seed: int) -> None:
    storm = Storm(redis, seed)
    storm.begin(DAY - 2 * HOUR)
    while not storm.web.games.load(storm.id).game.over:
        late = storm.counted - DAY
        # What has passed twice by the clocks of people may count neither time.
        most = SOON + 2 * storm.set_back
        assert late <= most or storm.is_down, f"seed {seed}: {late} s after its time"
        if storm.random.random() < 0.05:
            storm.trouble()
        storm.step(10 if late > -60 and not storm.is_down else 50)
    assert storm.counted >= DAY, f"seed {seed}: {DAY - storm.counted} s before its time"
    assert storm.moments() == sorted(storm.moments())


def test_a_clock_that_is_set_back_in_a_pause_and_then_ahead_takes_no_time(redis: Client) -> None:
    """The pause ends before it began, by the clock: no event is earlier than the one before it."""
    site = UnattendedGame(redis)
    site.run(DAY - 2 * HOUR)
    for player in (site.ann, site.bob):
        site.web.games.pauses.agree(site.id, player, None, ChangeContext())
    site.run(3 * HOUR)
    site.machine.set_clock(-4 * HOUR)
    site.heartbeat()
    site.web.games.clocks.resume(site.id, site.bob, ChangeContext())
    site.run(600)
    site.machine.set_clock(DAY)
    site.heartbeat()
    site.run(2 * HOUR - 600 - 1)
    assert not site.looked_at().game.over
    site.run(2 * 4 * HOUR)
    assert site.looked_at().game.reason == "time-out"
