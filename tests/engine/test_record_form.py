"""The form of a record: whatever a line holds, it is either as described or refused."""

import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine import Abandon, CreateGame, advance
from engine.chain import EVENT_TYPES, VIA, EncodedEvent, StoredEvent, redact
from engine.events import RusePlayed
from engine.record import from_jsonl, from_text, to_jsonl, to_text
from engine.record_form import (
    _DATA,
    _PRIVATE,
    MAX_EVENTS,
    MAX_LINE,
    BadRecord,
    check_form,
    read_line,
    stored_event,
)
from tests.engine.games import Kind, forged, record_of, whole_game
from tests.golden.corpus import FOLDER

ESCAPE = "\x1b[2JSound"
NASTY: list[Any] = [
    None, True, -1, 0, 10**12, 1.5, "", ESCAPE, "}:x{", "\ud800", "a\nb", "R7\u202e", "x" * 2000,
    [], {}, [[]], {"x": {}}, [None] * 100, ["R1", "R1"], {"north": True},
]  # fmt: skip


@pytest.fixture(scope="module")
def record() -> list[StoredEvent]:
    """A record that holds every Ruse, and an end."""
    game, events = whole_game(Kind("iello", tactics=True, rounds=3), 11)
    ruses = {event.action.ruse for event in events if isinstance(event, RusePlayed)}
    assert ruses == {"REC", "STR", "BAN", "TRA"}
    return record_of(events, game.secret)


