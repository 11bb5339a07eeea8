"""What each turn of a finished game was worth, by API."""

from statistics import fmean

import pytest
from flask.testing import FlaskClient

from engine import SEATS
from service.bots import strategist
from service.container import Container
from tests.support.people import Person, Started, code
from tests.support.weighing import weigh_turns

TURNS = 3


@pytest.fixture
def over(game: Started, monkeypatch: pytest.MonkeyPatch) -> Started:
    """Three turns were played; then Bob gave up."""
    monkeypatch.setattr(strategist, "GAMES", 4)
    for _ in range(TURNS):
        game.play_any()
    game.players["south"].post(f"{game.path}/resignation")
    return game


def test_it_is_made_once_somebody_asks_for_it(
    over: Started, ada: Person, bob: Person, client: FlaskClient, container: Container
) -> None:
    path = f"{over.path}/analysis"
    assert ada.get(path).json["status"] == "none"
    assert client.post(f"/v1{path}").status_code == 401
    asked = ada.post(path)
    assert (asked.status_code, asked.json["status"], asked.json["of"]) == (202, "queued", None)
    assert asked.json["ahead"] == 0
    assert [asked.json[seat] for seat in SEATS] == [{"loss": None, "luck": None}] * 2
    weigh_turns(container, over.id, upto=1)
    running = bob.post(path).json
    assert (running["status"], running["weighed"], running["of"]) == ("running", 1, TURNS)
    assert running["ahead"] is None
    weigh_turns(container, over.id)
    for answer in (ada.get(path), bob.get(path), client.get(f"/v1{path}")):
        assert (answer.json["status"], answer.json["weighed"]) == ("done", TURNS)
        assert answer.json == ada.get(path).json


def test_each_turn_is_told_with_what_was_drawn(
    over: Started, ada: Person, container: Container
) -> None:
    weigh_turns(container, over.id)
    answer = ada.get(f"{over.path}/analysis").json
    events = ada.get(f"{over.path}/events").json["events"]
    for turn in answer["turns"]:
        play, draw = events[turn["seq"] - 1], events[turn["drawn_at"] - 1]
        assert (play["type"], play["by"]) == ("card_played", turn["seat"])
        assert draw["private"]["cards"] == [turn["drawn"]]
        assert 0 <= turn["chance"]["value"] <= 1
    assert [turn["seat"] for turn in answer["turns"]] == ["north", "south", "north"]
    for seat in ("north", "south"):
        losses = [turn["loss"]["value"] for turn in answer["turns"] if turn["seat"] == seat]
        assert answer[seat]["loss"]["value"] == pytest.approx(fmean(losses), abs=1e-4)
    assert answer["south"]["luck"]["error"] >= 0


def test_a_game_that_goes_on_is_refused(game: Started, ada: Person) -> None:
    game.play_any()
    for answer in (ada.get(f"{game.path}/analysis"), ada.post(f"{game.path}/analysis")):
        assert (answer.status_code, code(answer)) == (409, "game-not-over")
        assert answer.json["detail"] == "A game is analysed once it is over."


def test_a_private_game_s_is_shown_to_its_players_only(
    ada: Person, bob: Person, client: FlaskClient
) -> None:
    game = Started(ada, bob, private=True)
    bob.post(f"{game.path}/resignation")
    assert ada.get(f"{game.path}/analysis").status_code == 200
    stranger = Person(client, "Eve")
    for answer in (
        client.get(f"/v1{game.path}/analysis"),
        stranger.get(f"{game.path}/analysis"),
        stranger.post(f"{game.path}/analysis"),
    ):
        assert (answer.status_code, code(answer)) == (404, "game-not-found")
