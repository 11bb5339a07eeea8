"""The clock of a running game: time given, wins on time, pauses by agreement."""

from typing import Any

from flask import Response

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, GAME_PROBLEMS
from service.api.headers import origin
from service.api.openapi.headers import ETAG
from service.api.responses import game_answer, json_answer
from service.api.schemas import clocks, inputs, outputs
from service.container import get_container
from service.core.errors import RequestRejected
from service.games.agreements.pauses import PauseOffer
from service.games.clock.view import clock_state

blueprint = Blueprint("clocks", __name__, description="Time given, wins on time, pauses")

_OF_PLAYERS = (*GAME_PROBLEMS, "not-a-player")
_PROBLEMS = (*_OF_PLAYERS, "game-not-started", "game-over", "no-clock", "time-out")
_HEADERS = ("IfMatch", "IdempotencyKey")


@blueprint.route(f"{GAME}/time", methods=["POST"])
@blueprint.operation(
    "giveTime", *_PROBLEMS, "too-many-clock-changes", "too-much-time", headers=_HEADERS
)
@blueprint.body(clocks.TimeInput)
@blueprint.response(200, outputs.GameSchema, headers=ETAG)
def give(body: dict[str, Any], game_id: str) -> Response:
    """Give the opponent time

    It counts for the turn that they have, or else for their next one; with a bank it goes into the
    bank. A fixed end is moved for both.
    """
    player, seconds = caller(), clocks.seconds_given(body)
    return game_answer(
        get_container().games.clocks.give(game_id, player, seconds, origin(player)), player
    )


@blueprint.route(f"{GAME}/clock", methods=["POST"])
@blueprint.operation(
    "moveClock", "not-found", *_PROBLEMS, "too-many-clock-changes", headers=_HEADERS
)
@blueprint.body(clocks.ClockMoveInput)
@blueprint.response(200, outputs.GameSchema, headers=ETAG)
def move(body: dict[str, Any], game_id: str) -> Response:
    """Let time pass at once, in a sandbox

    As if the present turn had begun `seconds` earlier: the reminders that fall into this time go
    out, and if it is more than is left, the time of the player to move is out. Either player may do
    it. `GET /v1` says whether this server is a sandbox; anywhere else the answer is 404
    (`not-found`).
    """
    player = caller()
    context = origin(player)
    if not get_container().settings.sandbox:
        raise RequestRejected("not-found", "This server is no sandbox.")
    moved = get_container().games.clocks.move(game_id, player, body["seconds"], context)
    return game_answer(moved, player)


@blueprint.route(f"{GAME}/time-out", methods=["POST"])
@blueprint.operation(
    "claimTimeOut", *_PROBLEMS, "not-to-be-claimed", "time-not-out", headers=_HEADERS
)
@blueprint.body(inputs.EmptyInput, required=False)
@blueprint.response(200, outputs.GameSchema, headers=ETAG)
def claim(body: dict[str, object], game_id: str) -> Response:
    """Claim a win on time

    In a game with the clock's option `"time_out": "claim"`, once the opponent's time is out. Until
    somebody claims it, the opponent may still move.
    """
    player = caller()
    return game_answer(get_container().games.clocks.claim(game_id, player, origin(player)), player)


@blueprint.route(f"{GAME}/pause")
@blueprint.operation("getPause", *_OF_PLAYERS)
@blueprint.response(200, clocks.PauseOfferSchema)
def show(game_id: str) -> Response:
    """Show whether the clock is paused, or a player offers to pause it"""
    return _answer(get_container().games.pauses.of(game_id, caller()))


@blueprint.route(f"{GAME}/pause", methods=["POST"])
@blueprint.operation(
    "pauseClock",
    *_PROBLEMS,
    "too-many-clock-changes",
    "bad-pause",
    "no-offer",
    "bot-declines",
    headers=_HEADERS,
)
@blueprint.body(clocks.PauseInput, required=False)
@blueprint.response(200, clocks.PauseOfferSchema)
def pause(body: dict[str, Any], game_id: str) -> Response:
    """Offer to pause the clock, or agree to it

    The first request is the offer, about which the opponent gets a mail, and about other terms, at
    most one an hour. The opponent's request with the same `until` agrees, and the clock stands;
    with another it is a new offer. With the number of an `offer` it agrees to that one, or is
    refused (`no-offer`). A bot agrees at once, but declines in a rated game (`bot-declines`).
    Playing in a pause is allowed.
    """
    player, pauses = caller(), get_container().games.pauses
    if (number := body.get("offer")) is not None:
        return _answer(pauses.accept(game_id, player, number, origin(player)))
    return _answer(pauses.agree(game_id, player, body["until"], origin(player)))


@blueprint.route(f"{GAME}/pause", methods=["DELETE"])
@blueprint.operation("declinePause", *_OF_PLAYERS)
@blueprint.response(200, clocks.PauseOfferSchema)
def decline(game_id: str) -> Response:
    """Withdraw or decline the offer to pause the clock"""
    return _answer(get_container().games.pauses.withdraw(game_id, caller()))


@blueprint.route(f"{GAME}/resumption", methods=["POST"])
@blueprint.operation("resumeClock", *_PROBLEMS, "not-paused", headers=_HEADERS)
@blueprint.body(inputs.EmptyInput, required=False)
@blueprint.response(200, outputs.GameSchema, headers=ETAG)
def resume(body: dict[str, object], game_id: str) -> Response:
    """Let a paused clock run again

    Either player may end a pause that both agreed to.
    """
    player = caller()
    return game_answer(get_container().games.clocks.resume(game_id, player, origin(player)), player)


def _answer(offer: PauseOffer) -> Response:
    stored, offered = offer
    state = clock_state(stored)
    return json_answer(
        {
            "version": stored.version,
            "offered_by": offered and offered.by,
            "until": offered and offered.until,
            "offer": offered and offered.offer.number,
            "paused": state and state["paused"],
        }
    )
