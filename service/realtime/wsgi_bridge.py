"""An ASGI request as a WSGI application sees it, and the application's answer in one piece."""

import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from io import BytesIO
from typing import Any, Final, NamedTuple

from service.realtime.deferred import HELD, Held

Scope = dict[str, Any]
Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

_ALWAYS: Final[Environ] = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
_UNPREFIXED: Final = ("CONTENT_TYPE", "CONTENT_LENGTH")

ARRIVED: Final = "scottenbury.arrived"
"""In the WSGI environment: when the request was there, as `time.monotonic` has it."""
REFUSED: Final = "scottenbury.refused"
"""In the WSGI environment: the code of the problem to answer with; nothing may be carried out."""

CALLER: Final = "scottenbury.caller"
"""In the WSGI environment: the `Caller`, where what he holds open is limited."""


class Caller(NamedTuple):
    """Who asks: the player's id, if known, and the network address."""

    player: str | None
    address: str


class Answer(NamedTuple):
    """An answer as ASGI sends it, and what the view says may follow."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    held: Held | None
    caller: Caller | None


def environ_of(scope: Scope) -> Environ:
    """The WSGI environment of a request, without its body (PEP 3333)."""
    server, client = scope["server"], scope["client"]
    return {
        **_ALWAYS,
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


def answer(application: Application, environ: Environ, body: bytes) -> Answer:
    """What the application answers to this request. `environ` may be asked with again."""
    asked = {**environ, "wsgi.input": BytesIO(body)}
    started: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], *_: Any) -> None:
        started[:] = status, headers

    chunks = application(asked, start_response)
    try:
        content = b"".join(chunks)
    finally:
        if hasattr(chunks, "close"):
            chunks.close()
    status, headers = started
    return Answer(int(status[:3]), _encoded(headers), content, asked.get(HELD), asked.get(CALLER))


def _headers(headers: Iterable[tuple[bytes, bytes]]) -> Environ:
    found: Environ = {}
    for name, value in headers:
        if b"_" in name:
            continue  # it would pass for the header with a hyphen, which proxies take care of
        variable = _variable(name)
        text = value.decode("latin-1")
        found[variable] = f"{found[variable]},{text}" if variable in found else text
    return found


def _encoded(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(_lower(name), value.encode("latin-1")) for name, value in headers]


@lru_cache(100)
def _lower(name: str) -> bytes:
    return name.lower().encode()


@lru_cache(1000)
def _variable(name: bytes) -> str:
    """The name of a header in the environment."""
    upper = name.decode("latin-1").upper().replace("-", "_")
    return upper if upper in _UNPREFIXED else f"HTTP_{upper}"
