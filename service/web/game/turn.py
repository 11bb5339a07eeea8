"""Sending a turn, with the only button that plays; and orders for the player's next turns, and a
plan for the next one, which the server carries out.

The page of a plan shows the board as if it were the player's turn now. It is separate from the
turn, so that a plan can never become a turn by mistake: its buttons have other names and paths, and
its content is stored separately.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Final, NamedTuple

from flask import Response, make_response, redirect, request, url_for
from werkzeug.datastructures import MultiDict

from engine import RuleBroken, View
from engine.cards import CLAN_CARDS, COMBAT_MODES, ELITE_TROOPS, TACTIC_CARDS
from engine.events import ONE_A_TURN
from service.container import get_container
from service.core.errors import RequestRejected, refusal_words
from service.core.words import N_, Words
from service.games import ChangeContext, StoredGame
from service.games.drafts import TurnOrder
from service.games.permissions import own_seat
from service.games.reading.snapshot import GameSnapshot
from service.games.turn_draft import MOST_ACTIONS, draft_turn, plan_turn
from service.text.board import deck_words, sides
from service.web import session
from service.web.answers import personal, signed_in, to
from service.web.blueprint import blueprint
from service.web.card_filters import shown_cards
from service.web.forms import form_key
from service.web.game.clock import clock_panel
from service.web.game.page import LAST, GamePage, turn_of
from service.web.game.routes import ask_snapshot, news_of, refused, this_snapshot
from service.web.game.sentences import claim_offer, order_words, outcome_words, state_words
from service.web.game.turn_choices import (
    MOVED_ON,
    TurnMessage,
    UnsentTurn,
    refusal_message,
    unsent_messages,
    unusable,
)
from service.web.language import reader_words
from service.web.words import read_number, snapshot_of

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


class Foreseen(NamedTuple):
    """The possible turns of the other player: `cards` that the reader has not seen, and `stones`
    that nobody has claimed."""

    cards: list[str]
    stones: list[int]


def plan_page(
    words: Words, snapshot: GameSnapshot, unsent: UnsentTurn, messages: Sequence[TurnMessage] = ()
) -> GamePage:
    """Return the page for as much of the planned turn as would be legal on the present board."""
    stored, seat = snapshot.latest, snapshot.seat
    assert seat is not None, "the caller has checked it"
    goes_on = stored.game.status == "active"
    draft = plan_turn(stored.game, seat, unsent.actions) if goes_on else None
    shown = draft.game if draft else stored.game
    view = snapshot.view(stored._replace(game=shown), snapshot.reader)
    view = replace(view, turn=stored.game.turn, version=stored.version)
    names = view.seat_names
    other = names[sides(view)[0]]
    turn = turn_of(words, draft, view, unsent, other, is_plan=True) if draft else None
    said = [*messages]
    if turn is not None:
        said += unsent_messages(words, stored, unsent, draft, snapshot.last_turn)
        said += unusable(words, shown, seat, turn.choices)
    judged = stored.game if goes_on else None
    # Note: %(state)s is "Your turn"
    after_it = N_("%(state)s. Here you plan the one after it")
    # Note: %(state)s is such as "Waiting for Bob"
    ahead = N_("%(state)s. You plan ahead")
    state = words.say(
        after_it if view.turn == seat else ahead, state=state_words(words, view, names)
    )
    return GamePage(
        words, snapshot, view, names, *sides(view), judged, turn, state, said, "", is_plan=True
    )


def foreseen(view: View) -> Foreseen:
    """Return the cards and Stones that a condition on the other player's turn can name."""
    lying = [mode for stone in view.stones for mode in stone.modes]
    seen = Counter([*shown_cards(view), *lying])
    used = ELITE_TROOPS + COMBAT_MODES if view.tactics else ()
    all_cards = Counter((*CLAN_CARDS, *(card for card in TACTIC_CARDS if card in used)))
    cards = [card for card, copies in all_cards.items() if seen[card] < copies]
    return Foreseen(cards, [each.number for each in view.stones if each.owner is None])


_STALE: Final = N_(
    "Not added: the game has moved on. Look at the plan again, and add it if it still pleases you."
)
_NO_STONE: Final = N_("Not added: choose the Stone of that card too, or let it be anything.")
_SAVED_BESIDE: Final = N_("Saved. The turn is not planned yet.")


