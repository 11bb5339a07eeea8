"""The deadline decides, whoever looks first: no worker runs in these tests."""

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from redis.exceptions import OutOfMemoryError
from werkzeug.test import TestResponse

from service.container import Container
from tests.support.clock import NOON, Clock
from tests.support.people import Person, Started, code
from tests.support.telling import tell_all

DAY = 86_400
KEY = {"Idempotency-Key": "k1"}
CLOCK = {"clock": {"days_per_move": 1}}


@pytest.fixture
def game(ada: Person, bob: Person, container: Container) -> Started:
    """Ada is to move, within a day."""
    game = Started(ada, bob, **CLOCK)
    tell_all(container)
    return game


@pytest.fixture
def match(ada: Person, bob: Person, container: Container) -> Started:
    match = Started(ada, bob, rounds=3, **CLOCK)
    tell_all(container)
    return match


def types_of(container: Container, game_id: str) -> list[str]:
    return [json.loads(text)["type"] for text in container.log.events.read(game_id)]


Write = tuple[str, str, dict[str, Any]]
WRITES: list[Write] = [
    ("POST", "/moves", {"card": "R1", "stone": 1}),
    ("POST", "/turns", {"actions": ["!1"]}),
    ("POST", "/turns", {"actions": ["pass"]}),
    ("POST", "/claims", {"stone": 1}),
    ("POST", "/resignation", {}),
    ("POST", "/offers", {"kind": "abandonment"}),
    ("PUT", "/orders", {"claim_proved": True}),
]


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("seat", ["north", "south"])
class TestTooLate:
    def late(self, game: Started, clock: Clock, seat: str, write: Write) -> TestResponse:
        clock.time += 2 * DAY
        method, part, body = write
        send = game.players[seat].post if method == "POST" else game.players[seat].put
        return send(f"{game.path}{part}", body)

    def test_it_changes_nothing_but_what_the_clock_does(
        self, game: Started, container: Container, clock: Clock, seat: str, write: Write
    ) -> None:
        answer = self.late(game, clock, seat, write)
        assert (answer.status_code, code(answer)) == (409, "game-over")
        assert types_of(container, game.id)[3:] == ["timed_out", "round_ended", "game_ended"]
        assert game.view()["winner"] == "south"
        assert container.log.side_state.read(game.id) == {}

    def test_the_next_round_of_a_match_is_not_touched(
        self, match: Started, container: Container, clock: Clock, seat: str, write: Write
    ) -> None:
        answer = self.late(match, clock, seat, write)
        assert (answer.status_code, code(answer)) == (409, "time-out")
        assert types_of(container, match.id)[3:] == ["timed_out", "round_ended", "round_started"]
        view = match.view()
        assert (answer.json["version"], view["round"]) == (view["version"], 2)
        assert view["deadline"] == "2026-11-24T12:00:00Z"


def test_a_move_at_the_last_second_counts(game: Started, clock: Clock) -> None:
    clock.time = NOON + DAY - 1
    assert game.play_any().status_code == 200
    assert game.view()["deadline"] == "2026-11-23T11:59:59Z"


def test_a_late_move_is_refused_alike_whatever_the_cards(
    app: Flask, ada: Person, bob: Person, clock: Clock
) -> None:
    games = [Started(ada, bob, salt=salt, **CLOCK) for salt in "ab"]
    clock.time += DAY
    answers = [
        ada.post(f"{game.path}/turns", {"actions": [action]}).data
        for game in games
        for action in ("R1@1", "R9@9", "JOK@2", "pass")
    ]
    assert len(set(answers)) == 1


def test_a_move_that_was_carried_out_in_time_is_answered_however_late(
    ada: Person, game: Started, clock: Clock
) -> None:
    body = {"actions": game.legal()[:1]}
    first = ada.post(f"{game.path}/turns", body, headers=KEY)
    clock.time += 3 * DAY
    again = ada.post(f"{game.path}/turns", body, headers=KEY)
    assert (again.status_code, again.data) == (200, first.data)


def test_a_stranger_is_told_that_they_are_one(ada: Person, bob: Person, eve: Person) -> None:
    game = Started(ada, bob, private=True, **CLOCK)
    ada.clock.time += DAY
    answer = eve.post(f"{game.path}/turns", {"actions": ["pass"]})
    assert (answer.status_code, code(answer)) == (404, "game-not-found")


