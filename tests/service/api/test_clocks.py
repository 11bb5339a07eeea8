"""The clock of a running game: time given, wins that are claimed, and its documented states."""

import json
import re
from typing import Any

import pytest

from service.container import Container
from service.core.times import DAY, HOUR
from service.games import ChangeContext
from service.games.repository import GameRepository
from tests.service.api.clocks import DAYS, after, deadline_entry, types
from tests.service.api.mails import mails
from tests.support.clock import Clock
from tests.support.people import Person, Started, code
from tests.support.processes import ROOT
from tests.support.telling import tell_all

CLAIM = {**DAYS, "time_out": "claim"}


class TestTimeGiven:
    def test_time_given_moves_the_deadline(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock=DAYS)
        assert bob.post(f"{game.path}/clock", {"give": {"days": 2}}).json["deadline"] == after(
            5 * 24
        )
        given = bob.post(f"{game.path}/clock", {"give": {"hours": 5}}).json
        assert given["deadline"] == after(5 * 24 + 5)
        assert given["clock_state"]["turn_seconds"] == 5 * DAY + 5 * HOUR

    def test_time_can_be_given_for_the_next_turn_too(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock=DAYS)
        assert ada.post(f"{game.path}/clock", {"give": {"days": 1}}).json["deadline"] == after(72)
        game.play_any()
        assert game.view()["deadline"] == after(96)

    def test_a_bank_is_filled_by_it(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock={"bank_days": 2})
        given = bob.post(f"{game.path}/clock", {"give": {"days": 2}}).json
        assert given["clock_state"]["banks"] == {"north": 4 * DAY, "south": 2 * DAY}

    def test_nobody_can_have_more_than_a_year(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock=DAYS)
        for _ in range(4):
            assert bob.post(f"{game.path}/clock", {"give": {"days": 90}}).status_code == 200
        assert code(bob.post(f"{game.path}/clock", {"give": {"days": 90}})) == "too-much-time"

    def test_a_log_does_not_grow_by_gifts_for_ever(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock=DAYS)
        for _ in range(20):
            assert bob.post(f"{game.path}/clock", {"give": {"hours": 1}}).status_code == 200
        assert (
            code(bob.post(f"{game.path}/clock", {"give": {"hours": 1}})) == "too-many-clock-changes"
        )
        game.play_any()
        assert bob.post(f"{game.path}/clock", {"give": {"hours": 1}}).status_code == 200

    def test_without_a_clock_there_is_no_time_to_give(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob)
        assert game.view()["clock_state"] is None
        assert code(bob.post(f"{game.path}/clock", {"give": {"days": 2}})) == "no-clock"
        made = ada.post("/games", {"clock": DAYS}).json
        assert (
            code(ada.post(f"/games/{made['id']}/clock", {"give": {"days": 2}}))
            == "game-not-started"
        )

    def test_time_given_after_the_end_of_the_time_comes_too_late(
        self, ada: Person, bob: Person, clock: Clock, container: Container
    ) -> None:
        game = Started(ada, bob, clock=DAYS)
        tell_all(container)
        clock.time += 3 * DAY
        assert code(bob.post(f"{game.path}/clock", {"give": {"days": 2}})) == "game-over"
        assert game.view()["winner"] == "south"


class TestClaims:
    def test_a_round_does_not_end_until_the_win_is_claimed(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock=CLAIM)
        tell_all(ada.container)
        ada.clock.time += 4 * DAY
        assert game.view()["status"] == "active"
        over = bob.post(f"{game.path}/time-out", {}).json
        assert (over["winner"], over["reason"]) == ("south", "time-out")
        (timed_out,) = (
            event
            for event in ada.get(f"{game.path}/events").json["events"]
            if event["type"] == "timed_out"
        )
        assert (timed_out["via"], timed_out["data"]) == ("api", {"seat": "north"})

    def test_who_is_late_may_move_until_then(self, ada: Person, bob: Person, clock: Clock) -> None:
        game = Started(ada, bob, clock=CLAIM)
        tell_all(ada.container)
        clock.time += 4 * DAY
        assert game.play_any().status_code == 200
        assert code(bob.post(f"{game.path}/time-out", {})) == "time-not-out"
        assert game.view()["deadline"] == after(7 * 24)

    def test_the_opponent_may_give_time_instead(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock=CLAIM)
        tell_all(ada.container)
        ada.clock.time += 4 * DAY
        assert bob.post(f"{game.path}/clock", {"give": {"days": 2}}).json["deadline"] == after(
            5 * 24
        )
        assert code(bob.post(f"{game.path}/time-out", {})) == "time-not-out"

    def test_the_opponent_is_told_once_by_the_worker(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock=CLAIM)
        tell_all(ada.container)
        assert ada.container.games.time_out(game.id) is None
        assert mails(ada.container, "time-out") == []
        ada.clock.time += 3 * DAY
        assert deadline_entry(ada.container, game) == [game.id]
        assert ada.container.games.time_out(game.id) is None
        assert mails(ada.container, "time-out") == [bob.id]
        assert ada.container.log.deadlines.claim(10, 60, at=ada.clock.time + 10 * DAY) == []

    def test_nobody_claims_from_a_player_who_was_not_told(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock=CLAIM)
        game.play_any()  # of this turn of Bob's nobody tells him
        ada.clock.time += 4 * DAY
        assert code(ada.post(f"{game.path}/time-out", {})) == "time-not-out"
        assert types(ada, game)[-1] == "flag_held"
        assert code(ada.post(f"{game.path}/time-out", {})) == "time-not-out"

    def test_only_the_opponent_claims_and_only_what_is_to_be_claimed(
        self, ada: Person, bob: Person, clock: Clock, container: Container
    ) -> None:
        game, other = Started(ada, bob, clock=CLAIM), Started(ada, bob, clock=DAYS)
        tell_all(container)
        assert code(bob.post(f"{game.path}/time-out", {})) == "time-not-out"
        assert code(bob.post(f"{other.path}/time-out", {})) == "not-to-be-claimed"
        clock.time += 2.99 * DAY
        assert code(bob.post(f"{game.path}/time-out", {})) == "time-not-out"
        clock.time += 1 * DAY
        assert code(ada.post(f"{game.path}/time-out", {})) == "time-not-out"
        assert bob.post(f"{game.path}/resignation", {}).status_code == 200
        assert code(bob.post(f"{game.path}/time-out", {})) == "game-over"

    def test_a_bot_need_not_claim(self, ada: Person, clock: Clock, container: Container) -> None:
        wanted = {"opponent": {"bot": "random"}, "clock": CLAIM, "first_player": "creator"}
        made = ada.post("/games", wanted).json
        tell_all(container)
        clock.time += 4 * DAY
        assert ada.get(f"/games/{made['id']}").json["reason"] == "time-out"


