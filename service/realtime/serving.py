"""Serves the web application in the web server's own threads, one for each request.

A request reads its body, runs its view and is answered, all in one thread. If more may follow, the
thread waits as well: for news of a stream's or a long poll's topics (`pubsub.py`). Many threads may
wait, but only a few run views at the same time, in lanes: those who wait take none.
"""

import random
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from contextvars import copy_context
from io import BytesIO
from queue import SimpleQueue
from time import monotonic, sleep
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol
from weakref import WeakValueDictionary

from werkzeug.wsgi import ClosingIterator

from service.realtime import deferred
from service.realtime.deferred import DEFERRAL, MOVED, RERUN, Deferral, LongPoll, Moved, OpenStream
from service.realtime.pubsub import Broker, Subscriptions
from service.realtime.slots import Slot, SlotTable

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

PART: Final = 64 * 1024
"""Bytes of a response body that are sent at a time; a response with more is large."""
THREADS: Final = 1024
"""The most threads of one process. The sum of the limits below is less, so that moves find one."""
MAX_WAITING: Final = 512
"""The most clients that may wait in one process."""
MAX_WAITING_VISITORS: Final = 256
"""The most of them without a player's token, so that visitors from many addresses leave places to
players."""
LAST_PLACES: Final = 128
"""Of the places of clients who wait in one process, those kept for addresses that have few, so that
nobody takes all of them with the accounts and visitors of a few addresses."""
FEW_OF_ADDRESS: Final = 8
"""An address with fewer waiting clients than this, over all processes, may take a last place."""
MAX_READING: Final = 256
"""The most requests whose bodies one process waits for; of more, the oldest is refused."""
MAX_LARGE: Final = 128
"""The most large responses that one process sends at the same time."""
MAX_LARGER_BODIES: Final = 16
"""The most request bodies above the usual size that one process reads at the same time."""
MAX_WAITING_OF_PLAYER: Final = 32
"""The most clients that may wait with tokens of one player, over all processes."""
MAX_WAITING_OF_ADDRESS: Final = 256
"""The most clients that may wait from one network address, over all processes.

Clients with a player's token and clients without one have separate limits of this size, so that
visitors take no slots from players.
"""
MAX_LARGE_OF_PLAYER: Final = 8
"""The most large responses being sent to one player, over all processes."""
MAX_LARGE_OF_ADDRESS: Final = 16
"""The most large responses being sent to one network address, over all processes; players and
visitors have separate limits of this size."""
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
REST: Final = 4
"""The wait after a rerun for a caller, as a multiple of the rerun's duration.

So a caller with many streams or games takes at most a fifth of a lane. All the news during the wait
causes a single rerun of a stream.
"""
LONGEST_REST: Final = 1.0
"""The longest wait after a rerun, in seconds."""
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


class Caller(NamedTuple):
    """The sender of a request: the player's id, if known, and the network address."""

    player: str | None
    address: str


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


class Lanes:
    """Lets a number of threads in at a time: `with lanes`."""

    def __init__(self, number: int) -> None:
        self._free: SimpleQueue[None] = SimpleQueue()
        for _ in range(number):
            self._free.put(None)

    def __enter__(self) -> None:
        self._free.get()

    def __exit__(self, *_: object) -> None:
        self._free.put(None)


class Places:
    """Counts who is inside: `with places`. Nobody waits to enter; ask `is_full` before."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._inside = 0

    @property
    def left(self) -> int:
        """How many more may enter."""
        return self._most - self._inside

    @property
    def is_full(self) -> bool:
        """Whether as many are inside as may be."""
        return self.left <= 0

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1


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
        self._lanes = Lanes(lanes)
        self._storeless_lane = Lanes(1)
        self._rerun_lanes = Lanes(RERUN_LANES)
        self._waiting, self._sending = Places(MAX_WAITING), Places(MAX_LARGE)
        self._waiting_visitors = Places(MAX_WAITING_VISITORS)
        self._larger = Places(MAX_LARGER_BODIES)
        self._bodies = _Bodies(self._refuse_slow)
        self._turns: WeakValueDictionary[str, _Turns] = WeakValueDictionary()
        self._turns_lock = threading.Lock()
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
        elif rejection := self._rejection(response, deferral):
            _close(response)
            rejected = self._run(self._lanes, {**environ, RERUN: True, REJECTION: rejection})
            connection.response_bytes(rejected.status, rejected.headers, rejected.body)
        else:
            with ExitStack() as places:
                for room in self._rooms(response, deferral):
                    places.enter_context(room)
                places.enter_context(self._slots.taken(*_slots_for(response, deferral)))
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
            connection.response_iter(response.status, headers, stream)
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

    def _rejection(self, response: Response, deferral: Deferral | None) -> str | None:
        """Return the problem code if this client may not wait, else None."""
        if any(room.is_full for room in self._rooms(response, deferral)):
            return "server-busy"
        slots = _slots_for(response, deferral, is_crowded=self._waiting.left <= LAST_PLACES)
        if any(map(self._slots.is_full, slots)):
            return "too-many-requests" if deferral is None else "too-many-streams"
        return None

    def _rooms(self, response: Response, deferral: Deferral | None) -> list[Places]:
        """Return the places of this process that the client takes."""
        if deferral is None:
            return [self._sending]
        is_visitor = response.caller is not None and response.caller.player is None
        return [self._waiting, *([self._waiting_visitors] if is_visitor else [])]

    def _long_poll(self, environ: Environ, response: Response, position: int) -> Response:
        """Return the response once there is news, or once the long poll's time is over."""
        end = monotonic() + getattr(response.deferral, "seconds", 0.0)
        turns = self._turns_of(response)
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
        turns = self._turns_of(response)
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

    def _turns_of(self, response: Response) -> "_Turns":
        """Return the turns shared by all streams and long polls of a caller; new ones if the caller
        is unknown."""
        if response.caller is None:
            return _Turns()
        player, address = response.caller
        with self._turns_lock:
            return self._turns.setdefault(player or address, _Turns())

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


class _Turns:
    """Lets a caller's streams and long polls run their views one after the other, with a rest after
    each."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free_at = 0.0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn, and for the rest after the one before."""
        with self._lock:
            if (left := self._free_at - monotonic()) > 0:
                sleep(left)
            began = monotonic()
            try:
                yield
            finally:
                now = monotonic()
                self._free_at = now + min(REST * (now - began), LONGEST_REST)


def _slots_for(
    response: Response, deferral: Deferral | None, *, is_crowded: bool = False
) -> list[Slot]:
    """Return the slots (see `SlotTable`) that a waiting client or a large response takes: of its
    player, if it has one, and of its network address, which may have few if only the last places
    are left."""
    if response.caller is None:
        return []
    player, address = response.caller
    kind, of_player, of_address = "waiting", MAX_WAITING_OF_PLAYER, MAX_WAITING_OF_ADDRESS
    if deferral is None:
        kind, of_player, of_address = "large", MAX_LARGE_OF_PLAYER, MAX_LARGE_OF_ADDRESS
    elif is_crowded:
        of_address = FEW_OF_ADDRESS
    if player is None:
        return [Slot(f"{kind} visitor {address}", of_address)]
    return [
        Slot(f"{kind} player {player}", of_player),
        Slot(f"{kind} address {address}", of_address),
    ]


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


def _close(response: Response) -> None:
    if response.rest is not None:
        response.rest.close()