def test_two_who_look_at_once_end_it_once(
    ada: Person, game: Started, container: Container, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.time += DAY
    append = container.log.events.append

    def overtaken(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(container.log.events, "append", append)
        assert container.games.time_out(game.id) is not None
        return append(*args, **options)

    monkeypatch.setattr(container.log.events, "append", overtaken)
    assert code(ada.post(f"{game.path}/turns", {"actions": ["pass"]})) == "game-over"
    assert types_of(container, game.id).count("timed_out") == 1


class TestLooking:
    @pytest.mark.parametrize("part", ["", "/events", "/record", "/orders", "/offers"])
    def test_whoever_looks_sees_that_it_is_over(
        self, ada: Person, game: Started, container: Container, clock: Clock, part: str
    ) -> None:
        clock.time += DAY
        assert ada.get(f"{game.path}{part}").status_code == 200
        assert types_of(container, game.id)[-1] == "game_ended"

    def test_a_passer_by_too_and_the_tag_tells(
        self, client: FlaskClient, game: Started, clock: Clock
    ) -> None:
        path = f"/v1{game.path}"
        before = client.get(path).headers["ETag"]
        clock.time += DAY
        answer = client.get(path, headers={"If-None-Match": before})
        assert (answer.status_code, answer.json["reason"]) == (200, "time-out")
        assert answer.headers["ETag"] != before

    def test_the_lists_know_it(self, ada: Person, bob: Person, game: Started, clock: Clock) -> None:
        clock.time += DAY
        assert ada.get("/games?turn=me").json["games"] == []
        assert bob.get("/games?status=active").json["games"] == []
        (listed,) = bob.get("/games?status=finished").json["games"]
        assert (listed["id"], listed["winner"]) == (game.id, "south")

    def test_an_open_game_is_shown_as_called_off(self, client: FlaskClient, ada: Person) -> None:
        made = ada.post("/games", {"listed": True}).json
        ada.clock.time += 14 * DAY
        assert client.get("/v1/lobby").json["games"] == []
        assert client.get(f"/v1/games/{made['id']}").json["status"] == "aborted"

    def test_what_redis_does_not_take_is_shown_as_it_is(
        self,
        client: FlaskClient,
        game: Started,
        container: Container,
        clock: Clock,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def full(*args: Any, **options: Any) -> None:
            raise OutOfMemoryError("OOM command not allowed")

        clock.time += DAY
        monkeypatch.setattr(container.log.events, "append", full)
        assert client.get(f"/v1{game.path}").json["status"] == "active"


class TestOpenGames:
    def test_nobody_joins_after_the_time(
        self, ada: Person, bob: Person, clock: Clock, client: FlaskClient
    ) -> None:
        made = ada.post("/games").json
        path, body = f"/games/{made['id']}/join", {"invite": made["invite"]}
        clock.time += 14 * DAY
        assert code(bob.post(path, body)) == "invitation-expired"
        assert code(client.post(f"/v1{path}", json={**body, "name": "Gus"})) == "invitation-expired"

    def test_an_old_rematch_gives_way_to_a_new_one(
        self, ada: Person, bob: Person, game: Started, clock: Clock
    ) -> None:
        bob.post(f"{game.path}/resignation")
        first = ada.post(f"{game.path}/rematch").json
        clock.time += 14 * DAY
        second = bob.post(f"{game.path}/rematch").json
        assert (second["status"], second["id"] != first["id"]) == ("open", True)
        assert ada.get(f"/games/{first['id']}").json["status"] == "aborted"

    def test_a_game_that_is_over_by_its_clock_has_a_rematch(
        self, bob: Person, game: Started, clock: Clock
    ) -> None:
        clock.time += DAY
        assert bob.post(f"{game.path}/rematch").json["status"] == "open"


def test_an_account_is_closed_with_games_whose_time_is_up(
    ada: Person, bob: Person, match: Started, clock: Clock
) -> None:
    clock.time += DAY
    assert ada.delete("/me").status_code == 204
    assert bob.get(match.path).json["winner"] == "south"
