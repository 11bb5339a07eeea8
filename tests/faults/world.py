"""A small server with two players, whose processes may die."""

from collections.abc import Callable
from typing import Any, NamedTuple

from redis import ConnectionPool, Redis, UnixDomainSocketConnection
from werkzeug.test import TestResponse

from service import container
from service.container import Container
from service.mail.mailbox import Mailbox
from service.ops.integrity import fault_in_stored, reindex
from service.server.app import create_app
from tests.support.clock import NOON, Clock
from tests.support.settings import settings
from tests.workers.delivering import deliver
from workers.context import build_context
from workers.leases import LEASE


class Kept(NamedTuple):
    """A store at one moment: its keys, each with its milliseconds to live (0: for ever)."""

    time: float
    values: list[tuple[bytes, int, bytes]]


class World:
    """A store in which only Ann and Bob have registered, and processes that serve it.

    What a test has made die, these have not seen.
    """

    def __init__(self, redis: Redis) -> None:
        self.redis, self.clock = redis, Clock()
        options = {**redis.get_connection_kwargs(), "decode_responses": False}
        pool = ConnectionPool(connection_class=UnixDomainSocketConnection, **options)
        self._raw = Redis(connection_pool=pool)
        self._app = create_app(settings(), redis, self.clock)
        self.context = build_context(settings(), redis, self.clock)
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget all but two new players."""
        self.redis.flushall()
        self.clock.time = NOON
        self.tokens: dict[str, str] = {}
        self.ids = {"guest": "guest"}
        for name in ("Ann", "Bob"):
            answer = self.send(None, "/players", {"name": name}).json
            self.ids[name], self.tokens[name] = answer["id"], answer["token"]

    def keep(self) -> "Kept":
        """All that is stored now, and the time."""
        raw = self._raw
        keys = list(raw.scan_iter())
        return Kept(self.clock.time, [(key, max(raw.pttl(key), 0), raw.dump(key)) for key in keys])

    def go_back_to(self, kept: "Kept") -> None:
        """Let everything be as it was then, with a worker that has just been started."""
        self.clock.time = kept.time
        self.context = build_context(settings(), self.redis, self.clock)
        pipeline = self._raw.pipeline()
        pipeline.flushall()
        for key, life, value in kept.values:
            pipeline.restore(key, life, value)
        pipeline.execute()

    @property
    def store(self) -> Container:
        """The use cases of a process that has just been started."""
        return container.Container(settings(), self.redis, self.clock)

    def send(self, name: str | None, path: str, body: Any, key: str | None = None) -> TestResponse:
        """The answer of the web process."""
        headers = {"Authorization": f"Bearer {self.tokens[name]}"} if name else {}
        if key:
            headers["Idempotency-Key"] = key
        return self._app.test_client().post(f"/v1{path}", json=body, headers=headers)

    def game(self, **wanted: Any) -> dict[str, Any]:
        """A game that Ann has made, with her as the first player, and has its invite in it."""
        made: dict[str, Any] = self.send(
            "Ann", "/games", {"first_player": "creator", **wanted}
        ).json
        return made

    def begun(self, **wanted: Any) -> dict[str, Any]:
        """A game that Bob has joined; as Ann sees it."""
        made = self.game(**wanted)
        joined = self.send("Bob", f"/games/{made['id']}/join", {"invite": made["invite"]})
        assert joined.status_code == 200
        view: dict[str, Any] = {
            **made,
            **self.store.games.view_data(self.load(made["id"]), self.ids["Ann"]),
        }
        return view

    def load(self, game_id: str) -> Any:
        return self.store.games.load(game_id)

    def relay_all(self) -> None:
        """Deliver everything that is due by now."""
        for notice in self.context.container.log.outbox.claim(limit=1000, lease=LEASE):
            deliver(self.context, notice)

    def mailed(self, game_id: str, version: int, name: str, kind: str) -> bool:
        """Whether this player has been sent this mail."""
        begins = f"<{game_id}.{version}.{self.ids[name]}.{kind}@"
        return any(mail.id.startswith(begins) for mail in Mailbox(self.redis).newest())

    def check(self) -> None:
        """Every log is sound, and the lists are what the logs say."""
        store = self.store
        games = list(store.log.events.game_ids())
        assert [fault_in_stored(store.log.events, game) for game in games] == [None] * len(games)
        listed = self._lists()
        if listed:
            self.redis.delete(*listed)
        list(reindex(store, games))
        assert self._lists() == listed

    def _lists(self) -> dict[str, Any]:
        keys = self.redis.scan_iter("st:*:games:*")
        reads: dict[str, Callable[[str], Any]] = {
            "hash": self.redis.hgetall,
            "zset": lambda key: self.redis.zrange(key, 0, -1),
        }
        return {key: reads[self.redis.type(key)](key) for key in keys}
