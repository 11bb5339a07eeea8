"""Answers that are held back until there is news."""

from concurrent.futures import ThreadPoolExecutor

from service.core.redis.client import Client
from service.core.redis.news import CHANNEL
from tests.support.waiting import until
from tests.support.web_server import Table, WebServer


def listeners(redis: Client, topic: str) -> int:
    """How many processes wait for hints of it."""
    return int(redis.pubsub_numsub(f"{CHANNEL}{topic}")[0][1])


def test_events_are_answered_as_soon_as_there_are_some(web: WebServer, table: Table, redis: Client):
    with ThreadPoolExecutor(1) as other:
        path = f"{table.path}/events?after=3&wait=60"
        waiting = other.submit(web.request, "GET", path, token=table.bob)
        until(lambda: listeners(redis, table.id) > 0)
        table.play()
        answer = waiting.result()
    assert answer.json["version"] >= 4
    assert answer.json["events"][0]["seq"] == 4
    assert answer.headers["etag"] == f'"{answer.json["version"]}"'


def test_a_view_is_answered_as_soon_as_it_changes(web: WebServer, table: Table, redis: Client):
    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(
            web.request, "GET", f"{table.path}?wait=60", token=table.bob, If_None_Match='"3"'
        )
        until(lambda: listeners(redis, table.id) > 0)
        table.play()
        answer = waiting.result()
    assert (answer.status, answer.json["version"]) == (200, 6)


def test_without_news_the_answer_comes_when_the_time_is_over(web: WebServer, table: Table):
    answer = web.request("GET", f"{table.path}/events?after=3&wait=1", token=table.bob)
    assert answer.json == {"version": 3, "events": [], "next": None}
    unchanged = web.request("GET", f"{table.path}?wait=1", token=table.bob, If_None_Match='"3"')
    assert (unchanged.status, unchanged.text) == (304, "")


def test_what_is_known_is_answered_at_once(web: WebServer, table: Table):
    answer = web.request("GET", f"{table.path}/events?wait=60", token=table.bob)
    assert answer.json["version"] == 3


def test_after_the_end_nobody_waits(web: WebServer, table: Table):
    table.resign()
    version = table.events(table.ada)[-1]["seq"]
    path = f"{table.path}/events?after={version}&wait=60"
    assert web.request("GET", path, token=table.bob).json["events"] == []


def test_a_server_that_is_told_to_end_answers_who_waits(
    web: WebServer, table: Table, redis: Client
):
    with ThreadPoolExecutor(1) as other:
        path = f"{table.path}/events?after=3&wait=60"
        waiting = other.submit(web.request, "GET", path, token=table.bob)
        until(lambda: listeners(redis, table.id) > 0)
        web.stop()
        assert waiting.result().json == {"version": 3, "events": [], "next": None}
    web.start()