@blueprint.get("/games/<game_id>/orders")
@session.asks_along(ask_snapshot)
def orders(game_id: str) -> Response:
    """Show the player's orders for this game, and the board to plan on. No button here plays."""
    reader, unsent = signed_in(), _unsent(request.args)
    snapshot = this_snapshot(reader)
    if _has_lapsed(snapshot, unsent):
        return _show(snapshot, UnsentTurn([]), TurnMessage(reader_words().say(MOVED_ON)))
    return _show(snapshot, unsent)


def _has_lapsed(snapshot: GameSnapshot, unsent: UnsentTurn) -> bool:
    """Whether the reader has played a turn since a plan was put together that was never added."""
    if unsent.version is None or not unsent.actions:
        return False
    after = [line for line in snapshot.lines if line["seq"] > unsent.version]
    return any(line["by"] == snapshot.seat and line["type"] in ONE_A_TURN for line in after)


@blueprint.post("/games/<game_id>/orders/plan")
def plan(game_id: str) -> Response:
    """Store the planned turn as an order; it replaces the previous plan."""
    reader = signed_in()
    texts = request.form.getlist("turn")[:MOST_ACTIONS]
    version = read_number(request.form.get("version", "")) or 0
    unsent = UnsentTurn(texts)
    card, stone = request.form.get("card", ""), request.form.get("stone", "")
    words, status = reader_words(), HTTPStatus.UNPROCESSABLE_ENTITY
    message = TurnMessage(words.say(_NO_STONE))
    if stone or not card:
        order = TurnOrder(tuple(texts), (f"{card}@{stone}",) if card else ())
        given = get_container().games.orders
        try:
            _, current = given.of(game_id, reader)
            given.give(game_id, reader, current._replace(turn=order), [version])
            return to("web.orders", game_id=game_id)
        except RuleBroken as refusal:
            # Note: %(reason)s is a sentence
            said = words.say("Not added: %(reason)s", reason=refusal_words(words, refusal))
            message = TurnMessage(said, refusal.ruling)
        except RequestRejected as refusal:
            if refusal.code != "stale-version":
                raise
            message, status = TurnMessage(words.say(_STALE)), HTTPStatus.CONFLICT
    return _show(snapshot_of(game_id, reader), unsent, message, status)


@blueprint.post("/games/<game_id>/orders")
def give_orders(game_id: str) -> Response:
    """Store the orders for each turn of the player. A plan on the page stays unsaved."""
    reader, given = signed_in(), get_container().games.orders
    _, current = given.of(game_id, reader)
    wanted = current._replace(
        claim_proved="claim_proved" in request.form,
        pass_when_stuck="pass_when_stuck" in request.form,
    )
    given.give(game_id, reader, wanted)
    unsent = _unsent(request.form)
    if not unsent.actions and not unsent.chosen:
        return to("web.orders", game_id=game_id)
    message = TurnMessage(reader_words().say(_SAVED_BESIDE))
    return _show(snapshot_of(game_id, reader), unsent, message)


@blueprint.post("/games/<game_id>/orders/plan/withdrawal")
def withdraw_plan(game_id: str) -> Response:
    """Withdraw the planned turn. The page still shows the result of the previous plan."""
    reader = signed_in()
    given = get_container().games.orders
    _, current = given.of(game_id, reader)
    given.give(game_id, reader, current._replace(turn=None))
    return to("web.orders", game_id=game_id)


def _unsent(fields: MultiDict[str, str]) -> UnsentTurn:
    version = read_number(fields.get("version", ""))
    return UnsentTurn(fields.getlist("turn")[:MOST_ACTIONS], fields.get("chosen", ""), version)


def _show(
    snapshot: GameSnapshot,
    unsent: UnsentTurn,
    message: TurnMessage | None = None,
    status: int = HTTPStatus.OK,
) -> Response:
    stored, current, reader = snapshot.latest, snapshot.orders, snapshot.reader
    own_seat(stored, reader or "")
    if stored.game.status != "active":
        return to("web.game", game_id=stored.id)
    words = reader_words()
    page = plan_page(words, snapshot, unsent, [message] if message else [])
    other = page.names[page.above]
    return personal(
        "game/orders.html",
        status,
        page=page,
        view=page.view,
        names=page.names,
        other=other,
        is_step=False,
        beside=snapshot.of_player,
        drawn=frozenset(),
        news=(news := news_of(page)),
        marks=news,
        reader=reader,
        seat=None,
        next_games=snapshot.waiting,
        decks=deck_words(words, page.view),
        over=False,
        orders=current,
        planned=order_words(words, current.turn, other) if current.turn else None,
        became=outcome_words(words, current.last, other) if current.last else None,
        foreseen=foreseen(page.view),
        given=request.form,
        clock=clock_panel(page),
        now=snapshot.now,
    )
