"""Puts an example beside each request, answer and problem in the document."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final

from service.api.openapi import examples
from service.api.openapi.examples.example import JSON, Example
from service.api.openapi.headers import add_headers
from service.api.problems import MIMETYPE, PROBLEMS

_MEMBERS: Final[dict[str, dict[str, Any]]] = {
    "validation-failed": {"errors": {"name": ["Length must be between 1 and 40."]}},
    "bot-not-available": {"bots": ["random", "steward"]},
    "stale-version": {"version": 43},
    "name-taken": {"suggestion": "Ada 2"},
    "ambiguous-name": {"players": [{"id": "mfzwizltorzwi4tf", "name": "Ada"}]},
    "time-out": {"version": 43},
    "already-asked": {"id": "onvwkzdfobxxe5dfmvzg"},
    "challenge-closed": {"challenge_status": "withdrawn"},
    "messages-off": {"by": "opponent"},
    "too-many-messages": {"retry_after": 480},
    "too-many-mails": {"budget": "account", "retry_after": 480},
    "vacation-days-exceeded": {"year": 2026, "seconds_left": 345600},
    "unknown-edition": {"refusal": "unknown-edition"},
    "no-such-combination": {"refusal": "no-tactics"},
    "seat-taken": {"refusal": "seat-taken"},
    "game-not-started": {"refusal": "game-not-started"},
    "game-over": {"refusal": "game-over"},
    "not-your-turn": {"refusal": "not-your-turn"},
    "unreadable-action": {"refusal": "unreadable-action"},
    "illegal-action": {"refusal": "no-room", "rule": 4, "rule_url": "/rules#ruling-4"},
    "claim-not-proven": {
        "refusal": "beatable",
        "rule": 14,
        "rule_url": "/rules#ruling-14",
        "counterexample": ["G5", "G6"],
    },
}
"""The members that some problems have beyond those of all."""
_WITH_RETRY_AFTER: Final = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)


def with_examples(document: dict[str, Any]) -> dict[str, Any]:
    """The generated document, completed by examples and headers.

    Answers that most operations share become components.
    """
    codes: set[str] = set()
    for operation in _operations(document):
        _add_example(operation, examples.by_operation().get(operation["operationId"]))
        for answer in operation["responses"].values():
            if "$ref" not in answer:
                add_headers(answer)
        for status, answer in _problem_answers(operation):
            codes |= answer["content"][MIMETYPE]["examples"].keys()
            if status in _WITH_RETRY_AFTER:
                add_headers(answer, "Retry-After")
    for answer in document["components"]["responses"].values():
        add_headers(answer)
    document["components"]["examples"] = {
        code: {"value": _problem(code)} for code in PROBLEMS if code in codes
    }
    for status in HTTPStatus:
        _share_common_answer(document, status)
    return document


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in document["paths"].values():
        yield from (operation for operation in path.values() if isinstance(operation, dict))


def _problem_answers(operation: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each status from 400 that the operation may answer with, and the answer."""
    for status, answer in operation["responses"].items():
        if int(status) >= HTTPStatus.BAD_REQUEST:
            yield int(status), answer


def _share_common_answer(document: dict[str, Any], status: HTTPStatus) -> None:
    """Make the most frequent answer with this status a component that operations refer to."""
    name = str(status.value)
    responses_with_status = [
        operation["responses"]
        for operation in _operations(document)
        if status in dict(_problem_answers(operation))
    ]
    answers = [responses[name] for responses in responses_with_status]
    common = max(answers, key=answers.count, default=None)
    if answers.count(common) < 2:
        return
    document["components"]["responses"][status.name] = common
    for responses in responses_with_status:
        if responses[name] == common:
            responses[name] = {"$ref": f"#/components/responses/{status.name}"}


def _add_example(operation: dict[str, Any], example: Example | None) -> None:
    if example is None:
        return
    if "requestBody" in operation:
        operation["requestBody"]["content"][JSON]["example"] = example.body
    for status, answer in operation["responses"].items():
        for mimetype, content in answer.get("content", {}).items():
            if mimetype != MIMETYPE:
                content["example"] = example.answer(status, mimetype)


def _problem(code: str) -> dict[str, Any]:
    problem_type = PROBLEMS[code]
    return {
        "type": f"/docs/problems#{code}",
        "title": problem_type.title,
        "status": problem_type.status,
        "detail": f"{problem_type.title}.",
        "code": code,
        **_MEMBERS.get(code, {}),
    }
