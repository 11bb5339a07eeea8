"""What the client sends, repeats and raises, against answers written here."""

import asyncio
import json
from typing import Any, Final

import httpx
import pytest
from scottenbury_client import (
    AsyncClient,
    Bot,
    Client,
    Conflict,
    NotFound,
    Problem,
    Stale,
    TryLater,
    Unreachable,
)

Answer = httpx.Response | Exception
GAME: Final = {"id": "g1", "version": 7, "status": "active", "turn": "north", "seat": "north"}
SSE: Final = {"Content-Type": "text/event-stream"}


class Server:
    """Gives these answers in order, the last one for ever; `requests` holds what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.requests = list[httpx.Request]()
        self._answers = list(answers)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def sent(self, header: str) -> list[str | None]:
        return [request.headers.get(header) for request in self.requests]


def client_of(server: Server, **options: Any) -> Client:
    http = httpx.Client(transport=httpx.MockTransport(server))
    return Client("https://example.org/games", "secret-token", http=http, **options)


def problem(status: int, code: str, **members: Any) -> httpx.Response:
    headers = {"Retry-After": str(members["retry_after"])} if "retry_after" in members else {}
    kind = {"Content-Type": "application/problem+json"}
    return httpx.Response(status, json={"code": code, **members}, headers={**headers, **kind})


def ok(body: Any) -> httpx.Response:
    return httpx.Response(200, json=body)


@pytest.fixture(autouse=True)
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made, none of which takes time."""
    pauses = list[float]()
    monkeypatch.setattr("scottenbury_client.client.time.sleep", pauses.append)
    return pauses


def test_a_write_names_the_version_and_a_key_of_its_own() -> None:
    server = Server(ok(GAME))
    client = client_of(server)
    for _ in range(2):
        client.play_turn("g1", actions=["R7@5"], if_match=7)
    first, second = server.requests
    assert str(first.url) == "https://example.org/games/v1/games/g1/turns"
    assert json.loads(first.content) == {"actions": ["R7@5"]}
    assert first.headers["If-Match"] == '"7"'
    assert first.headers["Authorization"] == "Bearer secret-token"
    assert first.headers["Idempotency-Key"] != second.headers["Idempotency-Key"]


@pytest.mark.parametrize(
    "trouble",
    [
        httpx.ReadError("cut"),
        httpx.RemoteProtocolError("cut"),
        httpx.ReadTimeout("late"),
        problem(503, "server-busy", retry_after=2),
        httpx.Response(502, text="<h1>Bad gateway</h1>"),
    ],
)
def test_a_repeated_write_is_the_same_request_under_the_same_key(trouble: Answer) -> None:
    server = Server(trouble, trouble, ok(GAME))
    assert client_of(server).play_turn("g1", actions=["R7@5"])["version"] == 7
    assert len(server.requests) == 3
    assert len(set(server.sent("Idempotency-Key"))) == 1
    assert len({request.content for request in server.requests}) == 1


def test_a_key_of_ones_own_is_sent() -> None:
    server = Server(ok(GAME))
    client_of(server).create_game(idempotency_key="mine")
    assert server.sent("Idempotency-Key") == ["mine"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_every_write_has_a_key_and_is_sent_again(method: str) -> None:
    server = Server(httpx.ReadError("cut"), ok(GAME))
    assert client_of(server).request(method, "/v1/anything") == GAME
    assert len(set(server.sent("Idempotency-Key"))) == 1
    client_of(again := Server(httpx.ReadError("cut"), ok(GAME))).accept_challenge("c1")
    assert len(set(again.sent("Idempotency-Key"))) == 1


def test_a_short_wait_is_made_and_an_hour_is_not(slept: list[float]) -> None:
    client_of(Server(problem(429, "rate-limited", retry_after=12), ok(GAME))).get_game("g1")
    assert slept == [12]
    server = Server(problem(429, "too-many-mails", retry_after=3600))
    with pytest.raises(TryLater) as raised:
        client_of(server).create_game()
    assert (raised.value.code, raised.value.retry_after) == ("too-many-mails", 3600)
    assert (len(server.requests), slept) == (1, [12])


def test_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(0, 1000, 10))
    monkeypatch.setattr("scottenbury_client.calls.time.monotonic", lambda: next(seconds))
    server = Server(httpx.ConnectError("refused"))
    with pytest.raises(Unreachable, match="refused"):
        client_of(server, patience=30).get_game("g1")
    assert len(server.requests) == 4


