"""The ASGI application over WSGI applications that the tests write, without a server or Redis."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any

import pytest

from service.realtime import asgi
from service.realtime.asgi import AsgiApplication
from service.realtime.deferred import LongPoll, Moved, OpenStream, defer, is_rerun, moved
from service.realtime.sse import COMMENT
from service.realtime.wsgi_bridge import CALLER, PART, REJECTION, Caller, WsgiResponse

# In place of the last chunk of a body.
NEVER, GONE = b"never", b"gone"
TOPIC = frozenset(["a"])
Environ = dict[str, Any]
StartResponse = Callable[..., Any]
View = Callable[[Environ, StartResponse], Iterable[bytes]]


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """The application installs its own, as in a process of its own."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def _silence_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "KEEP_ALIVE", 0.01)


class Client:
    """One request, and the answer. The client leaves after `leaves_after` parts of it."""

    def __init__(
        self,
        view: View,
        *,
        method: str = "GET",
        path: str = "/stöne",
        leaves_after: int = 10**6,
        headers: Sequence[tuple[bytes, bytes]] = ((b"transfer-encoding", b"chunked"),),
    ) -> None:
        self._application = AsgiApplication(
            view, self._connect, threads=2, max_body=10, larger_bodies={"/large": 20}
        )
        self._leaves_after = leaves_after
        self._scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": b"a=1",
            "http_version": "1.1",
            "scheme": "http",
            "server": ("127.0.0.1", 8080),
            "client": ("127.0.0.2", 999),
            "headers": [
                *((b"x-one", b"1"), (b"x-one", b"2"), (b"content-type", b"text/plain")),
                *headers,
            ],
        }
        self.publish: Callable[[str], None] = lambda topic: None
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        self.parts: list[bytes] = []
        self.ended = False
        self.reads = True

    def ask(self, *chunks: bytes) -> "Client":
        """Send the request with a body of these chunks, and read the answer up to its end."""
        asyncio.run(asyncio.wait_for(self._ask(list(chunks) or [b""]), 10))
        return self

    def subscribe(self, topic: str, /) -> None:
        """The tests publish by themselves."""

    def unsubscribe(self, topic: str, /) -> None:
        """The tests publish by themselves."""

    def _connect(self, publish: Callable[[str], None]) -> "Client":
        self.publish = publish
        return self

    async def _ask(self, chunks: list[bytes]) -> None:
        left = asyncio.Event()

        async def receive() -> dict[str, Any]:
            if chunks == [NEVER]:
                await asyncio.Event().wait()
            if chunks == [GONE]:
                return {"type": "http.disconnect"}
            if chunks:
                return {"type": "http.request", "body": chunks.pop(0), "more_body": bool(chunks)}
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                self.status, self.headers = message["status"], dict(message["headers"])
                return
            if not self.reads:
                await asyncio.Event().wait()
            self.parts.append(message["body"])
            self.ended = not message["more_body"]
            if len(self.parts) >= self._leaves_after:
                left.set()

        life: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        living = asyncio.create_task(self._application({"type": "lifespan"}, life.get, said.put))
        await life.put({"type": "lifespan.startup"})
        assert await said.get() == {"type": "lifespan.startup.complete"}
        await self._application(self._scope, receive, send)
        await life.put({"type": "lifespan.shutdown"})
        await living


