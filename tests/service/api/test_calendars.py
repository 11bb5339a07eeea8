"""The caller's calendar, and what becomes of it in their games."""

from typing import Any

import pytest

from service.container import Container
from service.core.times import timestamp
from service.eventlog import parse_notice_id
from service.games.repository import GameRepository
from tests.support.clock import NOON, Clock
from tests.support.people import Person, Started, code
from tests.support.telling import tell_all

HOUR, DAY = 3600, 86_400
NEW_YEARS_EVE = 1798675200 + 12 * HOUR  # 2026-12-31
ALL: dict[str, Any] = {
    "days_per_move": 3,
    "weekends_off": True,
    "sleeping_hours": True,
    "vacations": True,
}
NIGHT = {"from": "23:00", "to": "07:00"}


def after(hours: float) -> str:
    return timestamp(NOON + hours * HOUR)


def span(first: float, last: float) -> dict[str, str]:
    """From and to, in days from now."""
    return {"from": after(24 * first), "to": after(24 * last)}


def put(person: Person, **calendar: Any) -> Any:
    return person.put("/me/calendar", {"zone": "UTC", **calendar})


def events(person: Person, game: Started) -> list[Any]:
    found = person.get(f"{game.path}/events").json["events"]
    return [event for event in found if event["type"] == "calendar_changed"]


def test_without_one_every_hour_counts(ada: Person) -> None:
    assert ada.get("/me/calendar").json == {
        "zone": "UTC",
        "sleep": None,
        "vacations": [],
        "by_itself": False,
        "vacation_account": [{"year": 2026, "seconds": 30 * DAY, "spent": 0}],
    }


def test_it_is_kept_as_it_was_given_and_its_zone_is_that_of_mail(ada: Person) -> None:
    given = {"zone": "Asia/Kathmandu", "sleep": NIGHT, "vacations": [span(1, 3), span(5, 6)]}
    kept = ada.put("/me/calendar", given).json
    assert {name: kept[name] for name in given} == given
    assert kept["vacation_account"] == [{"year": 2026, "seconds": 30 * DAY, "spent": 3 * DAY}]
    assert ada.get("/me/calendar").json == kept == ada.put("/me/calendar", given).json
    assert ada.get("/me/settings").json["mail"]["time_zone"] == "Asia/Kathmandu"
    assert ada.patch("/me/settings", {"mail": {"time_zone": "Europe/Berlin"}}).status_code == 200
    assert ada.get("/me/calendar").json["zone"] == "Europe/Berlin"


class TestVacations:
    def test_one_that_is_ended_early_gives_its_other_days_back(self, ada: Person) -> None:
        put(ada, vacations=[span(1, 11)])
        ada.clock.time += 4 * DAY
        ended = put(ada).json
        assert ended["vacations"] == []
        assert ended["vacation_account"][0]["spent"] == 3 * DAY

    def test_one_that_goes_on_keeps_its_beginning(self, ada: Person, clock: Clock) -> None:
        put(ada, vacations=[span(1, 5)])
        clock.time += 2 * DAY
        assert put(ada, vacations=[span(1, 9)]).json["vacations"] == [span(1, 9)]
        assert put(ada, vacations=[span(0, 9)]).json["vacations"] == [span(2, 9)]

    def test_there_are_so_many_days_a_year(self, ada: Person) -> None:
        assert code(put(ada, vacations=[span(0, 30.5)])) == "vacation-days-exceeded"
        assert put(ada, vacations=[span(0, 30)]).status_code == 200
        # 40.5 days from now the year is over.
        assert put(ada, vacations=[span(0, 30), span(40.5, 70)]).status_code == 200
        more = put(ada, vacations=[span(0, 30), span(40, 70)])
        assert (code(more), more.json["year"]) == ("vacation-days-exceeded", 2026)

    def test_a_year_in_the_middle_has_its_account_too(self, ada: Person, clock: Clock) -> None:
        clock.time = NEW_YEARS_EVE
        year = {"from": "2027-01-01T00:00:00Z", "to": "2028-01-01T00:00:01Z"}
        assert code(put(ada, vacations=[year])) == "vacation-days-exceeded"

    def test_plans_do_not_change_all_the_time(self, ada: Person) -> None:
        for day in range(40):
            assert put(ada, vacations=[span(1, 2 + day / 10)]).status_code == 200
        assert code(put(ada, vacations=[span(1, 9)])) == "calendar-changed-too-often"
        assert put(ada).status_code == 200

    @pytest.mark.parametrize(
        "vacations",
        [[span(3, 2)], [span(1, 3), span(2, 4)], [span(1, 3), span(1, 4)], [span(300, 367)]],
    )
    def test_what_is_no_vacation_is_refused(self, ada: Person, vacations: Any) -> None:
        assert code(put(ada, vacations=vacations)) == "bad-vacation"

    def test_what_is_over_is_no_news(self, ada: Person) -> None:
        assert put(ada, vacations=[span(-9, -3)]).json["vacations"] == []

    def test_a_day_before_its_end_there_is_a_notice(self, ada: Person) -> None:
        put(ada, vacations=[span(1, 11)])
        due = {parse_notice_id(n.id).kind: n.due for n in ada.container.log.outbox.pending()}
        assert due["vacation-ends"] == NOON + 10 * DAY

    def test_what_is_stored_does_not_grow_for_ever(self, ada: Person, clock: Clock) -> None:
        for number in range(101):
            end = after(25 * 24 + number / 10)
            begun = put(ada, vacations=[{"from": timestamp(clock.time), "to": end}])
            assert begun.status_code == 200
            clock.time += 60
            assert put(ada).status_code == 200
            clock.time += 5 * HOUR
        refused = put(ada, vacations=[{"from": timestamp(clock.time), "to": after(25 * 24)}])
        assert code(refused) == "calendar-changed-too-often"
        assert put(ada, zone="Asia/Tokyo").status_code == 200
        kinds = [parse_notice_id(notice.id).kind for notice in ada.container.log.outbox.pending()]
        assert kinds.count("vacation-ends") < 10


