"""The events of a clock: where they may stand, what they hold; they change nothing else."""

import random
from dataclasses import replace
from typing import Any

import pytest

from engine import Game, RuleBroken, TakeTurn, advance, legal, replay, view
from engine.chain import StoredEvent, decode, encode
from engine.clock_events import TimeGiven
from engine.clocks import clock_command
from engine.commands import (
    AdjustClock,
    ChangeCalendar,
    ClockCommand,
    GiveTime,
    HoldFlag,
    MoveClock,
    PauseClock,
    ResumeClock,
)
from engine.record import BadRecord, from_text, to_text
from engine.record_form import check_form
from engine.verify import verify
from tests.engine.games import Kind, begin, record_of, steps

NOON, NIGHT = "2026-12-24T12:00:00Z", "2026-12-24T23:59:59Z"
COMMANDS: list[ClockCommand] = [
    ChangeCalendar("north", "Asia/Kathmandu", ("23:00", "07:30"), ((NOON, NIGHT),)),
    ChangeCalendar("south", "Etc/GMT+5"),
    GiveTime("south", 3600),
    MoveClock("south", 3600),
    PauseClock("north", NIGHT),
    PauseClock("south"),
    ResumeClock("north"),
    ResumeClock(None),
    AdjustClock(None, "outage", NOON, NIGHT),
    AdjustClock("south", "untold", NOON, NIGHT),
    HoldFlag("north", NIGHT),
]


def running() -> Game:
    return begin(Kind("iello"), random.Random(1), "creator")[0]


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_clock_s_event_counts_the_version_and_changes_nothing_else(command: ClockCommand) -> None:
    before = running()
    after, (event,) = advance(before, command)
    assert after.version == before.version + 1
    assert replace(view(after, "north"), version=before.version) == view(before, "north")
    assert decode(encode(event)) == event
    assert clock_command(event) == command


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_clock_runs_only_while_the_game_is_played(command: ClockCommand) -> None:
    *_, (_, over, _) = steps(running(), random.Random(1))
    with pytest.raises(RuleBroken) as refused:
        advance(over, command)
    assert refused.value.code == "game-over"


def test_time_is_given_to_the_opponent() -> None:
    assert advance(running(), GiveTime("south", 60))[1] == [TimeGiven("south", "north", 60)]


@pytest.mark.parametrize(
    "command",
    [
        GiveTime("south", 0),
        GiveTime("south", 366 * 86_400 + 1),
        ChangeCalendar("north", "UTC", ("23:00", "23:00")),
        ChangeCalendar("north", "UTC", ("23:00", "22:59")),
        ChangeCalendar("north", "UTC", ("22:00", "08:01")),
        ChangeCalendar("north", "UTC", None, ((NIGHT, NOON),)),
        AdjustClock(None, "outage", NOON, NOON),
        AdjustClock(None, "weather", NOON, NIGHT),
        HoldFlag("south", NIGHT),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(command: ClockCommand) -> None:
    with pytest.raises(RuleBroken) as refused:
        advance(running(), command)
    assert refused.value.code == "illegal-action"


def record() -> list[StoredEvent]:
    """A game with every command of a clock, some in the middle of a turn."""
    rng = random.Random(5)
    game, events = begin(Kind("bga", tactics=True, expert=True), rng)
    commands = COMMANDS[:-1] * 3
    while game.turn is not None:
        if commands:
            game, more = advance(game, commands.pop())
            events += more
        game, more = advance(game, TakeTurn(game.turn, [rng.choice(legal(game))]))
        events += more
    assert replay(events).over
    return record_of(events, game.secret)


def test_a_record_with_clocks_verifies_and_reads_back() -> None:
    lines = record()
    text = to_text(lines)
    assert verify(lines) is None
    assert check_form(lines) == lines
    assert from_text(text) == lines


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"seconds":3600', '"seconds":"3600"'),
        ('"seconds":3600', '"seconds":3601'),
        ('"type":"time_given"', '"type":"resigned"'),
        ('"type":"time_given"', '"type":["time_given"]'),
        ('"by":"south","data":{"seat":"north"', '"by":"east","data":{"seat":"north"'),
        ('"by":"south","data":{"seat":"north"', '"by":null,"data":{"seat":"north"'),
        ('clock:{"by"', 'clock:{"by'),
        ('clock:{"by"', 'clock:["by"'),
    ],
)
def test_a_clock_s_line_that_was_changed_is_refused(old: str, new: str) -> None:
    text = to_text(record())
    assert old in text
    with pytest.raises(BadRecord):
        from_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("type_", "by", "data"),
    [
        ("calendar_changed", "north", {"zone": "../etc", "sleep": None, "vacations": []}),
        ("calendar_changed", "north", {"zone": "A" * 65, "sleep": None, "vacations": []}),
        (
            "calendar_changed",
            "north",
            {"zone": "UTC", "sleep": ["25:00", "07:00"], "vacations": []},
        ),
        ("calendar_changed", "north", {"zone": "UTC", "sleep": None, "vacations": [[NOON]]}),
        ("calendar_changed", None, {"zone": "UTC", "sleep": None, "vacations": []}),
        ("time_given", "north", {"seat": "south", "seconds": 10**9}),
        ("clock_paused", "north", {"until": "tomorrow"}),
        ("clock_resumed", "north", {"why": "so"}),
        ("clock_adjusted", "north", {"seat": None, "reason": "outage", "from": NOON, "to": NIGHT}),
        ("clock_adjusted", None, {"seat": None, "reason": "rain", "from": NOON, "to": NIGHT}),
        ("flag_held", "north", {"seat": "north", "until": NIGHT}),
    ],
)
def test_a_clock_s_event_of_another_form_is_no_record(
    type_: str, by: Any, data: dict[str, Any]
) -> None:
    line = {**record()[-1], "type": type_, "by": by, "data": data}
    with pytest.raises(BadRecord):
        check_form([line])


@pytest.mark.parametrize(
    ("clock", "good"),
    [
        (None, True),
        ({"days_per_move": 3}, True),
        ({"days_per_move": 3, "weekends_off": True, "time_out": "claim"}, True),
        ({"bank_days": 14}, True),
        ({"bank_days": 14, "increment_hours": 12, "cap_days": 14, "vacations": False}, True),
        ({"until": NOON, "sleeping_hours": True}, True),
        ({}, False),
        ({"weekends_off": True}, False),
        ({"days_per_move": 3, "bank_days": 14}, False),
        ({"days_per_move": 3, "increment_hours": 14}, False),
        ({"until": "soon"}, False),
        ({"bank_days": 0}, False),
        ({"bank_days": 14, "time_out": "never"}, False),
        ([], False),
    ],
)
def test_a_clock_that_was_agreed_is_one_of_three_kinds(clock: Any, good: bool) -> None:
    created = record()[0]
    line = {**created, "data": {**created["data"], "terms": {"clock": clock}}}
    if good:
        assert check_form([line]) == [line]
        return
    with pytest.raises(BadRecord):
        check_form([line])
