"""Records that somebody made to harm: one line says no, and nothing reaches the terminal raw."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.chain import StoredEvent, encode
from engine.record import to_jsonl, to_text
from service.cli import main, records
from tests.engine.games import Kind, record_of, whole_game

ESCAPE = "\x1b[2J\x1b[HSound: 99 events\x07\u202e\x9b31m"


@pytest.fixture(scope="module")
def record() -> list[StoredEvent]:
    game, events = whole_game(Kind("iello", tactics=True), 3)
    return record_of(events, game.secret)


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    told = CliRunner().invoke(main, [str(each) for each in arguments], input=stdin)
    assert told.exception is None or isinstance(told.exception, SystemExit), told.exception
    assert all(line.isprintable() for line in told.output.split("\n"))
    return told


def refused(told: Result) -> str:
    """The one line with which the command ended."""
    (line,) = told.output.splitlines()
    assert told.exit_code == 1
    assert line.startswith("Error: ")
    return line


def crafted(kind: str, **changes: Any) -> str:
    """A record with a whole chain, of which one event holds what it should not."""
    game, events = whole_game(Kind("iello", tactics=True), 3)
    place = next(n for n, event in enumerate(events) if kind == event.TYPE)
    forged = encode(events[place])._replace(**changes)
    return to_jsonl(record_of([*events[:place], forged, *events[place + 1 :]], game.secret))


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize("key", ["at", "type", "by", "via", "hash", "salt", "seq", "v", "data"])
def test_escapes_in_any_member_are_refused(
    record: list[StoredEvent], command: str, key: str
) -> None:
    for place in (0, 5, len(record) - 1):
        lines: list[Any] = [*record]
        lines[place] = {**record[place], key: ESCAPE}
        text = "".join(json.dumps(line) + "\n" for line in lines)
        assert f"event {place + 1}: " in refused(run(command, "-", stdin=text))


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("turn_ended", {"type": ESCAPE}),
        ("turn_ended", {"type": "turn_taken"}),
        ("turn_ended", {"v": 7}),
        ("turn_ended", {"by": ESCAPE}),
        ("turn_ended", {"data": {"next": ESCAPE}}),
        ("card_played", {"data": {"card": ESCAPE, "stone": 3}}),
        ("stone_claimed", {"data": {"stone": 3, "reason": ESCAPE, "mine": None, "theirs": None}}),
        ("game_ended", {"data": {"winner": ESCAPE, "reason": "luck", "scores": {}, "secret": ""}}),
    ],
)
def test_a_whole_chain_helps_nobody(command: str, kind: str, changes: Any) -> None:
    assert "event " in refused(run(command, "-", stdin=crafted(kind, **changes)))


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize(
    "header", ["RulesVersion", "Edition", "Rounds", "Creator", "North", "Terms", "From", "Secret"]
)
def test_escapes_in_the_text_form_are_refused(
    record: list[StoredEvent], command: str, header: str
) -> None:
    quoted = json.dumps(ESCAPE, ensure_ascii=False)
    rows = to_text(record).split("\n")
    rows = [f"[{header} {quoted}]" if row.startswith(f"[{header} ") else row for row in rows]
    refused(run(command, "-", stdin="\n".join(rows)))
    refused(run(command, "-", stdin=to_text(record).replace("\n1. ", f"\n1. {ESCAPE} ")))


@pytest.mark.parametrize("command", ["verify", "replay", "import"])
@pytest.mark.parametrize("first", ["0", "2", "-1", "99", "99999999999999999999"])
def test_a_text_form_whose_events_begin_elsewhere_is_refused(
    record: list[StoredEvent], command: str, first: str
) -> None:
    """The first `via` was taken to be that of later events, so that none was left before."""
    text = to_text(record).replace('[From "1 ', f'[From "{first} ', 1)
    refused(run(command, "-", stdin=text))


@pytest.mark.parametrize("command", ["verify", "replay", "import"])
@pytest.mark.parametrize(
    "text",
    ["[" * 50_000, '{"a":' * 50_000, '{"seq": ' + "9" * 10_000, '[Terms "' + "[" * 50_000, "\x00"],
    ids=["lists", "objects", "number", "header", "nul"],
)
def test_deep_and_long_json_is_refused_in_one_line(command: str, text: str) -> None:
    refused(run(command, "-", stdin=text))


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_file_without_end_is_refused_in_one_line(command: str) -> None:
    assert "larger than any record" in refused(run(command, "/dev/zero"))


def test_the_name_of_a_file_is_printed_as_it_is_spelled(tmp_path: Path) -> None:
    assert "x1b[2J" in refused(run("verify", tmp_path / "none\x1b[2J"))


def test_a_record_that_was_changed_is_replayed_with_a_warning(record: list[StoredEvent]) -> None:
    changed = [{**line, "at": "2026-11-21T13:00:00Z"} if n == 9 else line for n, line in
               enumerate(record)]  # fmt: skip
    told = run("replay", "-", stdin=to_jsonl(changed))
    assert told.exit_code == 0
    assert "Warning: this record is not sound: event 10: its hash" in told.output
    assert "Warning" not in run("replay", "-", stdin=to_jsonl(record)).output


@pytest.mark.parametrize("steps", [[], ["--steps"]])
@pytest.mark.parametrize("type_", ["round_started", "card_drawn"])
def test_events_that_make_no_game_end_the_replay_in_one_line(
    record: list[StoredEvent], type_: str, steps: list[str]
) -> None:
    lines = [{**line, "private": None} if line["type"] == type_ else line for line in record]
    told = run("replay", "-", *steps, stdin=to_jsonl(lines))
    assert told.exit_code == 1
    assert "Warning: " in told.output
    assert "does not fit the game before it" in told.output.splitlines()[-1]


@pytest.mark.parametrize("steps", [[], ["--steps"]])
def test_a_record_with_an_event_left_out_is_replayed_as_far_as_it_goes(
    record: list[StoredEvent], steps: list[str]
) -> None:
    """Steps were counted by the numbers in the record."""
    for place in (5, 15, len(record) - 2):
        lines = [*record[:place], *record[place + 1 :]]
        told = run("replay", "-", *steps, stdin=to_jsonl(lines))
        assert f"Warning: this record is not sound: event {place + 1}: " in told.output


def test_replay_by_steps_takes_each_event_once(
    record: list[StoredEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took them all again for every board."""
    taken = []
    evolve = records.evolve  # type: ignore[attr-defined]
    monkeypatch.setattr(records, "evolve", lambda *args: taken.append(args) or evolve(*args))
    assert run("replay", "-", "--steps", stdin=to_jsonl(record)).exit_code == 0
    assert len(taken) == len(record)