class TestByItself:
    """A vacation that begins when time is out: only for who has asked for it."""

    def begun(self, ada: Person, bob: Person, container: Container, **calendar: Any) -> Started:
        put(ada, **calendar)
        game = Started(ada, bob, clock={"days_per_move": 3, "vacations": True})
        tell_all(container)
        return game

    def test_it_begins_when_time_is_out_and_the_opponent_sees_it(
        self, ada: Person, bob: Person, container: Container, clock: Clock
    ) -> None:
        game = self.begun(ada, bob, container, by_itself=True)
        clock.time += 3 * DAY
        view = game.view("south")
        assert (view["status"], view["deadline"]) == ("active", after(4 * 24))
        (pause,) = view["clock_state"]["pauses"]
        assert (pause["reason"], pause["seat"]) == ("vacation", "north")
        kept = ada.get("/me/calendar").json
        assert kept["vacation_account"][0]["spent"] == DAY
        assert len(kept["vacations"]) == 1

    def test_one_vacation_is_for_all_games(self, ada: Person, bob: Person, clock: Clock) -> None:
        game = self.begun(ada, bob, ada.container, by_itself=True)
        other = self.begun(ada, bob, ada.container, by_itself=True)
        clock.time += 3 * DAY
        ada.container.games.time_out(game.id)
        ada.container.games.calendars.apply(ada.id)
        ada.container.games.time_out(other.id)
        assert [each.view()["status"] for each in (game, other)] == ["active"] * 2
        assert ada.get("/me/calendar").json["vacation_account"][0]["spent"] == DAY

    def test_it_goes_on_while_there_are_days(self, ada: Person, bob: Person, clock: Clock) -> None:
        spent = [span(1, 28)]
        game = self.begun(ada, bob, ada.container, by_itself=True, vacations=spent)
        clock.time += 30 * DAY
        assert [game.view()["status"] for _ in range(2)] == ["active", "active"]
        for _ in range(2):
            clock.time += DAY
            assert game.view()["status"] == "active"
        clock.time += DAY
        assert game.view()["reason"] == "time-out"
        assert ada.get("/me/calendar").json["vacation_account"][0]["spent"] == 30 * DAY

    def test_who_ends_it_has_no_more_of_it_in_the_game_than_on_the_account(
        self, ada: Person, bob: Person, container: Container, clock: Clock
    ) -> None:
        game = self.begun(ada, bob, container, by_itself=True)
        clock.time += 3 * DAY
        assert game.view()["deadline"] == after(4 * 24)
        clock.time += HOUR
        assert put(ada).json["vacation_account"][0]["spent"] == HOUR + 1
        assert game.view()["deadline"] == timestamp(NOON + 3 * DAY + HOUR + 1)
        clock.time += 1
        assert game.view()["reason"] == "time-out"

    def test_who_asks_for_it_once_time_is_out_keeps_nobody_from_the_win(
        self, ada: Person, bob: Person, container: Container, clock: Clock
    ) -> None:
        claimed = {"days_per_move": 3, "vacations": True, "time_out": "claim"}
        game = Started(ada, bob, clock=claimed)
        tell_all(container)
        clock.time += 3 * DAY
        assert put(ada, by_itself=True).json["by_itself"]
        assert bob.post(f"{game.path}/time-out").status_code == 200
        assert game.view()["reason"] == "time-out"

    def test_nobody_is_on_vacation_who_has_not_asked_for_it(self, ada: Person, bob: Person) -> None:
        game = self.begun(ada, bob, ada.container)
        ada.clock.time += 3 * DAY
        assert game.view()["reason"] == "time-out"


