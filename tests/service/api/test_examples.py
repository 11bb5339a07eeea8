"""Every operation of the document has a summary, its security, and examples that are true."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from service.accounts.tokens import SCOPES
from service.api.problems import ANY_PROBLEM_CODES, MIMETYPE, PROBLEMS
from service.core.errors import MEMBERS
from tests.service.api.declared import DOCUMENT, METHODS, misfits, resolved, validator


def operations() -> Iterator[dict[str, Any]]:
    for path in DOCUMENT["paths"].values():
        yield from (path[method] for method in METHODS if method in path)


def contents(operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is sent and what is answered when all goes well, with its media type."""
    yield from operation.get("requestBody", {}).get("content", {}).items()
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            yield from answer.get("content", {}).items()


def example_of(schema: dict[str, Any]) -> Any:
    """The example of a schema, put together from those of its parts."""
    found = resolved(schema)
    if "examples" in found:
        return found["examples"][0]
    if "allOf" not in found:  # a page
        first, *others = found["properties"]
        items = found["properties"][first]["items"]
        return {first: [example_of(items)], **dict.fromkeys(others)}
    parts = [example_of(part) for part in found["allOf"]]
    return {name: value for part in parts for name, value in part.items()}


def check(value: Any, schema: dict[str, Any]) -> None:
    assert misfits(schema, value) == []


all_operations = pytest.mark.parametrize(
    "operation", list(operations()), ids=lambda operation: operation["operationId"]
)


@all_operations
def test_it_has_a_summary_and_says_who_may(operation: dict[str, Any]) -> None:
    assert operation["summary"]
    for wanted in operation["security"]:
        assert wanted == {} or set(wanted["token"]) <= set(SCOPES)


@all_operations
def test_each_request_and_answer_has_an_example_that_is_one(operation: dict[str, Any]) -> None:
    for mimetype, content in contents(operation):
        schema = content["schema"]
        shown = [content["example"]] if "example" in content else [example_of(schema)]
        assert shown, mimetype
        for example in shown:
            assert example is not None, mimetype
            check(example, schema)


@all_operations
def test_it_has_an_answer_for_each_status_of_its_refusals(operation: dict[str, Any]) -> None:
    codes = set(operation["x-problem-codes"])
    if operation["security"]:
        assert "unauthenticated" in codes or {} in operation["security"]
        takes_any = operation["security"] == [{"token": []}]
        assert takes_any or "insufficient-scope" in codes
    for status, answer in operation["responses"].items():
        if status == "default" or int(status) >= 400:
            own = {code for code in codes if str(PROBLEMS[code].status) == status}
            assert own or status == "default"
            shapes = {MEMBERS[code] for code in shown_in(answer) if code in MEMBERS}
            assert {MEMBERS[code] for code in own if code in MEMBERS} <= shapes
            codes -= own
    assert not codes


def shown_in(answer: dict[str, Any]) -> set[str]:
    """The codes of which an answer shows examples, all of them true, with all their members."""
    ((mimetype, content),) = resolved(answer)["content"].items()
    assert mimetype == MIMETYPE
    for code, example in content["examples"].items():
        shown = example["value"]
        check(shown, content["schema"])
        assert (shown["code"], shown["status"]) == (code, PROBLEMS[code].status)
        optional = {"type", "title", "status", "detail", "code", "rule", "rule_url"}
        assert shown.keys() - optional == MEMBERS.get(code, set()) - optional, code
    return set(content["examples"])


def parts(node: Any, path: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of the document, with its path."""
    for name, each in enumerate(node) if isinstance(node, list) else node.items():
        if isinstance(each, dict):
            yield f"{path}/{name}", each
        if isinstance(each, dict | list):
            yield from parts(each, f"{path}/{name}")


def examples() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Whatever the document shows, with its path and its schema."""
    for path, part in parts(DOCUMENT):
        if "schema" in part or "type" in part:
            listed = part.get("examples", [])
            if isinstance(listed, dict) and "schema" in part:
                listed = [each["value"] for each in listed.values()]
            for value in [
                *listed,
                *(part[name] for name in ("example", "default") if name in part),
            ]:
                yield path, value, part.get("schema", part)


def test_every_example_fits_its_schema() -> None:
    places = set()
    for path, value, schema in examples():
        assert [*validator(schema, formats=True).iter_errors(value)] == [], path
        places.add("/".join(path.split("/")[:3]))
    # Parameters have none: the console would send them.
    parts_of = {f"#/components/{name}" for name in ("schemas", "headers", "responses")}
    assert places >= {*parts_of, "#/webhooks/channelMessage"}


def test_every_line_of_an_example_is_an_event() -> None:
    event = {"$ref": "#/components/schemas/GameEvent"}
    lines = 0
    for path, value, _ in examples():
        if path.endswith("application/x-ndjson"):
            for line in value.splitlines():
                of_line = json.loads(line)
                for each in of_line.get("record", [of_line]):
                    check(each, event)
                    lines += 1
    assert lines > 2


def test_every_code_is_declared_somewhere_but_those_of_no_operation() -> None:
    declared = {code for operation in operations() for code in operation["x-problem-codes"]}
    declared |= set(ANY_PROBLEM_CODES)
    # A method that an address has not, a page's form, a game that no body can describe, and ways
    # to sign in to pages.
    others = {"method-not-allowed", "bad-game"}
    others |= {"unreadable-sign-in", "too-many-identities"}
    others |= {"address-not-found", "too-many-addresses", "delivery-not-found"}
    others |= {"sign-in-expired", "sign-in-refused", "sign-in-unavailable"}
    assert PROBLEMS.keys() - declared == others


def test_the_schema_of_problems_lists_every_code_with_its_members() -> None:
    listed = DOCUMENT["components"]["schemas"]["Problem"]["properties"]["code"]["x-problem-codes"]
    assert listed.keys() == PROBLEMS.keys()
    for code, each in listed.items():
        assert each["status"] == PROBLEMS[code].status
        assert set(each.get("members", ())) == MEMBERS.get(code, set())
