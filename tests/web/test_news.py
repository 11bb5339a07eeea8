"""Streams for the pages: what they tell, to whom, and the cheap question for a game's version."""

from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client
from service.games import ChangeContext
from service.realtime.deferred import OpenStream
from service.server.app import create_app
from tests.support.application import Server
from tests.support.settings import settings
from tests.web.news_stream import STREAM, listen
from tests.web.shown import Shown, begin, signed_in


def play(container: Container, game: Shown) -> int:
    stored = container.games.load(game.id)
    mover = stored.player_to_move() or ""
    legal = container.games.view(stored, mover).legal
    return container.games.play(game.id, mover, legal[:1]).version


def test_a_players_stream_tells_which_games_have_moved(server: Server, game: Shown) -> None:
    client = signed_in(server.app, game.bob)
    opened = listen(client, "/news")
    assert (opened.status, opened.told) == (200, [])

    version = play(server.container, game)
    again = listen(client, "/news", opened.last_id)

    assert again.told == [{"game": game.id, "version": version}]
    assert again.waits is not None
    following = again.waits._replace(left=None)
    assert following == OpenStream(frozenset([game.bob, game.id]), again.last_id)


def test_a_stream_is_kept_nowhere_and_by_no_proxy(app: Flask, game: Shown) -> None:
    headers = signed_in(app, game.bob).get("/news", headers=STREAM).headers
    assert headers["Content-Type"].startswith("text/event-stream")
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Accel-Buffering"] == "no"


def test_a_page_that_may_have_missed_messages_is_told_so(app: Flask, game: Shown) -> None:
    assert "event: reset" in listen(signed_in(app, game.bob), "/news", "aaaaaaaa.7").text


def test_there_is_no_stream_of_ones_games_without_a_session(client: FlaskClient) -> None:
    # Browsers do not ask again after this.
    assert client.get("/news", headers=STREAM).status_code == 204


def test_a_stream_ends_with_its_session(app: Flask, container: Container, game: Shown) -> None:
    client = signed_in(app, game.bob)
    assert listen(client, "/news").waits
    container.tokens.revoke_all(game.bob)
    ended = listen(client, "/news")
    assert (ended.status, ended.waits) == (204, None)


def test_whoever_looks_on_follows_the_game_alone(
    client: FlaskClient, container: Container, game: Shown
) -> None:
    path = f"/games/{game.id}/news"
    opened = listen(client, path)
    assert opened.told == []
    version = play(container, game)
    again = listen(client, path, opened.last_id)
    assert again.told == [{"game": game.id, "version": version}]
    assert again.waits == OpenStream(frozenset([game.id]), again.last_id)

    container.games.resign(game.id, game.ann)
    ending = listen(client, path, again.last_id)
    assert (len(ending.told), ending.waits) == (1, None)
    assert listen(client, path, ending.last_id).status == 204


def test_the_version_is_asked_for_cheaply(
    client: FlaskClient, container: Container, game: Shown
) -> None:
    path = f"/games/{game.id}/news"
    first = client.get(path)
    assert first.json == {"version": container.games.load(game.id).version}
    known = {"If-None-Match": first.headers["ETag"]}
    same = client.get(path, headers=known)
    assert (same.status_code, same.text) == (304, "")
    version = play(container, game)
    assert client.get(path, headers=known).json == {"version": version}


def test_what_is_offered_is_counted_beside_the_version(server: Server, game: Shown) -> None:
    path, client = f"/games/{game.id}/news?said=", signed_in(server.app, game.bob)
    known = {"If-None-Match": f'"{server.container.games.load(game.id).version}"'}
    assert client.get(f"{path}0", headers=known).status_code == 304
    server.container.games.abandonments.agree(game.id, game.ann, ChangeContext("web"))
    told = client.get(f"{path}0", headers=known)
    assert (told.status_code, told.json) == (200, {"version": 3, "said": 1})
    assert client.get(f"{path}1", headers=known).status_code == 304
    assert f'data-said="{1}"' in client.get(f"/games/{game.id}").text
    assert listen(client, "/news", f"{listen(client, '/news').last_id[:-1]}0").told == [{"said": 1}]
    assert server.app.test_client().get(f"{path}0", headers=known).status_code == 304


def test_a_private_game_has_no_news_for_others(app: Flask, container: Container) -> None:
    game = begin(container, private=True)
    path = f"/games/{game.id}/news"
    for headers in ({}, STREAM):
        assert app.test_client().get(path, headers=headers).status_code == 404
        assert signed_in(app, game.bob).get(path, headers=headers).status_code == 200


def test_a_position_that_was_never_told_is_refused(app: Flask, game: Shown) -> None:
    client = signed_in(app, game.bob)
    for path in ("/news", f"/games/{game.id}/news"):
        assert listen(client, path, "elsewhere").status == 400


def test_a_stream_counts_for_its_player(redis: Client) -> None:
    app = create_app(settings(rate_limits=True), redis)
    game = begin(app.extensions["scottenbury"])
    caller = listen(signed_in(app, game.bob), "/news").caller
    assert caller is not None
    assert caller.player == game.bob


def test_the_page_says_where_its_news_come_from(app: Flask, game: Shown) -> None:
    path = f"/games/{game.id}"
    assert 'data-stream="/news"' in signed_in(app, game.bob).get(path).text
    assert f'data-stream="{path}/news"' in app.test_client().get(path).text
