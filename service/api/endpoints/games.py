"""Games: create, find and join them; call them off, play a rematch or the deal again."""

from typing import Annotated, Any

from flask import Response

from service.api.auth import caller, caller_address, caller_if_any
from service.api.blueprint import OPTIONAL, Blueprint
from service.api.headers import ETAG, LOCATION, idempotency_key, origin
from service.api.responses import (
    Created,
    PageOf,
    game_answer,
    json_answer,
    load_game,
    not_modified,
    wait_for_news,
)
from service.api.schemas import inputs, outputs
from service.container import get_container
from service.core.errors import RequestRejected
from service.games import ChangeContext, StoredGame, shapes
from service.games.rematches import Wanted

blueprint = Blueprint("games", __name__, description="Making, finding, reading and leaving games")

GAME = "/games/<game:game_id>"
GAME_PROBLEMS = "game-not-found game-removed"
"""The problems that every operation on a game may answer with."""
PLAYER_PROBLEMS = f"{GAME_PROBLEMS} not-a-player"
"""Those of operations for the two players of a game."""


@blueprint.operation(
    "POST /games",
    "createGame",
    # `stale-version`: the key's game ended, and was compacted, long ago.
    "own-game game-removed too-many-games unknown-opponent bot-not-available unknown-edition"
    " no-such-combination bad-clock already-asked challenges-off address-not-verified"
    " too-many-mails bad-message muted unknown-seal seal-used stale-version",
    headers="IdempotencyKey",
)
@blueprint.response(201, outputs.CreatedGameShape, headers=ETAG | LOCATION)
def create(body: inputs.GameInput) -> Response:
    """Create a game

    The caller takes a seat. The other seat is for the holder of `invite`, for the `opponent` named
    here, or, in a `listed` game, for anyone. Between two players, and from a player to an address,
    only one challenge or invitation can be open. If the server sends mail, inviting somebody by
    mail takes a confirmed address of your own. With a `seal` (`POST /v1/seals`) the server's secret
    was fixed before it knew your `salt`.
    """
    player, games = caller(), get_container().games
    game = games.create(player, inputs.new_game(body), ChangeContext(key=idempotency_key(player)))
    created = {
        **games.view_data(game, player),
        "invite": games.invitations.token(game.id),
        "invite_url": games.invitations.url(game.id),
    }
    return json_answer(created, 201, game.version, f"/v1/games/{game.id}")


@blueprint.operation("GET /games", "listGames", headers="IfNoneMatch", security=OPTIONAL)
def list_games(query: inputs.GamesQuery) -> PageOf[outputs.GameListShape]:
    """List my games, or public ones

    Those I play and those I am invited to, newest first. `next` is the `cursor` of the next page.
    With `turn=me` a page may hold fewer games than `limit`, or none, even if another page follows.

    With `public=true`, which takes no token: the games that anybody may find, whoever plays. They
    were made with `listed`: those in the lobby, those that go on, and the newest 10000 of those
    that are finished. Any other game can be read by whoever has its id, and is in no list.
    """
    lists = get_container().games.lists
    if query["public"]:
        reader, wanted = caller_if_any(), inputs.wanted(query)
        return PageOf(*lists.public(reader, wanted, query.get("cursor"), query["limit"]))
    games = lists.of_player(
        caller(),
        inputs.wanted(query),
        my_turn="turn" in query,
        after=query.get("cursor"),
        limit=query["limit"],
    )
    return PageOf(*games)


@blueprint.operation(
    f"GET {GAME}",
    "getGame",
    f"{GAME_PROBLEMS} version-not-found",
    headers="IfNoneMatch",
    security=OPTIONAL,
)
@blueprint.response(200, shapes.GameShape, headers=ETAG)
def show(query: inputs.GameQuery, game_id: str) -> Response:
    """Show a game

    As the caller may see it: players see their own hand, spectators neither. A spectator needs no
    token. With `wait` and `If-None-Match` the answer waits until the game changes.
    """
    player = caller_if_any()
    game = load_game(game_id, player, at=query.get("at"), invite=query.get("invite"))
    if answer := not_modified(game.version):
        wait_for_news(game, query["wait"])
        return answer
    return game_answer(game, player)


