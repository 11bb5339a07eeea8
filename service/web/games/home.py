"""The front page: what this server is, for a visitor; all their games, for a player."""

from flask import render_template

from service.container import get_container
from service.web import session
from service.web.blueprint import blueprint
from service.web.games.showcase import STILL, beats, still


@blueprint.get("/")
def home() -> str:
    """Show what this server is, or the player's games."""
    player = session.player()
    if player is None:
        return render_template("home.html", spots=still(), still=STILL, beats=beats())
    container = get_container()
    return render_template(
        "my_games.html",
        player=player,
        overview=container.overviews.of(player.id),
        now=container.now(),
        channels_off=[one for one in container.channels.all(player.id) if one.has_failed],
        problem=container.players.address_problem(player),
        reachable=container.sign_in.can_return(player),
    )
