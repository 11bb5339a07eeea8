"""Calling off, abandoning by agreement, rematches."""

import pytest

from service.container import Container
from tests.service.api.mails import mails
from tests.support.clock import Clock
from tests.support.people import Person, Started, code


class TestCallingOff:
    def test_the_maker_calls_off_a_game_that_has_not_begun(self, ada: Person, bob: Person) -> None:
        made = ada.post("/games").json
        answer = ada.delete(f"/games/{made['id']}")
        assert (answer.status_code, answer.json["status"]) == (200, "aborted")
        joined = bob.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
        assert (joined.status_code, code(joined)) == (409, "game-over")

    def test_the_player_it_is_kept_for_may_do_so_too(self, ada: Person, bob: Person) -> None:
        made = ada.post("/games", {"opponent": {"player": bob.id}}).json
        assert bob.delete(f"/games/{made['id']}").json["status"] == "aborted"
        assert mails(ada.container, "over") == [ada.id]
        assert bob.get("/games").json["games"] == []

    def test_the_maker_who_calls_it_off_is_not_told_of_it(self, ada: Person, bob: Person) -> None:
        made = ada.post("/games", {"opponent": {"player": bob.id}}).json
        ada.delete(f"/games/{made['id']}")
        assert mails(ada.container, "over") == []
        assert [game["status"] for game in ada.get("/games").json["games"]] == ["aborted"]

    def test_to_repeat_it_is_told_that_it_is_over_or_answered_by_its_key(self, ada: Person) -> None:
        path = f"/games/{ada.post('/games').json['id']}"
        first, again = (ada.delete(path, headers={"Idempotency-Key": "off"}) for _ in range(2))
        assert first.data == again.data
        assert code(ada.delete(path)) == "game-over"


class TestWaiting:
    def test_after_fourteen_days_the_invite_is_good_for_nothing(
        self, ada: Person, bob: Person, clock: Clock
    ) -> None:
        made = ada.post("/games").json
        clock.time += 14 * 86_400
        answer = bob.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
        assert (answer.status_code, code(answer)) == (409, "invitation-expired")

    def test_the_maker_may_say_how_long_it_waits(self, ada: Person, bob: Person) -> None:
        made = ada.post("/games", {"invitation_days": 30}).json
        ada.clock.time += 29 * 86_400
        joined = bob.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
        assert joined.status_code == 200

    def test_then_the_clock_calls_it_off(self, ada: Person, container: Container) -> None:
        made = ada.post("/games", {"invitation_days": 3}).json
        assert container.games.time_out(made["id"]) is None
        ada.clock.time += 3 * 86_400
        assert container.log.deadlines.claim(10, 60) == [made["id"]]
        container.games.time_out(made["id"])
        assert ada.get(f"/games/{made['id']}").json["status"] == "aborted"
        assert mails(container, "over") == [ada.id]

    def test_while_it_waits_nobody_has_a_deadline(self, ada: Person) -> None:
        assert ada.post("/games", {"clock": {"days_per_move": 2}}).json["deadline"] is None


class TestRematch:
    @pytest.fixture
    def over(self, ada: Person, bob: Person) -> Started:
        """Ada began; Bob won."""
        game = Started(ada, bob, tactics=True, edition="bga", clock={"days_per_move": 3})
        ada.post(f"{game.path}/resignation")
        return game

    def test_both_come_to_the_same_game_and_the_other_begins(
        self, ada: Person, bob: Person, over: Started
    ) -> None:
        asked = ada.post(f"{over.path}/rematch")
        assert (asked.status_code, asked.json["status"]) == (200, "open")
        assert asked.headers["Location"] == f"/v1/games/{asked.json['id']}"
        begun = bob.post(f"{over.path}/rematch").json
        assert (begun["id"], begun["status"], begun["turn"]) == (
            asked.json["id"],
            "active",
            "south",
        )
        assert (begun["edition"], begun["tactics"], begun["seat"]) == ("bga", True, "south")
        assert begun["deadline"] is not None

    def test_whoever_asks_first_the_other_begins(
        self, ada: Person, bob: Person, over: Started
    ) -> None:
        bob.post(f"{over.path}/rematch")
        assert ada.post(f"{over.path}/rematch").json["turn"] == "south"

    def test_to_ask_again_changes_nothing(self, ada: Person, bob: Person, over: Started) -> None:
        first, again = (ada.post(f"{over.path}/rematch").json for _ in range(2))
        assert first == again
        assert mails(ada.container, "invitation") == [bob.id]

    def test_after_one_that_was_called_off_there_is_another(
        self, ada: Person, over: Started
    ) -> None:
        first = ada.post(f"{over.path}/rematch").json
        ada.delete(f"/games/{first['id']}")
        again = ada.post(f"{over.path}/rematch").json
        assert again["id"] != first["id"]
        assert again["status"] == "open"

    def test_a_rematch_has_rematches_too(self, ada: Person, bob: Person, over: Started) -> None:
        second = ada.post(f"{over.path}/rematch").json
        bob.post(f"{over.path}/rematch")
        bob.post(f"/games/{second['id']}/resignation")
        ada.post(f"/games/{second['id']}/rematch")
        third = bob.post(f"/games/{second['id']}/rematch").json
        assert (third["turn"], third["id"] != second["id"]) == ("north", True)

    def test_a_game_that_was_called_off_has_none_for_it_was_never_played(self, ada: Person) -> None:
        path = f"/games/{ada.post('/games').json['id']}"
        ada.delete(path)
        answer = ada.post(f"{path}/rematch")
        assert (answer.status_code, code(answer)) == (409, "game-not-over")
        assert answer.json["detail"] == "Only a game that was played, and is over, has a rematch."
