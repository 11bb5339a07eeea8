"""Serves the web application in the web server's own threads, one for each request.

A request reads its body, runs its view and is answered, all in one thread. If more may follow, the
thread waits as well: for news of a stream's or a long poll's topics (`pubsub.py`). Many threads may
wait, but only a few run views at the same time, in lanes: those who wait take none.
"""

import random
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from contextvars import copy_context
from io import BytesIO
from time import monotonic, sleep
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

from werkzeug.wsgi import ClosingIterator

from service.realtime import deferred
from service.realtime.deferred import DEFERRAL, MOVED, RERUN, Deferral, LongPoll, Moved, OpenStream
from service.realtime.places import Caller, Lanes, Places, SlotTable, WaitingRoom
from service.realtime.pubsub import Broker, Subscriptions

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

PART: Final = 64 * 1024
"""Bytes of a response body that are sent at a time; a response with more is large."""
THREADS: Final = 1024
"""The most threads of one process. The sum of `MAX_READING` and of the limits of
`places.py` is less, so that moves find one."""
MAX_READING: Final = 256
"""The most requests whose bodies one process waits for; of more, the oldest is refused."""
MAX_LARGER_BODIES: Final = 16
"""The most request bodies above the usual size that one process reads at the same time."""
KEEP_ALIVE: Final = 15.0
"""Seconds without data after which a stream is sent a comment. A client that has left is noticed
then at the latest."""
RERUN_AFTER: Final = 4
"""Every time this many keep-alives are due in a row, the view runs instead of the last comment: a
pub/sub message may have been lost, or the token revoked."""
BODY_TIMEOUT: Final = 20.0
"""Seconds within which the whole body of a request must arrive."""
FLUSHED: Final = 0.1
"""Seconds until an answer has left the server, which flushes nothing when it ends a connection."""
RERUN_LANES: Final = 2

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


class Connection(Protocol):
    """The web server's side of a request (granian's `WSGIProtocol`). Any thread may answer, once;
    a second answer is ignored."""

    def response_bytes(self, status: int, headers: Headers, body: bytes, /) -> None:
        """Answer with a whole body."""

    def response_iter(self, status: int, headers: Headers, body: Iterator[bytes], /) -> None:
        """Answer with parts, as fast as the client takes them. Returns when the last was taken or
        the client has left, after closing `body`."""


class Response(NamedTuple):
    """What a view responded. `rest` is the part after `body`, not produced yet."""

    status: int
    headers: Headers
    body: bytes
    rest: ClosingIterator | None
    deferral: Deferral | None
    caller: Caller | None

    @property
    def is_large(self) -> bool:
        """Whether sending it may take as long as its client likes."""
        return self.rest is not None or len(self.body) > PART


