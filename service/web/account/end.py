"""Exporting one's data, and deleting the account."""

from flask import Response, render_template, stream_with_context

from service.api.endpoints.account import exported
from service.container import get_container
from service.web import session
from service.web.answers import personal, signed_in_player
from service.web.blueprint import blueprint


@blueprint.post("/account/export")
def export_account() -> Response:
    """Download everything stored about the player."""
    player = signed_in_player()
    held = get_container().accounts.export(player)
    answer = Response(stream_with_context(exported(held)), mimetype="application/json")
    answer.headers["Content-Disposition"] = 'attachment; filename="scottenbury.json"'
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.get("/account/delete")
def ask_to_delete() -> Response:
    """Explain what is lost, and ask for confirmation."""
    player = signed_in_player()
    overview = get_container().overviews.of(player.id)
    running = len(overview.to_move) + len(overview.waiting)
    page = render_template(
        "delete_account.html", player=player, running=running, open=len(overview.open)
    )
    return personal(page)


@blueprint.post("/account/delete")
def delete_account() -> Response:
    """Delete the account, at once and for good."""
    player = signed_in_player()
    get_container().device_links.revoke(player.id)
    get_container().accounts.close(player)
    return session.forget(personal(render_template("account_deleted.html")))
