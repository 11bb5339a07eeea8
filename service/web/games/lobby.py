"""The lobby: games that anybody may join."""

from typing import Final

from flask import Response, render_template

from service.container import get_container
from service.web import session
from service.web.account.guests import WrongName, join
from service.web.answers import personal, to
from service.web.blueprint import blueprint
from service.web.games.games_list import place_asked_for

_PAGE: Final = 20


@blueprint.get("/lobby")
def lobby() -> Response:
    """Show the open games, the newest first, and the challenges to the reader; `?after=` continues
    the list."""
    container, player = get_container(), session.player_id()
    games, following = container.games.lists.lobby(place_asked_for(), _PAGE, player)
    received = container.overviews.challenges_to(player) if player else []
    askers = [*(game["creator"] for game in games), *(made["from"] for made in received)]
    page = render_template(
        "lobby.html",
        ratings=container.games.ratings.all_of([one["id"] for one in askers], player),
        games=games,
        presences=container.presences.of({game["creator"]["id"] for game in games}),
        following=following,
        me=player,
        received=received,
        now=container.now(),
    )
    return personal(page)


@blueprint.post("/lobby/<game_id>/join")
def join_from_lobby(game_id: str) -> Response:
    """Join the game; whoever has no name yet is asked for it on the game's page."""
    try:
        return join(game_id)
    except WrongName:
        return to("web.game", game_id=game_id)