def answering(*answers: tuple[str, bytes, Any], asked: list[Environ] | None = None) -> View:
    """A view with an answer for each time that it is asked: status, body, the deferral."""
    left = list(answers)

    def view(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        status, body, deferral = left.pop(0)
        if deferral is not None:
            defer(environ, deferral)
        if asked is not None:
            asked.append(environ)
        start_response(status, [("Content-Length", str(len(body))), ("X-Kept", "yes")])
        return [body]

    return view


STREAM = OpenStream(TOPIC, "3")


def from_ada(view: View) -> View:
    """The view, called by a player whose streams are limited."""

    def limited(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        environ[CALLER] = Caller("ada", "127.0.0.2")
        return view(environ, start_response)

    return limited


def test_a_request_reaches_the_application_as_wsgi_defines_it() -> None:
    asked: list[Environ] = []
    answer = Client(answering(("201 CREATED", b"made", None), asked=asked), method="POST")
    answer.ask(b"one", b"two")
    assert (answer.status, answer.parts, answer.ended) == (201, [b"made"], True)
    assert answer.headers == {b"content-length": b"4", b"x-kept": b"yes"}
    (environ,) = asked
    assert environ["wsgi.input"].read() == b"onetwo"
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/stöne"
    assert (environ["HTTP_X_ONE"], environ["CONTENT_TYPE"]) == ("1,2", "text/plain")
    assert (environ["QUERY_STRING"], environ["REMOTE_ADDR"]) == ("a=1", "127.0.0.2")
    assert not is_rerun(environ)


def test_reading_stops_once_a_body_is_too_large() -> None:
    asked: list[Environ] = []
    Client(answering(("413 TOO LARGE", b"", None), asked=asked)).ask(*[b"123456"] * 10)
    assert len(asked[0]["wsgi.input"].read()) == 12


def test_a_body_announced_as_too_large_is_not_read() -> None:
    asked: list[Environ] = []
    view = answering(("413 TOO LARGE", b"", None), asked=asked)
    Client(view, headers=[(b"content-length", b"11")]).ask(NEVER)
    assert asked[0]["wsgi.input"].read() == b""


def test_some_paths_take_larger_bodies() -> None:
    asked: list[Environ] = []
    view = answering(*[("200 OK", b"", None)] * 2, asked=asked)
    Client(view, path="/large").ask(b"123456", b"123456")
    Client(view, path="/large").ask(*[b"123456"] * 10)
    assert [len(environ["wsgi.input"].read()) for environ in asked] == [12, 24]


def test_only_so_many_larger_bodies_are_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "MAX_LARGER_BODIES", 0)
    asked: list[Environ] = []
    view = answering(*[("200 OK", b"", None)] * 2, asked=asked)
    Client(view, path="/large", headers=[(b"content-length", b"12")]).ask(NEVER)
    Client(view, path="/large", headers=[(b"content-length", b"6")]).ask(b"123456")
    assert [environ.get(REJECTION) for environ in asked] == ["server-busy", None]


def test_a_request_whose_client_left_in_the_body_is_rejected() -> None:
    asked: list[Environ] = []
    Client(answering(("400 BAD REQUEST", b"", None), asked=asked)).ask(b"one", GONE)
    assert (asked[0][REJECTION], asked[0]["wsgi.input"].read()) == ("body-incomplete", b"")


def test_a_request_whose_body_takes_too_long_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "BODY_TIMEOUT", 0.01)
    asked: list[Environ] = []
    Client(answering(("408 TIMEOUT", b"", None), asked=asked)).ask(b"one", NEVER)
    assert (asked[0][REJECTION], asked[0]["wsgi.input"].read()) == ("request-timeout", b"")


def test_a_stream_continues_from_its_last_id() -> None:
    asked: list[Environ] = []
    view = answering(("200 OK", b"1-3", STREAM), ("200 OK", b"4-6", None), asked=asked)
    client = Client(view)
    client.parts = PublishingList(client)
    client.ask()
    assert [part for part in client.parts if part != COMMENT] == [b"1-3", b"4-6", b""]
    assert client.ended
    assert b"content-length" not in client.headers
    assert asked[1]["HTTP_LAST_EVENT_ID"] == "3"
    assert is_rerun(asked[1])
    assert moved(asked[1]) == Moved(TOPIC, TOPIC)


class PublishingList(list[bytes]):
    """Parts of an answer; each one publishes news."""

    def __init__(self, client: Client) -> None:
        super().__init__()
        self._client = client

    def append(self, part: bytes) -> None:
        super().append(part)
        self._client.publish("a")


