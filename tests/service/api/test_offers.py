"""What takes both players: a pause of the clock, an end without a result."""

from typing import Any

import pytest

from service.container import Container
from service.core.times import DAY, HOUR
from tests.service.api.clocks import DAYS, after, deadline_entry, types
from tests.service.api.mails import mails
from tests.support.clock import Clock
from tests.support.people import Person, Started, code

KINDS = ("pause", "abandonment")


@pytest.fixture
def game(ada: Person, bob: Person) -> Started:
    return Started(ada, bob, clock=DAYS)


def offer(person: Person, game: Started, kind: str, key: str = "", **terms: Any) -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return person.post(f"{game.path}/offers", {"kind": kind, **terms}, headers=headers)


def withdraw(person: Person, game: Started, kind: str) -> Any:
    return person.delete(f"{game.path}/offers/{kind}").json


def number_of(answer: Any) -> int:
    (made,) = answer.json["offers"]
    return int(made["number"])


@pytest.mark.parametrize("kind", KINDS)
class TestBothKinds:
    def test_an_offer_is_made_once_and_seen_by_both(
        self, ada: Person, bob: Person, game: Started, container: Container, kind: str
    ) -> None:
        first, again = (offer(ada, game, kind) for _ in range(2))
        made = {"kind": kind, "state": "offered", "by": "north", "until": None}
        listed = {"version": 3, "status": "active", "paused": None}
        assert first.json == {**listed, "offers": [{**made, "number": number_of(first)}]}
        assert again.json == first.json == bob.get(f"{game.path}/offers").json
        assert mails(container, kind) == [bob.id]

    @pytest.mark.parametrize("who", ["north", "south"])
    def test_it_is_taken_back_or_declined(
        self, ada: Person, bob: Person, game: Started, kind: str, who: str
    ) -> None:
        offer(ada, game, kind)
        assert withdraw(game.players[who], game, kind)["offers"] == []
        later = offer(bob, game, kind).json
        assert (later["status"], later["paused"]) == ("active", None)

    def test_an_offer_stands_while_the_game_goes_on(
        self, ada: Person, bob: Person, game: Started, kind: str
    ) -> None:
        offer(ada, game, kind)
        game.play_any()
        agreed = offer(bob, game, kind).json
        assert agreed["offers"] == []
        assert (agreed["status"] == "finished") != (agreed["paused"] is not None)

    def test_who_agrees_to_an_offer_by_its_number_agrees_to_no_other(
        self, ada: Person, bob: Person, game: Started, kind: str
    ) -> None:
        first = number_of(offer(ada, game, kind))
        withdraw(ada, game, kind)
        assert code(offer(bob, game, kind, number=first)) == "no-offer"
        second = number_of(offer(ada, game, kind))
        assert second > first
        assert code(offer(bob, game, kind, number=first)) == "no-offer"
        assert code(offer(ada, game, kind, number=second)) == "no-offer"  # it is her own
        assert (game.view()["status"], game.view()["deadline"]) == ("active", after(72))
        assert code(offer(bob, game, kind, number=second, until=after(9))) == "validation-failed"
        agreed, again = (offer(bob, game, kind, "yes", number=second) for _ in range(2))
        assert (agreed.status_code, agreed.json["offers"]) == (200, [])
        assert again.json == agreed.json

    def test_a_request_that_found_the_offer_made_is_not_carried_out_later(
        self, ada: Person, game: Started, kind: str
    ) -> None:
        offer(ada, game, kind)
        offer(ada, game, kind, "enough")
        withdraw(ada, game, kind)
        offer(ada, game, kind, "enough")
        assert ada.get(f"{game.path}/offers").json["offers"] == []

    def test_the_key_of_an_offer_is_for_no_other_request_and_renews_nothing(
        self, ada: Person, game: Started, kind: str, bob: Person
    ) -> None:
        offer(ada, game, kind, "enough")
        answer = ada.post(f"{game.path}/resignation", headers={"Idempotency-Key": "enough"})
        assert (answer.status_code, code(answer)) == (422, "idempotency-key-reused")

        withdraw(ada, game, kind)
        assert offer(ada, game, kind, "enough").status_code == 200
        assert ada.get(f"{game.path}/offers").json["offers"] == []
        offer(bob, game, kind)
        offer(ada, game, kind, "enough")
        assert (game.view()["status"], game.view()["deadline"]) == ("active", after(72))

    def test_an_offer_is_told_once_a_version(self, ada: Person, game: Started, kind: str) -> None:
        """As it was done: fifteen offers, made and taken back, were fifteen mails."""
        for number in range(15):
            assert offer(ada, game, kind).json["offers"][0]["by"] == "north"
            told = {notice.id for notice in ada.container.log.outbox.pending() if kind in notice.id}
            for notice in told:
                ada.container.log.outbox.finish(notice)
            assert len(told) == (1 if number == 0 else 0)
            withdraw(ada, game, kind)

    def test_there_is_none_before_the_game_or_after(
        self, ada: Person, game: Started, kind: str
    ) -> None:
        made = ada.post("/games", {"clock": DAYS}).json
        refused = ada.post(f"/games/{made['id']}/offers", {"kind": kind})
        assert code(refused) == "game-not-started"
        offer(ada, game, kind)
        ada.post(f"{game.path}/resignation")
        assert ada.get(f"{game.path}/offers").json["offers"] == []
        assert code(offer(ada, game, kind)) == "game-over"

    def test_it_is_the_players_own_affair(self, eve: Person, game: Started, kind: str) -> None:
        path = f"{game.path}/offers"
        for answer in (eve.get(path), offer(eve, game, kind), eve.delete(f"{path}/{kind}")):
            assert (answer.status_code, code(answer)) == (403, "not-a-player")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"kind": "draw"},
        {"kind": "abandonment", "until": "2026-12-31T12:00:00Z"},
        {"kind": "pause", "until": "soon"},
        {"kind": "pause", "number": 0},
        {"number": 7},
    ],
)
def test_what_is_no_offer_is_refused(ada: Person, game: Started, body: Any) -> None:
    assert code(ada.post(f"{game.path}/offers", body)) == "validation-failed"


