"""Runs a WSGI application for an ASGI request."""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextvars import Context, copy_context
from functools import lru_cache
from io import BytesIO
from typing import Any, Final, NamedTuple

from service.realtime.deferred import DEFERRAL, Deferral

Scope = dict[str, Any]
Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

PART: Final = 64 * 1024
"""Bytes of a response body produced and sent at a time, if it has no Content-Length."""

RECEIVED_AT: Final = "scottenbury.received_at"
"""Key in the WSGI environment: the `time.monotonic` at which the request had arrived completely."""
REJECTION: Final = "scottenbury.rejection"
"""Key in the WSGI environment: the problem code to respond with. Nothing may be executed."""
CALLER: Final = "scottenbury.caller"
"""Key in the WSGI environment: the `Caller`, set by the application if its responses take slots."""

_CONSTANT: Final[Environ] = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
_WITHOUT_PREFIX: Final = ("CONTENT_TYPE", "CONTENT_LENGTH")


class Caller(NamedTuple):
    """The sender of a request: the player's id, if known, and the network address."""

    player: str | None
    address: str


class BodyRest:
    """The rest of a response body that the application is still producing.

    It may be read in another thread than its beginning, and sees the same context variables.
    """

    def __init__(self, chunks: Iterable[bytes], iterator: Iterator[bytes], context: Context):
        self._chunks, self._iterator, self._context = chunks, iterator, context
        self._lock = threading.Lock()

    def read(self) -> bytes:
        """Return the next part, of `PART` bytes or a little more; empty at the end."""
        with self._lock:
            return self._context.run(_next_part, self._iterator)

    def close(self) -> None:
        """Let the application clean up. Call this at the end, even if the client left early."""
        with self._lock:
            self._context.run(_close, self._chunks)


class WsgiResponse(NamedTuple):
    """A response for ASGI. `rest` is the part after `body`; None if `body` is complete."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    rest: BodyRest | None
    deferral: Deferral | None
    caller: Caller | None


def to_environ(scope: Scope) -> Environ:
    """Return the WSGI environment of a request, without its body (PEP 3333)."""
    server, client = scope["server"], scope["client"]
    return {
        **_CONSTANT,
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0] if client else "",
        "wsgi.url_scheme": scope["scheme"],
        **_headers(scope["headers"]),
    }


def run_application(application: Application, environ: Environ, body: bytes) -> WsgiResponse:
    """Run the application for this request. `environ` is not changed, and can be reused."""
    context = copy_context()
    return context.run(_run, application, {**environ, "wsgi.input": BytesIO(body)}, context)


def _run(application: Application, environ: Environ, context: Context) -> WsgiResponse:
    started: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], *_: object) -> None:
        started[:] = status, headers

    chunks = application(environ, start_response)
    rest = None
    try:
        iterator = iter(chunks)
        body = _next_part(iterator)
        status, headers = started
        if len(body) >= PART:
            if any(name.lower() == "content-length" for name, _ in headers):
                body += b"".join(iterator)
            else:
                rest = BodyRest(chunks, iterator, context)
    finally:
        if rest is None:
            _close(chunks)
    return WsgiResponse(
        status=int(status[:3]),
        headers=[(_lower(name), value.encode("latin-1")) for name, value in headers],
        body=body,
        rest=rest,
        deferral=environ.get(DEFERRAL),
        caller=environ.get(CALLER),
    )


def _next_part(chunks: Iterator[bytes]) -> bytes:
    part: list[bytes] = []
    size = 0
    for chunk in chunks:
        part.append(chunk)
        size += len(chunk)
        if size >= PART:
            break
    return b"".join(part)


def _close(chunks: Iterable[bytes]) -> None:
    if hasattr(chunks, "close"):
        chunks.close()


def _headers(headers: Iterable[tuple[bytes, bytes]]) -> Environ:
    variables: Environ = {}
    for name, value in headers:
        if b"_" in name:
            continue  # it would be mistaken for the header with a hyphen, which proxies set
        variable = _variable(name)
        text = value.decode("latin-1")
        variables[variable] = f"{variables[variable]},{text}" if variable in variables else text
    return variables


@lru_cache(100)
def _lower(name: str) -> bytes:
    return name.lower().encode()


@lru_cache(1000)
def _variable(name: bytes) -> str:
    """Return the name of a header in the WSGI environment: `HTTP_HOST` for `host`."""
    upper = name.decode("latin-1").upper().replace("-", "_")
    return upper if upper in _WITHOUT_PREFIX else f"HTTP_{upper}"