class Serving:
    """Serves a WSGI application in up to `lanes` threads at a time, with request bodies of up to
    `max_body` bytes.

    `larger_bodies` maps some paths to higher limits, in bytes. Requests for paths that begin with
    one of `storeless_paths` need no store; they have a lane of their own, so they never wait for
    other requests. `connect` returns the subscriptions to news from Redis; `start` calls it once,
    in the process that serves (see `Broker`).
    """

    def __init__(
        self,
        application: Application,
        connect: Callable[[Callable[[str], None]], Subscriptions],
        *,
        lanes: int,
        max_body: int,
        larger_bodies: Mapping[str, int] = MappingProxyType({}),
        storeless_paths: tuple[str, ...] = (),
        slots: SlotTable | None = None,
    ) -> None:
        self._application = application
        self._connect = connect
        self._max_body = max_body
        self._larger_bodies = larger_bodies
        self._storeless_paths = storeless_paths
        self._slots = slots or SlotTable(1)
        self._waiting_room = WaitingRoom(self._slots)
        self._lanes = Lanes(lanes)
        self._storeless_lane = Lanes(1)
        self._rerun_lanes = Lanes(RERUN_LANES)
        self._larger = Places(MAX_LARGER_BODIES)
        self._bodies = _Bodies(self._refuse_slow)
        self._broker: Broker

    def start(self) -> None:
        """Begin to serve: call it once in each process, after the fork."""
        self._slots.claim_row()
        self._broker = Broker(self._connect)
        self._bodies.start()

    def stop(self) -> None:
        """End all streams and long polls. The web server waits for responses before it ends."""
        self._broker.close()

    def __call__(self, connection: Connection, environ: Environ) -> None:
        """Serve a request of the web server, which calls this in a thread of its own."""
        environ.update(_CONSTANT)
        # A context for each request: threads are used again.
        copy_context().run(self._serve, connection, environ)

    def _serve(self, connection: Connection, environ: Environ) -> None:
        body = self._read_body(connection, environ)
        if body is None:
            return
        position = self._broker.position()
        is_storeless = environ["PATH_INFO"].startswith(self._storeless_paths)
        lanes = self._storeless_lane if is_storeless else self._lanes
        response = self._run(lanes, environ, body)
        deferral = response.deferral if environ["REQUEST_METHOD"] == "GET" else None
        if deferral is None and not response.is_large:
            # The server takes it at once, whether the client reads or not.
            connection.response_bytes(response.status, response.headers, response.body)
        elif rejection := self._waiting_room.rejection(response.caller, waits=deferral is not None):
            _close(response)
            rejected = self._run(self._lanes, {**environ, RERUN: True, REJECTION: rejection})
            connection.response_bytes(rejected.status, rejected.headers, rejected.body)
        else:
            with self._waiting_room.inside(response.caller, waits=deferral is not None):
                self._keep(connection, environ, response, deferral, position)

    def _keep(
        self,
        connection: Connection,
        environ: Environ,
        response: Response,
        deferral: Deferral | None,
        position: int,
    ) -> None:
        """Answer a client who waits, or takes time to read."""
        if isinstance(deferral, OpenStream):
            headers = [pair for pair in response.headers if pair[0].lower() != "content-length"]
            stream = self._stream(environ, response, position)
            connection.response_iter(response.status, headers, _watched(stream, deferral.left))
            return
        if isinstance(deferral, LongPoll):
            response = self._long_poll(environ, response, position)
        if response.is_large:
            parts = self._parts(response)
            connection.response_iter(response.status, response.headers, parts)
        else:
            connection.response_bytes(response.status, response.headers, response.body)

    def _read_body(self, connection: Connection, environ: Environ) -> bytes | None:
        """Return the body of the request; None if it was refused meanwhile, for its slowness.

        A body that is too large, or of unknown length, is not read: the application refuses it.
        """
        length = int(environ.get("CONTENT_LENGTH") or 0)
        limit = self._larger_bodies.get(environ["PATH_INFO"], self._max_body)
        if not 0 < length <= limit:
            return b""
        is_larger = length > self._max_body
        if is_larger and self._larger.is_full:
            environ[REJECTION] = "server-busy"
            return b""
        with self._larger if is_larger else nullcontext():
            body = self._bodies.read(connection, environ, length)
        if body is not None and len(body) < length:
            environ[REJECTION] = "body-incomplete"
            return b""
        return body

    def _refuse_slow(self, connection: Connection, environ: Environ) -> None:
        """Answer a request whose body takes too long, and end its connection.

        The thread that still reads is free only then, and the server ends no connection on which it
        expects a body, unless an answer is shorter than it says.
        """
        response = self._run(self._lanes, {**environ, REJECTION: "request-timeout"})
        headers = [pair for pair in response.headers if pair[0].lower() != "content-length"]
        headers.append(("Content-Length", str(len(response.body) + 1)))
        connection.response_iter(response.status, headers, _sent_before_the_end(response.body))

    def _long_poll(self, environ: Environ, response: Response, position: int) -> Response:
        """Return the response once there is news, or once the long poll's time is over."""
        end = monotonic() + getattr(response.deferral, "seconds", 0.0)
        turns = self._waiting_room.turns_of(response.caller)
        with self._broker.watch() as watch:
            while isinstance(response.deferral, LongPoll) and (left := end - monotonic()) > 0:
                topics = response.deferral.topics
                news = watch.wait(topics, position, left)
                with turns.turn():
                    if self._broker.closed:
                        break
                    again = {**environ, MOVED: self._moved(topics, position)} if news else environ
                    position = self._broker.position()
                    response = self._rerun(again)
        return response

    def _stream(self, environ: Environ, response: Response, position: int) -> Iterator[bytes]:
        """Yield the first body, then that of each rerun, until the stream ends."""
        yield response.body
        deferral, comments = response.deferral, 0
        turns = self._waiting_room.turns_of(response.caller)
        with self._broker.watch() as watch:
            while isinstance(deferral, OpenStream):
                # Spread out, because many clients may have connected at the same moment.
                seconds = 0.0 if deferral.more else KEEP_ALIVE * random.uniform(0.7, 1.0)
                news = watch.wait(deferral.topics, position, seconds)
                if self._broker.closed:
                    break
                comments = 0 if news or deferral.more else comments + 1
                if 0 < comments < RERUN_AFTER:
                    yield deferred.COMMENT
                    continue
                again = {**environ, "HTTP_LAST_EVENT_ID": deferral.last_id}
                with turns.turn():
                    # After a failure, or without news, the changes are unknown.
                    if news and response.status < 500 and not deferral.more:
                        again[MOVED] = self._moved(deferral.topics, position)
                    position, comments = self._broker.position(), 0
                    response = self._rerun(again)
                if response.status < 500:  # otherwise the store is away: the rest comes later
                    deferral = response.deferral if response.status == 200 else None
                yield (response.body if response.status == 200 else b"") or deferred.COMMENT

    def _parts(self, response: Response) -> Iterator[bytes]:
        """Yield a large body; what is not produced yet, only as fast as the client reads."""
        try:
            for begin in range(0, len(response.body), PART):
                yield response.body[begin : begin + PART]
            while response.rest is not None:
                with self._lanes:
                    part = _next_part(response.rest)
                if not part:
                    break
                yield part
        finally:
            _close(response)

    def _moved(self, topics: frozenset[str], since: int) -> Moved:
        return Moved(topics, self._broker.moved(topics, since))

    def _rerun(self, environ: Environ) -> Response:
        return self._run(self._rerun_lanes, {**environ, RERUN: True})

    def _run(self, lanes: Lanes, environ: Environ, body: bytes = b"") -> Response:
        """Run the application for this request. `environ` is not changed, and can be used again."""
        environ = {**environ, "wsgi.input": BytesIO(body), RECEIVED_AT: monotonic()}
        started: list[Any] = []

        def start_response(status: str, headers: Headers, *_: object) -> None:
            started[:] = int(status[:3]), headers

        with lanes:
            chunks = self._application(environ, start_response)
            body, rest = _begin(chunks, started)
        status, headers = started
        return Response(status, headers, body, rest, environ.get(DEFERRAL), environ.get(CALLER))


