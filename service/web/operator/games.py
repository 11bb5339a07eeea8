"""The operator's page of one game, from which it can be removed for good."""

import re

from flask import Response, abort, render_template, request

from service.container import get_container
from service.core.ids import GAME_ID
from service.eventlog.removal import LONGEST_WORDS
from service.games.conversation.model import plain_text
from service.ops.game_removal import game_shown, remove_game
from service.web.answers import personal, to
from service.web.blueprint import blueprint
from service.web.operator.access import operator_name, refusal


@blueprint.get("/operator/games")
def find_operator_game() -> Response:
    """Redirect to the page of the game with this id or URL."""
    if (refused := refusal()) is not None:
        return refused
    match = re.search(rf"(?<![a-z2-7]){GAME_ID}(?![a-z2-7])", request.args.get("game", ""))
    return to("web.operator_game", game_id=match[0] if match else abort(404))


@blueprint.get("/operator/games/<game_id>")
def operator_game(game_id: str) -> Response:
    """Show one game, and the form that removes it."""
    return refusal() or _page(game_id)


@blueprint.post("/operator/games/<game_id>")
def remove_operator_game(game_id: str) -> Response:
    """Remove the game, if the form contains its id and a reason."""
    if (refused := refusal()) is not None:
        return refused
    reason = request.form.get("reason", "").strip()
    words = plain_text(request.form.get("words", ""))[:LONGEST_WORDS]
    if request.form.get("typed", "").strip() != game_id:
        return _page(game_id, "Nothing was removed: what you typed is not the id of this game.")
    if not reason:
        return _page(game_id, "Say why: the reason is logged.")
    remove_game(get_container(), operator_name(), game_id, reason, words)
    return to("web.operator_log")


def _page(game_id: str, error: str | None = None) -> Response:
    shown = game_shown(get_container(), game_id) or abort(404)
    page = render_template("operator/game.html", shown=shown, error=error, longest=LONGEST_WORDS)
    return personal(page, 422 if error else 200)
