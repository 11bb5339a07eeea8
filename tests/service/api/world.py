"""Players and a game of theirs, for tests that ask every endpoint."""

from collections.abc import Callable
from copy import copy
from typing import Any, Final

from flask.testing import FlaskClient

from service.accounts.identities import TRUSTED_HEADER, Identity
from service.accounts.tokens import SCOPES
from service.container import EXTENSION
from service.seasons.seasons import NewSeason
from tests.support.people import Person, Started


class World:
    """Players, and one game of the kind that a row is about."""

    def __init__(self, client: FlaskClient, game: str) -> None:
        self.client = client
        self.owner, self.opponent, self.spectator = (
            Person(client, name) for name in ("Ada", "Bob", "Eve")
        )
        self.ids = {"token_id": self._token("another", SCOPES)["id"], "player_id": self.owner.id}
        self.ids["bot_id"] = self.owner.post("/me/bots", {"name": "Deep"}).json["id"]
        channel = self.owner.post(
            "/me/channels", {"webhook": {"url": "https://hooks.example.org/"}}
        )
        self.ids["channel_id"] = channel.json["id"]
        named = (self.owner.id, "1", self.owner.id, f"webhook-{self.ids['channel_id']}", "test")
        self.ids["delivery_id"] = "_".join(named)
        container = client.application.extensions[EXTENSION]
        further = container.answer_addresses.add(self.owner.id, "ada@example.com")
        self.ids["address_id"] = further.id
        identities = container.identities
        for name in ("ada", "countess"):
            identities.link(self.owner.id, Identity(TRUSTED_HEADER, name), name)
        self.ids["link_id"] = identities.all_of(self.owner.id)[0].id
        self.ids["offer_kind"] = "pause"
        wanted = NewSeason("Spring league", players=6)
        self.ids["season_id"] = container.seasons.announce(wanted, None, "operator").id
        if game == "invited":
            made = self.owner.post("/games", {"opponent": {"player": self.opponent.id}})
            self.ids["game_id"] = made.json["id"]
        elif game == "theirs":  # the opponent's challenge
            challenge = self.opponent.post("/challenges", {"player": self.owner.id})
            self.ids["challenge_id"] = challenge.json["id"]
        elif game != "-":
            options = {"private": game == "private", "clock": {"days_per_move": 3}}
            started = Started(self.owner, self.opponent, **options)
            self.ids["game_id"] = started.id
            if game == "over":
                self.opponent.post(f"{started.path}/resignation")

    def through(self, client: FlaskClient) -> "World":
        """The same world, asked with another client."""
        same = copy(self)
        same.client = client
        same.owner, same.opponent, same.spectator = (
            person.through(client) for person in (self.owner, self.opponent, self.spectator)
        )
        return same

    def legal(self) -> list[str]:
        return list(self.owner.get(f"/games/{self.ids['game_id']}").json["legal"])

    def move(self) -> dict[str, Any]:
        card, _, stone = self.legal()[0].partition("@")
        return {"card": card, "stone": int(stone)}

    def token(self, role: str, scope: str) -> str | None:
        """The bearer token of this role; None for nobody."""
        if role == "nobody":
            return None
        if role == "narrow":
            others = [known for known in SCOPES if known != scope]
            return str(self._token(role, others)["token"])
        if role == "revoked":
            made = self._token(role, SCOPES)
            self.owner.delete(f"/me/tokens/{made['id']}")
            return str(made["token"])
        person: Person = getattr(self, role)
        return person.token

    def _token(self, name: str, scopes: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.owner.post(
            "/me/tokens", {"name": name, "scopes": list(scopes)}
        ).json
        return made


BODIES: Final[dict[str, Callable[[World], Any]]] = {
    "POST /v1/players": lambda world: {"name": "Zed"},
    "PATCH /v1/me": lambda world: {"name": "Zed"},
    "PATCH /v1/me/settings": lambda world: {"mail": {"delivery": "digest"}},
    "PATCH /v1/games/{game_id}/settings": lambda world: {"delivery": "off", "note": "blue"},
    "POST /v1/games/{game_id}/messages": lambda world: {"text": "Well played!"},
    "PUT /v1/games/{game_id}/messages/read": lambda world: {"number": 1},
    "POST /v1/games/{game_id}/messages/reports": lambda world: {"number": 1},
    "POST /v1/me/channels": lambda world: {"webhook": {"url": "https://hooks.example.org/"}},
    "PATCH /v1/me/channels/{channel_id}": lambda world: {"fallback": True},
    "POST /v1/me/tokens": lambda world: {"name": "bot", "scopes": ["account"]},
    "POST /v1/me/bots": lambda world: {"name": "Deep Stone"},
    "POST /v1/sign-ins": lambda world: {"code": "q7xk-m2vd-a5tz"},
    "POST /v1/seasons": lambda world: {"name": "Spring league", "players": 6},
    "POST /v1/seasons/{season_id}/challenges": lambda world: {"player": world.opponent.id},
    "POST /v1/challenges": lambda world: {"player": world.spectator.id},
    "POST /v1/games/{game_id}/moves": lambda world: world.move(),
    "POST /v1/games/{game_id}/turns": lambda world: {"actions": world.legal()[:1]},
    "POST /v1/games/{game_id}/claims": lambda world: {"stone": 1},
    "PUT /v1/me/calendar": lambda world: {"zone": "Asia/Kathmandu"},
    "POST /v1/games/{game_id}/offers": lambda world: {"kind": "pause"},
    "POST /v1/games/{game_id}/clock": lambda world: {"give": {"days": 1}},
}
"""Makes the body of each write that takes one, for a world."""
