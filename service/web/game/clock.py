"""Forms for a running clock: give time, pause by agreement, claim a win on time."""

from datetime import date, timedelta

from flask import Response, abort, request

from service.accounts.mail_preferences import moment_of, zone
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.times import DAY, timestamp
from service.games import ChangeContext
from service.web import session
from service.web.answers import signed_in, to
from service.web.blueprint import blueprint
from service.web.forms import form_key
from service.web.game.clock_panel import GIFTS
from service.web.game.endings import Question, ask
from service.web.words import read_number


@blueprint.get("/games/<game_id>/time")
def ask_to_give_time(game_id: str) -> Response:
    """Ask whether the player really wants to give this much time: it cannot be undone."""
    signed_in()
    days = read_number(request.args.get("days", ""))
    if days not in GIFTS:
        abort(422)
    question = Question("Give the other player more time?", "It cannot be taken back.", GIFTS[days])
    return ask(game_id, question, days=days)


@blueprint.post("/games/<game_id>/time")
def give_time(game_id: str) -> Response:
    """Give the other player more time."""
    player, days = signed_in(), read_number(request.form.get("days", ""))
    if days not in GIFTS:
        abort(422)
    get_container().games.clocks.give(game_id, player, days * DAY, _origin(player))
    return to("web.game", game_id=game_id)


@blueprint.post("/games/<game_id>/time-out")
def claim_time_out(game_id: str) -> Response:
    """Claim the win on time, if the opponent is still in the turn that the page showed."""
    player, shown = signed_in(), read_number(request.form.get("version", "")) or 0
    origin = ChangeContext("web", [shown], form_key(player), is_of_table=True)
    get_container().games.clocks.claim(game_id, player, origin)
    return to("web.game", game_id=game_id)


@blueprint.post("/games/<game_id>/pause")
def pause_clock(game_id: str) -> Response:
    """Offer a pause, until the end of a day or without an end; or agree to the pause that the page
    showed."""
    player, pauses = signed_in(), get_container().games.pauses
    if (offer := request.form.get("offer")) is not None:
        pauses.accept(game_id, player, read_number(offer) or 0, _origin(player))
    else:
        pauses.agree(game_id, player, _until(), _origin(player))
    return to("web.game", game_id=game_id)


@blueprint.post("/games/<game_id>/pause/withdrawal")
def withdraw_pause(game_id: str) -> Response:
    """Withdraw or decline the offer of a pause."""
    get_container().games.pauses.withdraw(game_id, signed_in())
    return to("web.game", game_id=game_id)


@blueprint.post("/games/<game_id>/resumption")
def resume_clock(game_id: str) -> Response:
    """Resume a paused clock."""
    player = signed_in()
    get_container().games.clocks.resume(game_id, player, _origin(player))
    return to("web.game", game_id=game_id)


def _until() -> str | None:
    """Return the end of the pause: the end of the day in the form; None if it names no day."""
    last = request.form.get("last_day")
    try:
        if last:
            after = date.fromisoformat(last) + timedelta(days=1)
            return timestamp(moment_of(after, 0, zone(session.time_zone() or "UTC")))
    except (ValueError, OverflowError):
        raise RequestRejected("bad-pause", "Give the last day of the pause.") from None
    return None


def _origin(player: str) -> ChangeContext:
    return ChangeContext("web", key=form_key(player))
