"""Registering, finding and showing players."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from service.accounts import names
from service.accounts.idempotency import KEY_LIFE
from service.bots import BOTS
from service.container import Container
from service.core.redis.client import Client
from service.core.words import Languages
from tests.support.catalogues import PO
from tests.support.clock import Clock
from tests.support.people import Person, Started, code
from tests.support.stored_state import stored_text

KEY = {"Idempotency-Key": "7d1f0b62-53a8-4c0e-9f0e-2b8a4c6d9e10"}

SECRET = 43
"""Characters of a token that nobody can guess, at its end."""

ADA = {"name": "Ada", "email": "ada@example.org"}


def test_a_new_player_gets_an_id_and_a_token(client: FlaskClient) -> None:
    answer = client.post("/v1/players", json=ADA)
    assert answer.status_code == 201
    assert answer.json.keys() == {"id", "name", "token"}
    assert answer.json["name"] == "Ada"
    assert answer.headers["Cache-Control"] == "no-store"


def test_mails_begin_in_the_language_that_the_program_accepts(
    client: FlaskClient, container: Container, tmp_path: Path
) -> None:
    (tmp_path / "de.po").write_text(PO.format(name="Deutsch", reviewed="by Eva, 2026"))
    container.languages = Languages(tmp_path)

    def language(name: str, accepted: str) -> str | None:
        headers = {"Accept-Language": accepted}
        made = client.post("/v1/players", json={"name": name}, headers=headers).json
        return container.mail_preferences.choice(made["id"]).language

    assert language("Ada", "fr, de-AT;q=0.8") == "de"
    assert language("Bo", "en, de;q=0.8") == "en"
    assert language("Cy", "tlh") is None


def test_the_token_shows_its_owners_account_and_is_stored_nowhere(
    client: FlaskClient, redis: Client
) -> None:
    token = client.post("/v1/players", json=ADA).json["token"]
    me = client.get("/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert (me.json["name"], me.json["email"]) == ("Ada", "ada@example.org")

    kept = stored_text(redis)
    assert "Ada" in kept
    assert token[-SECRET:] not in kept


def test_two_players_may_have_the_same_address(client: FlaskClient) -> None:
    names = ("Ada", "Grace")
    first, second = (client.post("/v1/players", json={**ADA, "name": name}).json for name in names)
    assert first["id"] != second["id"]
    assert first["token"] != second["token"]


@pytest.mark.parametrize("name", ["Ada", "ADA", "\u00c1da", "\u0410da", "\uff21da"])
def test_a_name_like_anothers_is_refused_with_one_that_is_free(
    client: FlaskClient, ada: Person, name: str
) -> None:
    answer = client.post("/v1/players", json={"name": name})
    assert (answer.status_code, code(answer)) == (409, "name-taken")
    suggestion = answer.json["suggestion"]
    assert suggestion == f"{name} 2"
    assert client.post("/v1/players", json={"name": suggestion}).status_code == 201


@pytest.mark.parametrize("name", ["Random", "RAND0M", "st\u0435ward", "Steward (b\u03bft)"])
def test_a_name_like_a_bots_is_reserved(client: FlaskClient, name: str) -> None:
    answer = client.post("/v1/players", json={"name": name})
    assert (answer.status_code, code(answer)) == (422, "name-reserved")


def test_nobody_takes_anothers_name_by_renaming(ada: Person, bob: Person) -> None:
    answer = bob.patch("/me", {"name": "ADA"})
    assert (answer.status_code, code(answer)) == (409, "name-taken")
    assert bob.get("/me").json["name"] == "Bob"
    assert bob.patch("/me", {"name": "BOB"}).json["name"] == "BOB"
    ada.patch("/me", {"name": "Countess"})
    assert bob.patch("/me", {"name": "Ada"}).json["name"] == "Ada"


def test_a_guest_simply_gets_another_name(client: FlaskClient, ada: Person, bob: Person) -> None:
    made = ada.post("/games").json
    seat = {"name": "BOB", "invite": made["invite"]}
    answer = client.post(f"/v1/games/{made['id']}/join", json=seat)
    assert (answer.status_code, answer.json["account"]["name"]) == (201, "BOB 2")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Ada \t Lovelace ", "Ada Lovelace"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("王小明", "王小明"),
        ("\uff21da", "\uff21da"),
        ("7", "7"),
        ("?!", "?!"),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_name_is_kept_in_one_form(client: FlaskClient, given: str, kept: str) -> None:
    assert client.post("/v1/players", json={"name": given}).json["name"] == kept


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": None},
        {"name": ""},
        {"name": "   "},
        {"name": "x" * 41},
        {"name": "a\u202eb"},
        {"name": "a\u0000b"},
        {"name": "\u0301"},
        {"name": "\u3164"},
        {"name": "\u115f\u1160 \uffa0"},
        {"name": "\u2800"},
        {"name": 7},
        {"name": "Ada", "email": "nobody"},
        {"name": "Ada", "email": f"{'x' * 250}@example.org"},
        {"name": "Ada", "nickname": "Ad"},
        [],
        "Ada",
    ],
)
def test_what_is_no_registration_is_refused(client: FlaskClient, redis: Client, body: Any) -> None:
    answer = client.post("/v1/players", json=body)
    assert (answer.status_code, code(answer)) == (422, "validation-failed")
    assert answer.json["errors"]
    assert redis.dbsize() == 0


class TestIdempotencyKey:
    def test_the_same_request_gives_the_same_player_and_token(
        self, client: FlaskClient, clock: Clock
    ) -> None:
        first = client.post("/v1/players", json=ADA, headers=KEY)
        clock.time += 3600
        again = client.post("/v1/players", json=ADA, headers=KEY)
        assert (again.status_code, again.data) == (201, first.data)

    def test_a_key_is_for_one_body_and_one_address_for_a_day(
        self, client: FlaskClient, redis: Client
    ) -> None:
        client.post("/v1/players", json=ADA, headers=KEY)
        answer = client.post("/v1/players", json={"name": "Eve"}, headers=KEY)
        assert (answer.status_code, code(answer)) == (422, "idempotency-key-reused")

        (slot,) = redis.keys("st:repeat:*")
        assert 0 < redis.ttl(slot) <= KEY_LIFE

        elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
        other = client.post("/v1/players", json=ADA, headers=KEY, environ_base=elsewhere)
        assert code(other) == "name-taken"

    def test_a_refused_request_keeps_no_key(self, client: FlaskClient, ada: Person) -> None:
        assert code(client.post("/v1/players", json=ADA, headers=KEY)) == "name-taken"
        assert ada.container.redis.keys("st:repeat:*") == []
        other = client.post("/v1/players", json={"name": "Grace"}, headers=KEY)
        assert other.status_code == 201

    @pytest.mark.parametrize(
        "key",
        [
            "k1",
            "0" * 32,
            "a" * 22,
            "0123456789abcdef01234567",
            "my own first registration!",
            "my-own-first-registration",
            "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",  # of a moment, not random
            "0b5dbd6c-2f0c-4c4e-9a52-8d6e5f0f7a31",  # an example that was in openapi.yaml
        ],
    )
    def test_a_key_that_others_could_have_is_refused(
        self, client: FlaskClient, redis: Client, key: str
    ) -> None:
        answer = client.post("/v1/players", json=ADA, headers={"Idempotency-Key": key})
        assert (answer.status_code, code(answer)) == (422, "weak-idempotency-key")
        assert redis.dbsize() == 0

    @pytest.mark.parametrize(
        "key",
        [
            "7D1F0B62-53A8-4C0E-9F0E-2B8A4C6D9E10",
            "7d1f0b6253a84c0e9f0e2b8a4c6d9e10",
            "fR0LYlOoTA6fDiuKTG2eEA",
            "fR0LYlOoTA6fDiuKTG2eEA==",
            "fR0LYlOoTA6fDiuKTG2eEAfR0LYlOoTA6fDiuKTG2eE",
        ],
    )
    def test_a_key_that_nobody_guesses_will_do(self, client: FlaskClient, key: str) -> None:
        answer = client.post("/v1/players", json=ADA, headers={"Idempotency-Key": key})
        assert answer.status_code == 201

    def test_no_more_than_the_most_keys_are_kept(
        self, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("service.accounts.idempotency.MAX_KEYS", 3)
        for number in range(4):
            key = {"Idempotency-Key": f"{number}{KEY['Idempotency-Key'][1:]}"}
            answer = client.post("/v1/players", json={"name": f"Ada the {number}"}, headers=key)
        assert (answer.status_code, code(answer)) == (429, "too-many-requests")

    @pytest.mark.parametrize("key", ["", "x" * 201, "käse", "a\tb"])
    def test_what_is_no_key_is_refused(self, client: FlaskClient, key: str) -> None:
        answer = client.post("/v1/players", json=ADA, headers={"Idempotency-Key": key})
        assert (answer.status_code, code(answer)) == (400, "malformed-request")


@pytest.mark.parametrize(
    "header", ["Bearer nonsense", "Bearer ", "Bearer", "Basic QWRh", "", "Bearer \u00e9"]
)
def test_a_wrong_token_is_told_even_where_none_is_needed(
    client: FlaskClient, game: Started, header: str
) -> None:
    for path in ("/v1/me", f"/v1{game.path}"):
        answer = client.get(path, headers={"Authorization": header})
        assert (answer.status_code, code(answer)) == (401, "unauthenticated")
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_without_a_token_there_is_no_me(client: FlaskClient) -> None:
    assert code(client.get("/v1/me")) == "unauthenticated"


NEW = {"rating": 1500, "deviation": 350, "games": 0}


def found(client: FlaskClient, name: str, **query: Any) -> list[str]:
    asked = "".join(f"&{key}={value}" for key, value in query.items())
    answer = client.get(f"/v1/players?name={quote(name)}{asked}")
    assert answer.status_code == 200, answer.text
    return [player["name"] for player in answer.json["players"]]


class TestByName:
    def test_whoever_has_the_name_comes_first_then_those_it_begins(
        self, client: FlaskClient
    ) -> None:
        for name in ("Adam", "Ada Lovelace", "Ada", "Bob", "Madam"):
            Person(client, name)
        assert found(client, "Ada") == ["Ada", "Ada Lovelace", "Adam"]
        assert found(client, "adam") == ["Adam"]
        assert found(client, "Zed") == []

    @pytest.mark.parametrize("asked", ["zo\u00eb", "ZOE", "Zo\u0435", "\uff3a\uff4f", "Zoe W"])
    def test_case_accents_and_look_alikes_do_not_matter(
        self, client: FlaskClient, asked: str
    ) -> None:
        Person(client, "Zo\u00eb Wang")
        assert found(client, asked) == ["Zo\u00eb Wang"]

    def test_pages_lead_through_all_of_them_once(self, client: FlaskClient) -> None:
        names = [f"Ada {letter}" for letter in "bcdefgh"]
        for name in names:
            Person(client, name)
        seen: list[str] = []
        path: str | None = "/v1/players?name=ada&limit=3"
        while path:
            answer = client.get(path)
            seen += [player["name"] for player in answer.json["players"]]
            link = answer.headers.get("Link")
            assert (link is None) == (answer.json["next"] is None)
            path = link.partition(">")[0].removeprefix("<") if link else None
        assert seen == names

    def test_a_cursor_of_another_search_leads_nowhere_else(self, client: FlaskClient) -> None:
        for name in ("Ada B", "Ada C", "Bob B", "Bob C", "Cleo"):
            Person(client, name)
        cursor = client.get("/v1/players?name=ada&limit=1").json["next"]
        assert found(client, "bob", cursor=cursor) == ["Bob B", "Bob C"]
        cursor = client.get("/v1/players?name=bob&limit=1").json["next"]
        assert found(client, "ada", cursor=cursor) == []

    @pytest.mark.parametrize("query", ["", "?name=", "?name=%20", "?name=Ada&cursor=x", "?id=a"])
    def test_what_is_no_search_is_refused(self, client: FlaskClient, query: str) -> None:
        assert code(client.get(f"/v1/players{query}")) == "validation-failed"

    def test_a_new_name_is_found_and_the_old_one_is_not(
        self, client: FlaskClient, ada: Person
    ) -> None:
        ada.patch("/me", {"name": "Cleo"})
        assert (found(client, "Cleo"), found(client, "Ada")) == (["Cleo"], [])
        ada.patch("/me", {"name": "cleo"})
        assert found(client, "Cl") == ["cleo"]

    def test_a_deleted_account_is_found_no_more(self, client: FlaskClient, ada: Person) -> None:
        ada.delete("/me")
        assert found(client, "Ada") == []
        assert ada.container.redis.zcard(names._LISTED) == 0

    def test_no_address_finds_anybody_or_is_told(self, client: FlaskClient) -> None:
        person = Person(client, "Ada", email="ada@example.org")
        assert found(client, "ada@example.org") == []
        for path in ("/v1/players?name=Ada", f"/v1/players/{person.id}"):
            assert "example.org" not in client.get(path).text

    def test_what_was_lost_or_is_stale_is_mended_by_rebuilding(
        self, client: FlaskClient, ada: Person, bob: Person, container: Container, redis: Client
    ) -> None:
        entries = names.NameList(redis)
        entries.remove("Ada", ada.id)
        entries.add("Eve", bob.id)
        entries.add("Eve", "a" * 16)
        assert (found(client, "Ada"), found(client, "Eve")) == ([], [])
        container.players.index_names()
        assert (found(client, "Ada"), found(client, "Bob")) == (["Ada"], ["Bob"])
        assert redis.zcard(names._LISTED) == 2

    def test_players_of_an_older_version_are_found(
        self, client: FlaskClient, redis: Client
    ) -> None:
        record = {"name": "Ada", "created": "2026-01-01T00:00:00Z"}
        redis.hset(f"st:{{{'b' * 16}}}:player", mapping=record)
        redis.set("st:{names}:complete", "1")
        assert found(client, "ada") == ["Ada"]

    def test_a_name_that_folds_to_many_characters_is_found(self, client: FlaskClient) -> None:
        Person(client, "\ufdfa" * 40)
        assert found(client, "\ufdfa" * 3) == ["\ufdfa" * 40]


class TestOne:
    def test_it_tells_what_anybody_may_know(self, client: FlaskClient, ada: Person) -> None:
        assert client.get(f"/v1/players/{ada.id}").json == {
            "id": ada.id,
            "name": "Ada",
            "bot": False,
            "owner": None,
            "created_at": "2026-11-21T12:00:00Z",
            "games": {"active": 0, "finished": 0},
            "ratings": {"base": NEW, "tactics": NEW},
            "head_to_head": None,
        }

    def test_games_are_counted_but_for_private_ones(
        self, client: FlaskClient, ada: Person, bob: Person
    ) -> None:
        over, _, secret = Started(ada, bob), Started(ada, bob), Started(ada, bob, private=True)
        ada.post("/games")
        bob.post(f"{over.path}/resignation")
        bob.post(f"{secret.path}/resignation")
        for person in (ada, bob):
            told = client.get(f"/v1/players/{person.id}").json["games"]
            assert told == {"active": 1, "finished": 1}

    @pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)
    def test_a_bot_is_told_as_one(self, client: FlaskClient, bot: Any) -> None:
        shown = client.get(f"/v1/players/{bot.player}").json
        assert (shown["name"], shown["bot"], shown["created_at"]) == (bot.title, True, None)

    @pytest.mark.parametrize("player", ["a" * 16, "nobody", "x" * 300, "%00"])
    def test_nobody(self, client: FlaskClient, player: str) -> None:
        answer = client.get(f"/v1/players/{player}")
        assert (answer.status_code, code(answer)) == (404, "player-not-found")

    def test_a_deleted_account_is_nobody(self, client: FlaskClient, ada: Person) -> None:
        ada.delete("/me")
        assert code(client.get(f"/v1/players/{ada.id}")) == "player-not-found"
