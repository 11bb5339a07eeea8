"""GET /v1/lobby and GET /v1/games?public=true: games that anybody may find."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client
from service.games.projections import player_games
from service.ops.integrity import reindex
from service.ops.operating import remove_game
from tests.support.people import Person, Started, code
from tests.support.stored_state import StoredState


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

    def test_nothing_is_kept_of_games_that_are_gone(self, client: FlaskClient, ada: Person) -> None:
        called_off = ada.post("/games", {"listed": True}).json["id"]
        waiting = ada.container.games.load(called_off)
        ada.delete(f"/games/{called_off}")
        assert ada.container.redis.keys("st:{lobby}:*") == []
        # A process that was slow to list the game as it was lists it until somebody looks.
        ada.container.games.index.apply(waiting)
        assert ada.container.redis.keys("st:{lobby}:*") != []
        assert client.get("/v1/lobby").json["games"] == []
        assert ada.container.redis.keys("st:{lobby}:*") == []

    def test_nothing_is_kept_of_an_invitation_that_another_took(
        self, ada: Person, bob: Person, eve: Person, redis: Client
    ) -> None:
        made = ada.post("/games", {"opponent": {"player": bob.id}}).json
        eve.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
        assert redis.keys(f"st:{{{bob.id}}}:games:*") == []

    def test_it_comes_in_pages_the_newest_first(self, client: FlaskClient, ada: Person) -> None:
        made = []
        for _ in range(5):
            ada.clock.time += 1
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
            assert code(self.seated(client, made, **body)) == (refusal or "unauthenticated")
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


PATH = "/v1/games?public=true"


def listed(ada: Person, bob: Person | None = None, **options: Any) -> str:
    """A game from the lobby, which this other player has joined."""
    made = ada.post("/games", {"listed": True, **options})
    assert made.status_code == 201, made.text
    game = str(made.json["id"])
    if bob is not None:
        assert bob.post(f"/games/{game}/join").status_code == 200
    return game


def found(client: FlaskClient, query: str = "") -> list[str]:
    return [game["id"] for game in client.get(PATH + query).json["games"]]


def test_a_listed_game_stays_until_its_end_and_after(
    client: FlaskClient, ada: Person, bob: Person, eve: Person
) -> None:
    game = listed(ada, clock={"days_per_move": 3})
    assert found(client) == found(client, "&status=open") == [game]
    bob.post(f"/games/{game}/join")
    assert found(client) == found(client, "&status=active") == [game]
    (shown,) = client.get(PATH).json["games"]
    assert shown["seat"] is None
    assert shown == eve.get("/games?public=true").json["games"][0]
    assert ada.get("/games?public=true").json["games"] == ada.get("/games").json["games"]
    bob.post(f"/games/{game}/resignation")
    assert found(client) == found(client, "&status=finished") == [game]
    assert found(client, "&status=active") == found(client, "&status=open") == []
    assert client.get("/v1/lobby").json["games"] == []


def test_nobody_finds_a_game_whose_players_did_not_ask_for_it(
    client: FlaskClient, ada: Person, bob: Person
) -> None:
    game = listed(ada, bob)
    ada.post(f"/games/{game}/resignation")
    rematch = bob.post(f"/games/{game}/rematch").json["id"]
    ada.post(f"/games/{game}/rematch")
    challenge = ada.post("/challenges", {"player": bob.id})
    bob.post(f"/challenges/{challenge.json['id']}/acceptance")
    for options in ({}, {"private": True}, {"opponent": {"bot": "steward"}}):
        made = ada.post("/games", options).json
        bob.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
    ada.post(f"/games/{game}/practice")
    called_off = listed(ada)
    ada.delete(f"/games/{called_off}")
    assert client.get(f"/v1/games/{rematch}").json["status"] == "active"
    assert found(client) == [game]


def test_a_game_that_the_operator_removed_is_gone(
    client: FlaskClient, ada: Person, bob: Person, container: Container
) -> None:
    remove_game(container, "operator", listed(ada, bob), "spam")
    assert found(client) == []


def test_they_come_in_pages_the_newest_first(client: FlaskClient, ada: Person, bob: Person) -> None:
    games = []
    for number in range(5):
        games.insert(0, listed(ada, bob if number % 2 else None))
        ada.clock.time += 60
    first = client.get(f"{PATH}&limit=2")
    assert [game["id"] for game in first.json["games"]] == games[:2]
    cursor = first.json["next"]
    assert f"public=true&limit=2&cursor={cursor}" in first.headers["Link"]
    assert found(client, f"&limit=4&cursor={cursor}") == games[2:]
    tag = {"If-None-Match": first.headers["ETag"]}
    assert client.get(f"{PATH}&limit=2", headers=tag).status_code == 304
    assert found(client, "&edition=bga") == []


def test_without_a_token_only_public_games_are_listed(client: FlaskClient) -> None:
    for query in ("", "?public=false"):
        assert code(client.get(f"/v1/games{query}")) == "unauthenticated"


@pytest.mark.parametrize("other", ["turn=me", "mine=true", f"opponent={'a' * 16}"])
def test_what_asks_for_ones_own_games_is_refused(ada: Person, other: str) -> None:
    answer = ada.get(f"/games?public=true&{other}")
    assert (answer.status_code, answer.json["errors"].keys()) == (422, {"public"})


def test_reindexing_brings_them_back(client: FlaskClient, ada: Person, bob: Person) -> None:
    games = [listed(ada), listed(ada, bob), listed(ada, bob)]
    bob.post(f"/games/{games[1]}/resignation")
    before = StoredState.of(ada.container.redis)
    ada.container.redis.delete(*ada.container.redis.keys("st:{lobby}:*"))
    assert found(client) == []
    for done in reindex(ada.container, games):
        assert done.fault is None
    assert set(found(client)) == set(games)
    assert not [
        key for key in before.changed(StoredState.of(ada.container.redis)) if "lobby" in key
    ]


def test_of_those_that_are_finished_the_newest_are_kept(
    client: FlaskClient, ada: Person, bob: Person, redis: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_games, "MOST_PUBLIC", 2)
    games = []
    for _ in range(5):
        games.insert(0, listed(ada, bob))
        ada.clock.time += 60
    for game in games[1:]:
        bob.post(f"/games/{game}/resignation")
    assert found(client) == games[:3]
    assert redis.hlen("st:{lobby}:games:about") == redis.hlen("st:{lobby}:games:versions") == 3
