"""The lobby: games that wait for anybody."""

from typing import Final

from flask import Response, render_template, request
from marshmallow import ValidationError

from service.api.caller import caller_address
from service.api.schemas.fields import NewName
from service.container import get_container
from service.games import ChangeContext
from service.web import session
from service.web.answers import personal, to
from service.web.blueprint import blueprint
from service.web.form_keys import form_key
from service.web.games.games_list import place_asked_for

_PAGE: Final = 20


@blueprint.get("/lobby")
def lobby() -> Response:
    """The open games, the newest first, and the challenges to me; `?after=` leads on."""
    return _page()


@blueprint.post("/lobby/<game_id>/join")
def join_from_lobby(game_id: str) -> Response:
    """Sit down. Who is not signed in gives a name, and is a guest from then on."""
    games, player = get_container().games, session.player()
    if player is not None:
        games.join(game_id, player.id, context=ChangeContext("web", key=form_key(player.id)))
        return to("web.game", game_id=game_id)
    try:
        name = NewName().deserialize(request.form.get("name", ""))
    except ValidationError as error:
        return _page(trouble=f"Your name: {error.messages[0]}")
    made_by = ChangeContext("web", key=form_key(f"guest {caller_address()}"))
    _, guest = games.join_as_guest(game_id, name, context=made_by)
    return session.begin(to("web.game", game_id=game_id), guest.player.id)


def _page(trouble: str | None = None) -> Response:
    known, player = get_container(), session.player_id()
    games, following = known.games.lists.lobby(place_asked_for(), _PAGE)
    page = render_template(
        "lobby.html",
        games=games,
        following=following,
        me=player,
        received=known.overviews.challenges_to(player) if player else [],
        now=known.now(),
        trouble=trouble,
    )
    return personal(page, 422 if trouble else 200)
