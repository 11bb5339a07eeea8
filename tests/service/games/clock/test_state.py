"""What each kind of clock says, event by event."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from engine import Event
from engine.clock_events import (
    CalendarChanged,
    ClockAdjusted,
    ClockPaused,
    ClockResumed,
    FlagHeld,
    TimeGiven,
)
from engine.clocks import clock_event
from engine.commands import ChangeCalendar
from engine.events import GameEnded, RoundEnded, RoundStarted, TurnEnded
from service.core.times import timestamp, unix
from service.games.clock import folding
from service.games.clock.calendar import (
    ALWAYS,
    FAR,
    Calendar,
    Stretch,
    nights,
    reach,
    union,
    week,
    weekends,
)
from service.games.clock.state import AgreedPause, ClockState, read_terms, restated
from tests.engine.games import Kind, begin

MONDAY = "2026-11-23T12:00:00Z"
HOUR, DAY = 3600, 86_400


def later(hours: float, since: str = MONDAY) -> str:
    return timestamp(unix(since) + hours * HOUR)


def clock(agreed: dict[str, Any], *events: tuple[Event, float]) -> ClockState:
    """A clock that north started on Monday at noon, after events so many hours later."""
    state = ClockState(read_terms(agreed))
    for event, hours in [(RoundStarted(1, "north", None, None), 0.0), *events]:
        state = folding.after(state, event, unix(later(hours)))
    return state


def hours_left(state: ClockState) -> float | None:
    deadline = state.deadline()
    return None if deadline is None else (deadline - unix(MONDAY)) / HOUR


NORTH_MOVED, SOUTH_MOVED = TurnEnded("north", "south"), TurnEnded("south", "north")


class TestKinds:
    def test_days_for_each_move_begin_anew_with_each_turn(self) -> None:
        assert hours_left(clock({"days_per_move": 3})) == 72
        assert hours_left(clock({"days_per_move": 3}, (NORTH_MOVED, 50))) == 50 + 72

    def test_a_bank_is_used_up_by_its_player_alone(self) -> None:
        moved = clock({"bank_days": 2}, (NORTH_MOVED, 30), (SOUTH_MOVED, 40))
        assert (moved.north.bank, moved.south.bank) == (18 * HOUR, 38 * HOUR)
        assert hours_left(moved) == 40 + 18

    def test_an_increment_fills_the_bank_up_to_its_cap(self) -> None:
        agreed = {"bank_days": 2, "increment_hours": 12}
        assert clock(agreed, (NORTH_MOVED, 1)).north.bank == 59 * HOUR
        assert clock({**agreed, "cap_days": 2}, (NORTH_MOVED, 1)).north.bank == 48 * HOUR
        assert clock({**agreed, "cap_days": 2}, (NORTH_MOVED, 20)).north.bank == 40 * HOUR

    def test_what_was_given_beyond_the_cap_is_kept(self) -> None:
        given = TimeGiven("south", "north", 24 * HOUR)
        moved = clock({"bank_days": 2, "increment_hours": 9, "cap_days": 2}, (given, 1))
        assert folding.after(moved, NORTH_MOVED, unix(later(12))).north.bank == 60 * HOUR

    def test_who_moves_after_the_time_was_out_has_an_empty_bank(self) -> None:
        moved = clock({"bank_days": 1, "time_out": "claim"}, (NORTH_MOVED, 30))
        assert moved.north.bank == 0

    def test_a_fixed_end_is_of_every_turn_and_moved_by_outages_pauses_and_gifts_alone(self) -> None:
        agreed = {"until": later(100)}
        assert hours_left(clock(agreed)) == 100
        assert hours_left(clock(agreed, (NORTH_MOVED, 60))) == 100
        assert clock(agreed, (NORTH_MOVED, 60)).allowed() == 40 * HOUR

        state = clock(
            agreed,
            (ClockAdjusted(None, "outage", later(2), later(5)), 6),
            (ClockPaused("south", later(20)), 10),
            (NORTH_MOVED, 30),
            (ClockAdjusted("south", "untold", later(30), later(40)), 41),
            (CalendarChanged("south", "UTC", ("00:00", "10:00"), ()), 42),
            (TimeGiven("north", "south", 7 * HOUR), 50),
        )
        assert hours_left(state) == 100 + 3 + 10 + 7

    def test_a_round_begins_with_all_of_its_time(self) -> None:
        ended, started = (
            RoundEnded(1, "north", "resignation", {}, {}),
            RoundStarted(2, "south", (), ()),
        )
        state = clock({"bank_days": 2}, (NORTH_MOVED, 30), (ended, 40), (started, 40))
        assert hours_left(state) == 88
        assert state.north.bank == 48 * HOUR

    def test_a_clock_stands_between_rounds_and_after_the_end(self) -> None:
        ended = clock({"bank_days": 2}, (RoundEnded(1, None, "stalemate", {}, {}), 1))
        over = clock({"bank_days": 2}, (GameEnded(None, None, "agreement", {}, ""), 1))
        for state in (ended, over):
            assert (state.deadline(), state.allowed(), state.after_share(1, 2)) == (None, 0, None)


class TestPauses:
    def test_pauses_that_overlap_count_once(self) -> None:
        """Monday noon and three days. The pauses: 24 to 30, 26 to 33 and 28 to 29 hours later."""
        state = clock(
            {"days_per_move": 3, "vacations": True},
            (ClockPaused("south", later(30)), 24),
            (CalendarChanged("north", "UTC", None, ((later(26), later(33)),)), 25),
            (ClockAdjusted(None, "outage", later(28), later(29)), 40),
        )
        assert hours_left(state) == 72 + 9
        assert [pause.reason for pause in state.pauses(unix(MONDAY), unix(later(100)))] == [
            "agreement",
            "outage",
            "vacation",
        ]

    def test_what_the_game_does_not_allow_is_no_pause(self) -> None:
        calendar = CalendarChanged("north", "UTC", ("20:00", "06:00"), ((later(26), later(33)),))
        assert hours_left(clock({"days_per_move": 3}, (calendar, 0))) == 72
        assert hours_left(clock({"days_per_move": 3, "vacations": True}, (calendar, 0))) == 79
        assert hours_left(clock({"days_per_move": 3, "sleeping_hours": True}, (calendar, 0))) == 122

    def test_only_the_calendar_of_the_player_to_move_counts(self) -> None:
        calendar = CalendarChanged("south", "UTC", None, ((later(26), later(33)),))
        state = clock({"days_per_move": 3, "vacations": True}, (calendar, 0))
        assert hours_left(state) == 72
        assert hours_left(folding.after(state, NORTH_MOVED, unix(later(25)))) == 25 + 72 + 7

    def test_a_calendar_does_not_change_what_lies_before_it(self) -> None:
        """From Monday 14:00 on they have slept since Monday 13:00: only an hour of it counts."""
        calendar = CalendarChanged("north", "UTC", ("13:00", "15:00"), ())
        state = clock({"days_per_move": 1, "sleeping_hours": True}, (calendar, 2))
        assert hours_left(state) == 25

    def test_weekends_follow_the_zone_of_the_player(self) -> None:
        agreed = {"days_per_move": 4, "weekends_off": True}
        assert hours_left(clock(agreed)) == 96
        # On Friday at noon it has been Saturday in Auckland for an hour.
        auckland = CalendarChanged("north", "Pacific/Auckland", None, ())
        assert hours_left(clock(agreed, (auckland, 0))) == 144
        assert hours_left(clock(agreed, (auckland, 95))) == 144
        assert hours_left(clock(agreed, (auckland, 95.5))) == 143.5

    def test_zone_and_sleep_wait_for_the_next_turn_and_vacations_do_not(self) -> None:
        agreed = {"days_per_move": 1, "weekends_off": True, "sleeping_hours": True}
        change = CalendarChanged("north", "Pacific/Auckland", ("00:00", "10:00"), (), True)
        state = clock(agreed, (change, 2))
        assert hours_left(state) == 24
        assert state.calendar("north") == Calendar()
        moved = folding.after(state, NORTH_MOVED, unix(later(3)))
        assert moved.calendar("north") == Calendar("Pacific/Auckland", (0, 10 * HOUR))
        again = folding.after(moved, SOUTH_MOVED, unix(later(4)))
        # It is Tuesday, 05:00 there: the rest of that night, and the next one, lie in the turn.
        assert hours_left(again) == 4 + 24 + 5 + 10
        away = CalendarChanged("north", "UTC", None, ((later(5), later(8)),), True)
        assert hours_left(clock({**agreed, "vacations": True}, (away, 2))) == 24 + 3

    def test_what_waits_holds_in_the_next_round(self) -> None:
        change = CalendarChanged("north", "Asia/Tokyo", None, (), True)
        state = clock({"days_per_move": 1, "weekends_off": True}, (change, 2))
        (restated_one,) = restated(state, unix(later(3)))
        assert restated_one == ChangeCalendar("north", "Asia/Tokyo")

    def test_no_changes_in_a_turn_make_it_longer_but_for_vacations(self) -> None:
        """Any zones and nights, changed at any time of the turn, its first second too."""
        chance = random.Random(7)
        clocks = ({"days_per_move": 2}, {"bank_days": 3, "increment_hours": 5})
        for _ in range(300):
            agreed = {**chance.choice(clocks), "weekends_off": True, "sleeping_hours": True}
            before = (_any_calendar(chance, next_turn=False), chance.randrange(90))
            start = before[1] + 1
            began = [before, (NORTH_MOVED, start), (SOUTH_MOVED, start)]
            hours = sorted(chance.choice([0, 1, 5, 30, 47]) for _ in range(chance.randrange(1, 6)))
            changes = [(_any_calendar(chance), start + hour) for hour in hours]
            alone, changed = clock(agreed, *began), clock(agreed, *began, *changes)
            assert changed.deadline() == alone.deadline()
            assert changed.north.bank == alone.north.bank

    def test_an_agreed_pause_without_an_end_stops_the_clock_until_it_is_resumed(self) -> None:
        paused = clock({"days_per_move": 3}, (ClockPaused("north", None), 10))
        assert hours_left(paused) is None
        assert paused.after_share(1, 10) == unix(later(7.2))
        assert paused.after_share(1, 2) is None
        moved = folding.after(paused, NORTH_MOVED, unix(later(20)))
        assert hours_left(moved) is None
        resumed = folding.after(moved, ClockResumed("south"), unix(later(50)))
        assert hours_left(resumed) == 50 + 72

    def test_a_pause_ends_when_another_begins(self) -> None:
        state = clock(
            {"days_per_move": 3},
            (ClockPaused("north", later(100)), 10),
            (ClockPaused("south", later(30)), 20),
        )
        assert hours_left(state) == 72 + 20
        pause = state.paused()
        assert pause is not None
        assert (pause.start, pause.end) == (unix(later(20)), unix(later(30)))

    def test_a_pause_that_was_taken_back_at_once_is_none(self) -> None:
        state = clock(
            {"days_per_move": 3}, (ClockPaused("north", None), 5), (ClockResumed(None), 5)
        )
        assert (hours_left(state), state.paused()) == (72, None)

    def test_time_given_counts_for_the_turn_or_the_next_one(self) -> None:
        given = TimeGiven("south", "north", 5 * HOUR)
        agreed = {"days_per_move": 1}
        assert hours_left(clock(agreed, (given, 1))) == 29
        assert hours_left(clock(agreed, (NORTH_MOVED, 2), (given, 3), (SOUTH_MOVED, 4))) == 4 + 29
        spent = [(given, 1.0), (NORTH_MOVED, 2.0), (SOUTH_MOVED, 3.0)]
        assert hours_left(clock(agreed, *spent)) == 3 + 24


class TestFlags:
    def test_a_flag_that_is_held_waits_and_not_longer_than_its_limit(self) -> None:
        held = clock({"days_per_move": 1}, (FlagHeld("north", later(100)), 25))
        assert hours_left(held) == 100
        assert held.time_out() == unix(later(24))

    def test_once_the_player_was_told_the_turn_begins_then(self) -> None:
        told = ClockAdjusted("north", "untold", MONDAY, later(60))
        state = clock({"days_per_move": 1}, (FlagHeld("north", later(100)), 25), (told, 60))
        assert (hours_left(state), state.held) == (84, None)

    def test_the_next_turn_knows_no_flag_of_the_one_before(self) -> None:
        state = clock({"days_per_move": 1}, (FlagHeld("north", later(100)), 25), (NORTH_MOVED, 30))
        assert (hours_left(state), state.held) == (54, None)

    def test_a_share_of_the_time_is_reckoned_as_the_deadline_is(self) -> None:
        """A day's worth of time, of which the night from 20:00 to 06:00 does not count."""
        calendar = CalendarChanged("north", "UTC", ("20:00", "06:00"), ())
        state = clock({"days_per_move": 1, "sleeping_hours": True}, (calendar, 0))
        assert state.after_share(1, 2) == unix(later(22))
        assert state.after_share(9, 10) == unix(later(8 + 10 + 13.6))
        assert state.after_share(1, 1) == state.deadline() == unix(later(44))


