"""Streams for open pages. They report that a game has a new version, or that somebody has written
to the reader, and nothing else.

The page then loads its content as if it were opened again.
"""

from collections.abc import Iterable
from typing import Final

from flask import Response, request

from service.api.headers import accepted, has_version, last_event_id
from service.api.responses import no_content, stream_answer
from service.container import get_container
from service.games import StoredGame
from service.games.projections.feed import FeedPage
from service.games.projections.feed_log import CURSOR
from service.games.reading.views import to_json
from service.realtime import deferred
from service.realtime.deferred import OpenStream, is_rerun, moved
from service.web import session
from service.web.blueprint import blueprint

JSON: Final = "application/json"
MOVED: Final = "moved"
"""The type of the message that a game has a new version: `{"game", "version"}`."""
SAID: Final = "said"
"""The type of the message that somebody has written or offered something in one of the player's
games: `{"said"}`, the number of times so far."""
_PLACE: Final = rf"{CURSOR}(~[0-9]{{1,12}})?"
_AT_ONCE: Final = 100
_VERSION: Final = "[1-9][0-9]{0,8}"


@blueprint.get("/news")
def news() -> Response:
    """Stream the news of all of the player's games, for all tabs of a browser.

    It counts and is limited like the API's stream of all games of a player.
    """
    player = session.player_id()
    if player is None:
        return no_content()
    place, _, heard = (last_event_id(_PLACE) or "").partition("~")
    page = get_container().feeds.read(player, place or None, _AT_ONCE, moved(request.environ))
    said = str(get_container().games.conversations.news.count(player))
    messages = _messages(page, heard or said)
    if heard not in ("", said):
        messages += deferred.message(SAID, f"{page.next}~{said}", to_json({"said": int(said)}))
    left = None if is_rerun(request.environ) else get_container().page_signs.begin_stream(player)
    following = OpenStream(page.games | {player}, f"{page.next}~{said}", page.more, left)
    return stream_answer(deferred.preamble(f"{page.begin}~{heard or said}"), messages, following)


@blueprint.get("/games/<game_id>/news")
def game_news(game_id: str) -> Response:
    """Return the version of one game; 304 if the client has it; or a stream of later versions.

    `?said=` is the number of messages and offers that the player has seen; then the response
    contains the present number as well, and is 304 only if both are up to date.
    """
    invite, player = request.args.get("invite"), session.player_id()
    stored = get_container().games.read(game_id, player, invite=invite)
    if accepted([JSON, deferred.MIMETYPE]) == deferred.MIMETYPE:
        return _stream(stored)
    state, heard = {"version": stored.version}, request.args.get("said")
    if heard is not None:
        state["said"] = said_count(player if stored.seat_of(player) else None)
    answer = Response(to_json(state), mimetype=JSON)
    if has_version(stored.version) and heard in (None, str(state.get("said"))):
        answer = Response(status=304)
    answer.set_etag(str(stored.version))
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def said_count(player: str | None) -> int:
    """Return the number of messages and offers so far in this player's games; 0 for None."""
    return get_container().games.conversations.news.count(player) if player else 0


def _stream(stored: StoredGame) -> Response:
    heard = int(last_event_id(_VERSION) or stored.version)
    moved = [(stored.id, stored.version, str(stored.version))] if stored.version != heard else []
    waits = not stored.game.over
    following = OpenStream(frozenset([stored.id]), str(stored.version)) if waits else None
    return stream_answer(deferred.preamble(str(stored.version)), _moved_messages(moved), following)


def _messages(page: FeedPage, heard: str) -> str:
    """Return one message for each game that changed, however many events it had.

    `heard` is the number of messages and offers that the page has seen.
    """
    reset = deferred.message(deferred.RESET, f"{page.next}~{heard}", "{}") if page.lost else ""
    last = {
        news.game: (news.game, news.subject["seq"], f"{news.cursor}~{heard}")
        for news in page.news
        if isinstance(news.subject, dict)
    }
    return reset + _moved_messages(last.values())


def _moved_messages(moved: Iterable[tuple[str, int, str]]) -> str:
    """Return the messages for these games, versions and positions in the stream."""
    return deferred.messages(
        (MOVED, place, to_json({"game": game, "version": version}))
        for game, version, place in moved
    )