class TestSleep:
    def test_nobody_sleeps_more_than_ten_hours(self, ada: Person) -> None:
        assert put(ada, sleep={"from": "21:00", "to": "07:00"}).status_code == 200
        assert code(put(ada, sleep={"from": "21:00", "to": "07:01"})) == "sleep-too-long"
        assert code(put(ada, sleep={"from": "07:00", "to": "07:00"})) == "sleep-too-long"

    def test_nobody_is_always_asleep(self, ada: Person, clock: Clock) -> None:
        for hour in range(4):
            assert put(ada, sleep={"from": f"0{hour}:00", "to": "09:00"}).status_code == 200
        again = put(ada, sleep={"from": "05:00", "to": "09:00"})
        assert code(again) == "calendar-changed-too-often"
        moved = ada.patch("/me/settings", {"mail": {"time_zone": "Asia/Tokyo"}})
        assert code(moved) == "calendar-changed-too-often"
        clock.time += 7 * DAY
        assert put(ada, sleep={"from": "05:00", "to": "09:00"}).status_code == 200


class TestGames:
    def test_a_vacation_comes_into_a_game_whatever_the_other_player_does(
        self, ada: Person, bob: Person
    ) -> None:
        game = Started(
            ada, bob, clock={"days_per_move": 3, "weekends_off": True, "vacations": True}
        )
        for n in range(70):
            put(bob, zone=("Asia/Tokyo", "Europe/Berlin")[n % 2])
        before = game.view()["deadline"]
        put(ada, vacations=[span(0, 10)])
        assert game.view()["deadline"] > before

    def test_a_game_begins_with_the_calendars_of_its_players(
        self, ada: Person, bob: Person
    ) -> None:
        """Saturday noon: the weekend, then four nights of eight hours; none of Wednesday's."""
        put(ada, zone="Europe/Berlin", sleep=NIGHT)
        game = Started(ada, bob, clock=ALL)
        (event,) = events(ada, game)
        assert (event["by"], event["via"]) == ("north", "clock")
        assert event["data"] == {
            "zone": "Europe/Berlin",
            "sleep": ["23:00", "07:00"],
            "vacations": [],
        }
        view = game.view("south")
        assert view["clock_state"]["calendars"] == {
            "north": {"zone": "Europe/Berlin", "sleep": NIGHT, "vacations": []},
            "south": None,
        }
        # Sunday 23:00 UTC is Monday; of each day 07:00 to 23:00 count: 16 hours.
        assert view["deadline"] == "2026-11-27T14:00:00Z"

    def test_only_what_the_clock_allows_is_told(self, ada: Person, bob: Person) -> None:
        put(ada, zone="Europe/Berlin", sleep=NIGHT, vacations=[span(1, 2)])
        assert events(ada, Started(ada, bob, clock={"days_per_move": 3})) == []
        game = Started(ada, bob, clock={"days_per_move": 3, "vacations": True})
        (event,) = events(ada, game)
        assert event["data"] == {
            "zone": "UTC",
            "sleep": None,
            "vacations": [[after(24), after(48)]],
        }
        assert game.view()["deadline"] == after(96)

    def test_a_change_is_written_into_all_running_games(self, ada: Person, bob: Person) -> None:
        clocks = ({"days_per_move": 3, "vacations": True}, {"days_per_move": 3}, ALL)
        games = [Started(ada, bob, clock=agreed) for agreed in clocks]
        ada.clock.time += HOUR
        put(ada, vacations=[span(1, 2)])
        assert [len(events(ada, game)) for game in games] == [1, 0, 1]
        assert games[0].view()["deadline"] == after(96)
        put(ada, vacations=[span(1, 2)])
        assert [len(events(ada, game)) for game in games] == [1, 0, 1]

    def test_a_calendar_holds_for_the_next_round_too(self, ada: Person, bob: Person) -> None:
        put(ada, zone="Europe/Berlin", sleep=NIGHT, vacations=[span(1, 2)])
        game = Started(ada, bob, clock=ALL, rounds=2)
        assert ada.post(f"{game.path}/resignation").status_code == 200
        first, second = events(ada, game)
        assert first["data"] == second["data"]
        read = GameRepository(ada.container.log.events, ada.container.now).latest(game.id)
        assert read is not None
        assert read.timing == ada.container.games.load(game.id).timing

    def test_a_worker_writes_what_a_process_that_died_could_not(
        self, ada: Person, bob: Person, container: Container, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = Started(ada, bob, clock=ALL)
        calendars = container.games.calendars
        with monkeypatch.context() as dying:
            dying.setattr(container.games.writer, "write_all", lambda *_: None)
            put(ada, sleep=NIGHT)
        assert events(ada, game) == []
        pending = [parse_notice_id(notice.id) for notice in container.log.outbox.pending()]
        assert [notice.recipient for notice in pending if notice.kind == "calendar"] == [ada.id]
        calendars.apply(ada.id)
        assert len(events(ada, game)) == 1

    def test_a_closed_account_leaves_no_calendar(self, ada: Person, container: Container) -> None:
        put(ada, sleep=NIGHT)
        assert ada.delete("/me").status_code == 204
        assert container.games.calendars.of(ada.id).sleep is None
