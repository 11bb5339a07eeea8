"""What the client's own verifier shows, and which records it rejects."""

import json
from pathlib import Path
from typing import Any

import pytest
from scottenbury_client import RecordFault, verify

from engine.chain import hash_of, salt_of
from tests.support.processes import ROOT

GOLDEN = sorted((ROOT / "tests" / "golden").glob("*.jsonl"))
PLAYED = ROOT / "tests" / "golden" / "community+tactics+expert-played-0.jsonl"
Line = dict[str, Any]


def lines(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def sealed(record: list[Line]) -> list[Line]:
    """The record with hashes that fit: anyone who has the secret can do this."""
    previous, secret = "0" * 64, record[-1]["data"]["secret"]
    for line in record:
        line["salt"] = salt_of(secret, line["seq"])
        previous = line["hash"] = hash_of(previous, line["salt"], line)
    return record


def of_type(record: list[Line], type_: str) -> Line:
    return next(line for line in record if line["type"] == type_)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_record_with_a_head_shows_that_its_moves_were_played(path: Path) -> None:
    record = lines(path)
    checked = verify(record, head=record[-1]["hash"])
    assert (checked.complete, checked.proved_to) == (True, len(record))


def test_an_earlier_head_shows_the_moves_up_to_it() -> None:
    record = lines(PLAYED)
    assert verify(record, head=record[9]["hash"]).proved_to == 10


def test_a_record_alone_shows_no_moves() -> None:
    record = lines(PLAYED)
    assert verify(record).proved_to == 0
    assert "Nothing shows that these moves were played" in str(verify(record))
    head = record[-1]["hash"]
    of_type(record, "card_played")["data"]["stone"] = 9
    verify(sealed(record))
    with pytest.raises(RecordFault, match="no event with this head"):
        verify(record, head=head)


def test_a_change_breaks_the_chain() -> None:
    record = lines(PLAYED)
    of_type(record, "card_played")["data"]["stone"] = 9
    with pytest.raises(RecordFault, match="does not follow from the one before"):
        verify(record)


@pytest.mark.parametrize(
    ("type_", "change", "problem"),
    [
        ("round_started", lambda line: line["private"]["clan"].reverse(), "not those of the shu"),
        ("card_drawn", lambda line: line["private"].update(cards=["R1"]), "other cards than"),
        ("card_played", lambda line: line["data"].update(card="P9"), "P9, which is not in the"),
        ("player_joined", lambda line: line["data"].update(salt="mine"), "not those of the shu"),
        ("game_created", lambda line: line["data"].update(commitment="00"), "commitment"),
        ("game_created", lambda line: line["private"].update(secret="00"), "another secret"),
        ("card_drawn", lambda line: line.update(private=None), "does not hold what it should"),
    ],
)
def test_resealing_does_not_hide_other_cards(type_: str, change: Any, problem: str) -> None:
    record = lines(PLAYED)
    change(of_type(record, type_))
    with pytest.raises(RecordFault, match=problem):
        verify(sealed(record))


def test_the_lot_decides_who_begins() -> None:
    record = lines(PLAYED)
    created, started = record[0]["data"], of_type(record, "round_started")
    assert created["first_player"] == "random"
    started["data"]["first"] = "south" if started["data"]["first"] == "north" else "north"
    with pytest.raises(RecordFault, match="lot"):
        verify(sealed(record))


def test_a_redacted_record_is_checked_as_far_as_it_is_visible() -> None:
    record = lines(PLAYED)[:9]
    for line in record:
        if line["private"] is not None:
            line.update(private=None, salt=None)
    assert not verify(record, head=record[-1]["hash"]).complete
    record[3]["data"]["stone"] = 9
    with pytest.raises(RecordFault):
        verify(record)


def test_an_event_of_a_type_of_the_future_is_only_chained() -> None:
    record = lines(PLAYED)
    last = record.pop()
    record.append({**last, "type": "weather_changed", "by": None, "data": {"rain": True}})
    record.append({**last, "seq": last["seq"] + 1})
    assert verify(sealed(record)).complete


@pytest.mark.parametrize("record", [[], [{}], [{"seq": "one"}], [None]])
def test_what_is_no_record_is_a_fault(record: Any) -> None:
    with pytest.raises(RecordFault):
        verify(record)