class _Bodies:
    """The requests whose bodies are on their way. No read ends by itself: a thread watches them."""

    INTERVAL: Final = 1.0
    """Seconds between two looks at them."""

    def __init__(self, refuse: Callable[[Connection, Environ], None]) -> None:
        self._refuse = refuse
        self._reading: dict[object, tuple[float, Connection, Environ]] = {}
        self._needed = threading.Event()

    def start(self) -> None:
        """Begin to watch, in a thread that sleeps while no body is on its way."""
        threading.Thread(target=self._run, name="bodies", daemon=True).start()

    def read(self, connection: Connection, environ: Environ, length: int) -> bytes | None:
        """Return up to `length` bytes, less only if the client has left; None if the request was
        refused meanwhile."""
        key = object()
        self._reading[key] = monotonic() + BODY_TIMEOUT, connection, environ
        self._needed.set()
        if len(self._reading) > MAX_READING:
            self._end(next(iter(list(self._reading))))
        body: bytes = environ["wsgi.input"].read(length)
        return body if self._reading.pop(key, None) else None

    def _run(self) -> None:
        while self._needed.wait():
            self._needed.clear()
            sleep(self.INTERVAL)
            for key, (end, *_) in list(self._reading.items()):
                if end < monotonic():
                    self._end(key)
            if self._reading:
                self._needed.set()

    def _end(self, key: object) -> None:
        if found := self._reading.pop(key, None):
            self._refuse(*found[1:])


def _begin(chunks: Iterable[bytes], started: list[Any]) -> tuple[bytes, ClosingIterator | None]:
    """Return the body as far as it is to be produced at once, and the rest of it, if any."""
    if isinstance(chunks, list):
        return b"".join(chunks), None
    rest = ClosingIterator(chunks, getattr(chunks, "close", None))
    try:
        first = _next_part(rest)
        has_length = any(name.lower() == "content-length" for name, _ in started[1])
        if not has_length and len(first) >= PART:
            return first, rest
        first += b"".join(rest)
    except BaseException:
        rest.close()
        raise
    rest.close()
    return first, None


def _next_part(chunks: Iterator[bytes]) -> bytes:
    """Return the next part, of `PART` bytes or a little more; less only at the end."""
    part: list[bytes] = []
    size = 0
    for chunk in chunks:
        part.append(chunk)
        size += len(chunk)
        if size >= PART:
            break
    return b"".join(part)


def _sent_before_the_end(body: bytes) -> Iterator[bytes]:
    yield body
    sleep(FLUSHED)


def _watched(stream: Iterator[bytes], left: Callable[[], None] | None) -> Iterator[bytes]:
    """Yield a stream; call `left` if its client is gone before it ends."""
    try:
        yield from stream
    except GeneratorExit:
        if left is not None:
            left()
        raise


def _close(response: Response) -> None:
    if response.rest is not None:
        response.rest.close()
