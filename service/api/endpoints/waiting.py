"""Operations whose clients may wait for what comes next."""

import re

from flask import Response, request

from service.api.responses import no_content
from service.core.errors import RequestRejected
from service.games import StoredGame
from service.realtime import sse
from service.realtime.deferred import LongPoll, OpenStream, defer, is_rerun


def wait_for_news(stored: StoredGame, seconds: int) -> None:
    """Where the game goes on, let the client wait this long for a better answer than this one."""
    if seconds and not stored.game.over:
        defer(request.environ, LongPoll(frozenset([stored.id]), seconds))


def last_event_id(pattern: str) -> str | None:
    """The `Last-Event-ID` of a stream's client who comes again, as long as it reads like one."""
    last_id = request.headers.get("Last-Event-ID")
    if last_id and not re.fullmatch(pattern, last_id):
        raise RequestRejected("malformed-request", "This Last-Event-ID was never given out.")
    return last_id or None


def stream(beginning: str, messages: str, follow: OpenStream | None) -> Response:
    """A part of a stream: all there is so far, or what has followed since; `follow` says what for.

    Without it nothing can follow any more. A client who comes back even so is sent nothing, with a
    status upon which browsers stay away.
    """
    again = is_rerun(request.environ)
    if follow is not None:
        defer(request.environ, follow)
    elif not messages:
        return no_content()
    answer = Response(messages if again else beginning + messages, mimetype=sse.MIMETYPE)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Authorization, Accept"
    answer.headers["X-Accel-Buffering"] = "no"  # nginx would keep it for itself
    return answer
