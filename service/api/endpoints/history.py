"""A game's log: its events, its record, and the proofs of claims; and the archive of records."""

from typing import Annotated, cast

from flask import Response

from engine import SEATS, chain, record, view
from service.accounts.faces import drawing, face_of
from service.api.auth import caller, caller_address, caller_if_any
from service.api.blueprint import OPTIONAL, Blueprint
from service.api.endpoints.games import GAME, GAME_PROBLEMS, PLAYER_PROBLEMS
from service.api.headers import ETAG, LINKED, accepted, place_after
from service.api.responses import (
    compressed,
    json_answer,
    load_game,
    not_modified,
    stream_answer,
    text_answer,
    wait_for_news,
    with_next,
)
from service.api.schemas import in_game, inputs, outputs
from service.container import get_container
from service.core.words import ENGLISH
from service.games import StoredGame
from service.games.analysis import Analysis, analysis_data
from service.games.reading.history import archive_line
from service.games.reading.views import to_json
from service.realtime import deferred
from service.realtime.deferred import OpenStream
from service.text.board import board_text, seat_names
from service.text.drawing import moor

blueprint = Blueprint("history", __name__, description="Events, records and proofs")

SVG, PNG = "image/svg+xml", "image/png"
JSON, JSON_LINES, TEXT = "application/json", "application/x-ndjson", "text/plain"
EVENT_STREAM = deferred.MIMETYPE
EVENT_ID = r"[0-9]{1,9}"
_TYPE_OF = {"jsonl": JSON_LINES, "text": TEXT, "svg": SVG, "png": PNG}


@blueprint.operation(
    f"GET {GAME}/events",
    "listEvents",
    f"{GAME_PROBLEMS} not-acceptable",
    headers="IfNoneMatch LastEventId",
    security=OPTIONAL,
)
@blueprint.response(200, outputs.GameEventListShape, headers=ETAG | LINKED)
@blueprint.response(200, {"type": "string"}, content_type=JSON_LINES, headers=ETAG)
@blueprint.response(200, outputs.StreamMessageShape, content_type=EVENT_STREAM)
def events(query: inputs.EventsQuery, game_id: str) -> Response:
    """Read or follow the events of a game

    The events after number `after`, at most `limit` of them, as `application/json`, or one a line
    as `application/x-ndjson`. `next`, and the `Link` header, give the `after` of the next page;
    null if there is none yet. The `ETag` is the version that the answer reaches. What the caller
    may not see before the end is null. With `wait` an answer without events waits until there are
    some.

    As `text/event-stream` each event is a message. Its type is the message's `event`, its number
    the message's `id`, so that `Last-Event-ID` resumes. The stream ends with the game; after that
    the answer is 204. If the log is shorter than that, the first message is a `reset`, and all
    events follow from the beginning. In the other forms `Last-Event-ID` means `after`; only one
    of them may be sent.
    """
    player, games = caller_if_any(), get_container().games
    mimetype = accepted([JSON, JSON_LINES, EVENT_STREAM])
    streams = mimetype == EVENT_STREAM
    after = int(place_after(EVENT_ID, None, streams=streams) or query["after"])
    game = load_game(game_id, player)
    if streams:
        return _stream(game, player, after)
    if answer := not_modified(game.version):
        wait_for_news(game, query["wait"])
        return answer
    lines = games.history.lines(game, player, after, query["limit"])
    if not lines:
        wait_for_news(game, query["wait"])
    following = _next_after(game, lines)
    reached = following or game.version
    if mimetype == JSON_LINES:
        answer = text_answer(record.to_jsonl(lines), mimetype, reached)
    else:
        page = {"version": game.version, "events": lines, "next": following}
        answer = json_answer(page, version=reached)
    return with_next(answer, after=following)


def _next_after(game: StoredGame, lines: list[chain.StoredEvent]) -> int | None:
    """The number of the last of these events; None if no others follow it."""
    last = lines[-1]["seq"] if lines else game.version
    return last if last < game.version else None


def _stream(game: StoredGame, player: str | None, after: int) -> Response:
    reset = ""
    if after > game.version:  # such as after a restore from an older backup
        reset, after = deferred.message(deferred.RESET, "0", "{}"), 0
    lines = get_container().games.history.lines(game, player, after, inputs.EVENTS_AT_ONCE)
    last_id = str(lines[-1]["seq"] if lines else after)
    more = _next_after(game, lines) is not None
    ended = game.game.over and not more
    following = None if ended else OpenStream(frozenset([game.id]), last_id, more=more)
    messages = ((line["type"], str(line["seq"]), to_json(line)) for line in lines)
    return stream_answer(
        deferred.preamble(str(after)), reset + deferred.messages(messages), following
    )


@blueprint.operation(
    f"GET {GAME}/record",
    "getRecord",
    f"{GAME_PROBLEMS} not-acceptable",
    headers="IfNoneMatch",
    security=OPTIONAL,
)
@blueprint.response(200, {"type": "string"}, content_type=JSON_LINES, headers=ETAG)
@blueprint.response(200, {"type": "string"}, content_type=TEXT)
def show_record(query: inputs.RecordQuery, game_id: str) -> Response:
    """Download the record of a game

    As JSON Lines, or as text for people. It is complete once the game is over; before that it holds
    what the caller may see. By itself it shows that such a game is possible, from the shuffle to
    the last claim; that these moves were played shows a `head` that you were given before.
    """
    player, games = caller_if_any(), get_container().games
    form = query.get("format")
    # JSON Lines also answer a request for plain JSON.
    wanted = _TYPE_OF[form] if form else accepted([JSON_LINES, TEXT, JSON, "application/jsonl"])
    game = load_game(game_id, player)
    if answer := not_modified(game.version):
        return answer
    if wanted == TEXT:
        text = record.to_text(games.history.lines(game, player))
    else:
        text = games.history.record(game, player)
    answer = text_answer(text, wanted if wanted == TEXT else JSON_LINES, game.version)
    return compressed(answer) if game.game.over else answer