def test_an_error_has_its_class_code_and_members() -> None:
    answer = problem(409, "claim-not-proven", detail="It can be beaten.", counterexample=["G5"])
    with pytest.raises(Conflict, match="It can be beaten") as raised:
        client_of(Server(answer)).claim_stone("g1", {"stone": 3})
    assert raised.value.code == "claim-not-proven"
    assert raised.value.members["counterexample"] == ["G5"]
    with pytest.raises(Stale) as stale:
        client_of(Server(problem(412, "stale-version", version=9))).resign_game("g1")
    assert stale.value.version == 9


def test_an_error_that_is_no_problem_document_is_one_nevertheless() -> None:
    with pytest.raises(NotFound, match="nginx"):
        client_of(Server(httpx.Response(404, text="<h1>nginx</h1>"))).get_game("g1")
    with pytest.raises(Problem, match="308"):
        client_of(Server(httpx.Response(308, headers={"Location": "/x"}))).get_game("g1")


def test_what_a_later_server_adds_is_kept() -> None:
    game = {**GAME, "edition": "the-next-edition", "weather": "rain"}
    assert client_of(Server(ok(game))).get_game("g1") == game
    event = {"seq": 1, "type": "weather_changed", "data": {"rain": True}}
    page = {"events": [event], "next": None, "version": 1}
    assert list(client_of(Server(ok(page))).events("g1")) == [event]


def test_an_operation_of_a_later_server_can_be_asked_for() -> None:
    server = Server(httpx.ReadError("cut"), ok({"won": 3}))
    assert client_of(server).request("POST", "/v1/leagues", {"name": "A"}, fast=True) == {"won": 3}
    assert len(set(server.sent("Idempotency-Key"))) == 1
    assert server.requests[0].url.params["fast"] == "true"


def test_an_id_stays_in_its_place() -> None:
    server = Server(ok(GAME))
    client_of(server).get_game("../me?x=#")
    assert server.requests[0].url.raw_path == b"/games/v1/games/..%2Fme%3Fx%3D%23"


def test_a_list_gives_the_items_of_all_its_pages() -> None:
    pages = [{"games": [{"id": "a"}, {"id": "b"}], "next": "p2"}, {"games": [], "next": None}]
    server = Server(*map(ok, pages))
    games = client_of(server).list_games(status="active", limit=2)
    assert [game["id"] for game in games] == ["a", "b"]
    assert [request.url.params.get("cursor") for request in server.requests] == [None, "p2"]
    assert {request.url.params["status"] for request in server.requests} == {"active"}


def test_the_archive_is_read_page_by_page_as_json() -> None:
    server = Server(ok({"records": [{"id": "a"}], "next": "a"}), ok({"records": [], "next": None}))
    records = client_of(server).list_records(ended_after="2026-10-31")
    assert [record["id"] for record in records] == ["a"]
    assert server.sent("Accept") == ["application/json"] * 2


def messages(*numbers: int, end: str = "") -> httpx.Response:
    sent = "".join(f"id: {n}\nevent: passed\ndata: {json.dumps({'seq': n})}\n\n" for n in numbers)
    return httpx.Response(
        200, headers=SSE, text="retry: 2000\nid: 0\n\n" * (1 in numbers) + sent + end
    )


def test_a_stream_goes_on_after_the_last_whole_message() -> None:
    half = 'id: 3\nevent: passed\ndata: {"se'
    server = Server(
        messages(1, 2, end=half),
        httpx.ConnectError("refused"),
        problem(503, "server-busy", retry_after=1),
        messages(3),
        httpx.Response(204),
    )
    assert [event["seq"] for event in client_of(server).follow("g1")] == [1, 2, 3]
    assert server.sent("Last-Event-ID") == ["0", "2", "2", "2", "3"]


def test_a_log_that_lost_events_is_followed_from_its_beginning() -> None:
    reset = "id: 0\nevent: reset\ndata: {}\n\n"
    begun_anew = httpx.Response(200, headers=SSE, text=reset + messages(1, 2).text)
    server = Server(begun_anew, httpx.Response(204))
    assert [event["seq"] for event in client_of(server).follow("g1", 7)] == [1, 2]
    assert server.sent("Last-Event-ID") == ["7", "2"]


def test_a_stream_that_is_refused_says_why() -> None:
    with pytest.raises(NotFound, match="game-not-found"):
        next(client_of(Server(problem(404, "game-not-found"))).follow("g1"))


def test_news_begin_at_the_moment_of_the_call_and_say_where_to_go_on() -> None:
    text = 'id: a.8\nevent: sunrise\ndata: {"game": "g1"}\n\nid: a.9\nevent: reset\ndata: {}\n\n'
    server = Server(
        ok({"events": [], "next": "a.7", "reset": False}),
        httpx.Response(200, headers=SSE, text=text),
        problem(401, "unauthenticated"),
    )
    news = client_of(server).follow_mine()
    assert next(news) == ("a.8", "sunrise", {"game": "g1"})
    assert next(news) == ("a.9", "reset", {})
    assert server.sent("Last-Event-ID") == [None, "a.7"]
    assert server.sent("Accept")[0] == "application/json"  # else it would be a stream


