"""Requests as our web server hands them over, to WSGI applications that the tests write."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from time import monotonic, sleep
from typing import Any

import pytest

from service.realtime import places, serving
from service.realtime.deferred import COMMENT, LongPoll, Moved, OpenStream, defer, is_rerun, moved
from service.realtime.places import Caller
from service.realtime.serving import CALLER, PART, REJECTION, Serving
from tests.support.waiting import until

TOPIC = frozenset(["a"])
Environ = dict[str, Any]
StartResponse = Callable[..., Any]
View = Callable[[Environ, StartResponse], Iterable[bytes]]


@pytest.fixture(autouse=True)
def _silence_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "KEEP_ALIVE", 0.01)
    monkeypatch.setattr(serving._Bodies, "INTERVAL", 0.01)


class Body:
    """The body of a request as the server passes it on. `ends`: a silent client leaves then."""

    def __init__(self, text: bytes, ends: threading.Event | None = None) -> None:
        self._text, self._ends = text, ends
        self.was_read = False

    def read(self, size: int) -> bytes:
        self.was_read = True
        if self._ends is not None:
            assert self._ends.wait(10)
        return self._text[:size]


class Client:
    """One request, and the answer. The client leaves after `leaves_after` parts of it."""

    def __init__(
        self, view: View, *, method: str = "GET", path: str = "/", leaves_after: int = 10**6
    ) -> None:
        self.serving = Serving(
            view, self._connect, lanes=2, max_body=10, larger_bodies={"/large": 20}
        )
        self._method, self._path, self._leaves_after = method, path, leaves_after
        self.publish: Callable[[str], None] = lambda topic: None
        self.status = 0
        self.headers: dict[str, str] = {}
        self.parts: list[bytes] = []
        self.answered = threading.Event()
        self.serving.start()

    def ask(self, body: Body | None = None, **headers: str) -> "Client":
        """Send the request, and read the answer up to its end."""
        environ = {
            "REQUEST_METHOD": self._method,
            "PATH_INFO": self._path,
            "REMOTE_ADDR": "127.0.0.2",
            "wsgi.input": body or Body(b""),
            **headers,
        }
        self.serving(self, environ)
        return self

    def post(self, text: bytes, announced: int | None = None) -> Body:
        """Send a request with this body; return it, to see whether it was read."""
        body = Body(text)
        self.ask(body, CONTENT_LENGTH=str(len(text) if announced is None else announced))
        return body

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes, /) -> None:
        self.response_iter(status, headers, iter([body]))

    def response_iter(
        self, status: int, headers: list[tuple[str, str]], body: Iterator[bytes], /
    ) -> None:
        if self.answered.is_set():
            return
        self.status, self.headers = status, dict(headers)
        for part in body:
            self.parts.append(part)
            if len(self.parts) >= self._leaves_after:
                break
        if hasattr(body, "close"):
            body.close()
        self.answered.set()

    def subscribe(self, topic: str, /) -> None:
        """The tests publish by themselves."""

    def unsubscribe(self, topic: str, /) -> None:
        """The tests publish by themselves."""

    def _connect(self, publish: Callable[[str], None]) -> "Client":
        self.publish = publish
        return self


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
    client = Client(answering(("201 CREATED", b"made", None), asked=asked), method="POST")
    client.post(b"onetwo")
    assert (client.status, client.parts) == (201, [b"made"])
    assert client.headers == {"Content-Length": "4", "X-Kept": "yes"}
    (environ,) = asked
    assert environ["wsgi.input"].read() == b"onetwo"
    assert environ["wsgi.multithread"]
    assert not is_rerun(environ)


def test_a_body_announced_as_too_large_is_not_read() -> None:
    asked: list[Environ] = []
    body = Client(answering(("413 TOO LARGE", b"", None), asked=asked)).post(b"", announced=11)
    assert not body.was_read
    assert asked[0]["wsgi.input"].read() == b""


def test_some_paths_take_larger_bodies() -> None:
    asked: list[Environ] = []
    view = answering(*[("200 OK", b"", None)] * 2, asked=asked)
    assert Client(view, path="/large").post(b"123456" * 2).was_read
    assert not Client(view, path="/large").post(b"123456" * 4).was_read
    assert [len(environ["wsgi.input"].read()) for environ in asked] == [12, 0]


def test_only_so_many_larger_bodies_are_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MAX_LARGER_BODIES", 0)
    asked: list[Environ] = []
    view = answering(*[("200 OK", b"", None)] * 2, asked=asked)
    assert not Client(view, path="/large").post(b"123456" * 2).was_read
    Client(view, path="/large").post(b"123456")
    assert [environ.get(REJECTION) for environ in asked] == ["server-busy", None]


def test_a_request_whose_client_left_in_the_body_is_rejected() -> None:
    asked: list[Environ] = []
    Client(answering(("400 BAD REQUEST", b"", None), asked=asked)).post(b"one", announced=6)
    assert (asked[0][REJECTION], asked[0]["wsgi.input"].read()) == ("body-incomplete", b"")


def slow_request(client: Client) -> tuple[threading.Thread, threading.Event]:
    """A request whose body does not come; the event ends its connection."""
    left = threading.Event()
    headers = {"CONTENT_LENGTH": "6"}
    thread = threading.Thread(target=client.ask, args=[Body(b"one", left)], kwargs=headers)
    thread.start()
    return thread, left


def test_a_request_whose_body_takes_too_long_is_answered_while_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "BODY_TIMEOUT", 0.01)
    asked: list[Environ] = []
    client = Client(answering(("408 TIMEOUT", b"slow", None), asked=asked))
    thread, left = slow_request(client)
    assert client.answered.wait(10)
    left.set()  # the server closes the connection
    thread.join(10)
    assert (client.status, client.parts) == (408, [b"slow"])
    assert [environ[REJECTION] for environ in asked] == ["request-timeout"]


def test_of_too_many_bodies_on_their_way_the_oldest_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "MAX_READING", 1)
    asked: list[Environ] = []
    view = answering(("408 TIMEOUT", b"slow", None), ("200 OK", b"", None), asked=asked)
    client = Client(view)
    thread, left = slow_request(client)
    while not client.serving._bodies._reading:
        pass
    quick = Client(view)
    quick.serving = client.serving
    quick.post(b"quick")
    assert (client.status, quick.status) == (408, 200)
    left.set()
    thread.join(10)
    assert [environ.get(REJECTION) for environ in asked] == ["request-timeout", None]


def test_a_stream_continues_from_its_last_id() -> None:
    asked: list[Environ] = []
    view = answering(("200 OK", b"1-3", STREAM), ("200 OK", b"4-6", None), asked=asked)
    client = Client(view)
    client.parts = PublishingList(client)
    client.ask()
    assert [part for part in client.parts if part != COMMENT] == [b"1-3", b"4-6"]
    assert "Content-Length" not in client.headers
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
    assert parts == [b"1", *[COMMENT] * (2 * serving.RERUN_AFTER - 1), b"2"]
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
    application = Client(answering()).serving

    def turns_of(player: str | None, address: str) -> Any:
        return application._waiting_room.turns_of(Caller(player, address))

    one, same = turns_of("ada", "192.0.2.1"), turns_of("ada", "192.0.2.2")
    other, visitor = turns_of("bob", "192.0.2.1"), turns_of(None, "192.0.2.1")
    assert one is same
    assert len({id(turns) for turns in (one, other, visitor)}) == 3
    with one.turn():
        assert one._lock.locked()
        began = monotonic()
        sleep(0.01)
    assert one._free_at >= began + 0.01 * (1 + places.REST)  # it rests


def test_a_stream_ends_when_its_reader_is_rejected() -> None:
    view = answering(("200 OK", b"1", STREAM), ("401 UNAUTHORIZED", b"no", None))
    assert Client(view).ask().parts == [b"1", *[COMMENT] * serving.RERUN_AFTER]


def test_a_stream_survives_an_outage_of_the_store() -> None:
    away = ("503 SERVICE UNAVAILABLE", b"away", None)
    view = answering(("200 OK", b"1", STREAM), away, ("200 OK", b"2", None))
    assert [part for part in Client(view).ask().parts if part != COMMENT] == [b"1", b"2"]


def test_a_stream_tells_that_its_client_left_and_not_that_it_ended() -> None:
    left: list[str] = []
    told = STREAM._replace(left=lambda: left.append("left"))
    Client(answering(("200 OK", b"1", told)), leaves_after=1).ask()
    assert left == ["left"]
    Client(
        answering(("200 OK", b"1", told._replace(more=True)), ("204 NO CONTENT", b"", None))
    ).ask()
    assert left == ["left"]


def test_a_stream_ends_when_its_client_leaves() -> None:
    client = Client(answering(("200 OK", b"1", STREAM)), leaves_after=2).ask()
    assert client.parts == [b"1", COMMENT]


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
    monkeypatch.setattr(places, limit, 0)
    asked: list[Environ] = []
    view = answering(("200 OK", b"1", deferral), ("429 TOO MANY", b"no", None), asked=asked)
    client = Client(from_ada(view)).ask()
    assert (client.status, client.parts) == (429, [b"no"])
    assert asked[1][REJECTION] == code
    assert is_rerun(asked[1])


def test_visitors_of_many_addresses_leave_places_to_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(places, "MAX_WAITING_VISITORS", 0)

    def asked_by(player: str | None) -> Client:
        view = answering(("200 OK", b"1", STREAM), ("503 BUSY", b"no", None))

        def limited(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
            environ[CALLER] = Caller(player, "127.0.0.2")
            return view(environ, start_response)

        return Client(limited, leaves_after=1).ask()

    assert asked_by(None).status == 503
    assert asked_by("ada").status == 200


def test_the_last_places_are_left_to_addresses_with_few_clients(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "KEEP_ALIVE", 60.0)
    monkeypatch.setattr(places, "MAX_WAITING", 4)
    monkeypatch.setattr(places, "LAST_PLACES", 2)
    monkeypatch.setattr(places, "FEW_OF_ADDRESS", 1)
    asked: list[Environ] = []

    def view(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        asked.append(environ)
        environ[CALLER] = Caller(f"player {len(asked)}", environ["REMOTE_ADDR"])
        if REJECTION in environ:
            start_response("429 TOO MANY", [])
            return [b"no"]
        return answering(("200 OK", b"1", STREAM))(environ, start_response)

    first = Client(view)
    threads: list[threading.Thread] = []

    def status(address: str) -> int:
        client = Client(view)
        client.serving = first.serving
        threads.append(threading.Thread(target=client.ask, kwargs={"REMOTE_ADDR": address}))
        threads[-1].start()
        until(lambda: bool(client.parts))
        return client.status

    assert [status("192.0.2.1") for _ in range(3)] == [200, 200, 429]
    assert asked[-1][REJECTION] == "too-many-streams"
    assert [status("192.0.2.2") for _ in range(2)] == [200, 429]
    assert status("192.0.2.3") == 200
    first.serving.stop()
    for thread in threads:
        thread.join()


def test_a_slot_is_free_again_when_its_client_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MAX_WAITING_OF_PLAYER", 1)
    view = from_ada(answering(*[("200 OK", b"1", STREAM)] * 2))
    client, again = Client(view, leaves_after=2), Client(view, leaves_after=2)
    again.serving = client.serving
    assert client.ask().parts[0] == again.ask().parts[0] == b"1"


@pytest.mark.parametrize("waits", [True, False], ids=["stream", "large answer"])
def test_visitors_take_no_place_from_the_players_at_their_address(waits: bool) -> None:
    def slots_of(player: str | None) -> set[str]:
        return {slot.name for slot in places._slots_for(Caller(player, "192.0.2.1"), waits=waits)}

    ada, bob, visitor = map(slots_of, ("ada", "bob", None))
    assert len(ada & bob) == 1  # of the address
    assert not visitor & (ada | bob)


def test_a_large_answer_is_sent_in_parts() -> None:
    client = Client(answering(("200 OK", b"x" * (2 * PART + 1), None))).ask()
    assert list(map(len, client.parts)) == [PART, PART, 1]


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
    assert list(map(len, Client(from_ada(view)).ask().parts)) == [PART] * 5
    assert view.closed.is_set()


def test_an_answer_is_not_produced_further_for_a_client_that_has_left() -> None:
    view = Production(5)
    Client(view, leaves_after=2).ask()
    assert view.closed.is_set()
    assert view.produced == 2


def test_one_large_answer_too_many_is_rejected_and_not_produced_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(places, "MAX_LARGE_OF_ADDRESS", 0)
    view = Production(5)
    assert Client(from_ada(view)).ask().parts == [b"no"]
    assert view.closed.is_set()
    assert view.produced == 1

    asked: list[Environ] = []
    large = ("200 OK", b"x" * (PART + 1), None)
    view = answering(large, ("429 TOO MANY", b"no", None), asked=asked)
    assert Client(from_ada(view)).ask().parts == [b"no"]
    assert asked[1][REJECTION] == "too-many-requests"


def test_a_long_poll_is_answered_at_its_timeout() -> None:
    waiting = LongPoll(TOPIC, 0.01)
    view = answering(("304 NOT MODIFIED", b"", waiting), ("304 NOT MODIFIED", b"", waiting))
    client = Client(view).ask()
    assert (client.status, client.parts) == (304, [b""])


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
    assert Client(answering(("200 OK", b"", STREAM)), method="HEAD").ask().parts == [b""]
