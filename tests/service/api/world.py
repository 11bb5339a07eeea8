"""Players and a game of theirs, for tests that ask every endpoint."""

from copy import copy
from typing import Any

from flask.testing import FlaskClient

from service.accounts.identities import TRUSTED_HEADER, Identity
from service.accounts.tokens import SCOPES
from service.container import EXTENSION
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
        further = self.owner.post("/me/answer-addresses", {"email": "ada@example.com"})
        self.ids["address_id"] = further.json["id"]
        identities = client.application.extensions[EXTENSION].identities
        for name in ("ada", "countess"):
            identities.link(self.owner.id, Identity(TRUSTED_HEADER, name), name)
        self.ids["link_id"] = identities.all_of(self.owner.id)[0].id
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
