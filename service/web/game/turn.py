"""Sending a turn, with the only button that plays."""

from http import HTTPStatus

from flask import Response, make_response, redirect, request, url_for

from engine import RuleBroken
from service.container import get_container
from service.core.errors import RequestRejected
from service.games import ChangeContext, StoredGame
from service.games.turn_draft import MOST_ACTIONS, draft_turn
from service.web import session
from service.web.blueprint import blueprint
from service.web.forms import form_key
from service.web.game.page import LAST
from service.web.game.routes import refused
from service.web.game.sentences import claim_offer
from service.web.game.turn_choices import TurnMessage, UnsentTurn, refusal_message
from service.web.language import reader_words
from service.web.words import read_number

_ELSEWHERE = ("game-not-found", "game-removed", "too-many-requests", "unreadable-log")
"""Refusals that have a page of their own."""


@blueprint.post("/games/<game_id>/turns")
def send_turn(game_id: str) -> Response:
    """Play the unsent turn, if the game is as the player saw it.

    If it is sent twice, it is played once. A refused turn changes nothing: the page shows the
    reason, the game as it is now, and as much of the turn as is still possible.
    """
    texts = request.form.getlist("turn")[:MOST_ACTIONS]
    version = read_number(request.form.get("version", "")) or 0
    unsent = UnsentTurn(texts, "", version)
    container, player, words = get_container(), session.player_id(), reader_words()
    if player is None:
        said = words.say("Not sent: nobody is signed in with this browser any more.")
        return refused(game_id, None, unsent, TurnMessage(said), HTTPStatus.FORBIDDEN)
    if "unclaimed" not in request.form:
        stored = container.games.read(game_id, player)
        if (asked := _unclaimed(stored, player, unsent)) is not None:
            again = words.say("Press Send again to play without claiming.")
            message = TurnMessage(f"{claim_offer(words, asked.leaves)} {again}")
            return refused(game_id, player, asked, message, HTTPStatus.OK)
    made_by = ChangeContext("web", [version], form_key(player), is_of_table=True)
    try:
        container.games.play(game_id, player, texts, made_by)
    except (RequestRejected, RuleBroken) as refusal:
        if refusal.code in _ELSEWHERE:
            raise
        is_rejected = isinstance(refusal, RequestRejected)
        status = HTTPStatus.CONFLICT if is_rejected else HTTPStatus.UNPROCESSABLE_ENTITY
        return refused(game_id, player, unsent, refusal_message(words, refusal), status)
    return make_response(redirect(url_for("web.game", game_id=game_id), 303))


def _unclaimed(stored: StoredGame, player: str, unsent: UnsentTurn) -> UnsentTurn | None:
    """Return the turn to ask about, before the draw that ends it, if it could still claim a Stone.

    None if there is nothing to ask.
    """
    seat = stored.seat_of(player)
    if seat is None or stored.game.turn != seat:
        return None
    before_end = [text for text in unsent.actions if text[:1] not in LAST]
    draft = draft_turn(stored.game, seat, before_end)
    if draft.refused or not draft.claimable:
        return None
    # Without a choice of decks the end follows by itself; else the player would choose again.
    is_settled = draft.rest is not None
    return unsent._replace(
        actions=before_end if is_settled else unsent.actions, leaves=draft.claimable
    )
