"""Everything that happens in a player's games, to be followed in one place."""

from typing import Any, Final

from flask import Response, request
from marshmallow import fields, validate

from service.api.blueprint import Blueprint
from service.api.bodies import Input
from service.api.endpoints.waiting import last_event_id, stream
from service.api.headers import LINKED
from service.api.paging import with_next
from service.api.responses import accepted, caller, json_answer
from service.api.schemas.fields import Pattern, QueryInteger
from service.api.schemas.inputs import wait
from service.api.schemas.outputs import Output, StoredEvent, StreamMessage
from service.container import get_container
from service.games.projections.feed import News, Piece
from service.games.projections.feed_log import PLACE
from service.games.views import to_json
from service.realtime import sse
from service.realtime.deferred import LongPoll, OpenStream, defer

JSON: Final = "application/json"
RESET: Final = "reset"
"""The type of the message which says that events may be missing; no event has it."""
_PLACE: Final = Pattern(f"^{PLACE}$", "the `next` of an answer or the id of a message")

blueprint = Blueprint("stream", __name__, description="All games of a player as they go on")


class StreamQuery(Input):
    after = fields.String(
        validate=_PLACE,
        metadata={"description": "Only what came after this place: the `next` of an answer."},
    )
    limit = QueryInteger(load_default=100, validate=validate.Range(1, 500))
    wait = wait()


class NewsItem(Output):
    game = fields.String(required=True)
    event = fields.Nested(StoredEvent, required=True)


class NewsList(Output):
    events = fields.List(fields.Nested(NewsItem), required=True)
    next = fields.String(
        required=True,
        validate=_PLACE,
        metadata={"description": "The `after` of the answer that follows this one."},
    )
    reset = fields.Boolean(
        required=True,
        metadata={
            "description": "The place asked for is too long ago: events may be missing. Look at"
            " the games themselves, and go on from `next`."
        },
    )


@blueprint.route("/me/stream")
@blueprint.operation("followMyGames", "not-acceptable", headers=("LastPlace",))
@blueprint.query(StreamQuery)
@blueprint.response(200, NewsList, headers=LINKED)
@blueprint.response(200, StreamMessage, content_type=sse.MIMETYPE)
def follow_all(query: dict[str, Any]) -> Response:
    """OpenStream all my games

    Every event of every game that I sit in or am invited to, from now on or after `after`, as I may
    see it.

    As `text/event-stream`, also without `Accept`: each event is a message whose data are `{"game",
    "event"}` and whose `event` is the type of the event, and `Last-Event-ID` resumes. A message
    with `event: reset` says that events may be missing in between. As `application/json` they come
    in pieces; with `wait` an empty piece is held back until there is news.
    """
    player = caller()
    mimetype, last_id = accepted([sse.MIMETYPE, JSON]), last_event_id(PLACE)
    after = (last_id if mimetype == sse.MIMETYPE else None) or query.get("after")
    piece = get_container().feeds.read(player, after, query["limit"])
    topics = piece.games | {player}
    if mimetype == sse.MIMETYPE:
        follow = OpenStream(topics, piece.next, more=piece.more)
        return stream(sse.preamble(piece.begin), _messages(piece), follow)
    if not (piece.news or piece.lost):
        defer(request.environ, LongPoll(topics, query["wait"]))
    found = [_data(news) for news in piece.news]
    answer = json_answer({"events": found, "next": piece.next, "reset": piece.lost})
    return with_next(answer, after=piece.next)


def _messages(piece: Piece) -> str:
    reset = sse.message(RESET, piece.next, "{}") if piece.lost else ""
    return reset + sse.messages(
        (news.event["type"], news.place, to_json(_data(news))) for news in piece.news
    )


def _data(news: News) -> dict[str, Any]:
    return {"game": news.game, "event": news.event}
