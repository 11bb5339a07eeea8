"""A game followed as server-sent events."""

import json

import pytest

from engine.event_codec import EVENT_TYPES
from service.api.endpoints.stream import RESET
from service.api.schemas.inputs import EVENTS_AT_ONCE
from service.container import build
from service.core.redis.client import Client
from tests.support.matches import lines_of_match, put_match
from tests.support.settings import settings
from tests.support.web_server import Table, WebServer


def test_what_has_happened_comes_first_and_then_what_happens(web: WebServer, table: Table):
    stream = web.follow(f"{table.path}/events", token=table.bob)
    assert (stream.status, stream.headers["content-type"]) == (
        200,
        "text/event-stream; charset=utf-8",
    )
    assert [message.id for message in stream.messages(3)] == ["1", "2", "3"]
    table.play()
    following = stream.messages(3)
    assert [message.id for message in following] == ["4", "5", "6"]
    assert [message.data for message in following] == table.events(table.bob, after=3)


@pytest.mark.parametrize("reader", ["ada", "bob", "eve"])
def test_each_reader_sees_what_the_plain_answers_show(web: WebServer, table: Table, reader: str):
    token = getattr(table, reader)
    stream = web.follow(f"{table.path}/events?after=3", token=token)
    table.play()
    table.play()
    messages = stream.messages(6)
    assert [message.data for message in messages] == table.events(token, after=3)
    assert [message.event for message in messages] == [message.data["type"] for message in messages]


def test_no_type_of_event_is_one_that_browsers_or_the_stream_itself_use():
    assert {type_ for type_, _ in EVENT_TYPES}.isdisjoint({"open", "message", "error", RESET})


def test_it_goes_on_after_the_last_event_id(web: WebServer, table: Table):
    table.play()
    stream = web.follow(f"{table.path}/events?after=1", token=table.ada, Last_Event_ID="4")
    assert [message.id for message in stream.messages(2)] == ["5", "6"]


def test_a_client_that_heard_nothing_yet_knows_where_it_stands(web: WebServer, table: Table):
    stream = web.follow(f"{table.path}/events?after=3", token=table.ada)
    table.play()
    stream.messages(1)
    again = web.follow(f"{table.path}/events", token=table.ada, Last_Event_ID=stream.last_id)
    assert [message.id for message in again.messages(2)] == ["5", "6"]


def test_it_ends_with_the_game(web: WebServer, table: Table):
    stream = web.follow(f"{table.path}/events?after=3", token=table.ada)
    table.resign()
    assert stream.rest()[-1].data["type"] == "game_ended"


def test_after_the_end_a_browser_is_told_to_stay_away(web: WebServer, table: Table):
    table.resign()
    whole = web.follow(f"{table.path}/events", token=table.ada)
    last = whole.rest()[-1].id
    again = web.request(
        "GET",
        f"{table.path}/events",
        token=table.ada,
        Accept="text/event-stream",
        Last_Event_ID=last,
    )
    assert (again.status, again.text) == (204, "")


def test_across_a_restart_nothing_is_missed_or_told_twice(web: WebServer, table: Table):
    stream = web.follow(f"{table.path}/events", token=table.bob)
    told = [message.id for message in stream.messages(3)]
    table.play()
    told += [message.id for message in stream.messages(1)]
    web.stop()
    left_over = stream.rest()
    assert left_over == [] or [m.id for m in left_over] == ["5", "6"]
    told += [message.id for message in left_over]
    web.start()
    table.play()
    resumed = web.follow(f"{table.path}/events", token=table.bob, Last_Event_ID=stream.last_id)
    told += [message.id for message in resumed.messages(9 - len(told))]
    assert told == [str(number) for number in range(1, 10)]


def test_an_open_stream_does_not_hold_the_server_up(web: WebServer, table: Table):
    stream = web.follow(f"{table.path}/events", token=table.bob)
    stream.messages(3)
    web.stop()  # with nothing killed
    assert stream.rest() == []
    web.start()


def test_a_private_game_is_followed_by_its_players_only(web: WebServer, seat):
    table = seat(private=True)
    assert web.follow(f"{table.path}/events", token=table.eve).status == 404
    assert web.follow(f"{table.path}/events").status == 404
    stream = web.follow(f"{table.path}/events", token=table.bob)
    assert len(stream.messages(3)) == 3


def test_a_stream_whose_token_is_revoked_tells_nothing_more(web: WebServer, table: Table):
    path = f"{table.path}/events?after=3"
    wanted = {"name": "board", "scopes": ["games:read"]}
    made = web.request("POST", "/me/tokens", wanted, token=table.ada).json
    stream = web.follow(path, token=made["token"])
    assert web.request("DELETE", f"/me/tokens/{made['id']}", token=table.ada).status == 204
    table.play()
    assert stream.rest() == []


def test_a_broken_connection_to_redis_loses_no_event(web: WebServer, table: Table, redis: Client):
    stream = web.follow(f"{table.path}/events?after=3", token=table.ada)
    redis.client_kill_filter(_type="pubsub")
    table.play()
    assert [message.id for message in stream.messages(3)] == ["4", "5", "6"]


@pytest.mark.parametrize("last_id", ["yesterday", "-1", "4", "999999"])
def test_an_id_that_was_never_given_out_is_refused(web: WebServer, table: Table, last_id: str):
    answer = web.request(
        "GET",
        f"{table.path}/events",
        token=table.ada,
        Accept="text/event-stream",
        Last_Event_ID=last_id,
    )
    assert (answer.status, answer.json["code"]) == (400, "malformed-request")


def test_nothing_is_followed_from_an_event_that_is_still_to_come(web: WebServer, table: Table):
    answer = web.request(
        "GET", f"{table.path}/events?after=4", token=table.ada, Accept="text/event-stream"
    )
    assert (answer.status, answer.json["code"]) == (400, "malformed-request")


def test_json_lines_hold_the_same_events(web: WebServer, table: Table):
    answer = web.request(
        "GET", f"{table.path}/events", token=table.ada, Accept="application/x-ndjson"
    )
    assert [json.loads(line) for line in answer.text.splitlines()] == table.events(table.ada)


def test_a_long_match_comes_in_pieces_and_whole(web: WebServer, redis: Client):
    lines = lines_of_match(5)
    match = put_match(build(settings(), redis), 5)
    assert len(lines) > EVENTS_AT_ONCE
    messages = web.follow(f"/games/{match}/events").rest()
    assert [message.data for message in messages] == [json.loads(line) for line in lines]
