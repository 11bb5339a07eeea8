"""A server whose web and worker are not always alive, and a game with a day for each move."""

import json
from types import MappingProxyType
from typing import Any

from service.container import Container
from service.core.redis.client import Client
from service.games import NewGame, StoredGame
from tests.support.clock import Machine
from tests.support.settings import settings
from tests.support.telling import tell_all

DAY = 86400
A_DAY = MappingProxyType({"days_per_move": 1})


class UnattendedGame:
    """Web and worker of one server, and a game in which Ann has a day for her move."""

    def __init__(self, redis: Client, clock: Any = A_DAY, **changes: object) -> None:
        self.machine = Machine()
        self.settings = settings(**changes)
        self.web, self.worker = (self.process(redis) for _ in range(2))
        ann, bob = (
            self.web.registrations.register_guest(name).player.id for name in ("Ann", "Bob")
        )
        made = self.web.games.create(
            ann, NewGame(first_player="creator", clock=clock and dict(clock))
        )
        invite = self.web.games.invitations.token(made.id)
        self.id = self.web.games.join(made.id, bob, invite=invite).id
        tell_all(self.web)
        self.ann, self.bob = ann, bob
        self.heartbeat()

    def process(self, redis: Client) -> Container:
        return Container(self.settings, redis, self.machine.clock, monotonic=self.machine.monotonic)

    def heartbeat(self, web: bool = True, worker: bool = True) -> None:
        if web:
            self.web.outages.record_heartbeat("web")
        if worker:
            self.worker.outages.record_heartbeat("worker")

    def run(self, seconds: float, web: bool = True, worker: bool = True) -> None:
        """Let time pass in which web, worker or both give their signs of life."""
        self.machine.run(seconds)
        steadily = {"web": web, "worker": worker}
        for role in (role for role, is_well in steadily.items() if is_well):
            self.web.redis.hset("st:{outages}:last", role, str(self.machine.clock.time))
        self.heartbeat(web, worker)

    def legal(self, player: str) -> list[str]:
        return list(self.web.games.view(self.web.games.load(self.id), player).legal)

    def looked_at(self) -> StoredGame:
        return self.web.games.current(self.id)

    def moments(self) -> list[str]:
        return [json.loads(text)["at"] for text in self.web.log.events.read(self.id)]
