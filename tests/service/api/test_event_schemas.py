"""Each type of event has a schema in the document, and every event there ever was fits it."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.event_codec import EVENT_TYPES
from tests.service.api.declared import REGISTRY, absolute, read_document

RECORDS = sorted((Path(__file__).parents[2] / "golden").glob("*.jsonl"))


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    reference = {"$ref": "urn:openapi#/components/schemas/GameEvent"}
    return Draft202012Validator(reference, registry=REGISTRY)


def events() -> list[dict[str, Any]]:
    return [json.loads(line) for path in RECORDS for line in path.read_text().splitlines()]


def test_every_type_is_told_apart_by_its_name() -> None:
    told = read_document()["components"]["schemas"]["GameEvent"]
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


def closed(part: Any) -> Any:
    """The schema, without members that it does not name."""
    if isinstance(part, list):
        return [closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    found = {name: closed(each) for name, each in part.items()}
    named = isinstance(part.get("properties"), dict) and "type" in part
    return {**found, "additionalProperties": False} if named else found


def test_every_member_of_the_golden_records_is_described() -> None:
    schemas = read_document()["components"]["schemas"]
    validators = {
        type_: Draft202012Validator(
            absolute(closed(schemas[reference.rpartition("/")[2]])), registry=REGISTRY
        )
        for type_, reference in schemas["GameEvent"]["discriminator"]["mapping"].items()
    }
    for event in events():
        validators[event["type"]].validate(event)


@pytest.mark.parametrize("member", ["card", "stone"])
def test_an_event_without_what_its_type_holds_does_not_fit(
    schema: Draft202012Validator, member: str
) -> None:
    event = next(event for event in events() if event["type"] == "card_played")
    del event["data"][member]
    assert not schema.is_valid(event)
