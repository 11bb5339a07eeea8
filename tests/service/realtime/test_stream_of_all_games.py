"""Following all games of a player in one stream."""

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
    web.request("POST", f"/games/{game.id}/abandonment", {}, token=game.ada)
    (offer,) = stream.messages(1)
    assert (offer.data["game"], offer.data["offer"]["state"]) == (game.id, "offered")
