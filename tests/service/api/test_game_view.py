"""What the game view tells, member by member, as the contract has it."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.support.clock import Clock
from tests.support.people import Person, Started

CONTRACT = """id version status edition tactics expert rounds round scores seat players turn phase
    deadline stones hands decks discard tactics_played legal winner reason commitment head
    clock options private listed created_at started_at ended_at invited"""
ADDED = {"imported", "clock_state", "untold_until", "rated", "ratings"}


def test_it_has_the_members_of_the_contract(ada: Person, game: Started) -> None:
    assert game.view().keys() == {*CONTRACT.split(), *ADDED}
    assert game.view()["stones"][0].keys() == {
        *("number", "owner", "north", "south", "modes", "completed_first")
    }


def test_it_tells_what_was_agreed(ada: Person) -> None:
    wanted = {"clock": {"days_per_move": 3}, "private": True}
    made = ada.post("/games", wanted).json
    assert {key: made[key] for key in wanted} == wanted
    assert made["listed"] is False
    plain = ada.post("/games", {"listed": True}).json
    assert (plain["clock"], plain["private"], plain["listed"]) == (None, False, True)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, (6, "after_play", "one_per_game", "any")),
        ({"tactics": True, "expert": True}, (7, "before_play", "one_per_game", "any")),
        ({"edition": "bga", "tactics": True}, (7, "after_play", "one_on_table", "another")),
        ({"edition": "community"}, (6, "any_time", "one_on_table", "any")),
    ],
)
def test_it_tells_the_options_of_the_rules(
    ada: Person,
    wanted: dict[str, Any] | dict[str, bool] | dict[str, str],
    expected: tuple[int, str, str, str],
) -> None:
    options = ada.post("/games", wanted).json["options"]
    assert options == dict(
        zip(("hand_size", "claim_timing", "joker_limit", "traitor_to"), expected, strict=True)
    )


def test_it_tells_when_the_game_was_made_begun_and_ended(
    ada: Person, bob: Person, clock: Clock
) -> None:
    made = ada.post("/games").json
    assert made["created_at"] == "2026-11-21T12:00:00Z"
    assert made["started_at"] is made["ended_at"] is None
    clock.time += 60
    path = f"/games/{made['id']}"
    begun = bob.post(f"{path}/join", {"invite": made["invite"]}).json
    assert (begun["started_at"], begun["ended_at"]) == ("2026-11-21T12:01:00Z", None)
    clock.time += 60
    over = bob.post(f"{path}/resignation").json
    assert over["created_at"] == made["created_at"]
    assert over["started_at"] == begun["started_at"]
    assert over["ended_at"] == "2026-11-21T12:02:00Z"
    only_once = {"invite", "invite_url"}
    assert ada.get(f"{path}?at=1").json == {k: made[k] for k in made.keys() - only_once}


class TestInvited:
    def test_it_is_nobody_without_an_opponent(self, ada: Person) -> None:
        assert ada.post("/games").json["invited"] is None

    def test_it_is_the_player_until_the_seat_is_taken(self, ada: Person, bob: Person) -> None:
        made = ada.post("/games", {"opponent": {"player": bob.id}}).json
        assert made["invited"] == {"id": bob.id, "name": "Bob", "bot": False}
        assert bob.post(f"/games/{made['id']}/join").json["invited"] is None

    def test_an_address_is_not_told(self, client: FlaskClient, ada: Person) -> None:
        made = ada.post("/games", {"opponent": {"email": "carl@example.org"}}).json
        assert made["invited"] is True
        assert "example.org" not in client.get(f"/v1/games/{made['id']}").text

    def test_a_bot_sits_down_at_once(self, ada: Person) -> None:
        assert ada.post("/games", {"opponent": {"bot": "random"}}).json["invited"] is None

    def test_it_is_nobody_once_the_game_is_called_off(self, ada: Person, bob: Person) -> None:
        made = ada.post("/games", {"opponent": {"player": bob.id}}).json
        assert bob.delete(f"/games/{made['id']}").json["invited"] is None


class TestAfterTheEnd:
    def test_everybody_sees_both_hands(
        self, client: FlaskClient, eve: Person, ada: Person, bob: Person, game: Started
    ) -> None:
        own = {seat: game.view(seat)["hands"][seat]["cards"] for seat in ("north", "south")}
        bob.post(f"{game.path}/resignation")
        for view in (ada.get(game.path).json, client.get(f"/v1{game.path}").json):
            assert {seat: hand["cards"] for seat, hand in view["hands"].items()} == own
            assert view["legal"] == []

    def test_what_went_before_is_shown_as_it_was(
        self, client: FlaskClient, bob: Person, game: Started
    ) -> None:
        bob.post(f"{game.path}/resignation")
        hands = client.get(f"/v1{game.path}?at=3").json["hands"]
        assert [hand["cards"] for hand in hands.values()] == [None, None]

    def test_between_rounds_the_hands_stay_hidden(
        self, client: FlaskClient, ada: Person, bob: Person
    ) -> None:
        match = Started(ada, bob, rounds=2)
        bob.post(f"{match.path}/resignation")
        hands = client.get(f"/v1{match.path}").json["hands"]
        assert [hand["cards"] for hand in hands.values()] == [None, None]

    def test_a_single_round_scores_too(self, bob: Person, game: Started) -> None:
        over = bob.post(f"{game.path}/resignation").json
        assert over["scores"] == {"north": 5, "south": 0}
        assert (over["winner"], over["reason"]) == ("north", "resignation")

    def test_a_game_called_off_has_no_reason(self, ada: Person) -> None:
        made = ada.post("/games").json
        over = ada.delete(f"/games/{made['id']}").json
        assert (over["status"], over["reason"], over["winner"]) == ("aborted", None, None)
        assert over["ended_at"] == "2026-11-21T12:00:00Z"
        assert over["started_at"] is None
