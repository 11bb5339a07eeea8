"""The list of a player's games, alone, for a page that asks for it again; and the finished ones."""

import re
from typing import Final

from flask import Response, abort, render_template, request

from service.container import get_container
from service.games.projections.player_games import CURSOR, GameFilter
from service.web import session
from service.web.answers import personal, signed_in
from service.web.blueprint import blueprint

_PAGE: Final = 20


@blueprint.get("/games/list")
def games_list() -> Response:
    """What stands in the front page's element `games`."""
    player = session.player_id()
    if player is None:
        return personal(render_template("_signed_out.html"), 401)
    overview = get_container().overviews.of(player)
    return personal(render_template("_games.html", overview=overview, now=get_container().now()))


@blueprint.get("/games/finished")
def finished_games() -> Response:
    """My finished games, the newest first; `?after=` leads on."""
    player = signed_in()
    games, following = get_container().games.lists.of_player(
        player, GameFilter("finished"), after=place_asked_for(), limit=_PAGE
    )
    page = render_template(
        "finished_games.html", games=games, following=following, now=get_container().now()
    )
    return personal(page)


def place_asked_for() -> str | None:
    """The place in a list of games that `?after=` names."""
    after = request.args.get("after")
    if after is not None and not re.fullmatch(CURSOR, after):
        abort(404)
    return after
