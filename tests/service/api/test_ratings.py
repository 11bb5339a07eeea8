"""Ratings: what a profile and the end of a game show of them."""

import pytest
from flask.testing import FlaskClient

from service.bots import BOTS
from service.container import Container
from service.core.times import DAY
from tests.support.clock import Clock
from tests.support.people import Person, Started
from tests.web.shown import Shown, play_on

NEW = {"rating": 1500, "deviation": 350, "games": 0}
CLOCK = {"clock": {"days_per_move": 3}}


@pytest.fixture
def game(ada: Person, bob: Person) -> Started:
    return Started(ada, bob, **CLOCK)


def give_up(container: Container, game: Started) -> None:
    """Ada gives up after five turns of each."""
    ada, bob = game.players.values()
    play_on(container, Shown(game.id, ada.id, bob.id))
    assert ada.post(f"{game.path}/resignation").status_code == 200


def test_everybody_has_a_rating_from_the_first_day(client: FlaskClient, ada: Person) -> None:
    profile = client.get(f"/v1/players/{ada.id}").json
    assert (profile["ratings"], profile["head_to_head"]) == ({"base": NEW, "tactics": NEW}, None)
    bot = client.get(f"/v1/players/{BOTS['piper'].player}").json
    assert [kind["rating"] for kind in bot["ratings"].values()] == [*BOTS["piper"].ratings]
    shown = {each["name"]: each["ratings"] for each in client.get("/v1/bots").json["bots"]}
    assert shown["piper"] == bot["ratings"]


def test_the_end_of_a_game_shows_what_it_did(container: Container, game: Started) -> None:
    assert (game.view()["rated"], game.view()["ratings"]) == (True, None)
    give_up(container, game)
    ratings = game.view()["ratings"]
    assert ratings["north"]["before"] == ratings["south"]["before"] == 1500
    assert ratings["north"]["rating"] < 1400 < 1600 < ratings["south"]["rating"]
    assert ratings["north"]["deviation"] == ratings["south"]["deviation"] < 300
    assert game.players["north"].get(f"{game.path}?at=5").json["ratings"] is None


def test_a_profile_shows_the_rating_and_the_callers_games_against_the_player(
    container: Container, game: Started, eve: Person, clock: Clock
) -> None:
    give_up(container, game)
    ada, bob = game.players.values()
    profile = ada.get(f"/players/{bob.id}").json
    after = game.view()["ratings"]["south"]
    base = {"rating": after["rating"], "deviation": after["deviation"], "games": 1}
    assert profile["ratings"] == {"base": base, "tactics": NEW}
    assert profile["head_to_head"] == {"won": 0, "lost": 1, "drawn": 0}
    assert bob.get(f"/players/{ada.id}").json["head_to_head"] == {"won": 1, "lost": 0, "drawn": 0}
    assert bob.get(f"/players/{bob.id}").json["head_to_head"] is None
    assert bob.get("/me/export").json["ratings"] == profile["ratings"]
    assert eve.get(f"/players/{bob.id}").json["head_to_head"] == {"won": 0, "lost": 0, "drawn": 0}
    clock.time += 365 * DAY
    assert ada.get(f"/players/{bob.id}").json["ratings"]["base"]["deviation"] > after["deviation"]


def test_a_private_game_tells_nobody_but_its_players(ada: Person, bob: Person) -> None:
    game = Started(ada, bob, private=True, rated=True, **CLOCK)
    give_up(ada.container, game)
    assert (game.view()["rated"], game.view()["ratings"]) == (False, None)
    profile = ada.get(f"/players/{bob.id}").json
    assert (profile["ratings"]["base"], profile["head_to_head"]["lost"]) == (NEW, 1)


def test_a_game_that_is_not_rated_says_so_before_it_begins(ada: Person, bob: Person) -> None:
    asked = ada.post("/challenges", {"player": bob.id, "rated": False, **CLOCK}).json
    assert asked["rated"] is False
    countered = bob.post(f"/challenges/{asked['id']}/counter-offer", {"rated": None}).json
    assert countered["rated"] is True
    assert ada.post(f"/challenges/{countered['id']}/acceptance").json["rated"] is True


def test_a_rematch_is_rated_as_the_game_before(ada: Person, bob: Person) -> None:
    game = Started(ada, bob, rated=False)
    ada.post(f"{game.path}/resignation")
    assert ada.post(f"{game.path}/rematch").json["rated"] is False


def test_a_game_against_a_bot_is_rated_if_the_person_wants_it(ada: Person) -> None:
    against = {"opponent": {"bot": "random"}, **CLOCK}
    assert ada.post("/games", against).json["rated"] is False
    assert ada.post("/games", {**against, "rated": True}).json["rated"] is True
