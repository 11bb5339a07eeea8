"""What a game's log says: events, the record, and what a claim would meet."""

from typing import Any

from flask import Response

from engine import chain, record
from service.api.blueprint import OPTIONAL, Blueprint
from service.api.endpoints.games import GAME, NO_GAME
from service.api.endpoints.waiting import last_event_id, stream, wait_for_news
from service.api.headers import ETAG, LINKED
from service.api.paging import with_next
from service.api.responses import (
    accepted,
    caller,
    json_answer,
    readable_game,
    reader,
    text_answer,
    unchanged,
)
from service.api.schemas import inputs, outputs
from service.container import get_container
from service.core.errors import RequestRejected
from service.games import StoredGame
from service.games.views import to_json
from service.realtime import sse
from service.realtime.deferred import OpenStream

blueprint = Blueprint("history", __name__, description="Events, records and proofs")

JSON, JSON_LINES, TEXT = "application/json", "application/x-ndjson", "text/plain"
EVENT_STREAM = sse.MIMETYPE
EVENT_ID = r"[0-9]{1,9}"
_TYPE_OF = {"jsonl": JSON_LINES, "text": TEXT}


@blueprint.route(f"{GAME}/events")
@blueprint.operation(
    "getEvents",
    *NO_GAME,
    "not-acceptable",
    headers=("IfNoneMatch", "LastEventId"),
    security=OPTIONAL,
)
@blueprint.query(inputs.EventsQuery)
@blueprint.response(200, outputs.EventList, headers=ETAG | LINKED)
@blueprint.response(200, {"type": "string"}, content_type=JSON_LINES, headers=ETAG)
@blueprint.response(200, outputs.StreamMessage, content_type=EVENT_STREAM)
@blueprint.alt_response(204, response="NO_CONTENT", success=True)
@blueprint.alt_response(304, response="NOT_MODIFIED", success=True)
def events(query: dict[str, Any], game_id: str) -> Response:
    """Read or follow the events of a game

    Those after event `after`, `limit` at most, as `application/json`, or `application/x-ndjson`:
    one a line. `next`, and the `Link` header, tell the `after` with which others follow; null: none
    yet. The `ETag` is the version up to which the answer goes. What the caller may not see before
    the end is null. With `wait` an answer without news is held back until there is some.

    As `text/event-stream` they are followed: each event is a message, its type the message's
    `event`, its number the message's `id`, so that `Last-Event-ID` resumes. The stream ends with
    the game; asked for again after that, the answer is 204.
    """
    player, games = reader(), get_container().games
    mimetype, last_id = accepted([JSON, JSON_LINES, EVENT_STREAM]), last_event_id(EVENT_ID)
    stored = readable_game(game_id, player)
    if mimetype == EVENT_STREAM:
        return _followed(stored, player, int(last_id or query["after"]))
    if not_modified := unchanged(stored.version):
        wait_for_news(stored, query["wait"])
        return not_modified
    lines = games.history.lines(stored, player, query["after"], query["limit"])
    if not lines:
        wait_for_news(stored, query["wait"])
    following = _following(stored, lines)
    upto = following or stored.version
    if mimetype == JSON_LINES:
        answer = text_answer(record.to_jsonl(lines), mimetype, upto)
    else:
        page = {"version": stored.version, "events": lines, "next": following}
        answer = json_answer(page, version=upto)
    return with_next(answer, after=following)


def _following(stored: StoredGame, lines: list[chain.StoredEvent]) -> int | None:
    """The event after which others follow upon these; None where they are the last ones."""
    last = lines[-1]["seq"] if lines else stored.version
    return last if last < stored.version else None


def _followed(stored: StoredGame, player: str | None, resumed: int) -> Response:
    if resumed > stored.version:
        raise RequestRejected(
            "malformed-request", f"The game has no event {resumed} to go on after."
        )
    lines = get_container().games.history.lines(stored, player, resumed, inputs.EVENTS_AT_ONCE)
    seen = str(lines[-1]["seq"] if lines else resumed)
    more = _following(stored, lines) is not None
    ended = stored.game.over and not more
    follow = None if ended else OpenStream(frozenset([stored.id]), seen, more=more)
    told = ((line["type"], str(line["seq"]), to_json(line)) for line in lines)
    return stream(sse.preamble(str(resumed)), sse.messages(told), follow)


@blueprint.route(f"{GAME}/record")
@blueprint.operation(
    "getRecord", *NO_GAME, "not-acceptable", headers=("IfNoneMatch",), security=OPTIONAL
)
@blueprint.query(inputs.RecordQuery)
@blueprint.response(200, {"type": "string"}, content_type=JSON_LINES, headers=ETAG)
@blueprint.response(200, {"type": "string"}, content_type=TEXT)
@blueprint.alt_response(304, response="NOT_MODIFIED", success=True)
def show_record(query: dict[str, Any], game_id: str) -> Response:
    """Download the record of a game

    Full once the game is over, before it what the caller may see. JSON Lines, or text for people.
    """
    player, games = reader(), get_container().games
    form = query.get("format")
    # Who asks for JSON is given its lines.
    asked = _TYPE_OF[form] if form else accepted([JSON_LINES, TEXT, JSON, "application/jsonl"])
    mimetype = TEXT if asked == TEXT else JSON_LINES
    stored = readable_game(game_id, player)
    if not_modified := unchanged(stored.version):
        return not_modified
    if mimetype == TEXT:
        text = record.to_text(games.history.lines(stored, player))
    else:
        text = games.history.record(stored, player)
    return text_answer(text, mimetype, stored.version)


@blueprint.route(f"{GAME}/proofs")
@blueprint.operation("getProofs", *NO_GAME, "not-a-player", headers=("IfNoneMatch",))
@blueprint.response(200, outputs.ProofList, headers=ETAG)
@blueprint.alt_response(304, response="NOT_MODIFIED", success=True)
def proofs(game_id: str) -> Response:
    """Show which of my Stones a claim would win

    For each unclaimed Stone where the caller's side is complete: whether a claim stands, and why.
    """
    player, games = caller(), get_container().games
    stored = readable_game(game_id, player)
    found = games.proofs(stored, player)
    return unchanged(stored.version) or json_answer(
        {"version": stored.version, "proofs": found}, version=stored.version
    )
