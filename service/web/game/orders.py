"""Orders for the player's next turns, and a plan for the next one. The server carries them out."""

from http import HTTPStatus

from flask import Response, render_template, request
from werkzeug.datastructures import MultiDict

from engine import RuleBroken
from service.container import get_container
from service.core.errors import RequestRejected
from service.games.drafts import TurnOrder
from service.games.permissions import own_seat
from service.games.reading.snapshot import GameSnapshot
from service.games.turn_draft import MOST_ACTIONS
from service.web import session
from service.web.answers import personal, signed_in, to
from service.web.blueprint import blueprint
from service.web.game.page import deck_words
from service.web.game.plan_page import foreseen, outcome_words, plan_page
from service.web.game.routes import ask_snapshot, this_snapshot
from service.web.game.turn_messages import TurnMessage, UnsentTurn
from service.web.game.words import order_words
from service.web.words import read_number

_STALE = TurnMessage(
    "Not added: the game has moved on. Look at the plan again, and add it if it still pleases you."
)
_NO_STONE = TurnMessage("Not added: choose the Stone of that card too, or let it be anything.")
_SAVED_BESIDE = TurnMessage("The orders are saved. The turn is not planned yet.")


@blueprint.get("/games/<game_id>/orders")
@session.asks_along(ask_snapshot)
def orders(game_id: str) -> Response:
    """Show the player's orders for this game, and the board to plan on. No button here plays."""
    reader = signed_in()
    return _show(this_snapshot(reader), _unsent(request.args))


@blueprint.post("/games/<game_id>/orders/plan")
def plan(game_id: str) -> Response:
    """Store the planned turn as an order; it replaces the previous plan."""
    reader = signed_in()
    texts = request.form.getlist("turn")[:MOST_ACTIONS]
    version = read_number(request.form.get("version", "")) or 0
    unsent = UnsentTurn(texts)
    card, stone = request.form.get("card", ""), request.form.get("stone", "")
    container, message, status = get_container(), _NO_STONE, HTTPStatus.UNPROCESSABLE_ENTITY
    if stone or not card:
        order = TurnOrder(tuple(texts), (f"{card}@{stone}",) if card else ())
        given = container.games.orders
        try:
            _, current = given.of(game_id, reader)
            given.give(game_id, reader, current._replace(turn=order), [version])
            return to("web.orders", game_id=game_id)
        except RuleBroken as refusal:
            message = TurnMessage(f"Not added: {refusal.detail}", refusal.ruling)
        except RequestRejected as refusal:
            if refusal.code != "stale-version":
                raise
            message, status = _STALE, HTTPStatus.CONFLICT
    return _show(container.snapshots.read(game_id, reader), unsent, message, status)


@blueprint.post("/games/<game_id>/orders")
def give_orders(game_id: str) -> Response:
    """Store the orders for each turn of the player. A plan on the page stays unsaved."""
    reader, container = signed_in(), get_container()
    given = container.games.orders
    _, current = given.of(game_id, reader)
    wanted = current._replace(
        claim_proved="claim_proved" in request.form,
        pass_when_stuck="pass_when_stuck" in request.form,
    )
    given.give(game_id, reader, wanted)
    unsent = _unsent(request.form)
    if not unsent.actions and not unsent.chosen:
        return to("web.orders", game_id=game_id)
    return _show(container.snapshots.read(game_id, reader), unsent, _SAVED_BESIDE)


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
    if stored.game.status == "open":
        return to("web.game", game_id=stored.id)
    page = plan_page(snapshot, unsent, [message] if message else [])
    other = page.names[page.above]
    html = render_template(
        "game/orders.html",
        page=page,
        view=page.view,
        names=page.names,
        other=other,
        is_step=False,
        drawn=frozenset(),
        reader=reader,
        seat=None,
        next_games=snapshot.waiting,
        decks=deck_words(page.view),
        over=stored.game.over,
        orders=current,
        planned=order_words(current.turn, other) if current.turn else None,
        became=outcome_words(current.last, other) if current.last else None,
        foreseen=foreseen(page.view),
        given=request.form,
    )
    return personal(html, status)
