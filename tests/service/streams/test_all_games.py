"""All games of a player followed at once."""

from collections.abc import Callable

from service.core.redis.client import Client
from tests.service.streams.test_wait import listeners
from tests.support.waiting import until
from tests.support.web_server import Table, WebServer


def test_what_happens_is_told_as_it_happens(web: WebServer, table: Table):
    stream = web.follow("/me/stream", token=table.bob)
    table.play()
    messages = stream.messages(3)
    assert [(message.data["game"], message.data["event"]["seq"]) for message in messages] == [
        (table.id, 4),
        (table.id, 5),
        (table.id, 6),
    ]
    assert [m.data["event"] for m in messages] == table.events(table.bob, after=3)


def test_a_new_game_is_heard_of(web: WebServer, table: Table, redis: Client):
    stream = web.follow("/me/stream", token=table.ada)
    ada = web.request("GET", "/me", token=table.ada).json["id"]
    until(lambda: listeners(redis, ada) > 0)
    made = web.request("POST", "/games", {}, token=table.ada).json
    (message,) = stream.messages(1)
    assert (message.data["game"], message.data["event"]["type"]) == (made["id"], "game_created")


def test_across_a_restart_nothing_is_missed_or_told_twice(web: WebServer, table: Table):
    stream = web.follow("/me/stream", token=table.bob)
    table.play()
    told = [message.data["event"]["seq"] for message in stream.messages(1)]
    web.stop()
    told += [message.data["event"]["seq"] for message in stream.rest()]
    web.start()
    table.play()
    resumed = web.follow("/me/stream", token=table.bob, Last_Event_ID=stream.last_id)
    told += [message.data["event"]["seq"] for message in resumed.messages(6 - len(told))]
    assert told == [4, 5, 6, 7, 8, 9]


def test_a_long_backlog_comes_piece_by_piece(web: WebServer, table: Table):
    begin = web.request("GET", "/me/stream", token=table.bob, Accept="application/json").json
    for _ in range(3):
        table.play()
    stream = web.follow(f"/me/stream?limit=2&after={begin['next']}", token=table.bob)
    assert [message.data["event"]["seq"] for message in stream.messages(9)] == list(range(4, 13))


def test_it_goes_on_when_one_game_ends(
    web: WebServer, seat: Callable[..., Table], table: Table, redis: Client
):
    stream = web.follow("/me/stream", token=table.ada)
    until(lambda: listeners(redis, table.id) > 0)
    table.resign()
    ending = stream.messages(len(table.events(table.ada, after=3)))
    assert ending[-1].data["event"]["type"] == "game_ended"
    web.request("POST", "/games", {}, token=table.ada)
    assert stream.messages(1)[0].data["event"]["type"] == "game_created"
