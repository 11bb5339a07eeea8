"""Two of everything at once, and once more later: whatever comes first, the game stays sound."""

import json
from collections.abc import Callable, Iterator
from threading import Barrier, Thread
from typing import Any, NamedTuple

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from engine.record import from_jsonl
from engine.verify import verify
from service.container import Container
from tests.support.people import Person, Started, code
from tests.support.telling import tell_all

DAY = 86_400
TIMES = 6
"""How often each pair of requests is sent: either may come first."""


@pytest.fixture
def together(app: Flask) -> Callable[..., list[TestResponse]]:
    """Send requests at the same moment, each from a client of its own."""

    def send(*requests: tuple[Person, str, str, dict[str, Any]]) -> list[TestResponse]:
        answers: list[TestResponse | None] = [None] * len(requests)
        start = Barrier(len(requests))

        def one(place: int, person: Person, method: str, path: str, body: dict[str, Any]) -> None:
            headers = {"Authorization": f"Bearer {person.token}"}
            client = app.test_client()
            start.wait()
            answers[place] = client.open(f"/v1{path}", method=method, headers=headers, json=body)

        threads = [Thread(target=one, args=(i, *asked)) for i, asked in enumerate(requests)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [answer for answer in answers if answer is not None]

    return send


class Race(NamedTuple):
    """Two people, and what sends their requests at the same moment."""

    together: Callable[..., list[TestResponse]]
    ada: Person
    bob: Person


@pytest.fixture
def race(together: Callable[..., list[TestResponse]], ada: Person, bob: Person) -> Race:
    return Race(together, ada, bob)


def told(answers: list[TestResponse]) -> list[str]:
    """`ok`, or the code of each refusal, in order of the alphabet."""
    return sorted("ok" if answer.status_code < 400 else code(answer) for answer in answers)


def types_of(container: Container, game_id: str) -> list[str]:
    return [json.loads(text)["type"] for text in container.log.events.read(game_id)]


def opened(ada: Person) -> Iterator[tuple[str, dict[str, str]]]:
    """Open games, one after the other: the path of each, and the body that joins it."""
    for _ in range(TIMES):
        made = ada.post("/games").json
        yield f"/games/{made['id']}", {"invite": made["invite"]}


class TestTheFreeSeat:
    def test_one_of_two_who_join_sits_down(self, race: Race, eve: Person) -> None:
        for path, body in opened(race.ada):
            answers = race.together(
                (race.bob, "POST", f"{path}/join", body), (eve, "POST", f"{path}/join", body)
            )
            assert told(answers) == ["ok", "seat-taken"]
            assert race.ada.get(path).json["version"] == 3

    def test_joining_twice_at_once_takes_one_seat(self, race: Race) -> None:
        for path, body in opened(race.ada):
            answers = race.together(*2 * [(race.bob, "POST", f"{path}/join", body)])
            assert told(answers) == ["already-joined", "ok"]

    def test_it_is_taken_or_called_off(self, race: Race, container: Container) -> None:
        for path, body in opened(race.ada):
            answers = race.together(
                (race.bob, "POST", f"{path}/join", body), (race.ada, "DELETE", path, {})
            )
            status = race.ada.get(path).json["status"]
            refusal = {"active": "game-started", "aborted": "game-over"}[status]
            assert told(answers) == sorted([refusal, "ok"])
            assert (
                len(types_of(container, path.removeprefix("/games/")))
                == {"active": 3, "aborted": 2}[status]
            )


def test_a_challenge_is_accepted_or_withdrawn(
    together: Callable[..., list[TestResponse]], ada: Person, bob: Person
) -> None:
    for _ in range(TIMES):
        made = ada.post("/challenges", {"player": bob.id}).json
        path = f"/challenges/{made['id']}"
        answers = together((bob, "POST", f"{path}/acceptance", {}), (ada, "DELETE", path, {}))
        assert told(answers) == ["challenge-closed", "ok"]
        begun = bob.get(f"/games/{made['id']}").status_code == 200
        assert ada.get(path).json["status"] == ("accepted" if begun else "withdrawn")
        if begun:
            bob.post(f"/games/{made['id']}/resignation")


def test_a_challenge_accepted_twice_at_once_is_one_game(race: Race) -> None:
    made = race.ada.post("/challenges", {"player": race.bob.id}).json
    path = f"/challenges/{made['id']}/acceptance"
    first, second = race.together(*2 * [(race.bob, "POST", path, {})])
    assert first.status_code == 200
    assert first.data == second.data


class TestRematches:
    def test_both_who_ask_at_once_come_to_one_game(self, race: Race) -> None:
        for _ in range(TIMES):
            game = Started(race.ada, race.bob)
            race.bob.post(f"{game.path}/resignation")
            path = f"{game.path}/rematch"
            answers = race.together((race.ada, "POST", path, {}), (race.bob, "POST", path, {}))
            assert told(answers) == ["ok", "ok"]
            (game_id,) = {answer.json["id"] for answer in answers}
            assert race.ada.get(f"/games/{game_id}").json["status"] == "active"
            race.bob.post(f"/games/{game_id}/resignation")

    def test_one_is_asked_for_and_called_off_however_often(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob)
        bob.post(f"{game.path}/resignation")
        seen = set()
        for _ in range(20):
            made = ada.post(f"{game.path}/rematch").json
            assert made["status"] == "open"
            seen.add(made["id"])
            ada.delete(f"/games/{made['id']}")
        assert len(seen) == 20


class TestTheEnd:
    def test_a_move_and_a_resignation_at_once_both_count_or_one_does(
        self, race: Race, container: Container
    ) -> None:
        for _ in range(TIMES):
            game = Started(race.ada, race.bob)
            move = {"actions": game.legal()[:1]}
            answers = race.together(
                (race.ada, "POST", f"{game.path}/turns", move),
                (race.bob, "POST", f"{game.path}/resignation", {}),
            )
            assert told(answers) in (["ok", "ok"], ["game-over", "ok"])
            assert verify(from_jsonl(race.ada.get(f"{game.path}/record").text)) is None

    def test_one_of_two_who_resign_does(self, race: Race, container: Container) -> None:
        for _ in range(TIMES):
            game = Started(race.ada, race.bob)
            path = f"{game.path}/resignation"
            answers = race.together((race.ada, "POST", path, {}), (race.bob, "POST", path, {}))
            assert told(answers) == ["game-over", "ok"]
            assert types_of(container, game.id).count("resigned") == 1

    def test_two_who_offer_to_abandon_at_once_have_agreed(self, race: Race, ada: Person) -> None:
        for _ in range(TIMES):
            game = Started(ada, race.bob)
            path, wanted = f"{game.path}/offers", {"kind": "abandonment"}
            answers = race.together((ada, "POST", path, wanted), (race.bob, "POST", path, wanted))
            assert told(answers) == ["ok", "ok"]
            assert ada.get(game.path).json["reason"] == "agreement"

    def test_whoever_looks_when_the_time_is_up_ends_it_once(self, race: Race, eve: Person) -> None:
        for _ in range(TIMES):
            game = Started(race.ada, race.bob, clock={"days_per_move": 1})
            tell_all(eve.container)
            move = {"actions": game.legal()[:1]}
            eve.clock.time += DAY
            answers = race.together(
                (race.ada, "POST", f"{game.path}/turns", move),
                (race.bob, "POST", f"{game.path}/turns", move),
                (eve, "GET", game.path, {}),
                (race.bob, "GET", "/games", {}),
            )
            assert told(answers) == ["game-over", "game-over", "ok", "ok"]
            assert types_of(eve.container, game.id).count("timed_out") == 1
