"""Nobody has more games at once than a player could ever play."""

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from service.games import limits
from tests.support.people import Person, Started, code


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Caps that a test comes to soon."""
    monkeypatch.setattr(limits, "MOST_OPEN", 2)
    monkeypatch.setattr(limits, "MOST_ACTIVE", 2)


def _open_games(person: Person, number: int = 2) -> list[str]:
    made = [person.post("/games") for _ in range(number)]
    assert [answer.status_code for answer in made] == [201] * number
    return [answer.json["id"] for answer in made]


def _bot_games(person: Person, number: int = 2) -> list[str]:
    bot = {"opponent": {"bot": "random"}}
    made = [person.post("/games", bot) for _ in range(number)]
    assert [answer.status_code for answer in made] == [201] * number
    return [answer.json["id"] for answer in made]


def test_a_game_too_many_that_waits_is_refused(ada: Person) -> None:
    game, _ = _open_games(ada)
    refused = ada.post("/games")
    assert (refused.status_code, code(refused)) == (409, "too-many-games")
    ada.delete(f"/games/{game}")
    assert ada.post("/games").status_code == 201


def test_nobody_fills_the_lobby(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_OPEN", 5)
    monkeypatch.setattr(limits, "MOST_LISTED", 2)
    listed = [ada.post("/games", {"listed": True}) for _ in range(3)]
    assert [answer.status_code for answer in listed] == [201, 201, 409]
    assert code(listed[2]) == "too-many-games"
    assert ada.post("/games").status_code == 201
    ada.delete(f"/games/{listed[0].json['id']}")
    assert ada.post("/games", {"listed": True}).status_code == 201


def test_games_that_wait_do_not_keep_one_from_playing_a_bot(ada: Person) -> None:
    _open_games(ada)
    _bot_games(ada)
    refused = ada.post("/games", {"opponent": {"bot": "random"}})
    assert (refused.status_code, code(refused)) == (409, "too-many-games")


def test_the_last_game_can_be_asked_for_again(ada: Person) -> None:
    key = {"headers": {"Idempotency-Key": "the last one"}}
    _open_games(ada, 1)
    last = ada.post("/games", **key).json
    assert ada.post("/games", **key).json["id"] == last["id"]
    assert len(ada.get("/games").json["games"]) == 2


def test_the_invitations_of_others_take_no_room(ada: Person, bob: Person) -> None:
    for _ in range(2):
        bob.post("/games", {"opponent": {"player": ada.id}})
    _open_games(ada)


def _join(ada: Person, bob: Person) -> str:
    made = ada.post("/games", {"listed": True}).json
    return f"/games/{made['id']}/join"


def _accept(ada: Person, bob: Person) -> str:
    made = ada.post("/challenges", {"player": bob.id}).json
    return f"/challenges/{made['id']}/acceptance"


def _rematch(ada: Person, bob: Person) -> str:
    over = Started(ada, bob)
    bob.post(f"{over.path}/resignation")
    assert ada.post(f"{over.path}/rematch").status_code == 200
    return f"{over.path}/rematch"


@pytest.mark.parametrize("way", [_join, _accept, _rematch])
def test_whoever_plays_too_many_begins_no_other(
    ada: Person, bob: Person, way: Callable[[Person, Person], str]
) -> None:
    path = way(ada, bob)
    games = _bot_games(bob)
    refused = bob.post(path)
    assert (refused.status_code, code(refused)) == (409, "too-many-games")
    bob.post(f"/games/{games[0]}/resignation")
    assert bob.post(path).status_code == 200
    assert len(bob.get("/games?status=active").json["games"]) == 2


def test_a_player_with_too_many_games_can_go_on_with_them(ada: Person, bob: Person) -> None:
    games = [Started(ada, bob), Started(ada, bob)]
    for game in games:
        assert game.play_any().status_code == 200


def test_guests_have_the_same_caps(client: FlaskClient, ada: Person) -> None:
    made = ada.post("/games").json
    seat = {"invite": made["invite"], "name": "Gustav"}
    account = client.post(f"/v1/games/{made['id']}/join", json=seat).json["account"]
    token = {"Authorization": f"Bearer {account['token']}"}
    statuses = [client.post("/v1/games", json={}, headers=token).status_code for _ in range(3)]
    assert statuses == [201, 201, 409]