def test_a_silent_stream_sends_comments_and_runs_the_view_now_and_then() -> None:
    asked: list[Environ] = []
    view = answering(
        ("200 OK", b"1", STREAM), ("200 OK", b"", STREAM), ("200 OK", b"2", None), asked=asked
    )
    parts = Client(view).ask().parts
    assert parts == [b"1", *[COMMENT] * (2 * asgi.RERUN_AFTER - 1), b"2", b""]
    # A message may have been lost: the view looks at everything.
    assert [moved(environ) for environ in asked] == [None, None, None]


def test_a_view_that_failed_looks_at_everything_the_next_time() -> None:
    asked: list[Environ] = []
    answers = [("200 OK", b"1", STREAM), ("503 AWAY", b"", None), ("200 OK", b"2", None)]
    client = Client(answering(*answers, asked=asked))
    client.parts = PublishingList(client)
    client.ask()
    assert [moved(environ) for environ in asked] == [None, Moved(TOPIC, TOPIC), None]


def test_a_caller_with_many_streams_has_one_rerun_at_a_time() -> None:
    application = AsgiApplication(
        answering(), lambda publish: Client(answering()), threads=1, max_body=0
    )

    def turns_of(player: str | None, address: str) -> asyncio.Lock:
        answer = WsgiResponse(200, [], b"", None, None, Caller(player, address))
        return application._turns_of(answer)

    async def run() -> None:
        one, same = turns_of("ada", "192.0.2.1"), turns_of("ada", "192.0.2.2")
        other, visitor = turns_of("bob", "192.0.2.1"), turns_of(None, "192.0.2.1")
        async with application._turn(one):
            assert same.locked()
            assert not other.locked()
            assert not visitor.locked()
        assert same.locked()  # it rests
        async with application._turn(same):
            assert one.locked()

    asyncio.run(run())


def test_a_stream_ends_when_its_reader_is_rejected() -> None:
    view = answering(("200 OK", b"1", STREAM), ("401 UNAUTHORIZED", b"no", None))
    assert Client(view).ask().parts == [b"1", *[COMMENT] * asgi.RERUN_AFTER, b""]


def test_a_stream_survives_an_outage_of_the_store() -> None:
    away = ("503 SERVICE UNAVAILABLE", b"away", None)
    view = answering(("200 OK", b"1", STREAM), away, ("200 OK", b"2", None))
    parts = Client(view).ask().parts
    assert [part for part in parts if part != COMMENT] == [b"1", b"2", b""]


def test_a_stream_ends_when_its_client_leaves() -> None:
    assert Client(answering(("200 OK", b"1", STREAM)), leaves_after=2).ask().ended


@pytest.mark.parametrize("deferral", [STREAM, LongPoll(TOPIC, 60.0)], ids=["stream", "long poll"])
@pytest.mark.parametrize(
    ("limit", "code"),
    [
        ("MAX_WAITING", "server-busy"),
        ("MAX_WAITING_OF_PLAYER", "too-many-streams"),
        ("MAX_WAITING_OF_ADDRESS", "too-many-streams"),
    ],
)
def test_one_waiting_client_too_many_is_rejected(
    monkeypatch: pytest.MonkeyPatch, deferral: Any, limit: str, code: str
) -> None:
    monkeypatch.setattr(asgi, limit, 0)
    asked: list[Environ] = []
    view = answering(("200 OK", b"1", deferral), ("429 TOO MANY", b"no", None), asked=asked)
    client = Client(from_ada(view)).ask()
    assert (client.status, client.parts, client.ended) == (429, [b"no"], True)
    assert asked[1][REJECTION] == code
    assert is_rerun(asked[1])


def test_a_slot_is_free_again_when_its_client_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "MAX_WAITING_OF_PLAYER", 1)
    client = Client(from_ada(answering(*[("200 OK", b"1", STREAM)] * 2)), leaves_after=2)
    assert client.ask().parts[0] == client.ask().parts[0] == b"1"