def changed(line: StoredEvent, path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """The line with another value at this place."""
    twin: Any = copy.deepcopy(line)
    inner = twin
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    assert isinstance(twin, dict)
    return twin


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every part of a value."""
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = list(enumerate(value))[:2]
    for step, inner in items:
        yield (*path, step)
        yield from places(inner, (*path, step))


def refusal(line: Any, number: int = 1) -> str:
    with pytest.raises(BadRecord) as bad:
        stored_event(number, line)
    assert bad.value.event == number
    return str(bad.value)


def accepts(line: Any) -> bool:
    try:
        stored_event(3, line)
    except BadRecord:
        return False
    return True


def first(record: list[StoredEvent], type_: str) -> StoredEvent:
    return next(line for line in record if line["type"] == type_)


def test_what_is_played_here_has_the_form(record: list[StoredEvent]) -> None:
    assert check_form(record) == record
    assert check_form([redact(line, None, over=False) for line in record]) is not None


def test_every_record_of_the_corpus_has_the_form() -> None:
    for path in sorted(FOLDER.glob("*.jsonl")):
        assert check_form(from_jsonl(path.read_text(encoding="utf-8")))
    for path in sorted(FOLDER.glob("*.txt"))[::9]:
        assert check_form(from_text(path.read_text(encoding="utf-8")))


def test_every_event_that_is_known_has_a_form() -> None:
    assert set(_DATA) == set(EVENT_TYPES)


@pytest.mark.parametrize(
    ("type_", "path", "value"),
    [
        ("game_created", ("at",), "yesterday"),
        ("game_created", ("at",), "0001-01-01T00:00:00Z"),
        ("game_created", ("at",), "9999-12-31T23:59:59Z"),
        ("game_created", ("at",), "2026-11-21T12:00:00+23:59"),
        ("game_created", ("at",), "2026-11-21T12:00:00.5Z"),
        ("game_created", ("at",), "2026-02-30T12:00:00Z"),
        ("game_created", ("at",), "2026-11-21T24:00:00Z"),
        ("game_created", ("at",), "\uff12026-11-21T12:00:00Z"),
        ("card_played", ("via",), "api\nweb"),
        ("card_played", ("via",), "fax"),
        ("card_played", ("by",), None),
        ("card_played", ("by",), "east"),
        ("round_started", ("by",), "north"),
        ("card_played", ("v",), 2),
        ("card_played", ("v",), True),
        ("card_played", ("type",), "card_eaten"),
        ("card_played", ("type",), ESCAPE),
        ("card_played", ("hash",), "F" * 64),
        ("card_played", ("salt",), "0" * 63),
        ("card_played", ("private",), {"cards": ["R1"]}),
        ("card_played", ("data", "stone"), 10),
        ("card_played", ("data", "card"), "TRA"),
        ("game_created", ("data", "player"), "}:x{"),
        ("game_created", ("data", "player"), ""),
        ("player_joined", ("data", "player"), "bob\n"),
        ("player_joined", ("data", "salt"), "\ud800"),
        ("player_joined", ("data", "visited_scotland"), "long ago"),
        ("game_created", ("data", "rules_version"), ESCAPE),
        ("game_created", ("data", "rounds"), 100),
        ("game_created", ("data", "options", "hand_size"), 30),
        ("game_created", ("data", "terms", "invited"), ["x"]),
        ("game_created", ("data", "terms", "clock"), {"days_per_move": 10**12}),
        ("game_created", ("data", "terms", "clock"), {"days_per_move": "3"}),
        ("game_created", ("data", "terms", "clock"), {}),
        ("game_created", ("data", "terms", "invitation_days"), 10**9),
        ("game_created", ("data", "terms", "hidden"), 1),
        ("game_created", ("data", "terms", "daily"), "2026-02-30"),
        ("game_created", ("data", "terms", "daily"), None),
        ("game_created", ("private", "secret"), "no hex"),
        ("round_started", ("private", "clan"), ["R1"] * 54),
        ("round_started", ("private", "tactic"), ["JOK"]),
        ("card_drawn", ("private", "cards"), ["R1", "R2"]),
        ("round_ended", ("data", "points"), {"north": 5}),
        ("game_ended", ("data", "reason"), "luck"),
    ],
)
def test_what_is_out_of_form_is_refused_at_its_event(
    record: list[StoredEvent], type_: str, path: tuple[str, str, str] | tuple[str, ...], value: Any
) -> None:
    line = changed(first(record, type_), path, value)
    told = refusal(line, 7)
    assert told.startswith("event 7: ")
    assert told.isprintable()
    with pytest.raises(BadRecord, match=r"^event 2: "):
        check_form([record[0], line])


def test_a_game_is_practice_a_deal_of_the_day_or_of_a_season_and_never_two(
    record: list[StoredEvent],
) -> None:
    origin = {
        "game": "a" * 20,
        "step": 3,
        "turn": 1,
        "players": {"north": "a" * 16, "south": "b" * 16},
    }
    practice, daily = {"practice": origin}, {"daily": "2026-11-21"}
    season = {"season": {"id": "a" * 20, "round": 1, "leg": 2}}
    for kind in (practice, daily, season):
        assert accepts(changed(record[0], ("data", "terms"), kind))
    for both in ({**practice, **daily}, {**daily, **season}, {**season, **practice}):
        assert "more than one of practice" in refusal(changed(record[0], ("data", "terms"), both))


def test_any_part_replaced_by_anything_is_refused_or_harmless(record: list[StoredEvent]) -> None:
    """No other error than `BadRecord`, and nothing that is let through can do harm."""
    seen: set[tuple[str, tuple[str | int, ...]]] = set()
    let_through = []
    for line in record:
        for path in places(line):
            if (line["type"], path) in seen:
                continue
            seen.add((line["type"], path))
            for value in NASTY:
                other = changed(line, path, value)
                if accepts(other):
                    let_through.append((path, value))
    assert len(seen) > 200
    harmless = (None, [], {}, 0, True, ["R1", "R1"])
    assert [pair for pair in let_through if pair[0][-1] != "salt" and pair[1] not in harmless] == []


def test_a_member_more_or_less_anywhere_is_refused(record: list[StoredEvent]) -> None:
    for type_ in {line["type"] for line in record}:
        line = first(record, type_)
        assert "not known" in refusal({**line, ESCAPE: 1})
        assert "not known" in refusal(changed(line, ("data", ESCAPE), 1))
        for name in line["data"]:
            less = {key: value for key, value in line["data"].items() if key != name}
            assert refusal({**line, "data": less})


@pytest.mark.parametrize("text", ["[" * 50_000, '{"a":' * 50_000, "[" * MAX_LINE, "9" * 10_000])
def test_deep_or_long_json_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(BadRecord, match=r"^event 4: it "):
        read_line(4, text)


@pytest.mark.parametrize("deep", [500, 900, 3000])
def test_a_nested_value_in_an_event_is_refused(record: list[StoredEvent], deep: int) -> None:
    line = to_jsonl([record[0]]).replace('"terms":{', f'"terms":{{"x":{"[" * deep}{"]" * deep},')
    with pytest.raises(BadRecord, match=r"^event 1: it"):
        from_jsonl(line)


def test_a_name_that_stands_there_twice_is_refused(record: list[StoredEvent]) -> None:
    line = to_jsonl([record[0]]).replace('"at":', '"at":"2026-11-21T12:00:00Z","at":', 1)
    with pytest.raises(BadRecord, match="twice"):
        from_jsonl(line)


def test_what_a_later_version_wrote_is_told_so(record: list[StoredEvent]) -> None:
    assert "later version" in refusal(changed(record[0], ("data", "rules_version"), 99))
    assert "card_eaten v1" in refusal({**record[3], "type": "card_eaten"})
    assert "later version" in refusal({**record[3], "v": 9})


def test_a_record_longer_than_any_is_refused(record: list[StoredEvent]) -> None:
    assert f"more than {MAX_EVENTS}" in refusal(record[0], MAX_EVENTS + 1)


def test_a_moment_is_of_a_day_that_there_is(record: list[StoredEvent]) -> None:
    day = datetime(2000, 1, 1, tzinfo=UTC)
    while day.year < 2200:
        at = day.strftime("%Y-%m-%dT23:59:59Z")
        assert accepts({**record[0], "at": at})
        following = day + timedelta(days=1)
        if following.day == 1:
            assert not accepts({**record[0], "at": f"{at[:8]}{day.day + 1}{at[10:]}"})
        day = following if following.day > 27 or day.day > 27 else day.replace(day=28)


def test_every_channel_is_taken(record: list[StoredEvent]) -> None:
    for via in VIA:
        assert stored_event(1, {**record[0], "via": via})


def test_a_text_record_is_held_to_the_same_form() -> None:
    game, events = whole_game(Kind("iello"), 3)
    odd = forged(events[0], player="}:x{")
    with pytest.raises(BadRecord, match=r"^event 1: its data.player"):
        from_text(to_text(record_of([odd, *events[1:]], game.secret)))
    deep = to_text(record_of(events, game.secret))
    deep = deep.replace('[Terms "{}"]', f'[Terms "{"[" * 50_000}"]')
    with pytest.raises(BadRecord):
        from_text(deep)


def test_a_game_called_off_by_the_server_has_the_form() -> None:
    made = CreateGame("ann", "south", "iello", True, False, 1, "random", "ab" * 32, "salt")
    game, events = advance(None, made)
    lines = record_of(events + advance(game, Abandon(None))[1], "ab" * 32)
    assert check_form(lines) == lines


def test_private_parts_have_a_form_where_there_are_any(record: list[StoredEvent]) -> None:
    for type_ in _PRIVATE:
        line = first(record, type_)
        assert stored_event(1, {**line, "private": None, "salt": None})
        refusal({**line, "private": {}})


def test_the_longest_event_is_far_from_the_limit(record: list[StoredEvent]) -> None:
    salts = changed(record[0], ("data", "salt"), "\U0001f984" * 200)
    longest = EncodedEvent("game_created", "north", salts["data"], salts["private"])
    assert len(json.dumps(longest)) < MAX_LINE / 4
