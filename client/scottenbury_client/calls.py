"""Requests as data, and when one is sent again: nothing here waits or opens a connection."""

import json
import random
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, Self
from urllib.parse import quote

import httpx

from scottenbury_client.errors import Unreachable, problem_of, retry_after
from scottenbury_client.models import Game

PATIENCE: Final = 120.0
"""Seconds for which a request is sent again. A `Retry-After` beyond them is not waited for."""

USER_AGENT: Final = "scottenbury-client/0.2.0"
MINE: Final = "/v1/me/stream"

READ_SECONDS: Final = 30.0
"""How long an answer may stay away; a request that asks the server to wait has as much on top."""

_LATER: Final = (408, 429, 502, 503, 504)
"""The server has done nothing yet, or a proxy got no answer: every call may be sent twice, a write
under its key."""

_LONGEST_PAUSE: Final = 5.0


@dataclass(frozen=True, slots=True)
class Call:
    """One request. Repeats of it are the same bytes, with the same key."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    if_match: int | None = None
    idempotency_key: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def page(self, cursor: str) -> Self:
        """The same call for a page of a list, as JSON; the first has no cursor."""
        params = {**self.params, "cursor": cursor or None}
        return replace(self, params=params, headers={"Accept": "application/json"})

    def options(self) -> dict[str, Any]:
        """What httpx takes besides method and address."""
        params = {name: value for name, value in self.params.items() if value is not None}
        headers = dict(self.headers)
        if self.if_match is not None:
            headers["If-Match"] = f'"{self.if_match}"'
        if self.idempotency_key is not None:
            headers["Idempotency-Key"] = self.idempotency_key
        return {
            "params": params,
            "headers": headers,
            "json": self.body,
            "timeout": httpx.Timeout(10.0, read=READ_SECONDS + params.get("wait", 0)),
        }


def keyed(method: str, path: str, idempotency_key: str | None = None, **options: Any) -> Call:
    """A call under an idempotency key: yours, or a new one that nobody can guess."""
    return Call(method, path, idempotency_key=idempotency_key or str(uuid.uuid4()), **options)


def place(part: str) -> str:
    """A part of a path; no id leads out of its place."""
    return quote(part, safe="")


class News(NamedTuple):
    """A message of the stream about all one's games: `data` holds the `game`'s id and the `event`,
    or a `message`, an `offer` or a `challenge`.

    `place` is where to go on after it; types and members that come later are kept.
    """

    place: str
    type: str
    data: dict[str, Any]


def events_of(game_id: str) -> str:
    """The address of a game's events."""
    return f"/v1/games/{place(game_id)}/events"


def record_of(game_id: str) -> Call:
    """The call for a game's record, as JSON Lines."""
    return Call("GET", f"/v1/games/{place(game_id)}/record", params={"format": "jsonl"})


def lines_of(record: str) -> list[Any]:
    """The events of a record in JSON Lines."""
    return [json.loads(line) for line in record.split("\n") if line]


def newer(game: Game) -> Call:
    """The call for a game, answered once there is a newer version, or not at all for a minute."""
    seen = {"If-None-Match": f'"{game["version"]}"'}
    return Call("GET", f"/v1/games/{place(game['id'])}", params={"wait": 60}, headers=seen)


class Patience:
    """When one call is sent again: for `seconds` after the first failure, at growing pauses."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._tries = seconds, 0
        self._end: float | None = None

    def after_break(self, call: Call, error: httpx.TransportError) -> float:
        """The seconds to wait before the call is sent again.

        Raises `Unreachable` once patience is over.
        """
        pause = self.pause()
        if self._too_late(pause):
            raise Unreachable(f"{call.method} {call.path}: {error!r}") from error
        return pause

    def after_answer(self, answer: httpx.Response) -> float | None:
        """The seconds to wait before the call is sent again, None if the answer is final."""
        if answer.status_code not in _LATER:
            return None
        pause = self.pause() if (asked := retry_after(answer)) is None else asked
        return None if self._too_late(pause) else pause

    def pause(self) -> float:
        """The seconds of the next pause: random, so that many clients do not come back at once."""
        self._tries += 1
        return min(_LONGEST_PAUSE, 0.1 * 2.0**self._tries) * random.uniform(0.5, 1.0)

    def _too_late(self, pause: float) -> bool:
        now = time.monotonic()
        self._end = self._end or now + self._seconds
        return now + pause > self._end


def result(answer: httpx.Response) -> Any:
    """The JSON of an answer, its text if it is none, None where there is none.

    Raises a `Problem` for an error.
    """
    if answer.status_code in (204, 304):
        return None
    if not answer.is_success:
        raise problem_of(answer)
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    return answer.json() if kind == "application/json" else answer.text
