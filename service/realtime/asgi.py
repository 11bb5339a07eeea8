"""The ASGI application: runs the web application in threads, and manages waiting clients.

New requests run in some threads, reruns for waiting clients in others. A waiting client is a task
on the event loop. A request that need not wait costs the loop one call into a thread and one
response.
"""

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from time import monotonic
from types import FrameType, MappingProxyType
from typing import Any, Final
from weakref import WeakValueDictionary

from service.realtime import sse
from service.realtime.broker import Broker, Subscriptions
from service.realtime.deferred import MOVED, RERUN, Deferral, LongPoll, Moved, OpenStream
from service.realtime.slots import Slot, SlotTable
from service.realtime.threads import Threads
from service.realtime.wsgi_bridge import (
    PART,
    RECEIVED_AT,
    REJECTION,
    Application,
    Environ,
    Scope,
    WsgiResponse,
    run_application,
    to_environ,
)

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, object]], Awaitable[None]]

MAX_WAITING: Final = 3000
"""The most clients that may wait in one process."""
MAX_WAITING_OF_PLAYER: Final = 32
"""The most clients that may wait with tokens of one player, over all processes."""
MAX_WAITING_OF_ADDRESS: Final = 256
"""The most clients that may wait from one network address, over all processes.

Clients with a player's token and clients without one have separate limits of this size, so that
visitors take no slots from players.
"""
MAX_LARGE_OF_PLAYER: Final = 8
"""The most responses of more than `PART` bytes being sent to one player, over all processes."""
MAX_LARGE_OF_ADDRESS: Final = 16
"""The most responses of more than `PART` bytes being sent to one network address, over all
processes; players and visitors have separate limits of this size."""
KEEP_ALIVE: Final = 15.0
"""Seconds without data after which a stream is sent a comment."""
RERUN_AFTER: Final = 4
"""Every time this many keep-alives are due in a row, the view runs instead of the last comment: a
pub/sub message may have been lost, or the token revoked."""
BODY_TIMEOUT: Final = 20.0
"""Seconds within which the whole body of a request must arrive."""
MAX_LARGER_BODIES: Final = 16
"""The most request bodies above the usual size that one process reads at the same time."""
SEND_TIMEOUT: Final = 30.0
"""Seconds within which the client must accept each part of a response."""
REST: Final = 4
"""The wait after a rerun for a caller, as a multiple of the rerun's duration.

So a caller with many streams or games takes at most a fifth of a thread. All the news during the
wait causes a single rerun of a stream.
"""
LONGEST_REST: Final = 1.0
"""The longest wait after a rerun, in seconds."""
_RERUN_THREADS: Final = 2
_STORELESS_THREADS: Final = 1


class _BodyIncomplete(Exception):
    """The client disconnected before the end of the request body."""


