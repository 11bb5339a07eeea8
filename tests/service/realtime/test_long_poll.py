"""Long polls: answers that wait until there is news."""

from concurrent.futures import ThreadPoolExecutor

from service.core.redis.client import Client
from tests.service.realtime.followed_game import FollowedGame, listeners
from tests.support.waiting import until
from tests.support.web_server import WebServer


def test_events_are_answered_as_soon_as_there_are_any(
    web: WebServer, game: FollowedGame, redis: Client
) -> None:
    with ThreadPoolExecutor(1) as other:
        path = f"{game.path}/events?after=3&wait=60"
        waiting = other.submit(web.request, "GET", path, token=game.bob)
        until(lambda: listeners(redis, game.id) > 0)
        game.play()
        answer = waiting.result()
    assert answer.json["version"] >= 4
    assert answer.json["events"][0]["seq"] == 4
    assert answer.headers["etag"] == f'"{answer.json["version"]}"'


def test_a_view_is_answered_as_soon_as_it_changes(
    web: WebServer, game: FollowedGame, redis: Client
) -> None:
    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(
            web.request, "GET", f"{game.path}?wait=60", token=game.bob, If_None_Match='"3"'
        )
        until(lambda: listeners(redis, game.id) > 0)
        game.play()
        answer = waiting.result()
    assert (answer.status, answer.json["version"]) == (200, 6)


def test_without_news_the_answer_comes_at_the_timeout(web: WebServer, game: FollowedGame) -> None:
    answer = web.request("GET", f"{game.path}/events?after=3&wait=1", token=game.bob)
    assert answer.json == {"version": 3, "events": [], "next": None}
    unchanged = web.request("GET", f"{game.path}?wait=1", token=game.bob, If_None_Match='"3"')
    assert (unchanged.status, unchanged.text) == (304, "")


def test_known_events_are_answered_at_once(web: WebServer, game: FollowedGame) -> None:
    answer = web.request("GET", f"{game.path}/events?wait=60", token=game.bob)
    assert answer.json["version"] == 3


def test_a_poll_does_not_wait_after_the_game_has_ended(web: WebServer, game: FollowedGame) -> None:
    game.resign()
    version = game.events(game.ada)[-1]["seq"]
    path = f"{game.path}/events?after={version}&wait=60"
    assert web.request("GET", path, token=game.bob).json["events"] == []


def test_a_server_that_shuts_down_answers_waiting_clients(
    web: WebServer, game: FollowedGame, redis: Client
) -> None:
    with ThreadPoolExecutor(1) as other:
        path = f"{game.path}/events?after=3&wait=60"
        waiting = other.submit(web.request, "GET", path, token=game.bob)
        until(lambda: listeners(redis, game.id) > 0)
        web.stop()
        assert waiting.result().json == {"version": 3, "events": [], "next": None}
    web.start()