class TestAsides:
    """What happens to the clock is no move."""

    def test_an_orders_condition_is_met_though_time_was_given(
        self, ada: Person, bob: Person
    ) -> None:
        game = Started(ada, bob, clock=DAYS, edition="community")
        legal = game.legal()[0]
        order = {"actions": [bob.get(game.path).json["hands"]["south"]["cards"][0] + "@9"]}
        wanted = {"turn": {**order, "when": [legal]}, "claim_proved": True}
        assert bob.put(f"{game.path}/orders", wanted).status_code == 200
        for _ in range(15):
            bob.post(f"{game.path}/clock", {"give": {"hours": 1}})
        game.play_any()
        assert bob.get(f"{game.path}/orders").json["last"]["outcome"] == "played"

    def test_the_deadline_is_the_same_in_a_process_that_reads_the_log(
        self, ada: Person, bob: Person, container: Container
    ) -> None:
        game = Started(ada, bob, clock={"bank_days": 3, "weekends_off": True}, rounds=2)
        bob.post(f"{game.path}/clock", {"give": {"hours": 5}})
        for player in (ada, bob):
            player.post(f"{game.path}/offers", {"kind": "pause", "until": after(50)})
        for _ in range(2):
            known = container.games.load(game.id)
            read = GameRepository(container.log.events, container.now).latest(game.id)
            assert read is not None
            assert (read.timing, read.clock_only_events) == (known.timing, known.clock_only_events)
            assert read.deadline == known.deadline
            ada.post(f"{game.path}/resignation")

    def test_a_pause_goes_on_in_the_next_round(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock=DAYS, rounds=2)
        for player in (ada, bob):
            player.post(f"{game.path}/offers", {"kind": "pause", "until": after(50)})
        ada.post(f"{game.path}/resignation")
        assert types(ada, game)[-2:] == ["round_started", "clock_paused"]
        assert game.view()["deadline"] == after(50 + 72)

    def test_a_page_from_before_is_as_good(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock=DAYS)
        seen = game.view()["version"]
        bob.post(f"{game.path}/clock", {"give": {"hours": 5}})
        tag = {"If-Match": f'"{seen}"'}
        legal = game.legal()[:1]
        stale = ada.post(f"{game.path}/turns", {"actions": legal}, headers=tag)
        assert code(stale) == "stale-version"
        played = ada.container.games.play(
            game.id, ada.id, legal, ChangeContext("web", [seen], is_of_table=True)
        )
        assert played.clock_only_events == 0


PAGE = (ROOT / "docs" / "clock.md").read_text()
CLOCKS = re.findall(r"`(\{[^`]+\})`", PAGE)
BANKS, PAUSES, CALENDARS = map(json.loads, re.findall(r"```json\n(.*?)```", PAGE, re.S))
TWO_DAYS = 2 * 86_400


@pytest.mark.parametrize("asked", sorted(set(CLOCKS)))
def test_each_clock_can_be_had_and_is_shown_as_asked(ada: Person, asked: str) -> None:
    made = ada.post("/games", {"clock": json.loads(asked)})
    assert (made.status_code, made.json["clock"]) == (201, json.loads(asked))


def after_two_days(ada: Person, bob: Person, clock: Clock, asked: dict[str, Any]) -> Started:
    game = Started(ada, bob, clock=asked)
    clock.time += TWO_DAYS
    assert game.play_any().status_code == 200
    return game


def shown(game: Started, part: dict[str, Any]) -> dict[str, Any]:
    return {name: game.view()[name] for name in part}


def test_banks_and_pauses_are_as_the_page_shows_them(ada: Person, bob: Person) -> None:
    game = after_two_days(ada, bob, ada.clock, BANKS["clock"])
    assert shown(game, BANKS) == BANKS
    for person in (ada, bob):
        person.post(f"{game.path}/offers", {"kind": "pause", "until": "2026-12-20T12:00:00Z"})
    assert shown(game, PAUSES) == PAUSES
    bob.post(f"{game.path}/clock", {"resume": True})
    for person in (ada, bob):
        person.post(f"{game.path}/offers", {"kind": "pause"})
    view = game.view()
    assert (view["deadline"], view["clock_state"]["paused"]["to"]) == (None, None)
    assert game.play_any().status_code == 200


def test_calendars_are_as_the_page_shows_them(ada: Person, bob: Person, clock: Clock) -> None:
    asleep = CALENDARS["clock_state"]["calendars"]["south"]
    assert bob.put("/me/calendar", asleep).status_code == 200
    game = after_two_days(ada, bob, clock, CALENDARS["clock"])
    assert shown(game, CALENDARS) == CALENDARS
