"""The document with an example beside each request, answer and refusal."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final

from service.api.headers import with_headers
from service.api.openapi import examples
from service.api.problems import MIMETYPE, PROBLEMS

_MEMBERS: Final[dict[str, dict[str, Any]]] = {
    "validation-failed": {"errors": {"name": ["Length must be between 1 and 40."]}},
    "bot-not-available": {"bots": ["random", "steward"]},
    "stale-version": {"version": 43},
    "name-taken": {"suggestion": "Ada 2"},
    "ambiguous-name": {"players": [{"id": "mfzwizltorzwi4tf", "name": "Ada"}]},
    "illegal-action": {"refusal": "no-room", "rule": 4, "rule_url": "/rules#ruling-4"},
    "claim-not-proven": {
        "refusal": "beatable",
        "rule": 14,
        "rule_url": "/rules#ruling-14",
        "counterexample": ["G5", "G6"],
    },
}
"""What some refusals say beyond what all of them do."""
_LATER: Final = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)


def illustrated(document: dict[str, Any]) -> dict[str, Any]:
    """The document as it was generated, with examples put into it."""
    shown: set[str] = set()
    for operation in _operations(document):
        _show(operation, examples.of_operations().get(operation["operationId"]))
        for answer in operation["responses"].values():
            if "$ref" not in answer:
                with_headers(answer)
        for status, answer in _refusals(operation):
            shown |= answer["content"][MIMETYPE]["examples"].keys()
            if status in _LATER:
                with_headers(answer, "Retry-After")
    for answer in document["components"]["responses"].values():
        with_headers(answer)
    document["components"]["examples"] = {
        code: {"value": _refusal(code)} for code in PROBLEMS if code in shown
    }
    for status in HTTPStatus:
        _share(document, status)
    return document


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in document["paths"].values():
        yield from (operation for operation in path.values() if isinstance(operation, dict))


def _refusals(operation: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The statuses with which the operation refuses, and what the answers are like."""
    for status, answer in operation["responses"].items():
        if int(status) >= HTTPStatus.BAD_REQUEST:
            yield int(status), answer


def _share(document: dict[str, Any], status: HTTPStatus) -> None:
    """Tell once what operations mostly answer with this status; those that do refer to it."""
    name = str(status.value)
    refusing = [
        operation["responses"]
        for operation in _operations(document)
        if status in dict(_refusals(operation))
    ]
    answers = [responses[name] for responses in refusing]
    common = max(answers, key=answers.count, default=None)
    if answers.count(common) < 2:
        return
    document["components"]["responses"][status.name] = common
    for responses in refusing:
        if responses[name] == common:
            responses[name] = {"$ref": f"#/components/responses/{status.name}"}


def _show(operation: dict[str, Any], example: examples.Example | None) -> None:
    if example is None:
        return
    if "requestBody" in operation:
        operation["requestBody"]["content"][examples.JSON]["example"] = example.body
    for status, answer in operation["responses"].items():
        for mimetype, content in answer.get("content", {}).items():
            if mimetype != MIMETYPE:
                content["example"] = example.answer(status, mimetype)


def _refusal(code: str) -> dict[str, Any]:
    kind = PROBLEMS[code]
    return {
        "type": f"/docs/problems#{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": f"{kind.title}.",
        "code": code,
        **_MEMBERS.get(code, {}),
    }
