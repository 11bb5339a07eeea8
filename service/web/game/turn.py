"""Sending a turn: the one press that plays."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

from flask import Response, make_response, redirect, request, url_for

from engine import RuleBroken
from service.container import get_container
from service.core.errors import RequestRejected
from service.games import Origin
from service.games.turn_draft import MOST_ACTIONS, draft_turn
from service.web import session
from service.web.blueprint import blueprint
from service.web.form_keys import form_key
from service.web.game.routes import refused
from service.web.game.turn_messages import TurnMessage, Wish, refusal_message
from service.web.game.words import claim_offer
from service.web.numbers import read_number

_ELSEWHERE = ("game-not-found", "too-many-requests", "unreadable-log")
"""Refusals that are told on a page of their own."""
_LAST: Final = ("+", "e")
"""How a draw, and the end of a turn, begin in action text."""


@blueprint.post("/games/<game_id>/turns")
def send_turn(game_id: str) -> Response:
    """Play the turn that was put together, if the game stands as the player saw it.

    Sent twice, it is played once. What is refused changes nothing, and is told with the game as it
    stands and as much of the turn as is still possible.
    """
    texts = request.form.getlist("turn")[:MOST_ACTIONS]
    version = read_number(request.form.get("version", "")) or 0
    wish = Wish(texts, "", version)
    player = session.player_id()
    if player is None:
        message = TurnMessage("Not sent: nobody is signed in with this browser any more.")
        return refused(game_id, None, wish, message, HTTPStatus.FORBIDDEN)
    if "unclaimed" not in request.form and (stones := _unclaimed(game_id, player, texts)):
        message = TurnMessage(f"{claim_offer(stones)} Send once more to leave it.")
        return refused(game_id, player, wish._replace(leaves=stones), message, HTTPStatus.OK)
    made_by = Origin("web", [version], form_key(player), is_of_table=True)
    try:
        get_container().games.play(game_id, player, texts, made_by)
    except (RequestRejected, RuleBroken) as refusal:
        if refusal.code in _ELSEWHERE:
            raise
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        if isinstance(refusal, RequestRejected):
            status = HTTPStatus.CONFLICT
        return refused(game_id, player, wish, refusal_message(refusal), status)
    return make_response(redirect(url_for("web.game", game_id=game_id), 303))


def _unclaimed(game_id: str, player: str, texts: Sequence[str]) -> tuple[int, ...]:
    """The Stones that this turn could claim still, before the draw that ends it."""
    stored = get_container().games.read(game_id, player)
    seat = stored.seat_of(player)
    if seat is None or stored.game.turn != seat:
        return ()
    while texts and texts[-1][:1] in _LAST:
        texts = texts[:-1]
    draft = draft_turn(stored.game, seat, texts)
    return () if draft.refused else draft.claimable
