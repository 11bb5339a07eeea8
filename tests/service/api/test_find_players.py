"""GET /v1/players and GET /v1/players/{id}: who is here, without an address, ever."""

from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from service.accounts import names
from service.bots import BOTS
from service.container import Container
from service.core.redis.client import Client
from tests.support.people import Person, Started, code

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

    def test_a_deleted_account_is_found_no_more(
        self, client: FlaskClient, ada: Person, redis: Client
    ) -> None:
        ada.delete("/me")
        assert found(client, "Ada") == []
        assert redis.zcard(names._LISTED) == 0

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
