"""Responses: JSON documents, game views, pages of lists, and parts of streams."""

import gzip
from collections.abc import Callable, Sequence
from typing import Final, Generic, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

from flask import Response, request

from service.accounts.player import Player
from service.api.application import current_request
from service.api.auth import caller_if_any, prefetched_game
from service.api.headers import has_version
from service.api.problems import NO_STORE, VARY
from service.api.schemas.fields import cursor_at
from service.api.schemas.outputs import RegisteredPlayerShape
from service.container import get_container
from service.core import ids
from service.games import StoredGame
from service.games.reading.views import to_json
from service.realtime import deferred
from service.realtime.deferred import LongPoll, OpenStream, defer, is_rerun

Item = TypeVar("Item")
_WORTH_IT: Final = 1400
"""The fewest bytes worth compressing: less fits into one packet as it is."""


class Created(NamedTuple, Generic[Item]):
    """What was created, and the path of its address."""

    body: Item
    location: str


class PageOf(NamedTuple, Generic[Item]):
    """A page of a list, of this shape: its items, and the position of the last one if other items
    follow it."""

    items: Sequence[object]
    following: str | None


def response_of(result: object, status: int, listed: str) -> Response:
    """Return the response with what a view returns; `listed` is the member of a page that holds
    its items."""
    location = None
    if isinstance(result, Created):
        result, location = result
    match result:
        case Response():
            return result
        case None:
            return no_content()
        case PageOf(items, following):
            return page_answer(listed, items, following)
        case StoredGame():
            return game_answer(result, caller_if_any(), status, location)
    return json_answer(result, status, location=location)


def load_game(
    game_id: str, player: str | None, *, at: int | None = None, invite: str | None = None
) -> StoredGame:
    """Return the game named in the URL, now or after event `at`, if this player may see it.

    It usually takes no round trip, because it was read with the caller's token (see `auth`). Raises
    `RequestRejected`: `game-not-found`, `version-not-found`.
    """
    games = get_container().games
    latest = prefetched_game() or games.load(game_id)
    game = games.read(game_id, player, at=at, invite=invite, latest=latest)
    _keep_out_of_caches(game)
    return game


def game_answer(
    game: StoredGame, player: str | None, status: int = 200, location: str | None = None
) -> Response:
    """Return the response with the game view of this player (None: a spectator)."""
    _keep_out_of_caches(game)
    text = get_container().games.view_text(game, player)
    return _answer(text, status, _headers(game.version), location)


def json_answer(
    body: object, status: int = 200, version: int | None = None, location: str | None = None
) -> Response:
    """Return a response with a JSON document: with an ETag if `version` is given; else, as with a
    token that is shown only this once, no cache may store it. `location`: the path of what was
    created."""
    return _answer(to_json(body), status, _headers(version), location)


def _answer(
    text: str, status: int, headers: list[tuple[str, str]], location: str | None
) -> Response:
    places = [("Location", location)] if location else []
    return Response(text, status, [*headers, *places], content_type="application/json")


def registered(player: Player, token: str, location: str) -> Created[RegisteredPlayerShape]:
    """A new player, with a token that is shown only this once."""
    return Created({"id": player.id, "name": player.name, "token": token}, location)


def text_answer(text: str | bytes, mimetype: str, version: int) -> Response:
    """Return a response with a text or picture of a game at this version."""
    return Response(text, headers=_headers(version), mimetype=mimetype)


def compressed(answer: Response) -> Response:
    """Return the response, compressed if the client accepts gzip.

    Only for responses that do not contain both a secret and text chosen by the request: the
    compressed length would show how similar they are (BREACH). So use it for records of finished
    games, but not for views with hands or messages.
    """
    answer.vary.add("Accept-Encoding")
    text = answer.get_data()
    if answer.status_code != 200 or len(text) < _WORTH_IT:
        return answer
    if request.accept_encodings.quality("gzip"):
        answer.set_data(gzip.compress(text, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
        tag, _ = answer.get_etag()
        if tag is not None:
            answer.set_etag(tag, weak=True)
    return answer


def no_content() -> Response:
    """Return a 204 response, without a content type."""
    answer = Response(status=204)
    del answer.headers["Content-Type"]
    return answer


def not_modified(version: int) -> Response | None:
    """Return a 304 response if the client already has this version, else None."""
    if current_request().no_tag or not has_version(version):
        return None
    return Response(status=304, headers=_headers(version))


def page_answer(name: str, items: Sequence[object], following: str | None) -> Response:
    """Return one page of a list: `{NAME: [ITEM, …], "next": CURSOR}`, and a link to the next page.

    A list is ordered, and each item has a position in it, a text. A cursor encodes the position of
    the last item of a page, so that clients do not read anything into it (`fields.Cursor`).
    `following` is that position if other items follow it, else None: then `next` is null. The ETag
    is that of the page's content.
    """
    cursor = None if following is None else cursor_at(following)
    answer = json_answer({name: items, "next": cursor})
    answer.set_etag(ids.digest(answer.get_data(as_text=True))[:16])
    with_next(answer, cursor=cursor).make_conditional(request)
    return answer


def with_next(answer: Response, **query: str | int | None) -> Response:
    """Add a link to the next page: the URL of this page with these query parameters replaced.

    Adds none if one of them is None.
    """
    if None not in query.values():
        following = urlencode({**request.args.to_dict(), **query})
        # Relative, like `Location`, so that it is right behind any proxy.
        answer.headers["Link"] = f'<{quote(request.path)}?{following}>; rel="next"'
    return answer


def page_of(
    items: Sequence[Item], position: Callable[[Item], str], after: str | None, limit: int
) -> tuple[list[Item], str | None]:
    """Return a page of a list that is in memory, and the position after it if other items follow.

    `items` are ordered by their positions. The page begins after the position `after`.
    """
    left = [item for item in items if after is None or position(item) > after]
    page = left[:limit]
    return page, position(page[-1]) if len(left) > limit else None


def wait_for_news(game: StoredGame, seconds: int) -> None:
    """Let the client wait for up to `seconds` for a newer response, unless the game is over."""
    if seconds and not game.game.over:
        defer(request.environ, LongPoll(frozenset([game.id]), seconds))


def stream_answer(preamble: str, messages: str, following: OpenStream | None) -> Response:
    """Return a part of an event stream: everything so far, or in a rerun everything new.

    `following` says what the stream waits for next. Without it the stream is complete: a client
    that reconnects gets 204, upon which browsers stop reconnecting.
    """
    if following is not None:
        defer(request.environ, following)
    elif not messages:
        return no_content()
    text = messages if is_rerun(request.environ) else preamble + messages
    answer = Response(text, mimetype=deferred.MIMETYPE)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Authorization, Accept"
    answer.headers["X-Accel-Buffering"] = "no"  # otherwise nginx would collect the messages
    return answer


def _keep_out_of_caches(game: StoredGame) -> None:
    """Forbid caches to store responses about a private or sealed game, even in the reader's
    browser.

    A sealed game that is over has no ETag: its version stays, but it shows more once its day is
    over.
    """
    request = current_request()
    request.no_store = game.private or game.sealed
    request.no_tag = game.sealed and game.game.over


def _headers(version: int | None) -> list[tuple[str, str]]:
    # The same address may have different answers for different readers.
    if version is None:
        return [VARY, NO_STORE]
    cache = NO_STORE if current_request().no_store else ("Cache-Control", "private, no-cache")
    tags = [] if current_request().no_tag else [("ETag", f'"{version}"')]
    return [*tags, VARY, cache]
