"""Tokens of an account, and its own bots."""

import uuid
from copy import copy
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.accounts.registration import MOST_BOTS
from service.accounts.tokens import ACCESS_CACHE_SECONDS, MAX_TOKENS, SCOPES
from service.container import Container
from service.core.ids import is_owned_bot
from service.core.redis.client import Client
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.people import Person, Started, code
from tests.support.settings import settings
from tests.support.stored_state import stored_text

SECRET = 43
"""Characters of a token that nobody can guess, at its end."""
READER = {"name": "dashboard", "scopes": ["games:read"]}


def using(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_token_is_shown_once_and_stored_nowhere(ada: Person, redis: Client) -> None:
    made = ada.post("/me/tokens", READER)
    token = made.json["token"]
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    assert token not in ada.get("/me/tokens").text
    kept = stored_text(redis)
    assert READER["name"] in kept
    assert token[-SECRET:] not in kept


def test_tokens_are_listed_with_names_scopes_and_last_use(ada: Person, client: FlaskClient) -> None:
    ada.clock.time += 3600
    token = ada.post("/me/tokens", READER).json["token"]
    ada.clock.time += 90
    client.get("/v1/games", headers=using(token))

    first, second = ada.get("/me/tokens").json["tokens"]

    assert (first["name"], first["scopes"]) == ("registration", list(SCOPES))
    assert (second["name"], second["scopes"]) == ("dashboard", ["games:read"])
    assert second["created_at"] == "2026-11-21T13:00:00Z"
    assert second["last_used_at"] == "2026-11-21T13:01:30Z"


def test_use_is_noted_at_most_once_a_minute(ada: Person, redis: Client, clock: Clock) -> None:
    def noted() -> str:
        return str(redis.hvals(f"st:{{{ada.id}}}:used"))

    clock.time += 100
    ada.get("/games")
    at_first = noted()
    clock.time += 59
    ada.get("/games")
    assert noted() == at_first
    clock.time += 1
    ada.get("/games")
    assert noted() != at_first


def test_what_a_token_gives_is_asked_for_once_in_a_quarter_of_a_second(
    ada: Person, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = 1000.0
    monkeypatch.setattr("service.accounts.tokens.monotonic", lambda: moment)
    assert container.tokens.cached_access(ada.token) is None
    ada.get("/me")
    assert container.tokens.cached_access(ada.token).player == ada.id
    moment += ACCESS_CACHE_SECONDS
    assert container.tokens.cached_access(ada.token) is None
    ada.get("/me")
    assert container.tokens.cached_access(ada.token).player == ada.id


@pytest.mark.parametrize("end", ["/me/tokens/{}", "/me"])
def test_once_a_revocation_is_answered_no_process_takes_the_token(ada: Person, end: str) -> None:
    made = ada.post("/me/tokens", READER).json
    other = create_app(settings(), ada.container.redis, ada.clock).test_client()
    assert other.get("/v1/games", headers=using(made["token"])).status_code == 200

    assert ada.delete(end.format(made["id"])).status_code == 204
    assert other.get("/v1/games", headers=using(made["token"])).status_code == 401


def test_what_was_begun_while_an_account_was_deleted_is_ended_too(
    ada: Person, redis: Client, container: Container, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = create_app(settings(), redis, clock).test_client()
    assert other.get("/v1/games", headers=using(ada.token)).status_code == 200
    made: list[Any] = []

    def meanwhile(seconds: float) -> None:
        for path, body in (("me/tokens", READER), ("games", {"listed": True})):
            answer = other.post(f"/v1/{path}", json=body, headers=using(ada.token))
            assert answer.status_code == 201
            made.append(answer.json)

    monkeypatch.setattr("service.accounts.tokens.sleep", meanwhile)
    assert ada.delete("/me").status_code == 204

    token, game = made
    assert other.get("/v1/games", headers=using(token["token"])).status_code == 401
    assert container.games.load(game["id"]).game.status == "aborted"
    assert not list(redis.scan_iter(f"st:{{{ada.id}}}:*"))


def test_a_code_of_the_devices_page_signs_a_program_in_once(
    ada: Person, container: Container, client: FlaskClient
) -> None:
    asked = {"code": container.device_links.make(ada.id), "name": "terminal"}
    made = client.post("/v1/sign-ins", json=asked)
    assert (made.status_code, made.json["id"], made.json["name"]) == (201, ada.id, ada.name)
    assert made.headers["Cache-Control"] == "no-store"
    listed = {token["name"]: token for token in ada.get("/me/tokens").json["tokens"]}
    assert set(listed["terminal"]["scopes"]) == set(SCOPES)
    assert client.get("/v1/me", headers=using(made.json["token"])).json["id"] == ada.id
    again = client.post("/v1/sign-ins", json=asked)
    assert (again.status_code, code(again)) == (404, "code-not-found")


def test_a_revoked_token_is_good_for_nothing_and_nobody_revokes_those_of_others(
    ada: Person, bob: Person, client: FlaskClient
) -> None:
    made = ada.post("/me/tokens", READER).json
    answer = bob.delete(f"/me/tokens/{made['id']}")
    assert (answer.status_code, code(answer)) == (404, "token-not-found")
    assert len(ada.get("/me/tokens").json["tokens"]) == 2

    assert ada.delete(f"/me/tokens/{made['id']}").status_code == 204
    answer = client.get("/v1/games", headers=using(made["token"]))
    assert (answer.status_code, code(answer)) == (401, "unauthenticated")
    assert len(ada.get("/me/tokens").json["tokens"]) == 1


def test_a_token_does_no_more_than_its_scopes_say(ada: Person, client: FlaskClient) -> None:
    token = using(ada.post("/me/tokens", READER).json["token"])
    assert client.get("/v1/games", headers=token).status_code == 200
    for method, path in (("POST", "/v1/games"), ("PATCH", "/v1/me"), ("DELETE", "/v1/me")):
        answer = client.open(path, method=method, headers=token)
        assert (answer.status_code, code(answer)) == (403, "insufficient-scope")


def test_a_token_gives_no_scope_that_it_does_not_have(ada: Person, client: FlaskClient) -> None:
    narrow = ada.post("/me/tokens", {"name": "admin", "scopes": ["account"]}).json["token"]
    answer = client.post("/v1/me/tokens", json=READER, headers=using(narrow))
    assert (answer.status_code, code(answer)) == (403, "insufficient-scope")


def test_a_repeat_gives_the_same_token_until_it_is_revoked(
    ada: Person, client: FlaskClient
) -> None:
    key = {"headers": {"Idempotency-Key": "7d1f0b62-53a8-4c0e-9f0e-2b8a4c6d9e10"}}
    first, again = (ada.post("/me/tokens", READER, **key) for _ in range(2))
    assert first.data == again.data
    other = ada.post("/me/tokens", {**READER, "name": "x"}, **key)
    assert (other.status_code, code(other)) == (422, "idempotency-key-reused")

    made = ada.post("/me/tokens", READER, **key).json
    ada.delete(f"/me/tokens/{made['id']}")
    assert code(ada.post("/me/tokens", READER, **key)) == "idempotency-key-spent"
    assert client.get("/v1/games", headers=using(made["token"])).status_code == 401


def test_there_is_an_end_of_tokens(ada: Person) -> None:
    for _ in range(MAX_TOKENS - 1):
        assert ada.post("/me/tokens", READER).status_code == 201
    answer = ada.post("/me/tokens", READER)
    assert (answer.status_code, code(answer)) == (409, "too-many-tokens")


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": None},
        {"scopes": []},
        {"scopes": ["all"]},
        {"scopes": "games:read"},
        {"scopes": None},
        {"scopes": ["games:read"] * 4},
        {"expires": "never"},
    ],
)
def test_what_is_no_token_is_refused(ada: Person, change: Any) -> None:
    answer = ada.post("/me/tokens", {**READER, **change})
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


def test_a_browsers_session_is_listed_but_no_bearer_token(ada: Person, client: FlaskClient) -> None:
    session = ada.container.tokens.open_session(ada.id, "the web")
    assert client.get("/v1/games", headers=using(session)).status_code == 401
    listed = ada.get("/me/tokens").json["tokens"]
    assert {token["kind"] for token in listed} == {"api", "session"}

    ada.clock.time += 61 * 24 * 3600
    assert ada.container.tokens.authenticate(session, "session") is None
    assert len(ada.get("/me/tokens").json["tokens"]) == 1


def bot_of(owner: Person, name: str = "Deep") -> Person:
    made = owner.post("/me/bots", {"name": name})
    assert made.status_code == 201, made.json
    bot = copy(owner)
    bot.id, bot.token = made.json["id"], made.json["token"]
    return bot


def test_a_bot_is_shown_as_one_of_its_owner(ada: Person, bob: Person) -> None:
    made = ada.post("/me/bots", {"name": "Deep"})
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    assert made.json["name"] == "Deep (bot)"
    profile = bob.get(f"/players/{made.json['id']}").json
    assert profile["bot"] is True
    assert profile["owner"] == {"id": ada.id, "name": "Ada", "bot": False}
    public = profile.keys() - {"games", "ratings", "head_to_head"}
    assert ada.get("/me/bots").json["bots"] == [{key: profile[key] for key in public}]
    assert bob.get("/players?name=deep").json["players"] == ada.get("/me/bots").json["bots"]


def test_people_and_the_servers_bots_have_no_owner(ada: Person) -> None:
    person = ada.get(f"/players/{ada.id}").json
    server = ada.get(f"/players/{ada.get('/bots').json['bots'][0]['player']['id']}").json
    assert (person["bot"], person["owner"]) == (False, None)
    assert (server["bot"], server["owner"]) == (True, None)


def test_a_bot_is_marked_in_games_and_in_its_owners_export(
    ada: Person, bob: Person, client: FlaskClient, container: Container
) -> None:
    bot = bot_of(ada)
    seats = Started(bot, bob).view()["players"]
    assert seats["north"] == {"id": bot.id, "name": "Deep (bot)", "bot": True}
    assert seats["south"] == {"id": bob.id, "name": "Bob", "bot": False}

    assert [each["id"] for each in ada.get("/me/export").json["bots"]] == [bot.id]

    assert is_owned_bot(bot.id)
    assert not is_owned_bot(ada.id)
    stored = container.players.find(bot.id)
    assert stored is not None
    assert stored.owner == ada.id


def test_a_repeated_registration_gives_the_same_bot_and_token(ada: Person) -> None:
    def register() -> object:
        return ada.post("/me/bots", {"name": "Deep"}, headers={"Idempotency-Key": key}).json

    key = str(uuid.UUID(int=0x5F0C2E8A9B1D4C378A7E6D5C4B3A2918))
    first = register()
    assert register() == first
    assert len(ada.get("/me/bots").json["bots"]) == 1


def test_the_tenth_bot_is_the_last_and_an_ended_one_makes_room(ada: Person) -> None:
    bots = [bot_of(ada, f"Deep {number}") for number in range(MOST_BOTS)]
    assert code(ada.post("/me/bots", {"name": "Further"})) == "too-many-bots"
    assert ada.delete(f"/me/bots/{bots[0].id}").status_code == 204
    assert ada.post("/me/bots", {"name": "Further"}).status_code == 201


def test_an_ended_bot_resigns_and_is_gone(ada: Person, bob: Person) -> None:
    bot = bot_of(ada)
    game = Started(bot, bob)
    assert ada.delete(f"/me/bots/{bot.id}").status_code == 204
    assert bob.get(f"/games/{game.id}").json["winner"] == "south"
    assert code(bob.get(f"/players/{bot.id}")) == "player-not-found"
    assert code(bot.get("/me")) == "unauthenticated"
    assert code(ada.delete(f"/me/bots/{bot.id}")) == "player-not-found"


def test_a_bot_that_leaves_is_no_longer_listed(ada: Person) -> None:
    assert bot_of(ada).delete("/me").status_code == 204
    assert ada.get("/me/bots").json == {"bots": []}


def test_an_owner_who_leaves_takes_the_bots_along(ada: Person, redis: Client) -> None:
    bot = bot_of(ada)
    assert ada.delete("/me").status_code == 204
    assert code(bot.get("/me")) == "unauthenticated"
    assert "Deep" not in stored_text(redis)


def test_only_its_owner_ends_a_bot_or_renews_its_token(ada: Person, bob: Person) -> None:
    bot = bot_of(ada)
    assert code(bob.delete(f"/me/bots/{bot.id}")) == "player-not-found"
    assert code(bob.post(f"/me/bots/{bot.id}/token")) == "player-not-found"
    assert code(ada.delete(f"/me/bots/{bob.id}")) == "player-not-found"

    former = bot.token
    renewed = ada.post(f"/me/bots/{bot.id}/token")
    assert renewed.status_code == 201
    assert renewed.headers["Cache-Control"] == "no-store"
    assert code(bot.get("/me")) == "unauthenticated"
    bot.token = renewed.json["token"]
    assert bot.token != former
    assert bot.get("/me").json["id"] == bot.id


def test_a_bot_has_no_address_and_no_bots_and_keeps_its_sign(ada: Person) -> None:
    bot = bot_of(ada)
    for refused in (
        bot.patch("/me", {"email": "deep@example.org"}),
        bot.post("/me/bots", {"name": "Deeper"}),
    ):
        assert refused.status_code == 403
        assert code(refused) == "not-for-bots"

    assert bot.patch("/me", {"name": "Deeper"}).json["name"] == "Deeper (bot)"
    assert bot.patch("/me", {"name": "Deep" * 10}).json["name"] == "Deep" * 8 + "De (bot)"


@pytest.mark.parametrize("name", ["Deep (bot)", "Deep (B\N{CYRILLIC SMALL LETTER O}T) 2"])
def test_a_person_cannot_bear_the_sign_of_bots(ada: Person, name: str) -> None:
    assert code(ada.patch("/me", {"name": name})) == "name-reserved"


def test_a_suggested_name_is_one_that_a_bot_can_take(ada: Person, bob: Person) -> None:
    bot_of(ada)
    taken = bob.post("/me/bots", {"name": "Deep"}).json
    assert (taken["code"], taken["suggestion"]) == ("name-taken", "Deep 2 (bot)")
    assert bob.post("/me/bots", {"name": taken["suggestion"]}).json["name"] == "Deep 2 (bot)"


def test_blocking_an_owner_blocks_the_bots_but_not_the_other_way_round(
    ada: Person, bob: Person
) -> None:
    bot = bot_of(ada)
    bob.put(f"/me/blocked/{bot.id}", {})
    assert code(bot.post("/challenges", {"player": bob.id})) == "challenges-off"
    assert ada.post("/challenges", {"player": bob.id}).status_code == 201

    bob.put(f"/me/blocked/{ada.id}", {})
    assert code(bot.post("/challenges", {"player": bob.id})) == "challenges-off"
    assert code(bob.post("/challenges", {"player": bot.id})) == "challenges-off"


def test_a_closed_server_admits_the_bots_of_its_players(redis: Client, clock: Clock) -> None:
    ada = Person(create_app(settings(), redis, clock).test_client(), "Ada")
    closed = create_app(settings(registration="closed"), redis, clock).test_client()
    assert ada.through(closed).post("/me/bots", {"name": "Deep"}).status_code == 201
