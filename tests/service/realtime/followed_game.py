"""A running game whose events are followed, and how many processes listen for its news."""

from typing import Any

from service.core.redis.client import CHANNEL, Client
from tests.support.web_server import Received, WebServer


class FollowedGame:
    """A game of Ada, north, who began, and Bob. Eve is a spectator. Each name is a token."""

    def __init__(self, web: WebServer, **options: Any) -> None:
        self._web = web
        self.ada, self.bob, self.eve = (self._register(name) for name in ("Ada", "Bob", "Eve"))
        wanted = {"first_player": "creator", **options}
        made = web.request("POST", "/games", wanted, token=self.ada).json
        self.id, self.path, self.invite = made["id"], f"/games/{made['id']}", made["invite"]
        body = {"invite": self.invite}
        assert web.request("POST", f"{self.path}/join", body, token=self.bob).status == 200

    def play(self) -> Received:
        """The player to move takes the first legal turn: three events."""
        view = self._web.request("GET", self.path, token=self.ada).json
        token = self.ada if view["turn"] == "north" else self.bob
        legal = self._web.request("GET", self.path, token=token).json["legal"]
        played = self._web.request(
            "POST", f"{self.path}/turns", {"actions": legal[:1]}, token=token
        )
        assert played.status == 200, played.text
        return played

    def resign(self) -> None:
        """Ada resigns, which ends the game."""
        self._web.request("POST", f"{self.path}/resignation", {}, token=self.ada)

    def events(self, token: str, after: int = 0) -> list[dict[str, Any]]:
        """The events as plain JSON."""
        path = f"{self.path}/events?after={after}"
        found: list[dict[str, Any]] = self._web.request("GET", path, token=token).json["events"]
        return found

    def _register(self, name: str) -> str:
        return str(self._web.request("POST", "/players", {"name": name}).json["token"])


def listeners(redis: Client, topic: str) -> int:
    """How many processes listen for news of a topic."""
    return int(redis.pubsub_numsub(f"{CHANNEL}{topic}")[0][1])
