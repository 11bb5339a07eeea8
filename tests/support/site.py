"""A server on which people play: their games over its use cases, and a whole one for browsers."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from redis import Redis

from service.container import Container
from service.games import NewGame
from tests.support.processes import Running
from tests.support.settings import settings

KEY = "a key for browsers, long enough to please"
SECRET = "5e" * 32
"""What the shuffles follow from, where a test asks for no other."""


class Town:
    """People and their games, over the use cases of a server (`container`) at `url`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.container: Container
        self._people: Counter[str] = Counter()

    def free_name(self, name: str) -> str:
        """This name; with a number, where an earlier test has asked for it."""
        self._people[name] += 1
        number = self._people[name]
        return name if number == 1 else f"{name} {number}"

    def player(self, name: str) -> str:
        """The id of a new player of this name, if need be with a number."""
        return self.container.registrations.register(self.free_name(name)).player.id

    def game(self, north: str, south: str, secret: str = SECRET, **options: Any) -> str:
        """The id of a game between two players; north plays first."""
        wanted = NewGame(first_player="creator", salt="a", opponent=south, **options)
        made = self.container.games.create(north, wanted, secret=secret)
        self.container.games.join(made.id, south, salt="b")
        return made.id


class Site(Town):
    """A served application. `container`: its use cases over the same Redis."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._env: dict[str, str] = {
            "SCOTTENBURY_SECRET_KEY": KEY,
            "SCOTTENBURY_RATE_LIMITS": "off",
            "SCOTTENBURY_WEB_WORKERS": "1",
            "SCOTTENBURY_CONTACT": "mailto:operator@example.org",
            "SCOTTENBURY_SEASONS_BY": "players",
        }
        self._running = Running(data, **self._env)
        self._env["SCOTTENBURY_PORT"] = str(self._running.port)
        super().__init__(self._running.url)

    def ready(self) -> None:
        """Wait until pages are served."""
        self._running.ready()
        redis = Redis.from_url(f"unix://{self._data / 'redis.sock'}", decode_responses=True)
        known = settings(base_url=self.url, secret_key=KEY, data=self._data)
        self.container = Container(known, redis)

    def restart(self) -> None:
        """Stop all its processes as Ctrl-C does, and start them again at the same address."""
        self.stop()
        self._running = Running(self._data, **self._env)
        self.ready()

    def stop(self) -> None:
        """End all its processes."""
        try:
            self._running.interrupt()
        finally:
            self._running.kill_all()

    def session(self, player: str) -> dict[str, str]:
        """The cookie of a browser that is signed in as the player."""
        token = self.container.tokens.open_session(player, "a browser")
        return {"name": "scottenbury_session", "value": token, "url": self.url}


@contextmanager
def served() -> Iterator[Site]:
    """A server with nothing in it, for as long as the context lasts."""
    # Not pytest's tmp_path: a socket's path may hold no more than about a hundred characters.
    with TemporaryDirectory(prefix="st-") as folder:
        site = Site(Path(folder))
        try:
            site.ready()
            yield site
        finally:
            site.stop()
