"""Games in which time runs out during a run, and whether each ended when it should."""

import time
from collections.abc import Iterator
from typing import Final

from bench.faults.checking import timeout_fault
from bench.faults.clients import Client, Failed
from service.container import Container
from service.core.redis.client import connect
from service.core.settings import Settings
from service.core.times import DAY
from service.games import NewGame
from tests.support.waiting import until

FIRST: Final = 20
APART: Final = 10
"""Seconds until the first of them is out of time, and between two of them."""
LATEST: Final = 180
"""Seconds after a deadline at which its game must be over: leases of workers that died run out."""


class TimedGames:
    """Games whose first turns began nearly a day ago, on clocks of a day for each move.

    The players have no address, so nobody waits until they are told.
    """

    def __init__(self, settings: Settings, url: str, number: int) -> None:
        self._redis = connect(url)
        self._games: dict[str, str] = {}
        self._log = Container(settings, self._redis).log
        for each in range(number):
            ahead = FIRST + APART * each
            made = Container(settings, self._redis, now=lambda: time.time() + ahead - DAY)  # noqa: B023
            ann, bob = (made.registrations.register(f"T{each} {name}") for name in ("Ann", "Bob"))
            wanted = NewGame(first_player="creator", clock={"days_per_move": 1})
            game = made.games.create(ann.player.id, wanted).id
            invite = made.games.invitations.token(game)
            made.games.join(game, bob.player.id, invite=invite)
            self._games[game] = ann.token
        self._last = time.time() + FIRST + APART * number

    def check(self, client: Client) -> Iterator[str]:
        """What is wrong with them. Waits until all are over or late; no game is read before."""
        end = self._last + LATEST
        until(lambda: time.time() > end or all(map(self._is_over, self._games)), 2 * LATEST)
        for game, token in self._games.items():
            try:
                record = client.insist("GET", f"/games/{game}/record", token).text
            except Failed as failure:
                yield str(failure)
                continue
            if (fault := timeout_fault(game, record, LATEST)) is not None:
                yield f"{game}: {fault}"

    def _is_over(self, game: str) -> bool:
        return "game_ended" in self._log.events.read(game)[-1]
