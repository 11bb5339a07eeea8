"""A web server in processes of its own, and clients who wait for it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.ports import free_port
from tests.support.processes import ROOT, clean_environment
from tests.support.waiting import PATIENCE, until


class Received(NamedTuple):
    """A whole answer."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


GRANIAN = ("-P", "-m", "service.server.http_server")
GUNICORN = (
    *("-m", "gunicorn", "service.server.wsgi:app", "--worker-class", "gthread", "--threads", "4"),
    *("--bind", "127.0.0.1:{port}", "--log-level", "error"),
)


class WebServer:
    """A web server over a Redis; it can be stopped and started again.

    `program`: what Python runs, in which `{port}` is the port.
    """

    def __init__(
        self, redis_url: str, data: Path, *, program: Sequence[str] = GRANIAN, **env: str
    ) -> None:
        self.port = free_port()
        self._command = [sys.executable, *(part.format(port=self.port) for part in program)]
        self._streams: list[EventStream] = []
        self._env = clean_environment() | {
            "SCOTTENBURY_REDIS_URL": redis_url,
            "SCOTTENBURY_PORT": str(self.port),
            "SCOTTENBURY_DATA": str(data),
            "SCOTTENBURY_RATE_LIMITS": "off",
            **env,
        }
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._process = subprocess.Popen(self._command, cwd=ROOT, env=self._env)
        until(self._answers)

    def stop(self, number: int = signal.SIGTERM) -> None:
        """End it, and wait for its end."""
        self._process.send_signal(number)
        self._process.wait(PATIENCE)

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> Received:
        """One request on a connection of its own."""
        connection = self._connection(PATIENCE)
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(method, f"/v1{path}", sent, _headers(headers))
            answer = connection.getresponse()
            return Received(answer.status, dict(answer.getheaders()), answer.read().decode())
        finally:
            connection.close()

    def follow(self, path: str, **headers: str) -> EventStream:
        """A stream, from the moment on that its beginning has come."""
        connection = self._connection(PATIENCE)
        wanted = {"Accept": "text/event-stream", **_headers(headers)}
        connection.request("GET", f"/v1{path}", headers=wanted)
        self._streams.append(EventStream(connection))
        return self._streams[-1]

    def hang_up(self) -> None:
        """Let all clients of streams go away."""
        while self._streams:
            self._streams.pop().close()

    def _connection(self, timeout: float) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def _answers(self) -> bool:
        connection = self._connection(1.0)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()


class Message(NamedTuple):
    """One message of a stream."""

    id: str
    data: Any
    event: str = "message"


class EventStream:
    """A client of a stream, who reads as the HTML standard says."""

    def __init__(self, connection: HTTPConnection) -> None:
        self._connection = connection
        self._answer = connection.getresponse()
        self.status = self._answer.status
        self.headers = dict(self._answer.getheaders())
        self.last_id = ""

    def messages(self, number: int) -> list[Message]:
        """The next messages."""
        found = [message for _, message in zip(range(number), self._read(), strict=False)]
        assert len(found) == number, f"the stream ended after {found}"
        return found

    def rest(self) -> list[Message]:
        """All messages up to the end of the stream."""
        return list(self._read())

    def close(self) -> None:
        """Go away."""
        self._answer.close()
        self._connection.close()

    def _read(self) -> Iterator[Message]:
        fields: dict[str, str] = {}
        for raw in self._answer:
            line = raw.decode().rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
                continue
            self.last_id = fields.get("id", self.last_id)
            if "data" in fields:
                event = fields.get("event", "message")
                yield Message(self.last_id, json.loads(fields["data"]), event)
            fields = {}


def _headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Header names as arguments: `If_None_Match`; `token` is short for the bearer's header."""
    token = {"Authorization": f"Bearer {headers['token']}"} if "token" in headers else {}
    named = {key.replace("_", "-"): value for key, value in headers.items() if key != "token"}
    return {"Content-Type": "application/json", **named, **token}
