"""The lobby: games that anyone may join."""

from typing import Any

from flask import Response

from service.api.auth import caller_if_any
from service.api.blueprint import OPTIONAL, Blueprint
from service.api.openapi.headers import PAGED
from service.api.responses import page_answer
from service.api.schemas import inputs, opponents
from service.container import get_container

blueprint = Blueprint("lobby", __name__, description="Open games")


@blueprint.route("/lobby")
@blueprint.operation("getLobby", security=OPTIONAL, headers=("IfNoneMatch",))
@blueprint.query(inputs.PageQuery)
@blueprint.response(200, opponents.LobbyShape, headers=PAGED)
@blueprint.empty_response(304)
def lobby(query: dict[str, Any]) -> Response:
    """List the games that anyone may join

    Games created with `listed: true`, newest first, with their options. Take the free seat with
    `POST /v1/games/{game_id}/join`. `next` is the `cursor` of the next page.
    """
    games, following = get_container().games.lists.lobby(
        query.get("cursor"), query["limit"], caller_if_any()
    )
    return page_answer("games", games, following)
