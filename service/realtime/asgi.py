"""The front: an ASGI application that runs the web application and keeps waiting clients.

Requests run in threads of their own kind: those that clients have just sent in one pool, those
that are asked again for waiting clients in another. Who waits is a task on the event loop.
"""

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from types import FrameType
from typing import Any, Final, Protocol

from service.realtime import sse
from service.realtime.broker import Hub
from service.realtime.deferred import AGAIN, Follow, Held, Wait
from service.realtime.places import Place, Places
from service.realtime.wsgi_bridge import (
    ARRIVED,
    REFUSED,
    Answer,
    Application,
    Environ,
    Scope,
    answer,
    environ_of,
)

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

MAX_STREAMS: Final = 3000
"""Waiting clients of one process."""
OF_PLAYER: Final = 32
"""Waiting clients with tokens of one player, over all processes."""
OF_ADDRESS: Final = 256
"""Waiting clients at one network address, over all processes."""
LARGE: Final = 64 * 1024
"""Bytes of an answer that is sent in parts, each when the one before has left."""
LARGE_OF_ADDRESS: Final = 16
"""Large answers on their way to one network address, over all processes."""
KEEP_ALIVE: Final = 15.0
"""Seconds of silence after which a stream is sent a comment."""
QUIET: Final = 4
"""After as many comments the log is looked at: a hint was lost, or the token is good no more."""
BODY_SECONDS: Final = 20.0
"""Within which the whole body of a request has to arrive."""
SEND_SECONDS: Final = 30.0
"""Within which each part of an answer has to leave, or the client is given up."""
_ASKING_AGAIN: Final = 2
_QUICK: Final = 1


class Hints(Protocol):
    """Where news of topics comes from, while it is wanted."""

    def want(self, topic: str, wanted: bool, /) -> None:
        """Let it come, or no more."""


class _CutShort(Exception):
    """The client was gone before the end of the body."""


class Front:
    """Serves `application` in `threads`, and reads `largest_body` bytes of a request and no more.

    What lies under the `quick` paths waits for no other request, for it does not need the store.
    `listen` is called once, with what is to hear of the topics that have moved (see `Hub.tell`).
    """

    def __init__(
        self,
        application: Application,
        listen: Callable[[Callable[[str], None]], Hints],
        threads: int,
        largest_body: int,
        quick: tuple[str, ...] = (),
        places: Places | None = None,
    ) -> None:
        self._quick = quick
        self._places = places or Places(1)
        self._application = application
        self._listen = listen
        self._largest_body = largest_body
        self._threads = ThreadPoolExecutor(threads, "request")
        self._quick_threads = ThreadPoolExecutor(_QUICK, "quick")
        self._asking_again = ThreadPoolExecutor(_ASKING_AGAIN, "again")
        self._hub: Hub
        self._waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI application."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            event = (await receive())["type"]
            if event == "lifespan.startup":
                self._start()
            await send({"type": f"{event}.complete"})
            if event == "lifespan.shutdown":
                return

    def _start(self) -> None:
        self._places.enter()
        self._hub = Hub(want=lambda topic, wanted: hints.want(topic, wanted))
        hints = self._listen(self._hub.tell)
        _before_the_end(self._hub.close)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        environ = environ_of(scope)
        body = await self._body(environ, receive)
        environ[ARRIVED] = monotonic()
        mark = self._hub.mark()
        first = await self._run(self._threads_for(scope["path"]), environ, body)
        held = first.held if scope["method"] == "GET" else None
        if refusal := self._refusal(first, held):
            first = await self._run(self._threads, {**environ, AGAIN: True, REFUSED: refusal}, b"")
            held = None
        with suppress(TimeoutError), self._places.taken(*_places_of(first, held)):
            if held is None:
                await _send_whole(send, first)
            else:
                await self._hold(environ, first, mark, receive, send)

    def _refusal(self, first: Answer, held: Held | None) -> str | None:
        """The code of what is wrong, where there is no place left for whoever is to be answered."""
        if held is not None and self._waiting >= MAX_STREAMS:
            return "server-busy"
        if any(map(self._places.full, _places_of(first, held))):
            return "too-many-requests" if held is None else "too-many-streams"
        return None

    async def _hold(
        self, environ: Environ, first: Answer, mark: int, receive: Receive, send: Send
    ) -> None:
        gone = asyncio.ensure_future(_gone(receive))
        self._waiting += 1
        try:
            if isinstance(first.held, Wait):
                await _send_whole(send, await self._waited(environ, first, mark, gone))
            else:
                await self._follow(environ, first, mark, gone, send)
        finally:
            self._waiting -= 1
            gone.cancel()

    def _threads_for(self, path: str) -> ThreadPoolExecutor:
        return self._quick_threads if path.startswith(self._quick) else self._threads

    async def _body(self, environ: Environ, receive: Receive) -> bytes:
        """The body of the request. Where it does not arrive whole, the request is marked refused.

        One that is said to be too large is not waited for: the application refuses its length.
        """
        length = _content_length(environ)
        if length is not None and not 0 < length <= self._largest_body:
            return b""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                return await _received(receive, self._largest_body)
        except TimeoutError:
            environ[REFUSED] = "request-timeout"
        except _CutShort:
            environ[REFUSED] = "body-incomplete"
        return b""

    async def _waited(
        self, environ: Environ, first: Answer, mark: int, gone: asyncio.Future[None]
    ) -> Answer:
        """The answer once there is something to tell, or the time is over."""
        clock = asyncio.get_running_loop().time
        latest, end = first, clock() + getattr(first.held, "seconds", 0.0)
        while isinstance(latest.held, Wait) and (left := end - clock()) > 0:
            await self._hub.news(latest.held.topics, mark, left, gone)
            if self._hub.closed or gone.done():
                break
            mark = self._hub.mark()
            latest = await self._again(environ)
        return latest

    async def _follow(
        self, environ: Environ, first: Answer, mark: int, gone: asyncio.Future[None], send: Send
    ) -> None:
        """Send what there is, then what follows, until nothing can follow any more."""
        await send(_start_of(first, streamed=True))
        await _send_part(send, first.body)
        await self._go_on(environ, first, mark, gone, send)
        await send(_part(b"", last=True))

    async def _go_on(
        self, environ: Environ, latest: Answer, mark: int, gone: asyncio.Future[None], send: Send
    ) -> None:
        held, quiet = latest.held, 0
        while isinstance(held, Follow):
            seconds = 0.0 if held.at_once else _pause()
            heard = await self._hub.news(held.topics, mark, seconds, gone) or held.at_once
            if self._hub.closed or gone.done():
                return
            quiet = 0 if heard else quiet + 1
            if 0 < quiet < QUIET:
                await _send_part(send, sse.COMMENT)
                continue
            mark, quiet = self._hub.mark(), 0
            latest = await self._again({**environ, "HTTP_LAST_EVENT_ID": held.last_id})
            if latest.status < 500:  # else the store is away: what is missing comes later
                held = latest.held if latest.status == 200 else None
            told = latest.body if latest.status == 200 else b""
            await _send_part(send, told or sse.COMMENT)

    async def _again(self, environ: Environ) -> Answer:
        return await self._run(
            self._asking_again, {**environ, AGAIN: True, ARRIVED: monotonic()}, b""
        )

    async def _run(self, threads: ThreadPoolExecutor, environ: Environ, body: bytes) -> Answer:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(threads, answer, self._application, environ, body)


