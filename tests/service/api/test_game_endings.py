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

    def test_the_player_it_is_kept_for_may_do_so_too(
        self, ada: Person, bob: Person, container: Container
    ) -> None:
        made = ada.post("/games", {"opponent": {"player": bob.id}}).json
        assert bob.delete(f"/games/{made['id']}").json["status"] == "aborted"
        assert mails(container, "over") == [ada.id]
        assert bob.get("/games").json["games"] == []

    def test_the_maker_who_calls_it_off_is_not_told_of_it(
        self, ada: Person, bob: Person, container: Container
    ) -> None:
        made = ada.post("/games", {"opponent": {"player": bob.id}}).json
        ada.delete(f"/games/{made['id']}")
        assert mails(container, "over") == []
        assert [game["status"] for game in ada.get("/games").json["games"]] == ["aborted"]

    def test_nobody_else_may(self, ada: Person, eve: Person) -> None:
        made = ada.post("/games").json
        answer = eve.delete(f"/games/{made['id']}")
        assert (answer.status_code, code(answer)) == (403, "not-a-player")

    def test_a_game_that_has_begun_is_not_called_off(self, ada: Person, game: Started) -> None:
        answer = ada.delete(game.path)
        assert (answer.status_code, code(answer)) == (409, "game-started")

    def test_to_repeat_it_is_told_that_it_is_over_or_answered_by_its_key(self, ada: Person) -> None:
        path = f"/games/{ada.post('/games').json['id']}"
        first, again = (ada.delete(path, headers={"Idempotency-Key": "off"}) for _ in range(2))
        assert first.data == again.data
        assert code(ada.delete(path)) == "game-over"

    def test_a_stale_version_is_told(self, ada: Person) -> None:
        path = f"/games/{ada.post('/games').json['id']}"
        assert code(ada.delete(path, headers={"If-Match": '"7"'})) == "stale-version"


class TestWaiting:
    def test_after_fourteen_days_the_invite_is_good_for_nothing(
        self, ada: Person, bob: Person, clock: Clock
    ) -> None:
        made = ada.post("/games").json
        clock.time += 14 * 86_400
        answer = bob.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
        assert (answer.status_code, code(answer)) == (409, "invitation-expired")

    def test_the_maker_may_say_how_long_it_waits(
        self, ada: Person, bob: Person, clock: Clock
    ) -> None:
        made = ada.post("/games", {"invitation_days": 30}).json
        clock.time += 29 * 86_400
        joined = bob.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
        assert joined.status_code == 200

    def test_then_the_clock_calls_it_off(
        self, ada: Person, clock: Clock, container: Container
    ) -> None:
        made = ada.post("/games", {"invitation_days": 3}).json
        assert container.games.time_out(made["id"]) is None
        clock.time += 3 * 86_400
        assert container.log.deadlines.claim(10, 60) == [made["id"]]
        container.games.time_out(made["id"])
        assert ada.get(f"/games/{made['id']}").json["status"] == "aborted"
        assert mails(container, "over") == [ada.id]

    def test_while_it_waits_nobody_has_a_deadline(self, ada: Person) -> None:
        assert ada.post("/games", {"clock": {"days_per_move": 2}}).json["deadline"] is None


