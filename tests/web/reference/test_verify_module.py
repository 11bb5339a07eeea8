"""`verify.js`, which checks a record in the browser, held to the records of the golden corpus."""

import json
from pathlib import Path
from typing import Any

import pytest

import engine
from tests.support.modules import run_module

GOLDEN = Path(__file__).parents[2] / "golden"
RECORDS = sorted(GOLDEN.glob("*.jsonl"))
PLAYED = GOLDEN / "bga+tactics+expert-abandoned-0.jsonl"

CHECK = """
const checks = [];
for (const [text, kept, heads] of given) {
  const found = [];
  try {
    const events = module.readRecord(text);
    for await (const check of module.verify(events, kept, heads)) found.push(check);
  } catch (error) {
    found.push({ name: "Form", state: "failed", seq: error.seq, text: error.message });
  }
  checks.push(found);
}
console.log(JSON.stringify(checks));
"""

Check = dict[str, Any]


def verify(
    folder: Path, *records: str, kept: Any = None, heads: list[str] | None = None
) -> list[list[Check]]:
    """The checks of each record."""
    given = [[record, kept, heads or []] for record in records]
    found: list[list[Check]] = run_module(folder, "verify", CHECK, given)
    return found


def lines(path: Path = PLAYED) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def text(events: list[dict[str, Any]]) -> str:
    return "\n".join(json.dumps(event, ensure_ascii=False) for event in events)


def resealed(events: list[dict[str, Any]]) -> str:
    """The record with a chain that holds again: as a server would that lies."""
    previous = engine.chain.NO_HASH  # type: ignore[attr-defined]
    for event in events:
        previous = event["hash"] = engine.chain.hash_of(previous, event["salt"], event)  # type: ignore[arg-type, attr-defined]
    return text(events)


def failed(checks: list[Check]) -> tuple[str, int | None]:
    (failure,) = [check for check in checks if check["state"] == "failed"]
    return failure["name"], failure["seq"]


def test_every_golden_record_passes(tmp_path: Path) -> None:
    for path, checks in zip(
        RECORDS, verify(tmp_path, *(p.read_text() for p in RECORDS)), strict=True
    ):
        assert [check for check in checks if check["state"] == "failed"] == [], path.name
        played = any(line["type"] == "round_started" for line in lines(path))
        passed = [check["name"] for check in checks if check["state"] == "passed"]
        dealt = ["Shuffle", "First player", "Cards"] if played else []
        assert passed == ["Chain", "Secret", *dealt]


def test_the_heads_that_this_browser_was_shown_bind_the_moves(tmp_path: Path) -> None:
    events = lines()
    heads = [events[2]["hash"], events[5]["hash"]]
    (checks,) = verify(tmp_path, text(events), heads=heads)
    (moves,) = [check for check in checks if check["name"] == "Moves"]
    rest = len(events) - 6
    assert moves["text"].startswith("The first 6 events are those that this browser saw")
    assert moves["text"].endswith(
        f"went on. The last {rest} it sees for the first time: the chain alone holds them."
    )


def test_a_record_that_was_sealed_anew_has_no_head_that_was_shown(tmp_path: Path) -> None:
    events = lines()
    heads = [events[5]["hash"]]
    events[4]["at"] = "2025-01-01T00:00:00Z"
    (checks,) = verify(tmp_path, resealed(events), heads=heads)
    assert failed(checks) == ("Moves", None)


def test_a_change_to_any_event_is_found_at_that_event(tmp_path: Path) -> None:
    tampered = []
    for place in range(len(lines())):
        events = lines()
        events[place]["at"] = "2025-01-01T00:00:00Z"
        tampered.append(text(events))
    found = [failed(checks) for checks in verify(tmp_path, *tampered)]
    assert found == [("Chain", seq) for seq in range(1, len(tampered) + 1)]


def test_another_shuffle_under_a_sound_chain_is_found(tmp_path: Path) -> None:
    events = lines()
    start = next(event for event in events if event["type"] == "round_started")
    deck = start["private"]["clan"]
    deck[-1], deck[-2] = deck[-2], deck[-1]
    (checks,) = verify(tmp_path, resealed(events))
    assert failed(checks) == ("Shuffle", start["seq"])


def test_a_card_from_nowhere_under_a_sound_chain_is_found(tmp_path: Path) -> None:
    events = lines()
    play = next(event for event in events if event["type"] == "card_played")
    start = next(event for event in events if event["type"] == "round_started")
    play["data"]["card"] = start["private"]["clan"][-1]
    (checks,) = verify(tmp_path, resealed(events))
    assert failed(checks) == ("Cards", play["seq"])


def test_another_secret_under_a_sound_chain_is_found(tmp_path: Path) -> None:
    events = lines()
    events[0]["private"]["secret"] = "00" * 32
    (checks,) = verify(tmp_path, resealed(events))
    assert failed(checks) == ("Secret", 1)


def test_another_who_begins_is_found(tmp_path: Path) -> None:
    events = lines()
    start = next(event for event in events if event["type"] == "round_started")
    start["data"]["first"] = engine.OTHER[start["data"]["first"]]
    (checks,) = verify(tmp_path, resealed(events))
    assert failed(checks) == ("First player", start["seq"])


@pytest.mark.parametrize("seat", ["north", None])
def test_a_running_game_is_checked_as_far_as_it_can_be_seen(
    tmp_path: Path, seat: engine.Seat | None
) -> None:
    running = [
        dict(engine.chain.redact(event, seat, over=False))  # type: ignore[arg-type, attr-defined]
        for event in lines()[:30]
    ]
    (checks,) = verify(tmp_path, text(running))
    assert [check["state"] for check in checks] == ["passed", *["later"] * 4]
    running[3]["hash"] = "00" * 32
    (checks,) = verify(tmp_path, text(running))
    assert failed(checks)[0] == "Chain"


def test_what_this_browser_kept_is_compared(tmp_path: Path) -> None:
    created = lines()[0]["data"]
    kept = {"commitment": created["commitment"], "salt": created["salt"]}
    (checks,) = verify(tmp_path, PLAYED.read_text(), kept=kept)
    assert checks[-1] == checks[-1] | {"name": "Your salt", "state": "passed"}
    (checks,) = verify(tmp_path, PLAYED.read_text(), kept=kept | {"salt": "another"})
    assert failed(checks) == ("Your salt", 1)
    (checks,) = verify(tmp_path, PLAYED.read_text(), kept=kept | {"commitment": "ab" * 32})
    assert failed(checks) == ("Your salt", 1)


@pytest.mark.parametrize(
    ("record", "seq"), [("", None), ("no JSON", 1), ("{}", 1), ("null", 1), ('{"seq": 1}', 1)]
)
def test_what_is_no_record_is_refused(tmp_path: Path, record: str, seq: int | None) -> None:
    (checks,) = verify(tmp_path, record)
    assert failed(checks) == ("Form", seq)


def test_an_event_without_what_it_should_hold_fails(tmp_path: Path) -> None:
    events = lines()
    del events[0]["data"]["salt"]
    (checks,) = verify(tmp_path, resealed(events))
    assert failed(checks)[0] == "Shuffle"
