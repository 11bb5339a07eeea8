"""Clients who speak HTTP byte by byte, as badly as they like."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.waiting import PATIENCE
from tests.support.web_server import WebServer

MAIL_TOKEN = "a token for tests"
"""With which mail is handed in."""


class Answer(NamedTuple):
    """An answer, whole."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def code(self) -> str:
        return str(json.loads(self.body)["code"])


@contextmanager
def impatient_server(redis_url: str, data: Path, workers: int) -> Iterator[WebServer]:
    """A web server with short time limits and small caps (`tests.faults.impatient`)."""
    server = WebServer(
        redis_url,
        data,
        program=("-m", "tests.faults.impatient"),
        SCOTTENBURY_RATE_LIMITS="on",
        SCOTTENBURY_WEB_WORKERS=str(workers),
    )
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def connected(web: WebServer) -> Iterator[socket.socket]:
    """A connection to the server."""
    with socket.create_connection(("127.0.0.1", web.port), PATIENCE) as connection:
        yield connection


def head(method: str, path: str, **headers: Any) -> bytes:
    """The head of a request; `Content_Length` stands for the header with a hyphen."""
    named = {"Host": "localhost"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode()


def answer_to(connection: socket.socket) -> Answer:
    """The next answer, which says how long it is."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += _more(connection)
    first, _, body = received.partition(b"\r\n\r\n")
    status, *lines = first.decode("latin-1").split("\r\n")
    pairs = (line.partition(": ") for line in lines)
    headers = {name.lower(): value for name, _, value in pairs}
    while len(body) < int(headers.get("content-length", 0)):
        body += _more(connection)
    return Answer(int(status.split()[1]), headers, body)


def until_closed(connection: socket.socket) -> bytes:
    """Wait until the server closes the connection; return what it says before."""
    received = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(65536):
            received += part
    return received


def _more(connection: socket.socket) -> bytes:
    received = connection.recv(65536)
    assert received, "the server closed the connection without an answer"
    return received
