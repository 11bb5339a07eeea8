"""Clients of the server under test, and what all of them see."""

import json
import secrets
import threading
import time
from collections import Counter
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from typing import Any, Final, NamedTuple

LONGEST: Final = 15.0
"""Seconds that a request may wait for its answer, or for the end of its connection."""
PATIENCE: Final = 180.0
"""Seconds for which a client sends a request again and again."""
PAUSE: Final = 0.4
"""Seconds between two of them."""
BUSY: Final = (0, 429, 503)
"""Statuses after which a request is sent again; 0: no answer came."""


class Failed(Exception):
    """An answer that a client does not expect; the text says which."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Run:
    """Counts what all clients see, and what befell the server.

    It lasts until `moves` were acknowledged and each of the `mishaps` has happened so many times,
    or for `longest` seconds.
    """

    def __init__(self, moves: int, mishaps: Mapping[str, int], longest: float) -> None:
        self._moves, self._mishaps, self.done = moves, mishaps, 0
        self._end = time.monotonic() + longest
        self.mishaps: Counter[str] = Counter()
        self.statuses: Counter[str] = Counter()
        self.views = 0
        self.faults: list[str] = []
        self.longest = 0.0
        self._lock = threading.Lock()

    def answered(self, status: int | str, seconds: float, what: str) -> None:
        """Count an answer; 503 is the only one with which a server may excuse itself."""
        with self._lock:
            self.statuses[str(status)] += 1
            self.longest = max(self.longest, seconds)
            if seconds > LONGEST:
                self.faults.append(f"{what} waited {seconds:.1f} s for {status}")
            if isinstance(status, int) and status >= 500 and status != 503:
                self.faults.append(f"{what}: {status}")

    def acknowledged(self) -> None:
        with self._lock:
            self.done += 1

    def happened(self, mishap: str) -> None:
        with self._lock:
            self.mishaps[mishap] += 1

    def compared(self, views: int) -> None:
        with self._lock:
            self.views += views

    @property
    def is_over(self) -> bool:
        enough = all(self.mishaps[name] >= times for name, times in self._mishaps.items())
        return (enough and self.done >= self._moves) or time.monotonic() > self._end


class Answer(NamedTuple):
    """The status, 0 if none came, and the body."""

    status: int
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Client:
    """Sends requests to a port, each on a connection of its own."""

    def __init__(self, run: Run, port: int) -> None:
        self.run, self.port = run, port

    def once(self, method: str, path: str, token: str, body: Any, key: str) -> Answer:
        """The answer to a request that is sent once."""
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=LONGEST + 5)
        begun, status = time.monotonic(), 0
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(method, f"/v1{path}", sent, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            status = answer.status
            return Answer(status, text)
        except (OSError, HTTPException):
            return Answer(0, "")
        finally:
            connection.close()
            self.run.answered(status or "no answer", time.monotonic() - begun, f"{method} {path}")

    def insist(self, method: str, path: str, token: str = "", body: Any = None) -> Answer:
        """The answer to a request that is sent under one key until there is an answer to it.

        Raises `Failed` if that is an error.
        """
        key, end = secrets.token_hex() if method == "POST" else "", time.monotonic() + PATIENCE
        while time.monotonic() < end:
            answer = self.once(method, path, token, body, key)
            if answer.status in (200, 201):
                return answer
            if answer.status not in BUSY:
                said = f"{method} {path}: {answer.status} {answer.text[:200]}"
                raise Failed(answer.status, said)
            time.sleep(PAUSE)
        raise Failed(0, f"{method} {path}: no answer in {PATIENCE:.0f} s")