def test_an_agreement_to_end_it_leaves_no_winner(ada: Person, bob: Person, game: Started) -> None:
    for person in (ada, bob):
        answer = offer(person, game, "abandonment")
    assert (answer.json["status"], answer.json["offers"]) == ("finished", [])
    assert (game.view()["reason"], game.view()["winner"]) == ("agreement", None)


def test_both_kinds_are_listed(ada: Person, bob: Person, game: Started) -> None:
    offer(ada, game, "pause", until=after(50))
    listed = offer(bob, game, "abandonment").json["offers"]
    shown = [(each["kind"], each["by"], each["until"]) for each in listed]
    assert shown == [("pause", "north", after(50)), ("abandonment", "south", None)]


class TestPauses:
    def test_a_pause_begins_when_both_agree(self, ada: Person, bob: Person, game: Started) -> None:
        made = offer(ada, game, "pause", until=after(100)).json
        assert made["offers"][0]["until"] == after(100)
        assert game.view()["deadline"] == after(72)
        ada.clock.time += 10 * HOUR
        agreed = offer(bob, game, "pause", until=after(100)).json
        span = {"from": after(10), "to": after(100)}
        assert (agreed["paused"], agreed["offers"]) == (span, [])
        view = game.view()
        assert view["deadline"] == after(72 + 90)
        assert view["clock_state"]["pauses"] == [{"reason": "agreement", "seat": None, **span}]
        assert types(ada, game)[-1] == "clock_paused"

    def test_a_pause_without_an_end_is_ended_by_either(
        self, ada: Person, bob: Person, game: Started, clock: Clock, container: Container
    ) -> None:
        for person in (ada, bob):
            offer(person, game, "pause")
        assert game.view()["deadline"] is None
        assert deadline_entry(container, game) == []
        clock.time += 200 * DAY
        resumed = ada.post(f"{game.path}/clock", {"resume": True})
        assert resumed.json["deadline"] == after(203 * 24)
        assert code(bob.post(f"{game.path}/clock", {"resume": True})) == "not-paused"

    def test_playing_in_a_pause_is_a_turn(self, ada: Person, bob: Person, game: Started) -> None:
        for person in (ada, bob):
            offer(person, game, "pause", until=after(50))
        ada.clock.time += DAY
        assert game.play_any().status_code == 200
        assert game.view()["deadline"] == after(50 + 72)

    def test_another_pause_is_another_offer(self, ada: Person, bob: Person, game: Started) -> None:
        offer(ada, game, "pause", until=after(50))
        other = offer(bob, game, "pause", until=after(60)).json
        (made,) = other["offers"]
        assert (made["by"], made["until"], other["paused"]) == ("south", after(60), None)

    def test_an_offer_that_has_passed_is_none(
        self, ada: Person, bob: Person, game: Started, clock: Clock
    ) -> None:
        offer(ada, game, "pause", until=after(5))
        clock.time += 6 * HOUR
        assert bob.get(f"{game.path}/offers").json["offers"] == []
        assert code(offer(bob, game, "pause", until=after(5))) == "bad-pause"

    def test_a_bot_agrees_at_once(self, ada: Person) -> None:
        wanted = {"opponent": {"bot": "random"}, "clock": DAYS, "first_player": "creator"}
        path = f"/games/{ada.post('/games', wanted).json['id']}/offers"
        assert ada.post(path, {"kind": "pause", "until": after(50)}).json["paused"] is not None

    @pytest.mark.parametrize("hours", [-1, 0.1, 90 * 24 + 1])
    def test_a_pause_is_neither_too_short_nor_too_long(
        self, ada: Person, game: Started, hours: float
    ) -> None:
        assert code(offer(ada, game, "pause", until=after(hours))) == "bad-pause"
