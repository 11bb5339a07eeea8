"""Each type of event has a schema in the document, and every event there ever was fits it."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.chain import EVENT_TYPES
from tests.service.api.declared import misfits, read_document

RECORDS = sorted((Path(__file__).parents[2] / "golden").glob("*.jsonl"))


KNOWN = {"$ref": "#/components/schemas/KnownGameEvent"}


def events() -> list[dict[str, Any]]:
    return [json.loads(line) for path in RECORDS for line in path.read_text().splitlines()]


def test_every_type_is_told_apart_by_its_name() -> None:
    told = read_document()["components"]["schemas"]["KnownGameEvent"]
    assert told["discriminator"]["propertyName"] == "type"
    assert set(told["discriminator"]["mapping"]) == {type_ for type_, _ in EVENT_TYPES}
    assert len(told["oneOf"]) == len(told["discriminator"]["mapping"])


def test_every_event_of_the_golden_records_fits_and_every_member_is_described() -> None:
    assert {event["type"] for event in events()} == {type_ for type_, _ in EVENT_TYPES}
    for event in events():
        assert misfits(KNOWN, event, document="urn:closed") == []
        assert misfits(KNOWN, {**event, "private": None, "salt": None}) == []


@pytest.mark.parametrize("member", ["card", "stone"])
def test_an_event_without_what_its_type_holds_does_not_fit(member: str) -> None:
    event = next(event for event in events() if event["type"] == "card_played")
    del event["data"][member]
    assert misfits(KNOWN, event) != []
