"""Links from an answer to the operations that take the id it contains."""

from typing import Any, Final

LINKS: Final = {
    "registerPlayer": ("201", "player_id"),
    "createGame": ("201", "game_id"),
    "challengePlayer": ("201", "challenge_id"),
    "createToken": ("201", "token_id"),
}
"""By operation: the status of the answer with the `id`, and the parameter that takes it."""


def with_links(document: dict[str, Any]) -> dict[str, Any]:
    """The document, completed by these links."""
    by_id = {operation["operationId"]: operation for _, operation in _operations(document)}
    for source, (status, parameter) in LINKS.items():
        by_id[source]["responses"][status]["links"] = {
            target["operationId"]: {
                "operationId": target["operationId"],
                "parameters": {parameter: "$response.body#/id"},
            }
            for path, target in _operations(document)
            if f"{{{parameter}}}" in path
        }
    return document


def _operations(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Every operation with its path."""
    return [
        (path, operation)
        for path, operations in document["paths"].items()
        for operation in operations.values()
        if isinstance(operation, dict)
    ]
