"""One stream of the events of all games of a player, and of their other news."""

from typing import Annotated, Any, Final, NotRequired, TypedDict, get_args

from flask import Response, request
from marshmallow.validate import Range

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.endpoints import challenges
from service.api.endpoints.clocks import offer_view
from service.api.endpoints.messages import message_view
from service.api.headers import LINKED, accepted, place_after
from service.api.responses import json_answer, stream_answer, with_next
from service.api.schemas.in_game import STATES, MessageShape, OfferShape
from service.api.schemas.inputs import Wait
from service.api.schemas.outputs import GameEventShape, StreamMessageShape
from service.container import get_container
from service.core.shapes import Default, Keyword, Pattern, Shown
from service.games import shapes
from service.games.agreements import OfferState
from service.games.challenge import Challenge
from service.games.conversation_store import GameMessage
from service.games.projections.feed import FieldOffer, News
from service.games.projections.feed_log import CURSOR, Kind
from service.games.reading.views import to_json
from service.realtime import deferred
from service.realtime.deferred import LongPoll, OpenStream, defer, moved

JSON: Final = "application/json"
_KINDS: Final[dict[str, Kind]] = {
    "challenges": "challenge",
    "messages": "message",
    "offers": "offer",
}
_KIND: Final = f"({'|'.join(_KINDS)})"
_STATES: Final = dict(zip(get_args(OfferState), STATES, strict=True))
_CURSOR: Final = Pattern(f"^{CURSOR}$", "the `next` of an answer or the id of a message")
_NEWS: Final = Pattern(f"^(all|{_KIND}(,{_KIND})*)$", "all, or some of " + ", ".join(_KINDS))

blueprint = Blueprint("stream", __name__, description="All games of a player as they go on")


class StreamQuery(TypedDict):
    after: NotRequired[Annotated[str, _CURSOR]]
    """Only events after this position: the `next` of an earlier answer."""
    limit: Annotated[int, Default(100), Range(1, 500)]
    wait: Wait
    news: NotRequired[Annotated[str, _NEWS]]
    """Other news to come beside the events: `all`, or some of `challenges`, `messages` and
    `offers`, with commas in between."""


class NewsItemShape(TypedDict):
    """An event, or with `news` a challenge, a message or an offer: exactly one of these members.
    Skip an item with none that you know."""

    game: NotRequired[str]
    """The id of the game; absent beside a challenge."""
    event: NotRequired[GameEventShape]
    """The event."""
    challenge: NotRequired[shapes.ChallengeShape]
    """A challenge by or to the caller, as it is now."""
    message: NotRequired[MessageShape]
    """A message in one of the caller's games."""
    offer: NotRequired[OfferShape]
    """What became of an offer in one of the caller's games."""


class NewsListShape(TypedDict):
    """What is new in the caller's games."""

    events: list[NewsItemShape]
    """The events, the oldest first."""
    next: Annotated[str, Keyword("pattern", f"^{CURSOR}$"), Shown("k3v7q2xa.42")]
    """The `after` of the next request."""
    reset: Annotated[bool, Shown(False)]
    """Whether `after` is too old, so that events may be missing. If so, read the games themselves,
    and go on from `next`."""


@blueprint.operation("GET /me/stream", "streamNews", "not-acceptable", headers="LastPlace")
@blueprint.response(200, NewsListShape, headers=LINKED)
@blueprint.response(200, StreamMessageShape, content_type=deferred.MIMETYPE)
def follow_all(query: StreamQuery) -> Response:
    """Follow all my games

    Every event of every game that I play or am invited to, as I may see it, from now on or after
    the position `after`. With `news` also challenges by and to me as they are now, whenever one is
    made or answered; messages in my games, mine too; and offers, until the game's own events say
    that they were agreed to.

    As `text/event-stream`, also without `Accept`, each event is a message whose data is `{"game",
    "event"}` and whose `event` is the type of the event; other news is `{"challenge"}`, `{"game",
    "message"}` or `{"game", "offer"}`, of the type `challenge`, `message` or `offer`.
    `Last-Event-ID` resumes. A message with `event: reset` says that some may be missing. As
    `application/json` they come in pages, `Last-Event-ID` means `after`, and with `wait` an empty
    page waits until there is news.
    """
    player = caller()
    mimetype = accepted([deferred.MIMETYPE, JSON])
    after = place_after(CURSOR, query.get("after"), streams=mimetype == deferred.MIMETYPE)
    wanted = query.get("news", "")
    kinds = _KINDS if wanted == "all" else wanted.split(",")
    page = get_container().feeds.read(
        player,
        after,
        query["limit"],
        moved(request.environ),
        frozenset(kind for name, kind in _KINDS.items() if name in kinds),
    )
    topics = page.games | {player}
    if mimetype == deferred.MIMETYPE:
        following = OpenStream(topics, page.next, more=page.more)
        messages = deferred.message(deferred.RESET, page.next, "{}") if page.lost else ""
        for news in page.news:
            data = _data(news)
            type_ = data["event"]["type"] if "event" in data else list(data)[-1]
            messages += deferred.message(type_, news.cursor, to_json(data))
        return stream_answer(deferred.preamble(page.begin), messages, following)
    if not (page.news or page.lost or page.more):
        defer(request.environ, LongPoll(topics, query["wait"]))
    events = [_data(news) for news in page.news]
    answer = json_answer({"events": events, "next": page.next, "reset": page.lost})
    return with_next(answer, after=page.next)


def _data(news: News) -> dict[str, Any]:
    match news.subject:
        case Challenge() as challenge:
            return {"challenge": challenges.shown([challenge])[0]}
        case GameMessage() as message:
            return {"game": news.game, "message": message_view(message)}
        case FieldOffer(kind, last):
            offer = offer_view(kind, last.offer, _STATES[last.state])
            return {"game": news.game, "offer": offer}
        case event:
            return {"game": news.game, "event": event}
