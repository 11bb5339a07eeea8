"""Long polls, and following all games of a player in one stream."""

from concurrent.futures import ThreadPoolExecutor

from service.core.redis.client import Client
from tests.service.realtime.followed_game import FollowedGame, listeners
from tests.support.waiting import until
from tests.support.web_server import WebServer


def test_events_arrive_as_they_happen(web: WebServer, game: FollowedGame) -> None:
    stream = web.follow("/me/stream", token=game.bob)
    game.play()
    messages = stream.messages(3)
    assert [(message.data["game"], message.data["event"]["seq"]) for message in messages] == [
        (game.id, 4),
        (game.id, 5),
        (game.id, 6),
    ]
    assert [m.data["event"] for m in messages] == game.events(game.bob, after=3)


def test_a_new_game_joins_the_stream(web: WebServer, game: FollowedGame, redis: Client) -> None:
    stream = web.follow("/me/stream", token=game.ada)
    ada = web.request("GET", "/me", token=game.ada).json["id"]
    until(lambda: listeners(redis, ada) > 0)
    made = web.request("POST", "/games", {}, token=game.ada).json
    (message,) = stream.messages(1)
    assert (message.data["game"], message.data["event"]["type"]) == (made["id"], "game_created")


def test_a_restart_neither_loses_nor_repeats_events(web: WebServer, game: FollowedGame) -> None:
    stream = web.follow("/me/stream", token=game.bob)
    game.play()
    received = [message.data["event"]["seq"] for message in stream.messages(1)]
    web.stop()
    received += [message.data["event"]["seq"] for message in stream.rest()]
    web.start()
    game.play()
    resumed = web.follow("/me/stream", token=game.bob, Last_Event_ID=stream.last_id)
    received += [message.data["event"]["seq"] for message in resumed.messages(6 - len(received))]
    assert received == [4, 5, 6, 7, 8, 9]


def test_a_long_backlog_arrives_whole_page_by_page(web: WebServer, game: FollowedGame) -> None:
    begin = web.request("GET", "/me/stream", token=game.bob, Accept="application/json").json
    for _ in range(3):
        game.play()
    stream = web.follow(f"/me/stream?limit=2&after={begin['next']}", token=game.bob)
    assert [message.data["event"]["seq"] for message in stream.messages(9)] == list(range(4, 13))


def test_the_stream_continues_when_one_game_ends(
    web: WebServer, game: FollowedGame, redis: Client
) -> None:
    stream = web.follow("/me/stream", token=game.ada)
    until(lambda: listeners(redis, game.id) > 0)
    game.resign()
    ending = stream.messages(len(game.events(game.ada, after=3)))
    assert ending[-1].data["event"]["type"] == "game_ended"
    web.request("POST", "/games", {}, token=game.ada)
    assert stream.messages(1)[0].data["event"]["type"] == "game_created"


def test_other_news_arrives_as_it_happens(
    web: WebServer, game: FollowedGame, redis: Client
) -> None:
    stream = web.follow("/me/stream?news=all", token=game.bob)
    bob = web.request("GET", "/me", token=game.bob).json["id"]
    until(lambda: listeners(redis, bob) > 0)
    web.request("POST", f"/games/{game.id}/messages", {"text": "Hello"}, token=game.ada)
    assert stream.messages(1)[0].data["message"]["text"] == "Hello"
    web.request("POST", f"/games/{game.id}/offers", {"kind": "abandonment"}, token=game.ada)
    (offer,) = stream.messages(1)
    assert (offer.data["game"], offer.data["offer"]["state"]) == (game.id, "offered")


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
