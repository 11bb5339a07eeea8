"""The clock of a running game, and what takes both players: a pause, an end without a winner."""

from collections.abc import Mapping

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.endpoints.games import GAME, PLAYER_PROBLEMS
from service.api.headers import origin
from service.api.schemas import fields, in_game, inputs
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.times import DAY, HOUR
from service.games.agreements import Offer
from service.games.clock.view import clock_state
from service.games.drafts import ABANDONMENT, PAUSE
from service.games.permissions import own_seat
from service.games.stored_game import StoredGame

blueprint = Blueprint(
    "clocks", __name__, description="Time given, wins on time, pauses and ends by agreement"
)

_PROBLEMS = f"{PLAYER_PROBLEMS} game-not-started game-over no-clock time-out"
_HEADERS = "IfMatch IdempotencyKey"


@blueprint.operation(
    f"POST {GAME}/clock",
    "changeClock",
    f"not-found {_PROBLEMS} too-many-clock-changes too-much-time not-paused",
    headers=_HEADERS,
)
def change(body: fields.ClockChangeInput, game_id: str) -> StoredGame:
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
    context = origin()
    if given := body.get("give"):
        seconds = given.get("days", 0) * DAY + given.get("hours", 0) * HOUR
        return on_clocks.give(game_id, player, seconds, context)
    if "resume" in body:
        return on_clocks.resume(game_id, player, context)
    if not get_container().settings.sandbox:
        raise RequestRejected("not-found", "This server is no sandbox.")
    return on_clocks.move(game_id, player, body["seconds"], context)


@blueprint.operation(
    f"POST {GAME}/time-out",
    "claimTimeOut",
    f"{_PROBLEMS} not-to-be-claimed time-not-out",
    headers=_HEADERS,
)
def claim(body: inputs.EmptyInput, game_id: str) -> StoredGame:
    """Claim a win on time

    In a game with the clock's option `"time_out": "claim"`, once the opponent's time is out. Until
    somebody claims it, the opponent may still move.
    """
    return get_container().games.clocks.claim(game_id, caller(), origin())


OFFERS = f"{GAME}/offers"


@blueprint.operation(f"GET {OFFERS}", "listOffers", PLAYER_PROBLEMS)
def show_offers(game_id: str) -> in_game.OfferListShape:
    """List the open offers of a game

    To pause its clock, and to end it without a winner. `paused` says whether the
    clock stands.
    """
    stored = get_container().games.current(game_id)
    own_seat(stored, caller())
    return _offers_of(stored)


@blueprint.operation(
    f"POST {OFFERS}",
    "makeOffer",
    f"{_PROBLEMS} too-many-clock-changes bad-pause no-offer bot-declines",
    headers=_HEADERS,
)
def make_offer(body: in_game.OfferInput, game_id: str) -> in_game.OfferListShape:
    """Make an offer, or agree to one

    The first request is the offer, about which the opponent gets a mail: one for each version of
    the game, and about other terms of a pause at most one an hour. The opponent's same request
    agrees; a pause with another `until` is a new offer. With the `number` of an offer it agrees to
    that one, or is refused (`no-offer`). Then the clock stands, in which playing is allowed; or
    the game ends, nobody wins the round, and it does not count for ratings. A bot agrees at once,
    but declines in a rated game and in one of a season (`bot-declines`). A request repeated with
    its `Idempotency-Key`, one of the player's last twenty, renews no withdrawn offer.
    """
    games, player, number = get_container().games, caller(), body.get("number")
    if body["kind"] == PAUSE:
        if number is None:
            stored, made = games.pauses.agree(game_id, player, body["until"], origin())
            return _offers_of(stored, {PAUSE: made})
        stored = games.pauses.accept(game_id, player, number, origin())
        return _offers_of(stored, {PAUSE: None})
    if number is not None:
        return _offers_of(games.abandonments.accept(game_id, player, number, origin()))
    stored, made = games.abandonments.agree(game_id, player, origin())
    return _offers_of(stored, {ABANDONMENT: made})


@blueprint.operation(
    f"DELETE {OFFERS}/<offer:offer_kind>", "withdrawOffer", f"not-found {PLAYER_PROBLEMS}"
)
def withdraw_offer(game_id: str, offer_kind: str) -> in_game.OfferListShape:
    """Withdraw or decline an offer"""
    games = get_container().games
    kind = games.pauses if offer_kind == PAUSE else games.abandonments
    return _offers_of(kind.withdraw(game_id, caller()).stored)


def offer_view(kind: str, offer: Offer, state: str = "offered") -> in_game.OfferShape:
    """An offer as the API shows it."""
    return {
        "kind": kind,
        "state": state,
        "by": offer.by,
        "number": offer.number,
        "until": offer.until,
    }


def _offers_of(
    stored: StoredGame, made: Mapping[str, Offer | None] | None = None
) -> in_game.OfferListShape:
    """The offers of a game; `made` are those that the request led to, by kind."""
    games, state = get_container().games, clock_state(stored)
    found = {
        PAUSE: games.pauses.offered(stored),
        ABANDONMENT: games.abandonments.offered(stored),
        **(made or {}),
    }
    return {
        "version": stored.version,
        "status": stored.game.status,
        "paused": state and state["paused"],
        "offers": [offer_view(kind, offer) for kind, offer in found.items() if offer],
    }
