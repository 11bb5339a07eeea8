"""GET /v1/lobby, and guests who take a seat."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client
from tests.support.clock import Clock
from tests.support.people import Person, Started, code


class TestLobby:
    def test_it_shows_who_waits_for_what_game(self, client: FlaskClient, ada: Person) -> None:
        wanted = {"edition": "bga", "tactics": True, "first_player": "creator", "seat": "south"}
        made = ada.post("/games", {**wanted, "listed": True, "clock": {"days_per_move": 3}}).json
        assert client.get("/v1/lobby").json == {
            "games": [
                {
                    "id": made["id"],
                    "created_at": "2026-11-21T12:00:00Z",
                    "expires_at": "2026-12-05T12:00:00Z",
                    "creator": {"id": ada.id, "name": "Ada", "bot": False},
                    "seat": "north",
                    "edition": "bga",
                    "tactics": True,
                    "expert": False,
                    "rounds": 1,
                    "first_player": "creator",
                    "clock": {"days_per_move": 3},
                    "rated": True,
                }
            ],
            "next": None,
        }

    def test_only_listed_games_that_wait_are_there(
        self, client: FlaskClient, ada: Person, bob: Person
    ) -> None:
        ada.post("/games")
        taken, called_off = (ada.post("/games", {"listed": True}).json["id"] for _ in range(2))
        bob.post(f"/games/{taken}/join")
        ada.delete(f"/games/{called_off}")
        assert client.get("/v1/lobby").json["games"] == []

    def test_nothing_is_kept_of_games_that_are_gone(
        self, client: FlaskClient, ada: Person, redis: Client, container: Container
    ) -> None:
        called_off = ada.post("/games", {"listed": True}).json["id"]
        waiting = container.games.load(called_off)
        ada.delete(f"/games/{called_off}")
        assert redis.keys("st:{lobby}:*") == []
        # A process that was slow to list the game as it was lists it until somebody looks.
        container.games.index.apply(waiting)
        assert redis.keys("st:{lobby}:*") != []
        assert client.get("/v1/lobby").json["games"] == []
        assert redis.keys("st:{lobby}:*") == []

    def test_nothing_is_kept_of_an_invitation_that_another_took(
        self, ada: Person, bob: Person, eve: Person, redis: Client
    ) -> None:
        made = ada.post("/games", {"opponent": {"player": bob.id}}).json
        eve.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
        assert redis.keys(f"st:{{{bob.id}}}:games:*") == []

    def test_it_comes_in_pages_the_newest_first(
        self, client: FlaskClient, ada: Person, clock: Clock
    ) -> None:
        made = []
        for _ in range(5):
            clock.time += 1
            made.append(ada.post("/games", {"listed": True}).json["id"])
        seen, cursor = [], ""
        while cursor is not None:
            page = client.get(f"/v1/lobby?limit=2{cursor and f'&cursor={cursor}'}").json
            seen += [game["id"] for game in page["games"]]
            cursor = page["next"]
        assert seen == made[::-1]

    def test_a_cursor_that_was_never_given_out_is_refused(self, client: FlaskClient) -> None:
        answer = client.get("/v1/lobby?cursor=here")
        assert (answer.status_code, code(answer)) == (422, "validation-failed")


class TestGuests:
    @pytest.fixture
    def made(self, ada: Person) -> Any:
        return ada.post("/games", {"first_player": "opponent", "private": True}).json

    def seated(self, client: FlaskClient, game: Any, headers: Any = None, **body: Any) -> Any:
        wanted = {"invite": game["invite"], "name": "Guest", **body}
        return client.post(f"/v1/games/{game['id']}/join", json=wanted, headers=headers)

    def test_a_guest_sits_down_with_the_link_and_a_name(
        self, client: FlaskClient, ada: Person, made: Any
    ) -> None:
        answer = self.seated(client, made)
        view, account = answer.json, answer.json["account"]
        assert answer.status_code == 201
        assert (view["seat"], view["turn"]) == ("south", "south")
        assert view["players"]["south"] == {"id": account["id"], "name": "Guest", "bot": False}
        assert answer.headers["Cache-Control"] == "no-store"
        headers = {"Authorization": f"Bearer {account['token']}"}
        turn = {"actions": view["legal"][:1]}
        played = client.post(f"/v1/games/{made['id']}/turns", json=turn, headers=headers)
        assert played.json["turn"] == "north"

    def test_a_guest_keeps_the_account_by_giving_an_address(
        self, client: FlaskClient, made: Any
    ) -> None:
        account = self.seated(client, made).json["account"]
        headers = {"Authorization": f"Bearer {account['token']}"}
        kept = client.patch("/v1/me", json={"email": "guest@example.org"}, headers=headers)
        assert kept.json["email"] == "guest@example.org"

    def test_without_invite_or_name_there_is_no_seat(self, client: FlaskClient, made: Any) -> None:
        for body, refusal in (({"invite": "guessed"}, "game-not-found"), ({"name": None}, None)):
            answer = self.seated(client, made, **body)
            assert code(answer) == (refusal or "unauthenticated")
        assert (
            client.get(f"/v1/games/{made['id']}?invite={made['invite']}").json["status"] == "open"
        )

    def test_nobody_is_registered_for_a_seat_that_is_taken(
        self, client: FlaskClient, game: Started, container: Container
    ) -> None:
        answer = client.post(f"/v1{game.path}/join", json={"invite": game.invite, "name": "Guest"})
        assert (answer.status_code, code(answer)) == (409, "seat-taken")
        assert container.players.named("Guest") == []

    def test_only_the_guest_s_own_key_gives_the_token_again(
        self, client: FlaskClient, made: Any
    ) -> None:
        key = {"Idempotency-Key": "7d1f0b62-53a8-4c0e-9f0e-2b8a4c6d9e10"}
        first, again = (self.seated(client, made, headers=key) for _ in range(2))
        assert first.data == again.data
        assert code(self.seated(client, made)) == "seat-taken"
        other = {"Idempotency-Key": "fR0LYlOoTA6fDiuKTG2eEA"}
        assert code(self.seated(client, made, headers=other)) == "seat-taken"

    def test_a_listed_game_takes_guests_without_an_invite(
        self, client: FlaskClient, ada: Person
    ) -> None:
        made = ada.post("/games", {"listed": True}).json
        assert self.seated(client, made, invite=None).status_code == 201
