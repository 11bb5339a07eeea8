"""Games of a later version of the program are refused by name, and stand in nobody else's way."""

import json

import pytest

from engine.chain import canonical
from service.container import Container
from service.core.redis.client import Client
from tests.support.people import Person, Started, code


@pytest.fixture
def later(container: Container, game: Started) -> Started:
    """A game whose last event is of a version that is not known yet."""
    line = json.loads(container.log.events.read(game.id)[-1])
    event = {**line, "seq": line["seq"] + 1, "v": 9}
    container.log.events.append(game.id, line["seq"], [canonical(event)])
    return game


def test_such_a_game_is_refused_with_the_type_and_version(ada: Person, later: Started) -> None:
    answer = ada.get(later.path)
    assert (answer.status_code, code(answer)) == (500, "unreadable-log")
    assert "round_started v9" in answer.json["detail"]


def test_nothing_is_written_to_it(ada: Person, container: Container, later: Started) -> None:
    version = container.log.events.version(later.id)
    assert code(ada.post(f"{later.path}/turns", {"actions": ["R1@1"]})) == "unreadable-log"
    assert container.log.events.version(later.id) == version


@pytest.fixture
def damaged(container: Container, game: Started) -> Started:
    """A game with an event that no program wrote."""
    container.log.events.append(game.id, container.log.events.version(game.id), ['{"x":1}'])
    return game


def test_a_damaged_game_is_refused_as_such(ada: Person, damaged: Started) -> None:
    answer = ada.get(damaged.path)
    assert (answer.status_code, code(answer)) == (500, "unreadable-log")
    assert "damaged" in answer.json["detail"]


def test_a_damaged_game_stands_in_the_way_of_no_other(
    ada: Person, bob: Person, damaged: Started
) -> None:
    other = Started(ada, bob)
    assert [game["id"] for game in ada.get("/games").json["games"]] == [other.id]
    assert [game["id"] for game in ada.get("/me/export").json["games"]] == [other.id]


def test_a_player_of_a_damaged_game_can_delete_the_account(ada: Person, damaged: Started) -> None:
    assert ada.delete("/me").status_code == 204
    assert ada.get("/me").status_code == 401


def test_the_player_s_other_games_are_listed(ada: Person, bob: Person, later: Started) -> None:
    other = Started(ada, bob)
    assert [game["id"] for game in ada.get("/games").json["games"]] == [other.id]


def test_a_log_packed_by_a_later_program_is_refused_too(game: Started, redis: Client) -> None:
    game.bob.post(f"{game.path}/resignation")
    (log_key,) = redis.scan_iter(f"*{game.id}:log")
    redis.delete(log_key)
    redis.set(log_key, "9 100 what is to come")
    answer = game.ada.get(game.path)
    assert (answer.status_code, code(answer)) == (500, "unreadable-log")
    assert "form 9" in answer.json["detail"]
