"""Ways out of a game: call it off, abandon it by agreement, play a rematch, or its deal again."""

from typing import Any

from flask import Response

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, GAME_PROBLEMS
from service.api.headers import idempotency_key, origin
from service.api.openapi.headers import ETAG, LOCATION
from service.api.responses import game_answer, json_answer
from service.api.schemas import inputs, opponents, outputs
from service.container import get_container
from service.games import ChangeContext
from service.games.agreements.abandonment import AbandonmentOffer
from service.games.opening.practice import Wanted

blueprint = Blueprint("leaving", __name__, description="Calling off, abandoning, a rematch")

_PROBLEMS = (*GAME_PROBLEMS, "not-a-player")
_HEADERS = ("IfMatch", "IdempotencyKey")


@blueprint.route(GAME, methods=["DELETE"])
@blueprint.operation("callOffGame", *_PROBLEMS, "game-started", "game-over", headers=_HEADERS)
@blueprint.response(200, outputs.GameSchema, headers=ETAG)
def call_off(game_id: str) -> Response:
    """Call off a game before it starts

    Its creator may do so, and the player for whom the free seat is reserved.
    """
    player = caller()
    return game_answer(get_container().games.call_off(game_id, player, origin(player)), player)


@blueprint.route(f"{GAME}/abandonment")
@blueprint.operation("getAbandonment", *_PROBLEMS)
@blueprint.response(200, opponents.AbandonmentSchema)
def show(game_id: str) -> Response:
    """Show whether a player offers to abandon the game"""
    return _answer(get_container().games.abandonments.of(game_id, caller()))


@blueprint.route(f"{GAME}/abandonment", methods=["POST"])
@blueprint.operation(
    "abandonGame",
    *_PROBLEMS,
    "game-not-started",
    "game-over",
    "time-out",
    "no-offer",
    "bot-declines",
    headers=_HEADERS,
)
@blueprint.body(opponents.AbandonmentInput, required=False)
@blueprint.response(200, opponents.AbandonmentSchema)
def abandon(body: dict[str, Any], game_id: str) -> Response:
    """Offer to abandon the game, or agree to it

    The first request is the offer, about which the opponent gets a mail, at most one for each
    version of the game. The opponent's request agrees: the game ends, nobody wins the round, and it
    does not count for ratings. With the number of an `offer` it agrees to that one, or is refused
    (`no-offer`). A bot agrees at once, but declines in a rated game (`bot-declines`). A request
    repeated with its `Idempotency-Key`, one of the player's last twenty, renews no withdrawn offer.
    """
    player, abandonments = caller(), get_container().games.abandonments
    if (number := body["offer"]) is not None:
        stored = abandonments.accept(game_id, player, number, origin(player))
        return _answer(AbandonmentOffer(stored, None))
    return _answer(abandonments.agree(game_id, player, origin(player)))


@blueprint.route(f"{GAME}/abandonment", methods=["DELETE"])
@blueprint.operation("declineAbandonment", *_PROBLEMS)
@blueprint.response(200, opponents.AbandonmentSchema)
def keep_playing(game_id: str) -> Response:
    """Withdraw or decline the offer to abandon the game"""
    return _answer(get_container().games.abandonments.withdraw(game_id, caller()))


@blueprint.route(f"{GAME}/rematch", methods=["POST"])
@blueprint.operation(
    "requestRematch",
    *_PROBLEMS,
    "game-not-over",
    "too-many-games",
    "unknown-opponent",
    "already-asked",
    "challenges-off",
    "too-many-mails",
    "stale-version",
    "unknown-seal",
    "seal-used",
    # Somebody else has joined the rematch, by its invite.
    "seat-taken",
    "game-over",
)
@blueprint.body(inputs.RematchInput, required=False)
@blueprint.response(200, outputs.GameSchema, headers=ETAG | LOCATION)
def rematch(body: dict[str, Any], game_id: str) -> Response:
    """Ask for a rematch

    The same game again, in which the other player begins. The first request creates it and invites
    the opponent, whose same request starts it, or joining. Both get the same game, however often
    they ask. A `seal` is used only by the request that creates it.
    """
    player = caller()
    stored = get_container().games.rematches.ask(
        game_id, player, salt=body["salt"], seal=body["seal"]
    )
    answer = game_answer(stored, player)
    answer.headers["Location"] = f"/v1/games/{stored.id}"
    return answer


@blueprint.route(f"{GAME}/practice", methods=["POST"])
@blueprint.operation(
    "practiseGame",
    *GAME_PROBLEMS,
    "game-not-over",
    "game-over",
    "version-not-found",
    "bot-not-available",
    "too-many-games",
    "stale-version",
    headers=("IdempotencyKey",),
)
@blueprint.body(inputs.PracticeInput, required=False)
@blueprint.response(201, outputs.GameSchema, headers=ETAG | LOCATION)
def practise(body: dict[str, Any], game_id: str) -> Response:
    """Play the deal of a finished game again

    From after event `step`, unrated, against a bot. Of a match only the first round. At most 20 go
    on; gone after 7 idle days.
    """
    player = caller()
    context = ChangeContext(key=idempotency_key(player))
    stored = get_container().games.practice.begin(game_id, player, Wanted(**body), context)
    answer = game_answer(stored, player)
    answer.status_code = 201
    answer.headers["Location"] = f"/v1/games/{stored.id}"
    return answer


def _answer(offer: AbandonmentOffer) -> Response:
    stored, by, number = offer
    return json_answer(
        {
            "version": stored.version,
            "status": stored.game.status,
            "offered_by": by,
            "offer": number,
        }
    )
