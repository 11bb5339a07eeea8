"""Following one game as server-sent events."""

import json
from collections.abc import Callable

import pytest

from engine.chain import EVENT_TYPES
from service.api.schemas.inputs import EVENTS_AT_ONCE
from service.container import Container
from service.core.redis.client import Client
from service.ops.operating import remove_game
from service.realtime.deferred import RESET
from tests.service.realtime.followed_game import FollowedGame
from tests.support.matches import lines_of_match, put_match
from tests.support.settings import settings
from tests.support.web_server import WebServer


def test_past_events_come_first_and_then_new_ones(web: WebServer, game: FollowedGame) -> None:
    stream = web.follow(f"{game.path}/events", token=game.bob)
    assert (stream.status, stream.headers["content-type"]) == (
        200,
        "text/event-stream; charset=utf-8",
    )
    assert [message.id for message in stream.messages(3)] == ["1", "2", "3"]
    game.play()
    following = stream.messages(3)
    assert [message.id for message in following] == ["4", "5", "6"]
    assert [message.data for message in following] == game.events(game.bob, after=3)


@pytest.mark.parametrize("reader", ["ada", "bob", "eve"])
def test_each_reader_sees_what_plain_answers_show(
    web: WebServer, game: FollowedGame, reader: str
) -> None:
    token = getattr(game, reader)
    stream = web.follow(f"{game.path}/events?after=3", token=token)
    game.play()
    game.play()
    messages = stream.messages(6)
    assert [message.data for message in messages] == game.events(token, after=3)
    assert [message.event for message in messages] == [message.data["type"] for message in messages]


def test_no_event_type_is_a_name_that_browsers_or_the_stream_use() -> None:
    assert {type_ for type_, _ in EVENT_TYPES}.isdisjoint({"open", "message", "error", RESET})


def test_last_event_id_resumes_the_stream(web: WebServer, game: FollowedGame) -> None:
    game.play()
    stream = web.follow(f"{game.path}/events?after=1", token=game.ada, Last_Event_ID="4")
    assert [message.id for message in stream.messages(2)] == ["5", "6"]


def test_a_stream_gives_its_position_first_and_ends_with_the_game(
    web: WebServer, game: FollowedGame
) -> None:
    stream = web.follow(f"{game.path}/events?after=3", token=game.ada)
    game.play()
    stream.messages(1)
    again = web.follow(f"{game.path}/events", token=game.ada, Last_Event_ID=stream.last_id)
    assert [message.id for message in again.messages(2)] == ["5", "6"]

    game.resign()
    assert stream.rest()[-1].data["type"] == "game_ended"


def test_the_stream_ends_when_its_game_is_removed(
    web: WebServer, game: FollowedGame, redis: Client
) -> None:
    stream = web.follow(f"{game.path}/events?after=3", token=game.ada)
    remove_game(Container(settings(), redis), "Morag", game.id, "a ruling")
    assert stream.rest() == []
    assert web.request("GET", f"{game.path}/events", token=game.ada).status == 410


def test_after_the_end_a_reconnecting_browser_gets_204(web: WebServer, game: FollowedGame) -> None:
    game.resign()
    last = web.follow(f"{game.path}/events", token=game.ada).rest()[-1].id
    again = web.request(
        "GET", f"{game.path}/events", token=game.ada, Accept="text/event-stream", Last_Event_ID=last
    )
    assert (again.status, again.text) == (204, "")


def test_a_restart_neither_loses_nor_repeats_events(web: WebServer, game: FollowedGame) -> None:
    stream = web.follow(f"{game.path}/events", token=game.bob)
    received = [message.id for message in stream.messages(3)]
    game.play()
    received += [message.id for message in stream.messages(1)]
    web.stop()
    left_over = stream.rest()
    assert left_over == [] or [m.id for m in left_over] == ["5", "6"]
    received += [message.id for message in left_over]
    web.start()
    game.play()
    resumed = web.follow(f"{game.path}/events", token=game.bob, Last_Event_ID=stream.last_id)
    received += [message.id for message in resumed.messages(9 - len(received))]
    assert received == [str(number) for number in range(1, 10)]


def test_an_open_stream_does_not_delay_shutdown(web: WebServer, game: FollowedGame) -> None:
    stream = web.follow(f"{game.path}/events", token=game.bob)
    stream.messages(3)
    web.stop()  # with nothing killed
    assert stream.rest() == []
    web.start()


def test_only_its_players_can_follow_a_private_game(
    web: WebServer, make_game: Callable[..., FollowedGame]
) -> None:
    game = make_game(private=True)
    assert web.follow(f"{game.path}/events", token=game.eve).status == 404
    assert web.follow(f"{game.path}/events").status == 404
    assert len(web.follow(f"{game.path}/events", token=game.bob).messages(3)) == 3


def test_a_stream_whose_token_is_revoked_ends(web: WebServer, game: FollowedGame) -> None:
    path = f"{game.path}/events?after=3"
    wanted = {"name": "board", "scopes": ["games:read"]}
    made = web.request("POST", "/me/tokens", wanted, token=game.ada).json
    stream = web.follow(path, token=made["token"])
    assert web.request("DELETE", f"/me/tokens/{made['id']}", token=game.ada).status == 204
    game.play()
    assert stream.rest() == []


def test_a_broken_connection_to_redis_loses_no_event(
    web: WebServer, game: FollowedGame, redis: Client
) -> None:
    stream = web.follow(f"{game.path}/events?after=3", token=game.ada)
    redis.client_kill_filter(_type="pubsub")
    game.play()
    assert [message.id for message in stream.messages(3)] == ["4", "5", "6"]


@pytest.mark.parametrize("last_id", ["yesterday", "-1", "9999999999"])
def test_an_unknown_last_event_id_is_rejected(
    web: WebServer, game: FollowedGame, last_id: str
) -> None:
    answer = web.request(
        "GET",
        f"{game.path}/events",
        token=game.ada,
        Accept="text/event-stream",
        Last_Event_ID=last_id,
    )
    assert (answer.status, answer.json["code"]) == (400, "malformed-request")


def test_a_stream_beyond_the_log_begins_anew_and_goes_on(
    web: WebServer, game: FollowedGame
) -> None:
    stream = web.follow(f"{game.path}/events?after=4", token=game.ada)
    first = stream.messages(4)
    assert [(message.id, message.event) for message in first][:2] == [
        ("0", "reset"),
        ("1", "game_created"),
    ]
    game.play()
    assert [message.id for message in stream.messages(3)] == ["4", "5", "6"]


def test_json_lines_contain_the_same_events(web: WebServer, game: FollowedGame) -> None:
    answer = web.request(
        "GET", f"{game.path}/events", token=game.ada, Accept="application/x-ndjson"
    )
    assert [json.loads(line) for line in answer.text.splitlines()] == game.events(game.ada)


def test_a_long_match_arrives_whole_page_by_page(web: WebServer, redis: Client) -> None:
    lines = lines_of_match(5)
    match = put_match(Container(settings(), redis), 5)
    assert len(lines) > EVENTS_AT_ONCE
    messages = web.follow(f"/games/{match}/events").rest()
    assert [message.data for message in messages] == [json.loads(line) for line in lines]