@blueprint.operation(
    f"POST {GAME}/join",
    "joinGame",
    f"{GAME_PROBLEMS} own-game too-many-games already-joined seat-taken invite-required"
    " invitation-expired game-over name-reserved weak-idempotency-key idempotency-key-spent",
    headers="IfMatch IdempotencyKey",
    security=OPTIONAL,
)
@blueprint.response(200, shapes.GameShape, headers=ETAG)
@blueprint.response(201, outputs.GuestGameShape, headers=ETAG)
def join(body: inputs.JoinInput, game_id: str) -> Response:
    """Take the free seat

    With the invite, or without one if the game is in the lobby. The game starts at once. A guest
    sends a `name` in place of a token: the answer (201) holds the token of the new account. If the
    name is taken the guest gets a similar one. A guest's `Idempotency-Key` must be impossible to
    guess, as for a registration.
    """
    player = caller_if_any()
    options = {
        "invite": body["invite"],
        "salt": body["salt"],
        "visited": inputs.day(body["visited_scotland"]),
    }
    if player is None:
        return _join_as_guest(game_id, body["name"], options)
    game = get_container().games.join(game_id, player, **options, context=origin())
    return game_answer(game, player)


def _join_as_guest(game_id: str, name: str | None, options: dict[str, Any]) -> Response:
    if name is None:
        raise RequestRejected("unauthenticated", "Send your token, or a `name` to join as a guest.")
    games = get_container().games
    guest_origin = origin(f"guest {caller_address()}", fresh_key=True)
    game, (guest, token) = games.join_as_guest(game_id, name, **options, context=guest_origin)
    account = {"id": guest.id, "name": guest.name, "token": token}
    answer = json_answer({**games.view_data(game, guest.id), "account": account}, 201, game.version)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.operation("POST /seals", "createSeal", "too-many-seals", headers="IdempotencyKey")
def make_seal(body: inputs.EmptyInput) -> Annotated[outputs.SealShape, 201]:
    """Ask for a seal

    The server draws a secret and commits to it (`commitment`) before it knows any salt. Send the
    seal with a `salt` of your own when you create a game, a challenge or a rematch: that game will
    have this commitment. A seal is valid for one hour, for one game, and for you only.
    """
    player = caller()
    seal = get_container().games.seals.make(player, idempotency_key(player))
    return {"seal": seal.id, "commitment": seal.commitment, "expires_at": seal.expires}


@blueprint.operation("GET /lobby", "getLobby", security=OPTIONAL, headers="IfNoneMatch")
def lobby(query: inputs.PageQuery) -> PageOf[outputs.LobbyShape]:
    """List the games that anyone may join

    Games created with `listed: true`, newest first, with their options. Take the free seat with
    `POST /v1/games/{game_id}/join`. `next` is the `cursor` of the next page.
    """
    lists, reader = get_container().games.lists, caller_if_any()
    return PageOf(*lists.lobby(query.get("cursor"), query["limit"], reader))


_HEADERS = "IfMatch IdempotencyKey"


@blueprint.operation(
    f"DELETE {GAME}", "callOffGame", f"{PLAYER_PROBLEMS} game-started game-over", headers=_HEADERS
)
def call_off(game_id: str) -> StoredGame:
    """Call off a game before it starts

    Its creator may do so, and the player for whom the free seat is reserved.
    """
    return get_container().games.call_off(game_id, caller(), origin())


@blueprint.operation(
    f"POST {GAME}/rematch",
    "requestRematch",
    # `seat-taken`: somebody else has joined the rematch, by its invite.
    f"{PLAYER_PROBLEMS} game-not-over too-many-games unknown-opponent already-asked challenges-off"
    " too-many-mails stale-version unknown-seal seal-used seat-taken game-over",
)
def rematch(body: inputs.RematchInput, game_id: str) -> Annotated[Created[StoredGame], 200]:
    """Ask for a rematch

    The same game again, in which the other player begins. The first request creates it and invites
    the opponent, whose same request starts it, or joining. Both get the same game, however often
    they ask. A `seal` is used only by the request that creates it.
    """
    rematches = get_container().games.rematches
    return made(rematches.ask(game_id, caller(), salt=body["salt"], seal=body["seal"]))


@blueprint.operation(
    f"POST {GAME}/practice",
    "practiseGame",
    f"{GAME_PROBLEMS} game-not-over game-over version-not-found bot-not-available too-many-games"
    " stale-version",
    headers="IdempotencyKey",
)
def practise(body: inputs.PracticeInput, game_id: str) -> Created[StoredGame]:
    """Play the deal of a finished game again

    From after event `step`, unrated, against a bot. Of a match only the first round. Removed seven
    days after its last move; at most 200 at a time.
    """
    player = caller()
    context = ChangeContext(key=idempotency_key(player))
    return made(get_container().games.practice.begin(game_id, player, Wanted(**body), context))


def made(stored: StoredGame) -> Created[StoredGame]:
    """A new game, with its address."""
    return Created(stored, f"/v1/games/{stored.id}")
