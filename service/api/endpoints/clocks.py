"""The clock of a running game: time given, pauses ended, wins on time."""

from typing import Any

from flask import Response

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, GAME_PROBLEMS
from service.api.headers import origin
from service.api.openapi.headers import ETAG
from service.api.responses import game_answer
from service.api.schemas import clocks, inputs, outputs
from service.container import get_container
from service.core.durations import DAY, HOUR
from service.core.errors import RequestRejected

blueprint = Blueprint("clocks", __name__, description="Time given, pauses ended, wins on time")

_PROBLEMS = (
    *GAME_PROBLEMS,
    "not-a-player",
    "game-not-started",
    "game-over",
    "no-clock",
    "time-out",
)
_HEADERS = ("IfMatch", "IdempotencyKey")


@blueprint.route(f"{GAME}/clock", methods=["POST"])
@blueprint.operation(
    "changeClock",
    "not-found",
    *_PROBLEMS,
    "too-many-clock-changes",
    "too-much-time",
    "not-paused",
    headers=_HEADERS,
)
@blueprint.body(clocks.ClockChangeInput)
@blueprint.response(200, outputs.GameShape, headers=ETAG)
def change(body: dict[str, Any], game_id: str) -> Response:
    """Give the opponent time, or end a pause

    Time that you `give` counts for the turn that the opponent has, or else for their next one; with
    a bank it goes into the bank. A fixed end is moved for both. Either player may `resume` a clock
    that both agreed to pause (`POST /v1/games/{game_id}/offers`).

    In a sandbox `seconds` pass at once, as if the present turn had begun earlier: the reminders
    that fall into this time go out, and if it is more than is left, the time of the player to move
    is out. Either player may do it. `GET /v1` says whether this server is a sandbox; anywhere else
    the answer is 404 (`not-found`).
    """
    player, on_clocks = caller(), get_container().games.clocks
    context = origin(player)
    if given := body.get("give"):
        seconds = given.get("days", 0) * DAY + given.get("hours", 0) * HOUR
        return game_answer(on_clocks.give(game_id, player, seconds, context), player)
    if "resume" in body:
        return game_answer(on_clocks.resume(game_id, player, context), player)
    if not get_container().settings.sandbox:
        raise RequestRejected("not-found", "This server is no sandbox.")
    return game_answer(on_clocks.move(game_id, player, body["seconds"], context), player)


@blueprint.route(f"{GAME}/time-out", methods=["POST"])
@blueprint.operation(
    "claimTimeOut", *_PROBLEMS, "not-to-be-claimed", "time-not-out", headers=_HEADERS
)
@blueprint.body(inputs.EmptyInput, required=False)
@blueprint.response(200, outputs.GameShape, headers=ETAG)
def claim(body: dict[str, object], game_id: str) -> Response:
    """Claim a win on time

    In a game with the clock's option `"time_out": "claim"`, once the opponent's time is out. Until
    somebody claims it, the opponent may still move.
    """
    player = caller()
    return game_answer(get_container().games.clocks.claim(game_id, player, origin(player)), player)
