"""The form of a new game, and the game that it makes."""

from typing import Any

from service.container import Container

PLAIN = {"edition": "iello", "days": "7", "rounds": "1", "first": "random"}


def made(container: Container, location: str | None) -> Any:
    assert location is not None
    return container.games.load(location.removeprefix("/games/"))
