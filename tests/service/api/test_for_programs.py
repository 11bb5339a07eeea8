"""What programs need besides playing: who they are, what they had before, what went wrong."""

from importlib import metadata

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.api import request_ids
from service.container import Container
from tests.service.api.declared import misfits
from tests.support.clock import Clock
from tests.support.people import Person, Started


def test_the_server_says_which_version_it_is(client: FlaskClient) -> None:
    answer = client.get("/v1").json
    assert answer == {
        "name": "scottenbury",
        "version": metadata.version("scottenbury"),
        "registration": "open",
        "sandbox": False,
    }


class TestWhoAmI:
    def with_scopes(self, ada: Person, *scopes: str) -> dict[str, str]:
        body = {"name": "program", "scopes": list(scopes)}
        return {"Authorization": f"Bearer {ada.post('/me/tokens', body).json['token']}"}

    @pytest.mark.parametrize("scope", ["games:read", "games:play"])
    def test_any_scope_says_who_it_is_and_what_it_may_do(
        self, ada: Person, client: FlaskClient, scope: str
    ) -> None:
        me = client.get("/v1/me", headers=self.with_scopes(ada, scope)).json
        assert me.keys() == {"id", "name", "created_at", "scopes"}
        assert (me["id"], me["name"], me["scopes"]) == (ada.id, "Ada", [scope])
        assert misfits({"$ref": "#/components/schemas/Me"}, me, document="urn:closed") == []

    def test_the_account_takes_its_scope(self, ada: Person) -> None:
        me = ada.get("/me").json
        assert me["scopes"] == ["games:read", "games:play", "account"]
        assert {"email", "mails"} <= me.keys()


class TestRepeats:
    def test_a_repeat_says_that_it_is_one(self, ada: Person, game: Started) -> None:
        key = {"headers": {"Idempotency-Key": "my first turn"}}
        turn = {"actions": [ada.get(game.path).json["legal"][0]]}
        mover = game.mover()
        first = mover.post(f"{game.path}/turns", turn, **key)
        again = mover.post(f"{game.path}/turns", turn, **key)
        assert "Idempotent-Replayed" not in first.headers
        assert again.headers["Idempotent-Replayed"] == "true"
        assert again.json == first.json


class TestLists:
    @pytest.mark.parametrize("path", ["/games", "/challenges", "/lobby", "/me/tokens"])
    def test_a_page_that_has_not_changed_is_not_sent_again(
        self, ada: Person, bob: Person, path: str
    ) -> None:
        first = ada.get(path)
        known = {"If-None-Match": first.headers["ETag"]}
        again = ada.get(path, headers=known)
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
        ada.post("/games", {"listed": True})
        ada.post("/challenges", {"name": "Bob"})
        ada.post("/me/tokens", {"name": "another", "scopes": ["account"]})
        assert ada.get(path, headers=known).status_code == 200

    def test_finished_games_can_be_followed(self, ada: Person, bob: Person, game: Started) -> None:
        bob.post(f"{game.path}/resignation")
        (ended,) = ada.get("/games?status=finished").json["games"]
        assert ended["ended_at"] == ada.get(game.path).json["ended_at"]
        asked = "/games?status=finished&ended_after="
        assert ada.get(f"{asked}{ended['ended_at']}").json["games"] == []
        assert ada.get(f"{asked}2020-01-01T00:00:00Z").json["games"] == [ended]

    def test_a_page_of_finished_games_is_full_while_others_follow(
        self, ada: Person, bob: Person, clock: Clock
    ) -> None:
        first, second, third = (Started(ada, bob) for _ in range(3))
        for ended in (second, first, third):
            ada.post(f"{ended.path}/resignation")
            clock.time += 60
        moment = ada.get(second.path).json["ended_at"]
        page = ada.get(f"/games?ended_after={moment}&limit=1").json
        following = ada.get(f"/games?ended_after={moment}&limit=1&cursor={page['next']}").json
        assert {g["id"] for p in (page, following) for g in p["games"]} == {first.id, third.id}
        assert following["next"] is None

    def test_a_game_under_way_has_not_ended(self, ada: Person, game: Started) -> None:
        (listed,) = ada.get("/games").json["games"]
        assert listed["ended_at"] is None
        assert listed["created_at"] == ada.get(game.path).json["created_at"]
        assert ada.get("/games?ended_after=2020-01-01T00:00:00Z").json["games"] == []


class TestRequestIds:
    def test_every_answer_has_one(self, client: FlaskClient) -> None:
        answers = [client.get(path) for path in ("/v1/editions", "/v1/me", "/nothing", "/healthz")]
        ids = {answer.headers["X-Request-Id"] for answer in answers}
        assert len(ids) == len(answers)

    def test_the_caller_may_choose_it(self, client: FlaskClient) -> None:
        asked = client.get("/v1/editions", headers={"X-Request-Id": "trace-7"})
        assert asked.headers["X-Request-Id"] == "trace-7"
        odd = client.get("/v1/editions", headers={"X-Request-Id": "a b"})
        assert odd.headers["X-Request-Id"] != "a b"

    def test_a_failure_names_it_and_so_does_the_log(
        self,
        app: Flask,
        container: Container,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        ids: list[dict[str, str]] = []
        caplog.handler.addFilter(lambda record: ids.append(request_ids.about()) or True)
        monkeypatch.setattr(container.games.lists, "lobby", lambda *_: 1 / 0)
        answer = app.test_client().get("/v1/lobby", headers={"X-Request-Id": "trace-7"})
        assert (answer.status_code, answer.json["request_id"]) == (500, "trace-7")
        assert {"request": "trace-7"} in ids