def slots_of(player: str | None, deferral: Any) -> set[str]:
    body = b"" if deferral else b"x" * (PART + 1)
    answer = WsgiResponse(200, [], body, None, deferral, Caller(player, "192.0.2.1"))
    return {slot.name for slot in asgi._slots_for(answer, deferral)}


@pytest.mark.parametrize("deferral", [STREAM, None], ids=["stream", "large answer"])
def test_visitors_take_no_place_from_the_players_at_their_address(deferral: Any) -> None:
    ada, bob, visitor = (slots_of(player, deferral) for player in ("ada", "bob", None))
    assert len(ada & bob) == 1  # of the address
    assert not visitor & (ada | bob)


def test_a_large_answer_is_sent_in_parts() -> None:
    client = Client(answering(("200 OK", b"x" * (2 * PART + 1), None))).ask()
    assert list(map(len, client.parts)) == [PART, PART, 1]
    assert client.ended


class Production:
    """A view whose body of `total` parts has no length and is produced while it is sent."""

    def __init__(self, total: int) -> None:
        self._total = total
        self.produced = 0
        self.closed = threading.Event()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if REJECTION in environ:
            start_response("429 TOO MANY", [])
            return [b"no"]
        start_response("200 OK", [])
        return self._parts()

    def _parts(self) -> Iterator[bytes]:
        variable.set("from the view")
        try:
            for _ in range(self._total):
                assert variable.get() == "from the view"
                self.produced += 1
                yield b"x" * PART
        finally:
            self.closed.set()


variable: ContextVar[str] = ContextVar("variable")


def test_an_answer_without_length_is_produced_as_it_is_sent() -> None:
    view = Production(5)
    client = Client(from_ada(view)).ask()
    assert list(map(len, client.parts)) == [PART] * 5 + [0]
    assert client.ended
    assert view.closed.wait(5)


def test_an_answer_is_not_produced_further_for_a_client_that_accepts_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asgi, "SEND_TIMEOUT", 0.01)
    view = Production(5)
    client = Client(view)
    client.reads = False
    assert not client.ask().ended
    assert view.closed.wait(5)
    assert view.produced == 1


def test_an_answer_that_is_rejected_is_not_produced_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asgi, "MAX_LARGE_OF_ADDRESS", 0)
    view = Production(5)
    assert Client(from_ada(view)).ask().parts == [b"no"]
    assert view.closed.wait(5)
    assert view.produced == 1


def test_one_large_answer_too_many_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "MAX_LARGE_OF_ADDRESS", 0)
    asked: list[Environ] = []
    large = ("200 OK", b"x" * (PART + 1), None)
    view = answering(large, ("429 TOO MANY", b"no", None), asked=asked)
    assert Client(from_ada(view)).ask().parts == [b"no"]
    assert asked[1][REJECTION] == "too-many-requests"


def test_a_client_that_accepts_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "SEND_TIMEOUT", 0.01)
    client = Client(answering(("200 OK", b"x" * (2 * PART), None)))
    client.reads = False
    assert not client.ask().ended


def test_a_long_poll_is_answered_at_its_timeout() -> None:
    waiting = LongPoll(TOPIC, 0.01)
    view = answering(("304 NOT MODIFIED", b"", waiting), ("304 NOT MODIFIED", b"", waiting))
    client = Client(view).ask()
    assert (client.status, client.parts, client.ended) == (304, [b""], True)


def test_a_long_poll_keeps_waiting_when_a_message_brought_no_news() -> None:
    old, new = ("304 NOT MODIFIED", b"", LongPoll(TOPIC, 60.0)), ("200 OK", b"new", None)
    asked: list[Environ] = []

    def view(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if len(asked) < 2:
            client.publish("a")
        return answers(environ, start_response)

    answers = answering(old, old, new, asked=asked)
    client = Client(view)
    assert client.ask().parts == [b"new"]
    assert len(asked) == 3


def test_a_head_request_does_not_open_a_stream() -> None:
    client = Client(answering(("200 OK", b"", STREAM)), method="HEAD").ask()
    assert (client.parts, client.ended) == ([b""], True)