class TestRounds:
    def test_what_goes_on_is_stated_again(self) -> None:
        calendar = CalendarChanged(
            "south", "Asia/Kathmandu", ("23:15", "07:45"), ((later(5), later(9)),)
        )
        before = clock(
            {"days_per_move": 3, "vacations": True, "sleeping_hours": True},
            (calendar, 1),
            (ClockPaused("north", later(50)), 2),
        )
        started = folding.after(before, RoundStarted(2, "south", (), ()), unix(later(3)))
        assert started.calendar("south") == Calendar()
        after, game = started, begin(Kind("iello"), random.Random(1))[0]
        for command in restated(before, unix(later(3))):
            after = folding.after(after, clock_event(game, command), unix(later(3)))
        assert after.calendar("south") == before.calendar("south")
        assert after.paused() == AgreedPause(unix(later(3)), unix(later(50)), "north")
        (calendar_alone,) = restated(before, unix(later(51)))
        assert calendar_alone == ChangeCalendar("south", "Asia/Kathmandu", ("23:15", "07:45"))

    def test_nothing_is_stated_where_nothing_goes_on(self) -> None:
        assert restated(clock({"bank_days": 3}), unix(MONDAY)) == []


class TestArithmetic:
    def test_a_union_neither_overlaps_nor_touches(self) -> None:
        assert union([(5, 7), (1, 2), (2, 4), (6, 9), (8, 8), (20, 10)]) == [(1, 4), (5, 9)]
        assert union([]) == []

    def test_no_time_at_all_is_over_at_once(self) -> None:
        assert reach(10, 0, [Stretch(20, 30, 0, ALWAYS)]) == 10
        assert reach(10, -5, []) == 10
        assert clock({"bank_days": 3}).counted(10, 5) == 0

    def test_time_that_ends_where_a_pause_begins_is_over_then(self) -> None:
        stretches = [Stretch(0, 10, 0, ALWAYS), Stretch(20, 30, 0, ALWAYS)]
        assert [reach(0, seconds, stretches) for seconds in (10, 11, 20)] == [10, 21, 30]
        assert reach(0, 21, stretches) is None

    def test_time_that_ends_with_the_day_is_over_then(self) -> None:
        nights = week(True, (22 * HOUR, 6 * HOUR))
        friday = 86_400 + 6 * HOUR
        assert nights.after(friday, 16 * HOUR) == friday + 16 * HOUR
        assert nights.after(friday, 16 * HOUR + 1) == friday + 3 * DAY + 1
        assert nights.after(friday, 80 * HOUR + 1) == friday + 7 * DAY + 1

    def test_a_time_that_would_last_beyond_all_records_is_never_out(self) -> None:
        given = TimeGiven("south", "north", 200 * 366 * DAY)
        assert clock({"bank_days": 366}, (given, 1)).deadline() is None

    def test_years_cost_little_more_than_days(self) -> None:
        """Whatever was forged: of each day counts a minute, which makes 1400 years of 366 days."""
        night, agreed = ("00:00", "23:59"), {"sleeping_hours": True, "weekends_off": True}
        awake = CalendarChanged("north", "Pacific/Chatham", night, ())
        for terms in ({"days_per_move": 366}, {"bank_days": 366}):
            state = clock({**terms, **agreed}, (awake, 0))
            assert state.deadline() is None
            assert len(list(state._stretches(unix(MONDAY), FAR))) < 3 * 200
        assert clock({"days_per_move": 30, **agreed}, (awake, 0)).deadline() == unix(
            "2192-06-25T11:15:00Z"
        )

    @pytest.mark.parametrize("zone", ["Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu"])
    def test_every_minute_is_asleep_or_awake_as_the_wall_clock_says(self, zone: str) -> None:
        rng, info = random.Random(7), ZoneInfo(zone)
        for month, day in ((3, 27), (4, 3), (10, 2), (10, 23), (6, 1)):
            start = datetime(2026, month, day, tzinfo=UTC)
            falls, wakes = sorted(rng.sample(range(1440), 2))
            calendar = Calendar(zone, (falls * 60, wakes * 60))
            for minute in range(4 * 1440):
                at = start + timedelta(minutes=minute)
                local = at.astimezone(info)
                asleep = falls <= local.hour * 60 + local.minute < wakes
                second = int(at.timestamp())
                assert any(nights(calendar, second, second + 60)) == asleep, at
                assert any(weekends(calendar, second, second + 60)) == (local.weekday() > 4), at

    def test_a_zone_that_is_no_more_is_utc(self) -> None:
        second = unix("2026-11-28T00:00:00Z")
        assert [*weekends(Calendar("Mars/Olympus"), second - 60, second + 60)] == [
            (second, second + 60)
        ]


def _any_calendar(chance: random.Random, *, next_turn: bool = True) -> CalendarChanged:
    """Of North, without a vacation."""
    zone = chance.choice(["UTC", "Pacific/Kiritimati", "America/Santiago", "Asia/Kathmandu"])
    falls, length = chance.randrange(24), chance.randrange(1, 11)
    sleep = (f"{falls:02}:00", f"{(falls + length) % 24:02}:00") if chance.random() < 0.8 else None
    return CalendarChanged("north", zone, sleep, (), next_turn)