class TestAbandoning:
    def test_it_takes_two(
        self, ada: Person, bob: Person, game: Started, container: Container
    ) -> None:
        path = f"{game.path}/abandonment"
        offered = ada.post(path)
        told = {"version": 3, "status": "active", "offered_by": "north"}
        assert offered.json == {**told, "offer": offered.json["offer"]}
        assert bob.get(path).json == offered.json
        assert mails(container, "abandonment") == [bob.id]
        agreed = bob.post(path)
        assert (agreed.json["status"], agreed.json["offered_by"]) == ("finished", None)
        view = game.view()
        assert (view["reason"], view["winner"]) == ("agreement", None)

    def test_to_offer_it_twice_is_no_agreement(
        self, ada: Person, game: Started, container: Container
    ) -> None:
        for _ in range(2):
            assert ada.post(f"{game.path}/abandonment").json["offered_by"] == "north"
        assert game.view()["status"] == "active"
        assert len(mails(container, "abandonment")) == 1

    @pytest.mark.parametrize("who", ["north", "south"])
    def test_it_can_be_taken_back_or_declined(self, ada: Person, game: Started, who: str) -> None:
        path = f"{game.path}/abandonment"
        ada.post(path)
        assert game.players[who].delete(path).json["offered_by"] is None
        assert game.players["south"].post(path).json["status"] == "active"

    def test_an_offer_stands_while_the_game_goes_on(
        self, ada: Person, bob: Person, game: Started
    ) -> None:
        ada.post(f"{game.path}/abandonment")
        game.play_any()
        assert bob.post(f"{game.path}/abandonment").json["status"] == "finished"

    def test_a_game_that_is_over_has_no_offer(self, ada: Person, game: Started) -> None:
        path = f"{game.path}/abandonment"
        ada.post(path)
        ada.post(f"{game.path}/resignation")
        assert ada.get(path).json["offered_by"] is None
        assert code(ada.post(path)) == "game-over"

    def test_an_agreement_can_be_repeated_under_its_key(
        self, ada: Person, bob: Person, game: Started
    ) -> None:
        path, headers = f"{game.path}/abandonment", {"Idempotency-Key": "enough"}
        ada.post(path)
        first, again = (bob.post(path, headers=headers) for _ in range(2))
        assert first.json == again.json

    def test_a_late_repeat_of_an_offer_that_was_taken_back_offers_nothing(
        self, ada: Person, bob: Person, game: Started
    ) -> None:
        path, key = f"{game.path}/abandonment", {"headers": {"Idempotency-Key": "enough"}}
        first = ada.post(path, **key)
        ada.delete(path)
        again = ada.post(path, **key)
        assert (again.status_code, again.json) == (200, first.json)
        assert ada.get(path).json["offered_by"] is None
        assert bob.post(path).json["status"] == "active"

    def test_a_late_repeat_is_no_agreement_to_the_other_s_offer(
        self, ada: Person, bob: Person, game: Started
    ) -> None:
        path, key = f"{game.path}/abandonment", {"headers": {"Idempotency-Key": "enough"}}
        ada.post(path, **key)
        ada.delete(path)
        bob.post(path)
        assert ada.post(path, **key).json["status"] == "active"
        assert game.view()["status"] == "active"

    def test_a_request_that_found_the_offer_made_is_not_carried_out_later(
        self, ada: Person, bob: Person, game: Started
    ) -> None:
        path, key = f"{game.path}/abandonment", {"headers": {"Idempotency-Key": "enough"}}
        ada.post(path)
        ada.post(path, **key)
        ada.delete(path)
        ada.post(path, **key)
        assert ada.get(path).json["offered_by"] is None

    def test_the_key_of_an_offer_is_for_no_other_request(self, ada: Person, game: Started) -> None:
        headers = {"Idempotency-Key": "enough"}
        ada.post(f"{game.path}/abandonment", headers=headers)
        answer = ada.post(f"{game.path}/resignation", headers=headers)
        assert (answer.status_code, code(answer)) == (422, "idempotency-key-reused")

    def test_an_offer_is_told_once_a_version(
        self, ada: Person, bob: Person, game: Started, container: Container
    ) -> None:
        """As it was done: fifteen offers, made and taken back, were fifteen mails."""
        path = f"{game.path}/abandonment"
        for number in range(15):
            assert ada.post(path).json["offered_by"] == "north"
            told = {
                notice.id for notice in container.log.outbox.pending() if "abandonment" in notice.id
            }
            for notice in told:
                container.log.outbox.finish(notice)
            assert len(told) == (1 if number == 0 else 0)
            ada.delete(path)
        game.play_any()
        ada.post(path)
        assert mails(container, "abandonment") == [bob.id]

    def test_who_agrees_to_an_offer_by_its_number_agrees_to_no_other(
        self, ada: Person, bob: Person, game: Started
    ) -> None:
        path = f"{game.path}/abandonment"
        first = ada.post(path).json["offer"]
        ada.delete(path)
        assert code(bob.post(path, {"offer": first})) == "no-offer"
        second = ada.post(path).json["offer"]
        assert second > first
        assert code(bob.post(path, {"offer": first})) == "no-offer"
        assert code(ada.post(path, {"offer": second})) == "no-offer"  # it is her own
        assert game.view()["status"] == "active"
        assert bob.post(path, {"offer": second}).json["status"] == "finished"

    def test_a_game_that_has_not_begun_is_called_off_instead(self, ada: Person) -> None:
        made = ada.post("/games").json
        assert code(ada.post(f"/games/{made['id']}/abandonment")) == "game-not-started"

    def test_it_is_the_players_own_affair(self, eve: Person, game: Started) -> None:
        for method in (eve.get, eve.post, eve.delete):
            answer = method(f"{game.path}/abandonment")
            assert (answer.status_code, code(answer)) == (403, "not-a-player")


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

    def test_to_ask_again_changes_nothing(
        self, ada: Person, bob: Person, over: Started, container: Container
    ) -> None:
        first, again = (ada.post(f"{over.path}/rematch").json for _ in range(2))
        assert first == again
        assert mails(container, "invitation") == [bob.id]

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

    def test_a_game_that_goes_on_has_none(self, ada: Person, game: Started) -> None:
        answer = ada.post(f"{game.path}/rematch")
        assert (answer.status_code, code(answer)) == (409, "game-not-over")

    def test_a_game_that_was_called_off_has_none_for_it_was_never_played(self, ada: Person) -> None:
        path = f"/games/{ada.post('/games').json['id']}"
        ada.delete(path)
        answer = ada.post(f"{path}/rematch")
        assert (answer.status_code, code(answer)) == (409, "game-not-over")
        assert answer.json["detail"] == "Only a game that was played, and is over, has a rematch."

    def test_it_is_for_the_players(self, eve: Person, over: Started) -> None:
        assert code(eve.post(f"{over.path}/rematch")) == "not-a-player"
