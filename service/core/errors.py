"""A use case's refusal: a stable code and one sentence, whatever the transport that tells it."""

from collections.abc import Container
from typing import Any


class RequestRejected(Exception):
    """The request is understood and refused; nothing has changed.

    `code` is stable kebab-case, `detail` a sentence for people, `members` further facts about
    the refusal (for example the current `version` of a game).
    """

    def __init__(self, code: str, detail: str, **members: Any) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.members = members


class Overtaken(RequestRejected):
    """`stale-version`, because another write came first: it may be tried again."""


def stale(version: int) -> RequestRejected:
    """The game has moved on to `version` since the caller saw it."""
    return RequestRejected("stale-version", _now_at(version), version=version)


def overtaken(version: int) -> Overtaken:
    """The game, or what stands beside its log, has changed since this process read it."""
    return Overtaken("stale-version", _now_at(version), version=version)


def _now_at(version: int) -> str:
    return f"The game is at version {version} now."


def check_version(version: int, expected: Container[int] | None, asides: int = 0) -> None:
    """Check that the version is one of those expected; None: any version will do.

    So will one before the last `asides` events. Raises `RequestRejected`: `stale-version`.
    """
    if expected is None or any(one in expected for one in range(version - asides, version + 1)):
        return
    raise stale(version)


def key_reused() -> RequestRejected:
    """The idempotency key already stands for another request."""
    return RequestRejected(
        "idempotency-key-reused", "This Idempotency-Key was used before with another request."
    )
