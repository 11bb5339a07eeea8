"""What a stranger, a late repeat or a former invite must not get."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.container import Container
from service.core.redis.client import Client
from tests.support.clock import Clock
from tests.support.people import Person, Started, code

KEY = {"Idempotency-Key": "7d1f0b62-53a8-4c0e-9f0e-2b8a4c6d9e10"}
DAYS = 24 * 60 * 60


@pytest.fixture
def made(ada: Person) -> dict[str, Any]:
    answer: dict[str, Any] = ada.post("/games", {"private": True}).json
    return answer


def join(client: FlaskClient, made: dict[str, Any], name: str = "Guest", **headers: str) -> Any:
    body = {"invite": made["invite"], "name": name}
    return client.post(f"/v1/games/{made['id']}/join", json=body, headers=headers or KEY)


def me(client: FlaskClient, answer: TestResponse) -> TestResponse:
    bearer = {"Authorization": f"Bearer {answer.json['account']['token']}"}
    return client.get(f"/v1/games/{answer.json['id']}", headers=bearer)


def test_a_key_that_two_could_have_gives_nobody_a_guest(
    client: FlaskClient, made: dict[str, Any]
) -> None:
    answer = join(client, made, **{"Idempotency-Key": "join-1"})
    assert (answer.status_code, code(answer)) == (422, "weak-idempotency-key")


def test_a_join_repeated_weeks_later_gives_its_guest_and_no_other_name(
    client: FlaskClient, made: dict[str, Any], clock: Clock, redis: Client
) -> None:
    first = join(client, made)
    clock.time += 40 * DAYS
    redis.delete(*redis.keys("st:repeat*"), "nothing")
    again = join(client, made)
    assert again.data == first.data
    assert me(client, again).json["seat"] == "south"

    other = join(client, made, "Mallory")
    assert (other.status_code, code(other)) == (422, "idempotency-key-reused")
    assert me(client, first).json["players"]["south"]["name"] == "Guest"


def test_a_join_repeated_after_the_guest_s_end_gives_no_token(
    client: FlaskClient, made: dict[str, Any], container: Container
) -> None:
    player = container.players.find(join(client, made).json["account"]["id"])
    assert player is not None
    container.accounts.close(player)
    again = join(client, made)
    assert (again.status_code, code(again)) == (409, "idempotency-key-spent")


def test_a_join_that_died_after_the_registration_is_finished_by_its_repeat(
    client: FlaskClient, made: dict[str, Any], container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as dying:
        dying.setattr(container.games, "join", lambda *given, **options: 1 / 0)
        assert join(client, made).status_code == 500
    answer = join(client, made)
    assert (answer.status_code, answer.json["account"]["name"]) == (201, "Guest")
    assert me(client, answer).json["seat"] == "south"


class TestTheInvite:
    def test_it_opens_a_private_game_until_the_seat_is_taken(
        self, client: FlaskClient, made: dict[str, Any]
    ) -> None:
        page, view = (f"{path}/{made['id']}?invite={made['invite']}" for path in PATHS)
        for path in (page, view):
            assert client.get(path).status_code == 200
        join(client, made)
        assert client.get(view).status_code == 404
        taken = client.get(page)
        assert taken.status_code == 409
        assert "Somebody has used this invitation" in taken.text
        assert client.get(page.partition("?")[0]).status_code == 404

    def test_what_it_opens_is_kept_by_no_cache(
        self, client: FlaskClient, made: dict[str, Any]
    ) -> None:
        for path in PATHS:
            for query in (f"?invite={made['invite']}", "?invite=guessed", ""):
                answer = client.get(f"{path}/{made['id']}{query}")
                assert answer.headers["Cache-Control"] == "no-store"
                assert "Vary" in answer.headers

    def test_nor_is_a_private_game(
        self, client: FlaskClient, ada: Person, made: dict[str, Any]
    ) -> None:
        join(client, made)
        path = f"/games/{made['id']}"
        for part in ("", "/events", "/record", "/proofs"):
            answer = ada.get(f"{path}{part}")
            assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
            again = ada.get(f"{path}{part}", headers={"If-None-Match": answer.headers["ETag"]})
            assert (again.status_code, again.headers["Cache-Control"]) == (304, "no-store")

    def test_a_public_game_may_be_asked_for_again(self, ada: Person, game: Started) -> None:
        assert ada.get(game.path).headers["Cache-Control"] == "private, no-cache"


PATHS = ("/games", "/v1/games")
