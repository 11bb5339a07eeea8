"""A player's page: what anybody may know, and the games between them and the reader."""

from typing import Final

from flask import Response, abort

from service.bots import bot_at
from service.container import get_container
from service.games.projections.player_games import GameFilter
from service.web import session
from service.web.answers import personal
from service.web.blueprint import blueprint

_TOGETHER: Final = 20
_LISTED: Final = 5
"""The most games, running and finished, that anybody may find."""


@blueprint.get("/players/<player_id>")
def player(player_id: str) -> Response:
    """Show a player's name, when they joined, and how many games they have; never an address."""
    container, me = get_container(), session.player_id()
    shown = container.players.find(player_id)
    if shown is None:
        abort(404)
    lists = container.games.lists
    among = GameFilter(opponent=player_id)
    together = lists.of_player(me, among, limit=_TOGETHER)[0] if me and me != player_id else []
    finished_together = container.overviews.finished(
        [game for game in together if game["status"] == "finished"], me or ""
    )
    known = {game["id"] for game in together}
    finished, running_games = (
        [game for game in listed(player_id, me, _LISTED) if game["id"] not in known]
        for listed in (lists.from_lobby, lists.to_watch)
    )
    running = next((game for game in together if game["status"] == "active"), None)
    is_blocked = me is not None and container.games.contact.has_blocked(me, player_id)
    seen = container.overviews.presence_in(running) if running and not is_blocked else (None, None)
    return personal(
        "player.html",
        player=shown,
        servers=bot_at(player_id),
        owner=container.players.find(shown.owner) if shown.owner else None,
        me=me,
        is_me=me == player_id,
        rating=container.games.ratings.of(player_id, me),
        counts=container.games.index.public_counts(player_id),
        together=together,
        over={each.game["id"]: each.stored for each in finished_together},
        short=[each.game["id"] for each in finished_together if each.was_too_short],
        finished=finished,
        running_games=running_games,
        is_blocked=is_blocked,
        running=running,
        seen=seen,
        now=container.now(),
    )
