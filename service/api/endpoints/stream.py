"""One stream of the events of all games of a player."""

from typing import Any, Final

from flask import Response, request
from marshmallow import fields, validate

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.headers import accepted, last_event_id
from service.api.openapi.headers import LINKED
from service.api.responses import json_answer, stream_answer, with_next
from service.api.schemas.base import Input, Output
from service.api.schemas.fields import Pattern, QueryInteger
from service.api.schemas.inputs import wait
from service.api.schemas.outputs import GameEventSchema, StreamMessageSchema
from service.container import get_container
from service.games.projections.feed import FeedPage, News
from service.games.projections.feed_log import CURSOR
from service.games.reading.views import to_json
from service.realtime import sse
from service.realtime.deferred import LongPoll, OpenStream, defer, moved

JSON: Final = "application/json"
RESET: Final = "reset"
"""The type of the message that reports possible gaps in the stream. No event has this type."""
_CURSOR: Final = Pattern(f"^{CURSOR}$", "the `next` of an answer or the id of a message")

blueprint = Blueprint("stream", __name__, description="All games of a player as they go on")


class StreamQuery(Input):
    after = fields.String(
        validate=_CURSOR,
        metadata={
            "description": "Only events after this position: the `next` of an earlier answer."
        },
    )
    limit = QueryInteger(load_default=100, validate=validate.Range(1, 500))
    wait = wait()


class NewsItemSchema(Output):
    game = fields.String(required=True)
    event = fields.Nested(GameEventSchema, required=True)


class NewsListSchema(Output):
    events = fields.List(fields.Nested(NewsItemSchema), required=True)
    next = fields.String(
        required=True,
        validate=_CURSOR,
        metadata={"description": "The `after` of the next request."},
    )
    reset = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether `after` is too old, so that events may be missing. If so, read"
            " the games themselves, and go on from `next`."
        },
    )


@blueprint.route("/me/stream")
@blueprint.operation("streamNews", "not-acceptable", headers=("LastPlace",))
@blueprint.query(StreamQuery)
@blueprint.response(200, NewsListSchema, headers=LINKED)
@blueprint.response(200, StreamMessageSchema, content_type=sse.MIMETYPE)
def follow_all(query: dict[str, Any]) -> Response:
    """Follow all my games

    Every event of every game that I play or am invited to, as I may see it, from now on or after
    the position `after`.

    As `text/event-stream`, also without `Accept`, each event is a message whose data is `{"game",
    "event"}` and whose `event` is the type of the event. `Last-Event-ID` resumes. A message with
    `event: reset` says that events may be missing. As `application/json` they come in pages; with
    `wait` an empty page waits until there are events.
    """
    player = caller()
    mimetype, last_id = accepted([sse.MIMETYPE, JSON]), last_event_id(CURSOR)
    after = (last_id if mimetype == sse.MIMETYPE else None) or query.get("after")
    page = get_container().feeds.read(player, after, query["limit"], moved(request.environ))
    topics = page.games | {player}
    if mimetype == sse.MIMETYPE:
        following = OpenStream(topics, page.next, more=page.more)
        return stream_answer(sse.preamble(page.begin), _messages(page), following)
    if not (page.news or page.lost):
        defer(request.environ, LongPoll(topics, query["wait"]))
    events = [_data(news) for news in page.news]
    answer = json_answer({"events": events, "next": page.next, "reset": page.lost})
    return with_next(answer, after=page.next)


def _messages(page: FeedPage) -> str:
    reset = sse.message(RESET, page.next, "{}") if page.lost else ""
    return reset + sse.messages(
        (news.event["type"], news.cursor, to_json(_data(news))) for news in page.news
    )


def _data(news: News) -> dict[str, Any]:
    return {"game": news.game, "event": news.event}
