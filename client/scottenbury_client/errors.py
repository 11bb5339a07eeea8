"""What a server refuses, as classes. Decide by `code`, which is stable; `detail` is for people."""

import json
from typing import Any, Final

import httpx


class ScottenburyError(Exception):
    """Anything that this package raises by itself."""


class Unreachable(ScottenburyError):
    """There was no answer for as long as the client's patience lasted.

    Also raised at once if a request broke off that cannot safely be repeated: whether it was
    carried out is then unknown.
    """


class Problem(ScottenburyError):
    """The server's refusal (RFC 9457). `members` is all of it, with what this code adds."""

    def __init__(self, status: int, members: dict[str, Any], wait: float | None = None) -> None:
        self.status = status
        self.code: str = members.get("code", "")
        self.detail: str = members.get("detail", "")
        self.members = members
        self.retry_after = wait
        """Seconds after which to try again, if the server says so."""
        super().__init__(f"{status} {self.code}: {self.detail}")


class Invalid(Problem):
    """The request is wrong (400, 413, 415, 422 …): do not repeat it."""


class Forbidden(Problem):
    """The token is missing, revoked, or may not do this (401, 403)."""


class NotFound(Problem):
    """It does not exist, or you may not see it (404)."""


class Conflict(Problem):
    """It is not possible now (409). A rule of the game says so in `members["refusal"]`."""


class Stale(Problem):
    """The game has moved on from the version in `If-Match` (412): read it again."""

    @property
    def version(self) -> int:
        """The game's current version."""
        return int(self.members["version"])


class TryLater(Problem):
    """Too many requests, or a server that is busy (429, 503), for longer than patience lasts."""


_CLASSES: Final = {
    401: Forbidden,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: Stale,
    429: TryLater,
    503: TryLater,
}


def problem_of(answer: httpx.Response) -> Problem:
    """The problem in an answer; whatever stood in the way may have written it."""
    try:
        members = answer.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        members = None
    if not isinstance(members, dict):
        members = {"detail": answer.text[:200] or answer.reason_phrase}
    usual = Invalid if 400 <= answer.status_code < 500 else Problem
    kind = _CLASSES.get(answer.status_code, usual)
    return kind(answer.status_code, members, retry_after(answer))


def retry_after(answer: httpx.Response) -> float | None:
    """The seconds in `Retry-After`, None without one."""
    text = answer.headers.get("Retry-After", "")
    return float(text) if text.isdecimal() else None