def test_replay_by_steps_shows_no_board_before_a_card_is_played(record: list[StoredEvent]) -> None:
    told = run("replay", "-", "--steps", stdin=to_jsonl(record)).output
    before = told.split("Stone  ")[0]
    assert "played" in before
    assert [line.split()[0] for line in before.splitlines() if line[:4].strip().isdigit()][:3] == [
        "1",
        "2",
        "3",
    ]
    assert (
        "Stone  " not in run("replay", "-", "--steps", "--at", "3", stdin=to_jsonl(record)).output
    )


def test_judge_ends_with_1_if_a_line_failed() -> None:
    good = '{"mine":["R9","R8","R7"],"theirs":["G1"],"seen":[]}\n'
    assert run("judge", stdin=good).exit_code == 0
    assert run("judge", stdin=good + "nonsense\n").exit_code == 1
    assert run("judge", stdin="[" * 50_000 + "\n" + good).output.count("claimable") == 1


def test_judge_says_nothing_raw() -> None:
    asked = json.dumps({"mine": [], "theirs": [], "seen": [ESCAPE], ESCAPE + "\x7f": 1})
    assert run("judge", stdin=asked).exit_code == 1


def test_judge_does_not_wait_for_the_end_of_an_endless_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(records, "_LONGEST_LINE", 1000)
    assert "more than 1000 characters" in refused(run("judge", stdin="x" * 1001))