async def _received(receive: Receive, largest: int) -> bytes:
    """The whole body; of one that is too large, as much as shows that it is."""
    body = b""
    while len(body) <= largest:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _CutShort
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    return body


def _content_length(environ: Environ) -> int | None:
    """How long the body is said to be; None where it comes in chunks."""
    if "HTTP_TRANSFER_ENCODING" in environ:
        return None
    return int(environ.get("CONTENT_LENGTH") or 0)


async def _gone(receive: Receive) -> None:
    """Ends when the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_whole(send: Send, whole: Answer) -> None:
    await send(_start_of(whole))
    await _send_part(send, whole.body, last=True)


async def _send_part(send: Send, body: bytes, last: bool = False) -> None:
    """Raises TimeoutError where the client does not take it."""
    for begin in range(0, max(len(body), 1), LARGE):
        end = begin + LARGE
        async with asyncio.timeout(SEND_SECONDS):
            await send(_part(body[begin:end], last=last and end >= len(body)))


def _places_of(first: Answer, held: Held | None) -> list[Place]:
    """The places that this answer takes until it has been sent."""
    if first.caller is None:
        return []
    player, address = first.caller
    if held is None:
        large = len(first.body) > LARGE
        return [Place(f"large {address}", LARGE_OF_ADDRESS)] if large else []
    of_player = [Place(f"player {player}", OF_PLAYER)] if player else []
    return [*of_player, Place(f"address {address}", OF_ADDRESS)]


def _start_of(begun: Answer, streamed: bool = False) -> dict[str, Any]:
    headers = [
        header for header in begun.headers if not (streamed and header[0] == b"content-length")
    ]
    return {"type": "http.response.start", "status": begun.status, "headers": headers}


def _part(body: bytes, last: bool = False) -> dict[str, Any]:
    return {"type": "http.response.body", "body": body, "more_body": not last}


def _pause() -> float:
    # Not all at once, though they may all have come at once.
    return KEEP_ALIVE * random.uniform(0.7, 1.0)


def _before_the_end(close: Callable[[], None]) -> None:
    """Call `close` on the loop when the process is told to end.

    The server waits for open answers before it tells its application of the end; streams would
    keep it waiting. Its own handlers of these signals hang on the loop, and are called as before.
    """
    loop = asyncio.get_running_loop()

    def told(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(close)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, told)
