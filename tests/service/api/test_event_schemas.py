"""Each type of event has a schema in the document, and every event there ever was fits it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.chain import EVENT_TYPES
from tests.service.api.declared import REGISTRY, misfits, read_document

RECORDS = sorted((Path(__file__).parents[2] / "golden").glob("*.jsonl"))


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    reference = {"$ref": "urn:openapi#/components/schemas/KnownGameEvent"}
    return Draft202012Validator(reference, registry=REGISTRY)


def events() -> list[dict[str, Any]]:
    return [json.loads(line) for path in RECORDS for line in path.read_text().splitlines()]


def test_every_type_is_told_apart_by_its_name() -> None:
    told = read_document()["components"]["schemas"]["KnownGameEvent"]
    assert told["discriminator"]["propertyName"] == "type"
    assert set(told["discriminator"]["mapping"]) == {type_ for type_, _ in EVENT_TYPES}
    assert len(told["oneOf"]) == len(told["discriminator"]["mapping"])


def test_every_event_of_the_golden_records_fits(schema: Draft202012Validator) -> None:
    seen = {}
    for event in events():
        seen[event["type"], event["v"], event["private"] is None, *sorted(event["data"])] = event
    assert {type_ for type_, *_ in seen} == {type_ for type_, _ in EVENT_TYPES}
    for event in seen.values():
        schema.validate(event)
        schema.validate({**event, "private": None, "salt": None})


def test_every_member_of_the_golden_records_is_described() -> None:
    known = {"$ref": "#/components/schemas/KnownGameEvent"}
    for event in {form_of(event): event for event in events()}.values():
        assert misfits(known, event, document="urn:closed") == []


def form_of(value: Any) -> Any:
    """What the schema tells values apart by: members, words and types, not cards or numbers."""
    if isinstance(value, dict):
        return frozenset((name, form_of(each)) for name, each in value.items())
    if isinstance(value, list):
        return frozenset(map(form_of, value))
    is_word = isinstance(value, str) and re.fullmatch("[a-z_]+", value) is not None
    return value if is_word else type(value)


@pytest.mark.parametrize("member", ["card", "stone"])
def test_an_event_without_what_its_type_holds_does_not_fit(
    schema: Draft202012Validator, member: str
) -> None:
    event = next(event for event in events() if event["type"] == "card_played")
    del event["data"][member]
    assert not schema.is_valid(event)