def test_other_news_comes_when_asked_for() -> None:
    text = 'id: a.8\nevent: message\ndata: {"game": "g1", "message": {"number": 1}}\n\n'
    server = Server(httpx.Response(200, headers=SSE, text=text))
    news = client_of(server).follow_mine("a.7", news="messages")
    assert next(news) == ("a.8", "message", {"game": "g1", "message": {"number": 1}})
    assert server.requests[0].url.params["news"] == "messages"


def test_a_taken_name_is_replaced_by_the_suggestion() -> None:
    server = Server(
        problem(409, "name-taken", suggestion="Cleo2"), ok({"id": "p", "token": "new-token"})
    )
    client = client_of(server)
    assert client.register("Cleo") == client.token == "new-token"
    assert json.loads(server.requests[1].content) == {"name": "Cleo2"}
    client.get_me()
    assert server.sent("Authorization")[-1] == "Bearer new-token"


def test_a_bot_reads_a_game_again_that_has_moved_on() -> None:
    later = {**GAME, "version": 8, "status": "finished"}
    server = Server(ok(GAME), problem(412, "stale-version", version=8), ok(later))
    assert Bot(client_of(server), lambda game: "R7@5").play("g1") == later


def test_a_bot_raises_what_the_rules_refuse() -> None:
    server = Server(ok(GAME), problem(409, "illegal-action"), ok(GAME))
    with pytest.raises(Conflict, match="illegal-action"):
        Bot(client_of(server), lambda game: "R7@5").play("g1")


def test_a_bot_waits_for_the_other_player() -> None:
    theirs, over = {**GAME, "turn": "south"}, {**GAME, "status": "finished"}
    server = Server(ok(theirs), httpx.Response(304), ok(over))
    assert Bot(client_of(server), lambda game: "R7@5").play("g1") == over
    assert server.sent("If-None-Match") == [None, '"7"', '"7"']


def test_a_bot_plays_all_its_games() -> None:
    place = ok({"events": [], "next": "a.7", "reset": False})
    first, second = {**GAME, "id": "g1"}, {**GAME, "id": "g2"}
    moved = {"turn": "south"}
    text = 'id: a.8\nevent: turn_ended\ndata: {"game": "g2", "event": {}}\n\n'
    server = Server(
        *(place, ok({"games": [first], "next": None}), ok(first), ok({**first, **moved})),
        *(httpx.Response(200, headers=SSE, text=text), ok(second), ok({**second, **moved})),
        problem(401, "unauthenticated"),
    )
    with pytest.raises(Problem, match="unauthenticated"):
        Bot(client_of(server), lambda game: [game["id"]]).run()
    played = [json.loads(one.content)["actions"] for one in server.requests if one.content]
    assert played == [["g1"], ["g2"]]


def test_a_bot_goes_on_after_a_challenge_that_was_withdrawn_meanwhile() -> None:
    mine = {"id": "c1", "status": "open", "to": {"id": "me"}, "rounds": 1}
    others = [{**mine, "id": "c2", "rounds": 3}, {**mine, "to": {"id": "you"}}]
    server = Server(
        ok({"id": "me"}),
        ok({"events": [], "next": "a.7", "reset": False}),
        ok({"challenges": [*others, mine], "next": None}),
        problem(409, "challenge-closed"),
        *[ok({"games": [], "next": None})] * 2,
        problem(401, "unauthenticated"),
    )
    with pytest.raises(Problem, match="unauthenticated"):
        Bot(client_of(server), lambda game: []).run(accept=lambda terms: terms["rounds"] == 1)
    asked = [one.url.path for one in server.requests if one.method == "POST"]
    assert asked == ["/games/v1/challenges/c1/acceptance"]
    assert server.requests[-1].url.params["news"] == "challenges"


def test_the_asynchronous_client_repeats_and_follows_too(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(
        httpx.ReadError("cut"),
        ok(GAME),
        messages(1),
        httpx.ReadError("cut"),
        messages(2),
        httpx.Response(204),
    )

    async def run() -> list[int]:
        http = httpx.AsyncClient(transport=httpx.MockTransport(server))
        async with AsyncClient("https://example.org", http=http) as client:
            await client.play_turn("g1", actions=["R7@5"])
            return [event["seq"] async for event in client.follow("g1")]

    monkeypatch.setattr("scottenbury_client.calls.random.uniform", lambda low, high: 0.0)
    assert asyncio.run(run()) == [1, 2]
    assert len(set(server.sent("Idempotency-Key")[:2])) == 1
