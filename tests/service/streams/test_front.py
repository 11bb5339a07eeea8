"""The front before an application that a test writes, without a server and without Redis."""

import asyncio
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest

from service.realtime import asgi
from service.realtime.asgi import Front
from service.realtime.deferred import Follow, Wait, asked_again, hold
from service.realtime.sse import COMMENT
from service.realtime.wsgi_bridge import CALLER, REFUSED, Caller

# In place of the last chunk of a body.
NEVER, GONE = b"never", b"gone"
TOPIC = frozenset(["a"])
Environ = dict[str, Any]
StartResponse = Callable[..., Any]
View = Callable[[Environ, StartResponse], Iterable[bytes]]


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """The front takes these over, as in a process of its own."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def _silence_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "KEEP_ALIVE", 0.01)


class Client:
    """One request to a front, and what it is sent. `leaves_after`: so many parts of an answer."""

    def __init__(
        self,
        view: View,
        *,
        method: str = "GET",
        leaves_after: int = 10**6,
        headers: Sequence[tuple[bytes, bytes]] = ((b"transfer-encoding", b"chunked"),),
    ) -> None:
        self._front = Front(view, self._listen, threads=2, largest_body=10)
        self._leaves_after = leaves_after
        self._scope = {
            "type": "http",
            "method": method,
            "path": "/stöne",
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
        self.tell: Callable[[str], None] = lambda topic: None
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        self.parts: list[bytes] = []
        self.ended = False
        self.reads = True

    def ask(self, *chunks: bytes) -> "Client":
        """Send the request with a body of these chunks, and read the answer up to its end."""
        asyncio.run(asyncio.wait_for(self._ask(list(chunks) or [b""]), 10))
        return self

    def want(self, topic: str, wanted: bool) -> None:
        """As a source of hints: nothing to be done."""

    def _listen(self, heard: Callable[[str], None]) -> "Client":
        self.tell = heard
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
        living = asyncio.create_task(self._front({"type": "lifespan"}, life.get, said.put))
        await life.put({"type": "lifespan.startup"})
        assert await said.get() == {"type": "lifespan.startup.complete"}
        await self._front(self._scope, receive, send)
        await life.put({"type": "lifespan.shutdown"})
        await living


def answering(*answers: tuple[str, bytes, Any], asked: list[Environ] | None = None) -> View:
    """A view with an answer for each time that it is asked: status, body, what is held."""
    left = list(answers)

    def view(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        status, body, held = left.pop(0)
        if held is not None:
            hold(environ, held)
        if asked is not None:
            asked.append(environ)
        start_response(status, [("Content-Length", str(len(body))), ("X-CheckedKey", "yes")])
        return [body]

    return view


STREAM = Follow(TOPIC, "3")


def called(view: View) -> View:
    """The view, asked by a player whose streams are limited."""

    def limited(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        environ[CALLER] = Caller("ada", "127.0.0.2")
        return view(environ, start_response)

    return limited


def test_a_request_reaches_the_application_as_wsgi_has_it():
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
    assert not asked_again(environ)


def test_of_a_body_too_large_no_more_is_read_than_shows_it():
    asked: list[Environ] = []
    Client(answering(("413 TOO LARGE", b"", None), asked=asked)).ask(*[b"123456"] * 10)
    assert len(asked[0]["wsgi.input"].read()) == 12


def test_a_body_that_is_said_to_be_too_large_is_not_waited_for():
    asked: list[Environ] = []
    view = answering(("413 TOO LARGE", b"", None), asked=asked)
    Client(view, headers=[(b"content-length", b"11")]).ask(NEVER)
    assert asked[0]["wsgi.input"].read() == b""


def test_a_request_whose_client_left_in_the_body_is_refused():
    asked: list[Environ] = []
    Client(answering(("400 BAD REQUEST", b"", None), asked=asked)).ask(b"one", GONE)
    assert (asked[0][REFUSED], asked[0]["wsgi.input"].read()) == ("body-incomplete", b"")


def test_a_request_whose_body_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.01)
    asked: list[Environ] = []
    Client(answering(("408 TIMEOUT", b"", None), asked=asked)).ask(b"one", NEVER)
    assert (asked[0][REFUSED], asked[0]["wsgi.input"].read()) == ("request-timeout", b"")


def test_a_stream_goes_on_from_where_it_stands():
    asked: list[Environ] = []
    view = answering(("200 OK", b"1-3", STREAM), ("200 OK", b"4-6", None), asked=asked)
    client = Client(view)
    client.parts = Told(client)
    client.ask()
    assert [part for part in client.parts if part != COMMENT] == [b"1-3", b"4-6", b""]
    assert client.ended
    assert b"content-length" not in client.headers
    assert asked[1]["HTTP_LAST_EVENT_ID"] == "3"
    assert asked_again(asked[1])


class Told(list[bytes]):
    """Parts of an answer, upon each of which there is news."""

    def __init__(self, client: Client) -> None:
        super().__init__()
        self._client = client

    def append(self, part: bytes) -> None:
        super().append(part)
        self._client.tell("a")


def test_in_silence_a_stream_says_nothing_and_looks_now_and_then():
    view = answering(("200 OK", b"1", STREAM), ("200 OK", b"", STREAM), ("200 OK", b"2", None))
    parts = Client(view).ask().parts
    assert parts == [b"1", *[COMMENT] * (2 * asgi.QUIET - 1), b"2", b""]


def test_a_stream_whose_reader_is_refused_ends():
    view = answering(("200 OK", b"1", STREAM), ("401 UNAUTHORIZED", b"no", None))
    assert Client(view).ask().parts == [b"1", *[COMMENT] * asgi.QUIET, b""]


def test_a_stream_bears_a_store_that_is_away():
    away = ("503 SERVICE UNAVAILABLE", b"away", None)
    view = answering(("200 OK", b"1", STREAM), away, ("200 OK", b"2", None))
    parts = Client(view).ask().parts
    assert [part for part in parts if part != COMMENT] == [b"1", b"2", b""]


def test_a_stream_ends_with_its_client():
    assert Client(answering(("200 OK", b"1", STREAM)), leaves_after=2).ask().ended


@pytest.mark.parametrize("held", [STREAM, Wait(TOPIC, 60.0)], ids=["stream", "long poll"])
@pytest.mark.parametrize(
    ("limit", "refused"),
    [
        ("MAX_STREAMS", "server-busy"),
        ("OF_PLAYER", "too-many-streams"),
        ("OF_ADDRESS", "too-many-streams"),
    ],
)
def test_where_too_many_wait_the_next_is_refused(
    monkeypatch: pytest.MonkeyPatch, held: Any, limit: str, refused: str
):
    monkeypatch.setattr(asgi, limit, 0)
    asked: list[Environ] = []
    view = answering(("200 OK", b"1", held), ("429 TOO MANY", b"no", None), asked=asked)
    client = Client(called(view)).ask()
    assert (client.status, client.parts, client.ended) == (429, [b"no"], True)
    assert asked[1][REFUSED] == refused
    assert asked_again(asked[1])


def test_a_place_is_free_again_when_its_client_has_gone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(asgi, "OF_PLAYER", 1)
    client = Client(called(answering(*[("200 OK", b"1", STREAM)] * 2)), leaves_after=2)
    assert client.ask().parts[0] == client.ask().parts[0] == b"1"


def test_a_large_answer_is_sent_in_parts():
    client = Client(answering(("200 OK", b"x" * (2 * asgi.LARGE + 1), None))).ask()
    assert list(map(len, client.parts)) == [asgi.LARGE, asgi.LARGE, 1]
    assert client.ended


def test_who_has_many_large_answers_to_read_is_sent_no_more(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(asgi, "LARGE_OF_ADDRESS", 0)
    asked: list[Environ] = []
    large = ("200 OK", b"x" * (asgi.LARGE + 1), None)
    view = answering(large, ("429 TOO MANY", b"no", None), asked=asked)
    assert Client(called(view)).ask().parts == [b"no"]
    assert asked[1][REFUSED] == "too-many-requests"


def test_a_client_who_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(asgi, "SEND_SECONDS", 0.01)
    client = Client(answering(("200 OK", b"x" * (2 * asgi.LARGE), None)))
    client.reads = False
    assert not client.ask().ended


def test_a_long_poll_is_answered_when_the_time_is_over():
    waiting = Wait(TOPIC, 0.01)
    view = answering(("304 NOT MODIFIED", b"", waiting), ("304 NOT MODIFIED", b"", waiting))
    client = Client(view).ask()
    assert (client.status, client.parts, client.ended) == (304, [b""], True)


def test_a_long_poll_waits_on_where_a_hint_led_to_nothing():
    old, new = ("304 NOT MODIFIED", b"", Wait(TOPIC, 60.0)), ("200 OK", b"new", None)
    asked: list[Environ] = []

    def view(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if len(asked) < 2:
            client.tell("a")
        return answers(environ, start_response)

    answers = answering(old, old, new, asked=asked)
    client = Client(view)
    assert client.ask().parts == [b"new"]
    assert len(asked) == 3


def test_to_the_head_of_a_stream_nothing_is_added():
    client = Client(answering(("200 OK", b"", STREAM)), method="HEAD").ask()
    assert (client.parts, client.ended) == ([b""], True)
