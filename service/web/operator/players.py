"""The operator's pages: a list of players, one player, and the log of the operators' acts."""

from flask import Response, abort, render_template, request
from marshmallow import ValidationError

from service.api.schemas.fields import NewName
from service.container import get_container
from service.core.errors import RequestRejected
from service.ops import operating
from service.web.answers import personal, to
from service.web.blueprint import blueprint
from service.web.operator.access import operator_name, refusal

_MOST_SHOWN = 50


@blueprint.get("/operator/players")
def operator_players() -> Response:
    """Show the newest accounts, or with `?name=` the accounts with this name."""
    if (refused := refusal()) is not None:
        return refused
    store, name = get_container(), request.args.get("name", "").strip()
    if name:
        shown = [operating.shown(store, player) for player in store.players.named(name)]
    else:
        shown = operating.newest_players(store, _MOST_SHOWN)
    page = render_template(
        "operator/players.html", shown=shown, name=name, most=_MOST_SHOWN, now=store.now()
    )
    return personal(page)


@blueprint.get("/operator/players/<player_id>")
def operator_player(player_id: str) -> Response:
    """Show one account, and the operator's possible acts."""
    return refusal() or _page(player_id)


@blueprint.post("/operator/players/<player_id>")
def operate(player_id: str) -> Response:
    """Carry out one of the operator's acts on this account."""
    if (refused := refusal()) is not None:
        return refused
    store = get_container()
    player = store.players.find(player_id) or abort(404)
    what = next((one for one in operating.ACTS if one == request.form.get("do")), None)
    reason = request.form.get("reason", "").strip()
    if what is None or not reason:
        return _page(player_id, "Say why: the reason is logged.")
    try:
        name = NewName().deserialize(request.form["name"]) if what == "rename" else None
        operating.act(store, operator_name(), what, player, reason, name)
    except ValidationError as error:
        return _page(player_id, str(error.messages[0]))
    except RequestRejected as refusal_:
        return _page(player_id, refusal_.detail)
    if what == "close":
        return to("web.operator_log")
    return to("web.operator_player", player_id=player_id)


@blueprint.get("/operator/log")
def operator_log() -> Response:
    """Show the operators' acts, the newest first; `?before=` continues with older ones."""
    if (refused := refusal()) is not None:
        return refused
    entries = operating.entries(get_container(), request.args.get("before", "+"), _MOST_SHOWN)
    following = entries[-1].id if len(entries) == _MOST_SHOWN else None
    return personal(render_template("operator/log.html", entries=entries, following=following))


def _page(player_id: str, error: str | None = None) -> Response:
    store = get_container()
    player = store.players.find(player_id) or abort(404)
    page = render_template(
        "operator/player.html",
        shown=operating.shown(store, player),
        done=operating.entries_about(store, player_id),
        recovers=store.sign_in.reaches_by_mail(player),
        error=error,
        now=store.now(),
    )
    return personal(page, 422 if error else 200)
