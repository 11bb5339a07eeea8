"""What takes both players of a game: pausing its clock, ending it without a result."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, GAME_PROBLEMS
from service.api.headers import origin
from service.api.responses import json_answer
from service.api.schemas import offers
from service.container import get_container
from service.games.agreements.agreements import UNLIMITED
from service.games.agreements.offers import Offer
from service.games.change.draft import ABANDONMENT, PAUSE
from service.games.clock.view import clock_state
from service.games.permissions import own_seat
from service.games.stored_game import StoredGame

blueprint = Blueprint("offers", __name__, description="Pauses, and an end by agreement")

OFFERS = f"{GAME}/offers"
_PROBLEMS = (*GAME_PROBLEMS, "not-a-player")


@blueprint.route(OFFERS)
@blueprint.operation("listOffers", *_PROBLEMS)
@blueprint.response(200, offers.OfferListShape)
def show(game_id: str) -> Response:
    """List the open offers of a game

    To pause its clock, and to abandon it: to end it without a result. `paused` says whether the
    clock stands.
    """
    stored = get_container().games.current(game_id)
    own_seat(stored, caller())
    return _answer(stored)


@blueprint.route(OFFERS, methods=["POST"])
@blueprint.operation(
    "makeOffer",
    *_PROBLEMS,
    "game-not-started",
    "game-over",
    "no-clock",
    "time-out",
    "too-many-clock-changes",
    "bad-pause",
    "no-offer",
    "bot-declines",
    headers=("IfMatch", "IdempotencyKey"),
)
@blueprint.body(offers.OfferInput)
@blueprint.response(200, offers.OfferListShape)
def make(body: dict[str, Any], game_id: str) -> Response:
    """Make an offer, or agree to one

    The first request is the offer, about which the opponent gets a mail: one for each version of
    the game, and about other terms of a pause at most one an hour. The opponent's same request
    agrees; a pause with another `until` is a new offer. With the `number` of an offer it agrees to
    that one, or is refused (`no-offer`). Then the clock stands, in which playing is allowed; or
    the game ends, nobody wins the round, and it does not count for ratings. A bot agrees at once,
    but declines in a rated game (`bot-declines`). A request repeated with its `Idempotency-Key`,
    one of the player's last twenty, renews no withdrawn offer.
    """
    games, player, number = get_container().games, caller(), body.get("number")
    if body["kind"] == PAUSE:
        if number is None:
            stored, made = games.pauses.agree(game_id, player, body["until"], origin(player))
        else:
            stored, made = games.pauses.accept(game_id, player, number, origin(player))
        return _answer(stored, {PAUSE: made and made.offer})
    if number is not None:
        return _answer(games.abandonments.accept(game_id, player, number, origin(player)))
    stored, by, number = games.abandonments.agree(game_id, player, origin(player))
    return _answer(stored, {ABANDONMENT: Offer(by, "", number) if by and number else None})


@blueprint.route(f"{OFFERS}/<offer:offer_kind>", methods=["DELETE"])
@blueprint.operation("withdrawOffer", "not-found", *_PROBLEMS)
@blueprint.response(200, offers.OfferListShape)
def withdraw(game_id: str, offer_kind: str) -> Response:
    """Withdraw or decline an offer"""
    games = get_container().games
    kind = games.pauses if offer_kind == PAUSE else games.abandonments
    return _answer(kind.withdraw(game_id, caller()).stored)


def offer_view(kind: str, offer: Offer, state: str = "offered") -> dict[str, object]:
    """An offer as the API shows it."""
    has_end = kind == PAUSE and offer.terms != UNLIMITED
    return {
        "kind": kind,
        "state": state,
        "by": offer.by,
        "number": offer.number,
        "until": offer.terms if has_end else None,
    }


def _answer(stored: StoredGame, made: Mapping[str, Offer | None] | None = None) -> Response:
    """The offers of a game; `made` are those that the request led to, by kind."""
    games, state = get_container().games, clock_state(stored)
    pause = games.pauses.offered(stored)
    found = {
        PAUSE: pause and pause.offer,
        ABANDONMENT: games.abandonments.offered(stored),
        **(made or {}),
    }
    return json_answer(
        {
            "version": stored.version,
            "status": stored.game.status,
            "paused": state and state["paused"],
            "offers": [offer_view(kind, offer) for kind, offer in found.items() if offer],
        }
    )