class AsgiApplication:
    """Serves a WSGI application in `threads`, with request bodies of up to `max_body` bytes.

    `larger_bodies` maps some paths to higher limits, in bytes. Requests for paths that begin with
    one of `storeless_paths` need no store; one thread is reserved for them, so they never wait for
    other requests. `connect` returns the subscriptions to news from Redis; it is called once, when
    the event loop runs (see `Broker`).
    """

    def __init__(
        self,
        application: Application,
        connect: Callable[[Callable[[str], None]], Subscriptions],
        *,
        threads: int,
        max_body: int,
        larger_bodies: Mapping[str, int] = MappingProxyType({}),
        storeless_paths: tuple[str, ...] = (),
        slots: SlotTable | None = None,
    ) -> None:
        self._application = application
        self._connect = connect
        self._max_body = max_body
        self._larger_bodies = larger_bodies
        self._reading_larger = 0
        self._storeless_paths = storeless_paths
        self._slots = slots or SlotTable(1)
        self._threads = Threads(threads, "request")
        self._storeless_threads = Threads(_STORELESS_THREADS, "storeless")
        self._rerun_threads = Threads(_RERUN_THREADS, "rerun")
        self._broker: Broker
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The entry point of ASGI."""
        if scope["type"] == "lifespan":
            await self._handle_lifespan(receive, send)
        elif scope["type"] == "http":
            await self._handle_request(scope, receive, send)

    async def _handle_lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            event = (await receive())["type"]
            if event == "lifespan.startup":
                self._slots.claim_row()
                self._broker = Broker(self._connect)
                _on_termination(self._broker.close)
            await send({"type": f"{event}.complete"})
            if event == "lifespan.shutdown":
                return

    async def _handle_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        environ = to_environ(scope)
        length = _content_length(environ)
        body = b"" if length == 0 else await self._read_body(environ, length, receive)
        environ[RECEIVED_AT] = monotonic()
        position = self._broker.position()
        storeless = scope["path"].startswith(self._storeless_paths)
        threads = self._storeless_threads if storeless else self._threads
        response = await self._run(threads, environ, body)
        deferral = response.deferral if scope["method"] == "GET" else None
        if deferral is None and response.rest is None and len(response.body) <= PART:
            # The server takes it at once, whether the client reads or not.
            await send(_start(response))
            await send(_part(response.body, last=True))
            return
        if rejection := self._rejection(response, deferral):
            self._close(response)
            rejected = {**environ, RERUN: True, REJECTION: rejection}
            response, deferral = await self._run(self._threads, rejected, b""), None
        with suppress(TimeoutError), self._slots.taken(*_slots_for(response, deferral)):
            if deferral is None:
                await self._send(send, response)
            else:
                await self._keep_waiting(environ, response, position, receive, send)

    def _rejection(self, response: WsgiResponse, deferral: Deferral | None) -> str | None:
        """Return the problem code if no slot is left for this response, else None."""
        if deferral is not None and self._waiting >= MAX_WAITING:
            return "server-busy"
        if any(map(self._slots.is_full, _slots_for(response, deferral))):
            return "too-many-requests" if deferral is None else "too-many-streams"
        return None

    async def _read_body(self, environ: Environ, length: int | None, receive: Receive) -> bytes:
        """Return the body of the request; if it does not arrive completely, return an empty one and
        set `REJECTION` in `environ`.

        A body whose announced length is too large is not read: the application rejects it by its
        length.
        """
        limit = self._larger_bodies.get(environ["PATH_INFO"], self._max_body)
        if length is not None and not 0 < length <= limit:
            return b""
        is_larger = (limit if length is None else length) > self._max_body
        if is_larger and self._reading_larger >= MAX_LARGER_BODIES:
            environ[REJECTION] = "server-busy"
            return b""
        self._reading_larger += is_larger
        try:
            async with asyncio.timeout(BODY_TIMEOUT):
                return await _receive_body(receive, limit)
        except TimeoutError:
            environ[REJECTION] = "request-timeout"
        except _BodyIncomplete:
            environ[REJECTION] = "body-incomplete"
        finally:
            self._reading_larger -= is_larger
        return b""

    async def _keep_waiting(
        self,
        environ: Environ,
        response: WsgiResponse,
        position: int,
        receive: Receive,
        send: Send,
    ) -> None:
        disconnect = asyncio.ensure_future(_disconnected(receive))
        self._waiting += 1
        try:
            if isinstance(response.deferral, LongPoll):
                response = await self._long_poll(environ, response, position, disconnect)
                await self._send(send, response)
            else:
                await self._stream(environ, response, position, disconnect, send)
        finally:
            self._waiting -= 1
            disconnect.cancel()

    async def _long_poll(
        self,
        environ: Environ,
        response: WsgiResponse,
        position: int,
        disconnect: asyncio.Future[None],
    ) -> WsgiResponse:
        """Return the response once there is news, or once the long poll's time is over."""
        clock = asyncio.get_running_loop().time
        end = clock() + getattr(response.deferral, "seconds", 0.0)
        turns = self._turns_of(response)
        with self._broker.watch() as watch:
            while isinstance(response.deferral, LongPoll) and (left := end - clock()) > 0:
                topics = response.deferral.topics
                news = await watch.wait(topics, position, left, disconnect)
                async with self._turn(turns):
                    if self._broker.closed or disconnect.done():
                        break
                    again = {**environ, MOVED: self._moved(topics, position)} if news else environ
                    position = self._broker.position()
                    response = await self._rerun(again)
        return response

    async def _stream(
        self,
        environ: Environ,
        response: WsgiResponse,
        position: int,
        disconnect: asyncio.Future[None],
        send: Send,
    ) -> None:
        """Send the first response, then the body of each rerun, until the stream ends."""
        await send(_start(response, streamed=True))
        await _send_body(send, response.body)
        deferral, comments = response.deferral, 0
        turns = self._turns_of(response)
        with self._broker.watch() as watch:
            while isinstance(deferral, OpenStream):
                seconds = 0.0 if deferral.more else _keep_alive_pause()
                news = await watch.wait(deferral.topics, position, seconds, disconnect)
                if self._broker.closed or disconnect.done():
                    break
                comments = 0 if news or deferral.more else comments + 1
                if 0 < comments < RERUN_AFTER:
                    await _send_body(send, sse.COMMENT)
                    continue
                again = {**environ, "HTTP_LAST_EVENT_ID": deferral.last_id}
                async with self._turn(turns):
                    # After a failure, or without news, the changes are unknown.
                    if news and response.status < 500 and not deferral.more:
                        again[MOVED] = self._moved(deferral.topics, position)
                    position, comments = self._broker.position(), 0
                    response = await self._rerun(again)
                if response.status < 500:  # otherwise the store is away: the rest comes later
                    deferral = response.deferral if response.status == 200 else None
                following = response.body if response.status == 200 else b""
                await _send_body(send, following or sse.COMMENT)
        await send(_part(b"", last=True))

    def _moved(self, topics: frozenset[str], since: int) -> Moved:
        return Moved(topics, self._broker.moved(topics, since))

    def _turns_of(self, response: WsgiResponse) -> asyncio.Lock:
        """Return the lock shared by all streams and long polls of a caller, or a new lock if the
        caller is unknown."""
        if response.caller is None:
            return asyncio.Lock()
        player, address = response.caller
        return self._turns.setdefault(player or address, asyncio.Lock())

    @asynccontextmanager
    async def _turn(self, turns: asyncio.Lock) -> AsyncIterator[None]:
        """Hold the caller's lock while the context lasts, for a rerun, and during the pause after
        it."""
        await turns.acquire()
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            yield
        finally:
            rest = min(REST * (loop.time() - began), LONGEST_REST)
            loop.call_later(rest, turns.release)

    async def _rerun(self, environ: Environ) -> WsgiResponse:
        again = {**environ, RERUN: True, RECEIVED_AT: monotonic()}
        return await self._run(self._rerun_threads, again, b"")

    def _run(self, threads: Threads, environ: Environ, body: bytes) -> Awaitable[WsgiResponse]:
        return threads.run(run_application, self._application, environ, body)

    async def _send(self, send: Send, response: WsgiResponse) -> None:
        """Send a response; the rest of its body is produced only as fast as the client reads."""
        await send(_start(response))
        if response.rest is None:
            await _send_body(send, response.body, last=True)
            return
        part = response.body
        try:
            while part:
                await _send_body(send, part)
                part = await self._threads.run(response.rest.read)
            await send(_part(b"", last=True))
        finally:
            self._close(response)

    def _close(self, response: WsgiResponse) -> None:
        if response.rest is not None:
            self._threads.run(response.rest.close)


