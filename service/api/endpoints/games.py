"""Games: making, finding, looking at and joining them."""

from typing import Any

from flask import Response

from service.api.blueprint import OPTIONAL, Blueprint
from service.api.endpoints.waiting import wait_for_news
from service.api.headers import ETAG, LINKED, LOCATION
from service.api.paging import page_answer
from service.api.responses import (
    caller,
    game_answer,
    idempotency_key,
    json_answer,
    origin,
    readable_game,
    reader,
    unchanged,
)
from service.api.schemas import inputs, opponents, outputs
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.network_address import caller_address
from service.games import Origin

blueprint = Blueprint("games", __name__, description="Making, finding and reading games")

GAME = "/games/<game:game_id>"
NO_GAME = ("game-not-found", "unreadable-log")
"""What every operation on a game may answer with, in the place of the game."""


@blueprint.route("/games", methods=["POST"])
@blueprint.operation(
    "createGame",
    "own-game",
    "too-many-games",
    "unknown-opponent",
    "bot-not-available",
    "unknown-edition",
    "no-such-combination",
    "already-asked",
    "address-not-verified",
    "too-many-mails",
    "unknown-seal",
    "seal-used",
    # Under a key whose game was over, and packed, long ago.
    "stale-version",
    "unreadable-log",
    headers=("IdempotencyKey",),
)
@blueprint.body(inputs.GameInput, required=False)
@blueprint.response(201, outputs.GameMade, headers=ETAG | LOCATION)
def create(body: dict[str, Any]) -> Response:
    """Make a game

    The caller takes a seat; the other one is for the holder of `invite`, for the `opponent` named,
    or for anyone in a `listed` game. There is one open challenge or invitation between two players,
    and from one player to one address. Where mail goes out, only a player with a verified address
    invites others by mail. With a `seal` (`POST /v1/seals`) the server's secret was fixed before it
    knew the `salt`.
    """
    player, games = caller(), get_container().games
    made_by = Origin(key=idempotency_key(player))
    stored = games.create(player, inputs.new_game(body), made_by)
    made = {
        **games.view(stored, player),
        "invite": games.invitations.token(stored.id),
        "invite_url": games.invitations.url(stored.id),
    }
    answer = json_answer(made, 201, stored.version)
    answer.headers["Location"] = f"/v1/games/{stored.id}"
    return answer


@blueprint.route("/games")
@blueprint.operation("listGames")
@blueprint.query(inputs.GamesQuery)
@blueprint.response(200, outputs.GameList, headers=LINKED)
def list_mine(query: dict[str, Any]) -> Response:
    """List my games

    Those I sit in or am invited to, the newest first. `next` is the `cursor` of the next page; with
    `turn=me` a page may hold fewer games than `limit`, or none, though another follows.
    """
    games, following = get_container().games.lists.of_player(
        caller(),
        inputs.wanted(query),
        my_turn="turn" in query,
        after=query.get("cursor"),
        limit=query["limit"],
    )
    return page_answer("games", games, following)


@blueprint.route(GAME)
@blueprint.operation(
    "getGame", *NO_GAME, "version-not-found", headers=("IfNoneMatch",), security=OPTIONAL
)
@blueprint.query(inputs.GameQuery)
@blueprint.response(200, outputs.GameView, headers=ETAG)
@blueprint.alt_response(304, response="NOT_MODIFIED", success=True)
def show(query: dict[str, Any], game_id: str) -> Response:
    """Show a game

    As the caller may see it: a player their own hand, a spectator (no token needed) neither. With
    `wait` and `If-None-Match` a 304 is held back until there is news.
    """
    player = reader()
    stored = readable_game(game_id, player, at=query.get("at"), invite=query.get("invite"))
    if not_modified := unchanged(stored.version):
        wait_for_news(stored, query["wait"])
        return not_modified
    return game_answer(stored, player)


@blueprint.route(f"{GAME}/join", methods=["POST"])
@blueprint.operation(
    "joinGame",
    *NO_GAME,
    "own-game",
    "too-many-games",
    "already-joined",
    "seat-taken",
    "invite-required",
    "invitation-expired",
    "game-over",
    "name-reserved",
    "weak-idempotency-key",
    "idempotency-key-spent",
    headers=("IfMatch", "IdempotencyKey"),
    security=OPTIONAL,
)
@blueprint.body(inputs.JoinInput, required=False)
@blueprint.response(200, outputs.GameView, headers=ETAG)
@blueprint.alt_response(201, schema=opponents.GuestSeated, success=True, headers=ETAG)
def join(body: dict[str, Any], game_id: str) -> Response:
    """Take the free seat

    With the invite, or without it where the game is in the lobby. It starts at once. With a `name`
    in place of a token a guest sits down, and the answer (201) holds the token of the account that
    this makes. Where the name is taken the guest gets one like it. A guest's `Idempotency-Key` is
    one that nobody can guess, as for a registration.
    """
    player = reader()
    options = {
        "invite": body["invite"],
        "salt": body["salt"],
        "visited": inputs.day(body["visited_scotland"]),
    }
    if player is None:
        return _join_as_guest(game_id, body["name"], options)
    stored = get_container().games.join(game_id, player, **options, origin=origin(player))
    return game_answer(stored, player)


def _join_as_guest(game_id: str, name: str | None, options: dict[str, Any]) -> Response:
    if name is None:
        raise RequestRejected(
            "unauthenticated", "Send your token, or a name to sit down as a guest."
        )
    games = get_container().games
    made_by = origin(f"guest {caller_address()}", fresh=True)
    stored, (guest, token) = games.join_as_guest(game_id, name, **options, origin=made_by)
    account = {"id": guest.id, "name": guest.name, "token": token}
    seated = {**games.view(stored, guest.id), "account": account}
    answer = json_answer(seated, 201, stored.version)
    answer.headers["Cache-Control"] = "no-store"
    return answer