@blueprint.operation("GET /records", "listRecords", "not-acceptable", security=OPTIONAL)
@blueprint.response(200, outputs.ArchiveShape, headers=LINKED)
@blueprint.response(200, {"type": "string"}, content_type=JSON_LINES, headers=LINKED)
def list_records(query: inputs.ArchiveQuery) -> Response:
    """Fetch finished games to study

    The oldest first, from the day after next on: games that are not private and whose players both
    agreed (`archive` of `PATCH /v1/me`; bots do). A record has no names, moments or clock, and a
    chain of its own. As `application/x-ndjson`, the default, one game a line; its `id` is the
    `cursor` to go on after it. Gzipped on request.
    """
    wanted = accepted([JSON_LINES, JSON])
    after = query.get("cursor") or str(query.get("ended_after", ""))
    games, following = get_container().games.archive.page(after, query["limit"])
    lines = [archive_line(game) for game in games]
    body = f'{{"records":[{",".join(lines)}],"next":{to_json(following)}}}\n'
    text = ("\n".join([*lines, ""]) if wanted == JSON_LINES else body).encode()
    answer = Response(text, mimetype=wanted)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Accept"
    return with_next(compressed(answer), cursor=following)


@blueprint.operation(
    f"GET {GAME}/board",
    "getBoard",
    f"{GAME_PROBLEMS} version-not-found not-acceptable",
    headers="IfNoneMatch",
    security=OPTIONAL,
)
@blueprint.response(200, {"type": "string"}, content_type=TEXT, headers=ETAG)
@blueprint.response(200, {"type": "string"}, content_type=SVG, headers=ETAG)
@blueprint.response(200, {"type": "string", "format": "binary"}, content_type=PNG, headers=ETAG)
def show_board(query: inputs.BoardQuery, game_id: str) -> Response:
    """Draw the board of a game

    As text of at most 72 columns, as SVG or as PNG of 1200 by 630 pixels, now or after event `at`.
    Everybody who may read the game sees the same: what a spectator sees.
    """
    form = query.get("format")
    wanted = _TYPE_OF[form] if form else accepted([TEXT, SVG, PNG])
    shown = load_game(game_id, caller_if_any(), at=query.get("at"))
    if answer := not_modified(shown.version):
        return answer
    players = shown.game.players
    known = get_container().players
    seated = [*filter(None, players.values())]
    names = seat_names(players, known.names(seated))
    if wanted == TEXT:
        return text_answer(
            f"{board_text(ENGLISH, view(shown.game, None, sealed=shown.sealed), names)}\n",
            TEXT,
            shown.version,
        )
    title = f"{names['north']} v {names['south']}"
    stones = [len(shown.game.stones_of(seat)) for seat in SEATS]
    drawn = (
        title if moor.can_write(title) else "A game",
        (f"{stones[0]} : {stones[1]}",),
        moor.spots_of(shown.game.stones),
        tuple(drawing(face_of(one, known.chosen_face(one))) for one in seated)
        if len(seated) == 2
        else (),
    )
    if wanted == SVG:
        answer = text_answer(moor.preview_svg(ENGLISH, *drawn), SVG, shown.version)
        answer.headers["Content-Security-Policy"] = "default-src 'none'"
        return answer
    return text_answer(moor.preview(ENGLISH, *drawn), PNG, shown.version)


@blueprint.operation(f"GET {GAME}/proofs", "listProofs", PLAYER_PROBLEMS, headers="IfNoneMatch")
@blueprint.response(200, outputs.ProofListShape, headers=ETAG)
def show_proofs(game_id: str) -> Response:
    """Show which of my Stones a claim would win

    For each unclaimed Stone where the caller's side is complete: whether a claim would succeed, and
    why.
    """
    player, games = caller(), get_container().games
    game = load_game(game_id, player)
    proofs = games.proofs(game, player)
    return not_modified(game.version) or json_answer(
        {"version": game.version, "proofs": proofs}, version=game.version
    )


@blueprint.operation(
    f"GET {GAME}/analysis", "getAnalysis", f"{GAME_PROBLEMS} game-not-over", security=OPTIONAL
)
def show_analysis(game_id: str) -> in_game.AnalysisShape:
    """Show what each turn and draw of a finished game was worth

    As far as it has come: see `POST`.
    """
    game = load_game(game_id, caller_if_any())
    return _analysis(get_container().games.analyses.of(game))


@blueprint.operation(f"POST {GAME}/analysis", "analyseGame", f"{GAME_PROBLEMS} game-not-over")
def analyse(game_id: str) -> Annotated[in_game.AnalysisShape, 202]:
    """Have a finished game analysed

    A program weighs every turn and draw, from what its player could see, in a minute or so; games
    asked for before come first. No figure is a measure of skill.
    """
    player = caller()
    game = load_game(game_id, player)
    return _analysis(get_container().games.analyses.ask(game, player, caller_address()))


def _analysis(analysis: Analysis) -> in_game.AnalysisShape:
    return cast(in_game.AnalysisShape, analysis_data(analysis))
