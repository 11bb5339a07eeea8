"""The document with an example beside each request, answer and refusal."""

from http import HTTPStatus
from typing import Any, Final

from service.api import examples
from service.api.problem import MIMETYPE, PROBLEMS, RETRY_AFTER

_MEMBERS: Final[dict[str, dict[str, Any]]] = {
    "validation-failed": {"errors": {"name": ["Length must be between 1 and 40."]}},
    "stale-version": {"version": 43},
    "illegal-action": {"refusal": "no-room", "rule": 4},
    "claim-not-proven": {"refusal": "beatable", "rule": 14, "counterexample": ["G5", "G6"]},
}
"""What some refusals say beyond what all of them do."""
_LATER: Final = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)


def illustrated(document: dict[str, Any]) -> dict[str, Any]:
    """The document as it was generated, with examples put into it."""
    for path in document["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict):
                _show(operation, examples.of_operations().get(operation["operationId"]))
    for status in HTTPStatus:
        answer = document["components"]["responses"].get(status.name)
        if answer is not None and status >= HTTPStatus.BAD_REQUEST:
            answer["content"][MIMETYPE]["examples"] = _refusals(status)
            if status in _LATER:
                answer["headers"] = {"Retry-After": _SECONDS}
    return document


_SECONDS: Final = {
    "description": "Seconds after which to come again.",
    "schema": {"type": "integer"},
    "example": RETRY_AFTER,
}


def _show(operation: dict[str, Any], example: examples.Example | None) -> None:
    if example is None:
        return
    if "requestBody" in operation:
        operation["requestBody"]["content"][examples.JSON]["example"] = example.body
    for status, answer in operation["responses"].items():
        for mimetype, content in answer.get("content", {}).items():
            content["example"] = example.answer(status, mimetype)


def _refusals(status: HTTPStatus) -> dict[str, Any]:
    """An example of every code that comes with this status."""
    return {
        code: {"value": _refusal(code)} for code, kind in PROBLEMS.items() if kind.status == status
    }


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
