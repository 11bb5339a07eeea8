"""Challenging a player: /v1/challenges."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.container import Container
from service.eventlog import FieldChange
from service.games.challenge import read_challenge
from tests.service.api.mails import mails
from tests.support.clock import Clock
from tests.support.people import Person, code


@pytest.fixture
def made(ada: Person, bob: Person) -> Any:
    """Ada challenges Bob."""
    wanted = {"edition": "community", "first_player": "creator", "clock": {"days_per_move": 2}}
    answer = ada.post("/challenges", {"player": bob.id, **wanted})
    assert answer.status_code == 201
    return answer.json


def path(challenge: Any, part: str = "") -> str:
    return f"/challenges/{challenge['id']}{part}"


def listed(person: Person) -> list[str]:
    return [challenge["id"] for challenge in person.get("/challenges").json["challenges"]]


class TestMaking:
    def test_both_see_it_and_the_challenged_is_told(
        self, ada: Person, bob: Person, made: Any, container: Container
    ) -> None:
        assert (made["status"], made["edition"]) == ("open", "community")
        assert made["from"] == {"id": ada.id, "name": "Ada", "bot": False}
        assert made["to"] == {"id": bob.id, "name": "Bob", "bot": False}
        assert made["expires_at"] == "2026-12-05T12:00:00Z"
        for person in (ada, bob):
            assert listed(person) == [made["id"]]
            assert person.get(path(made)).json == made
        assert mails(container, "challenge") == [bob.id]

    def test_a_player_is_found_by_name_in_any_case(self, ada: Person, bob: Person) -> None:
        assert ada.post("/challenges", {"name": "BOB"}).json["to"]["id"] == bob.id

    def test_a_new_name_counts_and_the_old_one_does_not(self, ada: Person, bob: Person) -> None:
        bob.patch("/me", {"name": "Robert"})
        assert ada.post("/challenges", {"name": "robert"}).json["to"]["id"] == bob.id
        assert code(ada.post("/challenges", {"name": "Bob"})) == "unknown-opponent"

    def test_a_name_of_several_is_not_enough(self, ada: Person, bob: Person) -> None:
        # As the version before let them be.
        twin = ada.container.registrations.register("Twin").player
        ada.container.redis.hset(f"st:{{{twin.id}}}:player", "name", "Bob")
        ada.container.players.index_names()
        answer = ada.post("/challenges", {"name": "Bob"})
        assert (answer.status_code, code(answer)) == (422, "ambiguous-name")
        assert {player["id"] for player in answer.json["players"]} == {bob.id, twin.id}

    @pytest.mark.parametrize(
        ("body", "refusal"),
        [
            ({}, "validation-failed"),
            ({"name": "Bob", "player": "a" * 16}, "validation-failed"),
            ({"name": "Bob", "listed": True}, "validation-failed"),
            ({"player": "a" * 16}, "unknown-opponent"),
            ({"player": "botsteward222222"}, "unknown-opponent"),
            ({"name": "Ada"}, "own-game"),
            ({"name": "Bob", "edition": "poker"}, "unknown-edition"),
            ({"name": "Bob", "edition": "scottentots", "tactics": True}, "no-such-combination"),
        ],
    )
    def test_what_cannot_be_is_refused(
        self, ada: Person, bob: Person, body: dict[str, Any] | dict[str, str], refusal: str
    ) -> None:
        assert code(ada.post("/challenges", body)) == refusal
        assert listed(ada) == []
        assert mails(ada.container, "challenge") == []

    def test_a_repeated_request_makes_one_challenge(self, ada: Person, bob: Person) -> None:
        body, headers = {"player": bob.id}, {"Idempotency-Key": "you and me"}
        first = ada.post("/challenges", body, headers=headers)
        ada.clock.time += 60
        assert ada.post("/challenges", body, headers=headers).data == first.data
        assert len(listed(ada)) == 1
        other = ada.post("/challenges", {**body, "rounds": 3}, headers=headers)
        assert code(other) == "idempotency-key-reused"

    def test_the_list_comes_in_pages(self, client: FlaskClient, bob: Person) -> None:
        people = [Person(client, name) for name in ("Ada", "Eve", "Cleo")]
        made = {one.post("/challenges", {"player": bob.id}).json["id"] for one in people}
        first = bob.get("/challenges?limit=2").json
        rest = bob.get(f"/challenges?limit=2&cursor={first['next']}").json
        assert {challenge["id"] for challenge in first["challenges"] + rest["challenges"]} == made
        assert rest["next"] is None

    def test_it_is_nobody_else_s_affair(self, eve: Person, made: Any) -> None:
        answers = [
            eve.get(path(made)),
            eve.delete(path(made)),
            *(eve.post(path(made, f"/{do}")) for do in ("acceptance", "decline", "counter-offer")),
        ]
        assert {code(answer) for answer in answers} == {"challenge-not-found"}
        assert listed(eve) == []


class TestAccepting:
    def test_the_game_starts_at_once(self, ada: Person, bob: Person, made: Any) -> None:
        answer = bob.post(path(made, "/acceptance"))
        view = answer.json
        assert (answer.status_code, view["id"], view["status"]) == (200, made["id"], "active")
        assert (view["edition"], view["seat"], view["turn"]) == ("community", "south", "north")
        assert ada.get(f"/games/{made['id']}").json["seat"] == "north"
        assert ada.get(path(made)).json["game"] == made["id"]
        assert mails(ada.container, "turn") == [ada.id]
        assert listed(ada) == listed(bob) == []

    def test_to_repeat_it_gives_the_same_game(self, bob: Person, made: Any) -> None:
        first, again = (bob.post(path(made, "/acceptance")) for _ in range(2))
        assert first.data == again.data

    def test_only_the_challenged_accepts(self, ada: Person, made: Any) -> None:
        answer = ada.post(path(made, "/acceptance"))
        assert (answer.status_code, code(answer)) == (403, "not-challenged")

    def test_not_after_its_time(self, bob: Person, made: Any, clock: Clock) -> None:
        clock.time += 14 * 86_400
        assert code(bob.post(path(made, "/acceptance"))) == "challenge-closed"
        assert bob.get(path(made)).json["status"] == "expired"
        assert listed(bob) == []

    def test_not_after_it_was_withdrawn(self, ada: Person, bob: Person, made: Any) -> None:
        assert ada.delete(path(made)).json["status"] == "withdrawn"
        answer = bob.post(path(made, "/acceptance"))
        assert (answer.status_code, code(answer)) == (409, "challenge-closed")
        assert bob.get(f"/games/{made['id']}").status_code == 404

    def test_one_of_acceptance_and_withdrawal_at_once_is_too_late(
        self, ada: Person, bob: Person, made: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        append = ada.container.log.events.append

        def overtaken(*args: Any, **options: Any) -> Any:
            monkeypatch.setattr(ada.container.log.events, "append", append)
            ada.container.games.challenges.withdraw(made["id"], ada.id)
            return append(*args, **options)

        monkeypatch.setattr(ada.container.log.events, "append", overtaken)
        assert code(bob.post(path(made, "/acceptance"))) == "challenge-closed"
        assert bob.get(f"/games/{made['id']}").status_code == 404


class TestDeclining:
    def test_the_challenger_is_told(self, ada: Person, bob: Person, made: Any) -> None:
        assert bob.post(path(made, "/decline")).json["status"] == "declined"
        assert ada.get(path(made)).json["status"] == "declined"
        assert mails(ada.container, "declined") == [ada.id]
        assert listed(ada) == listed(bob) == []

    def test_to_repeat_it_changes_nothing_and_to_accept_it_is_too_late(
        self, bob: Person, made: Any
    ) -> None:
        for _ in range(2):
            assert bob.post(path(made, "/decline")).status_code == 200
        assert code(bob.post(path(made, "/acceptance"))) == "challenge-closed"

    def test_a_challenger_withdraws_and_does_not_decline(
        self, ada: Person, bob: Person, made: Any
    ) -> None:
        assert code(ada.post(path(made, "/decline"))) == "not-challenged"
        assert code(bob.delete(path(made))) == "not-challenged"

    def test_deleting_an_account_ends_its_challenges(
        self, ada: Person, bob: Person, made: Any
    ) -> None:
        ada.delete("/me")
        assert bob.get(path(made)).json["status"] == "withdrawn"
        assert listed(bob) == []


class TestCounterOffers:
    def test_it_takes_the_place_of_the_challenge(self, ada: Person, bob: Person, made: Any) -> None:
        answer = bob.post(path(made, "/counter-offer"), {"tactics": True})
        counter = answer.json
        assert (answer.status_code, counter["from"]["id"], counter["to"]["id"]) == (
            201,
            bob.id,
            ada.id,
        )
        assert counter["counters"] == made["id"]
        old = bob.get(path(made)).json
        assert (old["status"], old["counter_offer"]) == ("countered", counter["id"])
        assert listed(ada) == listed(bob) == [counter["id"]]
        assert sorted(mails(ada.container, "challenge")) == sorted([bob.id, ada.id])
        assert code(bob.post(path(made, "/acceptance"))) == "challenge-closed"
        begun = ada.post(path(counter, "/acceptance")).json
        assert (begun["tactics"], begun["seat"]) == (True, "north")

    def test_what_it_leaves_out_is_as_it_was(self, ada: Person, bob: Person) -> None:
        wanted = {
            "edition": "community",
            "tactics": True,
            "rounds": 3,
            "seat": "south",
            "first_player": "creator",
            "clock": {"days_per_move": 2},
            "private": True,
        }
        made = ada.post("/challenges", {"player": bob.id, **wanted}).json
        counter = bob.post(path(made, "/counter-offer"), {"clock": None, "rounds": 1}).json
        expected = {**wanted, "clock": None, "rounds": 1, "seat": "north"}
        assert {name: counter[name] for name in wanted} == {**expected, "first_player": "opponent"}
        begun = ada.post(path(counter, "/acceptance")).json
        assert (begun["seat"], begun["turn"]) == ("south", "south")

    def test_to_repeat_it_gives_the_same(self, bob: Person, made: Any) -> None:
        first, again = (bob.post(path(made, "/counter-offer")) for _ in range(2))
        assert first.data == again.data
        assert len(listed(bob)) == 1

    def test_it_can_be_countered_again(self, ada: Person, bob: Person, made: Any) -> None:
        counter = bob.post(path(made, "/counter-offer")).json
        third = ada.post(path(counter, "/counter-offer"), {"rounds": 3}).json
        assert bob.post(path(third, "/acceptance")).json["rounds"] == 3

    def test_what_cannot_be_played_leaves_the_challenge_as_it_is(
        self, bob: Person, made: Any
    ) -> None:
        assert code(bob.post(path(made, "/counter-offer"), {"edition": "poker"})) == (
            "unknown-edition"
        )
        assert bob.get(path(made)).json["status"] == "open"


class TestPackedGame:
    """What is asked about a challenge whose game was played, and packed, long ago."""

    @pytest.fixture
    def countered(self, ada: Person, bob: Person, container: Container) -> Any:
        """Ada's challenge, Bob's counter-offer to it, and the game of that."""
        asked = ada.post("/challenges", {"player": bob.id}).json["id"]
        offer = bob.post(path({"id": asked}, "/counter-offer"), {"rounds": 3}).json["id"]
        text = container.log.side_state.read(offer)["challenge"]
        ada.post(path({"id": offer}, "/acceptance"))
        bob.post(f"/games/{offer}/offers", {"kind": "abandonment"})
        ada.post(f"/games/{offer}/offers", {"kind": "abandonment"})
        assert container.log.events.compact(offer)
        return asked, offer, text

    def test_a_repeated_counter_offer_brings_nothing_back(
        self, ada: Person, bob: Person, countered: Any, container: Container
    ) -> None:
        asked, offer, _ = countered
        answer = bob.post(path({"id": asked}, "/counter-offer"), {"rounds": 3})
        assert (answer.status_code, code(answer)) == (409, "challenge-closed")
        assert answer.json["challenge_status"] == "accepted"
        assert container.log.side_state.read(offer) == {}
        assert listed(ada) == listed(bob) == []

    def test_one_that_an_older_backup_brought_back_is_accepted_already(
        self, ada: Person, bob: Person, countered: Any, container: Container
    ) -> None:
        _, offer, text = countered
        container.log.side_state.change(offer, [FieldChange("challenge", "", text)])
        container.games.challenges._list.add(read_challenge(text))
        assert listed(ada) == []
        assert ada.get(path({"id": offer})).json["status"] == "accepted"
        again = ada.post(path({"id": offer}, "/acceptance"))
        assert (again.status_code, again.json["status"]) == (200, "finished")
        assert code(ada.post(path({"id": offer}, "/decline"))) == "challenge-closed"
        assert code(bob.delete(path({"id": offer}))) == "challenge-closed"

    def test_a_repeated_challenge_brings_nothing_back(self, ada: Person, bob: Person) -> None:
        key = {"headers": {"Idempotency-Key": "one"}}
        asked = ada.post("/challenges", {"player": bob.id}, **key).json["id"]
        bob.post(path({"id": asked}, "/acceptance"))
        for player in (bob, ada):
            player.post(f"/games/{asked}/offers", {"kind": "abandonment"})
        ada.container.log.events.compact(asked)
        answer = ada.post("/challenges", {"player": bob.id}, **key)
        assert (answer.status_code, code(answer)) == (409, "challenge-closed")
        assert listed(bob) == []
