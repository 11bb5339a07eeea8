"""Players: register, find and show them."""

from collections.abc import Mapping
from typing import Annotated, NotRequired, TypedDict, cast

from flask import request

from service.accounts.names import CURSOR
from service.accounts.player import Player, is_bot
from service.api import parsing
from service.api.auth import caller_address, caller_if_any
from service.api.blueprint import OPTIONAL, PUBLIC, Blueprint
from service.api.headers import idempotency_key
from service.api.responses import Created, PageOf, registered
from service.api.schemas import inputs, outputs
from service.api.schemas.fields import Name, cursor
from service.bots import bot_at
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.shapes import Example
from service.games import shapes
from service.games.reading.views import player_summary, ratings_view

blueprint = Blueprint("players", __name__, description="Registration, and who is here")


class PlayersQuery(TypedDict):
    name: Annotated[Name, Example("Ada")]
    """A name, or the beginning of one."""
    cursor: NotRequired[Annotated[str, cursor(CURSOR)]]
    limit: inputs.Limit


@blueprint.operation(
    "POST /players",
    "registerPlayer",
    "registration-closed name-reserved name-taken too-many-mails",
    headers="FreshIdempotencyKey",
    security=PUBLIC,
)
def register(body: inputs.PlayerInput) -> Created[outputs.RegisteredPlayerShape]:
    """Register a player

    No two players may have names that could be mistaken for each other, by case, accents, or
    letters that look alike. `suggestion` is then one that is free.

    The answer holds the bearer token, which has all scopes and is shown only once. If there is an
    address, a link is sent to it; until it is confirmed it gets no other mail. Mails are in the
    language that `Accept-Language` prefers of those that this server has, until the player chooses
    one. With an
    `Idempotency-Key` the same request from the same host gets the same answer for a day.
    """
    container = get_container()
    key = idempotency_key(f"register {caller_address()}", fresh=True)
    language = container.languages.best(request.accept_languages.values())
    player, token = container.registrations.register(
        body["name"], body["email"], key, body["invitation"], language=language
    )
    return registered(player, token, "/v1/me")


@blueprint.operation("GET /players", "findPlayers", security=OPTIONAL, headers="IfNoneMatch")
def find(query: PlayersQuery) -> PageOf[outputs.PlayerListShape]:
    """Find players by name

    Players with this name, then those whose names begin with it, regardless of case, accents and
    letters that look alike. `next` is the `cursor` of the next page. A page may hold fewer players
    than `limit` even if another page follows. `GET /v1/bots` lists the bots.
    """
    players, following = get_container().players.starting_with(
        query["name"], query.get("cursor"), query["limit"]
    )
    return PageOf(shown_players(players), following)


@blueprint.operation(
    "GET /players/<player:player_id>", "getPlayer", "player-not-found", security=OPTIONAL
)
def show(player_id: str) -> outputs.PlayerProfileShape:
    """Show a player

    What anybody may see. Deleted accounts are not found.
    """
    container = get_container()
    if (bot := bot_at(player_id)) is not None:
        seen = {"id": bot.player, "name": bot.title, "bot": True}
        shown: Mapping[str, object] = {**seen, "owner": None, "created_at": None}
    elif (player := container.players.find(player_id)) is not None:
        (shown,) = shown_players([player])
    else:
        kind = parsing.ID_KINDS["player"]
        raise RequestRejected(kind.code, kind.detail)
    rating = container.games.ratings.of(player_id, caller_if_any())
    profile = {
        **shown,
        "games": container.games.index.public_counts(player_id),
        "ratings": ratings_view(rating, container.now()),
        "head_to_head": rating.against and rating.against._asdict(),
    }
    return cast(outputs.PlayerProfileShape, profile)


def shown_players(players: list[Player]) -> list[shapes.PlayerShape]:
    """What anybody may see of players, of bots with their owners."""
    owners = get_container().players.names(player.owner for player in players if player.owner)
    return [
        {
            "id": player.id,
            "name": player.name,
            "bot": is_bot(player.id),
            "owner": player_summary(player.owner, owners) if player.owner else None,
            "created_at": player.created,
        }
        for player in players
    ]