async def _receive_body(receive: Receive, limit: int) -> bytes:
    """Return the whole body; if it is too large, a little more than `limit` bytes of it."""
    body = b""
    while len(body) <= limit:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _BodyIncomplete
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    return body


def _content_length(environ: Environ) -> int | None:
    """Return the announced length of the body in bytes; None if it comes in chunks."""
    if "HTTP_TRANSFER_ENCODING" in environ:
        return None
    return int(environ.get("CONTENT_LENGTH") or 0)


async def _disconnected(receive: Receive) -> None:
    """Return when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_body(send: Send, body: bytes, last: bool = False) -> None:
    """Send a part of the body. Raises TimeoutError if the client does not read it in time."""
    for begin in range(0, max(len(body), 1), PART):
        end = begin + PART
        async with asyncio.timeout(SEND_TIMEOUT):
            await send(_part(body[begin:end], last=last and end >= len(body)))


def _slots_for(response: WsgiResponse, deferral: Deferral | None) -> list[Slot]:
    """Return the slots (see `SlotTable`) that this response takes until it has been sent: of its
    player, if it has one, and of its network address."""
    if response.caller is None:
        return []
    player, address = response.caller
    kind, of_player, of_address = "waiting", MAX_WAITING_OF_PLAYER, MAX_WAITING_OF_ADDRESS
    if deferral is None:
        if response.rest is None and len(response.body) <= PART:
            return []
        kind, of_player, of_address = "large", MAX_LARGE_OF_PLAYER, MAX_LARGE_OF_ADDRESS
    if player is None:
        return [Slot(f"{kind} visitor {address}", of_address)]
    return [
        Slot(f"{kind} player {player}", of_player),
        Slot(f"{kind} address {address}", of_address),
    ]


def _start(response: WsgiResponse, streamed: bool = False) -> dict[str, object]:
    headers = [
        header for header in response.headers if not (streamed and header[0] == b"content-length")
    ]
    return {"type": "http.response.start", "status": response.status, "headers": headers}


def _part(body: bytes, last: bool = False) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": not last}


def _keep_alive_pause() -> float:
    # Spread out, because many clients may have connected at the same moment.
    return KEEP_ALIVE * random.uniform(0.7, 1.0)


def _on_termination(close: Callable[[], None]) -> None:
    """Call `close` on the event loop when the process gets a signal to end.

    The server waits for open responses before it ends the application, and streams would prolong
    that wait. The server's own handlers of these signals run on the loop, and are called as before.
    """
    loop = asyncio.get_running_loop()

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(close)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handle)
