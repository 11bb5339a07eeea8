"""Requests whose body never arrives whole: nothing of them is carried out, on either web server."""

import json
import re
import socket

import pytest

from service.container import Container
from service.core.redis.client import Client
from tests.faults.raw import answer_to, connected, head
from tests.support.settings import settings
from tests.support.web_server import WebServer

KEY = "the one and only"
BODY = b'{"edition": "iello", "rounds": 3}'
CUTS = {
    "after the head": (b"", {"Content_Length": len(BODY)}),
    "in the body": (BODY[:9], {"Content_Length": len(BODY)}),
    "before the last byte": (BODY[:-1], {"Content_Length": len(BODY)}),
    "before the first chunk": (b"", {"Transfer_Encoding": "chunked"}),
    "in a chunk": (b"21\r\n" + BODY[:9], {"Transfer_Encoding": "chunked"}),
    "before the last chunk": (b"21\r\n%b\r\n" % BODY, {"Transfer_Encoding": "chunked"}),
}


@pytest.fixture
def ada(web: WebServer, redis: Client) -> str:
    """Her token."""
    return str(web.request("POST", "/players", {"name": "Ada"}).json["token"])


@pytest.fixture(params=CUTS.values(), ids=CUTS)  # type: ignore[call-overload]
def cut(request: pytest.FixtureRequest) -> tuple[bytes, dict[str, object]]:
    """What arrives of a body, and what the head says of it."""
    return request.param  # type: ignore[no-any-return]


def test_half_a_body_makes_no_game(
    web: WebServer, ada: str, cut: tuple[bytes, dict[str, object]]
) -> None:
    part, said = cut
    asked = {"Idempotency_Key": KEY, "Authorization": f"Bearer {ada}", **said}
    with connected(web) as connection:
        connection.sendall(head("POST", "/v1/games", **asked) + part)
        connection.shutdown(socket.SHUT_WR)
        refused = answer_to(connection)
    with connected(web) as connection:  # and without waiting for the answer
        connection.sendall(head("POST", "/v1/games", **asked) + part)
    made = web.request("POST", "/games", json.loads(BODY), token=ada, Idempotency_Key=KEY)
    in_chunks = "Transfer_Encoding" in said
    assert (refused.status, refused.code) == (
        (411, "length-required") if in_chunks else (400, "body-incomplete")
    )
    assert (made.status, made.json["rounds"]) == (201, 3)
    games = web.request("GET", "/games", token=ada).json["games"]
    assert [game["id"] for game in games] == [made.json["id"]]


def test_half_a_body_does_nothing_where_none_is_needed(web: WebServer, ada: str) -> None:
    made = web.request("POST", "/games", {}, token=ada).json
    path, token = f"/v1/games/{made['id']}/resignation", {"Authorization": f"Bearer {ada}"}
    with connected(web) as connection:
        connection.sendall(head("POST", path, Content_Length=2, **token))
        connection.shutdown(socket.SHUT_WR)
        assert answer_to(connection).code == "body-incomplete"


def test_half_a_form_does_nothing(web: WebServer, ada: str, redis: Client) -> None:
    player = web.request("GET", "/me", token=ada).json["id"]
    session = Container(settings(), redis).tokens.open_session(player, "a browser")
    with connected(web) as connection:
        connection.sendall(head("GET", "/account", Cookie=f"scottenbury_session={session}"))
        page = answer_to(connection)
    field = re.search(r'name="form" value="([^"]+)"', page.body.decode())
    assert field is not None
    cookie = f"scottenbury_session={session}; {page.headers['set-cookie'].split(';')[0]}"
    form = f"form={field[1]}&name=a+robot&scopes=games%3Aread&scopes=games%3Aplay"
    said = {
        "Cookie": cookie,
        "Content_Type": "application/x-www-form-urlencoded",
        "Content_Length": len(form),
    }
    with connected(web) as connection:
        connection.sendall(head("POST", "/account/tokens", **said) + form[:-11].encode())
        connection.shutdown(socket.SHUT_WR)
        assert (answer := answer_to(connection)).status == 400, answer
    assert _tokens(web, ada) == 1
    with connected(web) as connection:
        connection.sendall(head("POST", "/account/tokens", **said) + form.encode())
        assert answer_to(connection).status == 200
    assert _tokens(web, ada) == 2


def test_a_body_said_to_be_too_large_is_refused_at_once(web: WebServer, ada: str) -> None:
    said = {"Content_Length": 99999999999, "Authorization": f"Bearer {ada}"}
    for method in ("POST", "GET"):
        with connected(web) as connection:
            connection.sendall(head(method, "/v1/games", **said))
            refused = answer_to(connection)
            assert (refused.status, refused.code) == (413, "body-too-large")


def _tokens(web: WebServer, token: str) -> int:
    found = web.request("GET", "/me/tokens", token=token).json["tokens"]
    return sum(each["kind"] == "api" for each in found)
