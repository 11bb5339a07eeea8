"""GET /v1/games?public=true: the games that anybody may find."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client
from service.games.projections import player_games
from service.ops.integrity import reindex
from service.ops.operating import remove_game
from tests.support.clock import Clock
from tests.support.people import Person, code
from tests.support.stored_state import StoredState

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
    game = listed(ada, bob)
    remove_game(container, "operator", game, "spam")
    assert found(client) == []


def test_they_come_in_pages_the_newest_first(
    client: FlaskClient, ada: Person, bob: Person, clock: Clock
) -> None:
    games = []
    for number in range(5):
        games.insert(0, listed(ada, bob if number % 2 else None))
        clock.time += 60
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


def test_reindexing_brings_them_back(
    client: FlaskClient, ada: Person, bob: Person, container: Container, redis: Client
) -> None:
    games = [listed(ada), listed(ada, bob), listed(ada, bob)]
    bob.post(f"/games/{games[1]}/resignation")
    before = StoredState.of(redis)
    redis.delete(*redis.keys("st:{lobby}:*"))
    assert found(client) == []
    for done in reindex(container, games):
        assert done.fault is None
    assert set(found(client)) == set(games)
    assert not [key for key in before.changed(StoredState.of(redis)) if "lobby" in key]


def test_of_those_that_are_finished_the_newest_are_kept(
    client: FlaskClient,
    ada: Person,
    bob: Person,
    clock: Clock,
    redis: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(player_games, "MOST_PUBLIC", 2)
    games = []
    for _ in range(5):
        games.insert(0, listed(ada, bob))
        clock.time += 60
    for game in games[1:]:
        bob.post(f"/games/{game}/resignation")
    assert found(client) == games[:3]
    assert redis.hlen("st:{lobby}:games:about") == redis.hlen("st:{lobby}:games:versions") == 3
