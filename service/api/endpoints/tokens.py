"""The tokens of the caller's account, and its own bots."""

from typing import Annotated

from service.accounts.tokens import SCOPES, IssuedToken, Token
from service.api.auth import caller, caller_access
from service.api.blueprint import ACCOUNT, EVERYTHING, PUBLIC, Blueprint
from service.api.endpoints.players import shown_players
from service.api.headers import idempotency_key
from service.api.responses import Created, PageOf, page_of, registered
from service.api.schemas import account, outputs
from service.container import get_container
from service.core.errors import RequestRejected

blueprint = Blueprint("tokens", __name__, description="Tokens for programs, and bots of my own")


@blueprint.operation(
    "POST /me/tokens",
    "createToken",
    "too-many-tokens",
    headers="FreshIdempotencyKey",
    security=ACCOUNT,
)
def create(body: account.TokenInput) -> Created[account.CreatedTokenShape]:
    """Create a token

    The answer holds its text, which is shown only once. A new token can only have scopes that the
    caller's own token has.
    """
    access = caller_access()
    if missing := set(body["scopes"]) - access.scopes:
        raise RequestRejected(
            "insufficient-scope",
            "Your token does not have %(scopes)s.",
            {"scopes": ", ".join(sorted(missing))},
        )
    key = idempotency_key(access.player, fresh=True)
    issued = get_container().tokens.create(access.player, body["name"], body["scopes"], key)
    return Created(_with_text(issued), f"/v1/me/tokens/{issued.token.id}")


@blueprint.operation("POST /sign-ins", "signIn", "code-not-found", security=PUBLIC)
def sign_in(body: account.SignInInput) -> Created[outputs.RegisteredPlayerShape]:
    """Sign in with a code

    The code is shown by a browser that is signed in, under *Account*, *Devices*. It works once, for
    ten minutes. The answer holds a token of its own with all scopes, for the player who showed it.
    """
    owner = get_container().device_links.use(body["code"])
    player = get_container().players.find(owner) if owner else None
    if player is None:
        raise RequestRejected(
            "code-not-found", "There is no such code, or it was used or has expired."
        )
    issued = get_container().tokens.create(player.id, body["name"], SCOPES)
    return registered(player, issued.text, "/v1/me")


@blueprint.operation("GET /me/tokens", "listTokens", security=ACCOUNT, headers="IfNoneMatch")
def list_all(query: account.TokensQuery) -> PageOf[account.TokenListShape]:
    """List my tokens

    Also the browsers that are signed in, oldest first.
    """
    all_tokens = get_container().tokens.all_of(caller())
    tokens, following = page_of(
        all_tokens, lambda one: f"{one.created} {one.id}", query.get("cursor"), query["limit"]
    )
    return PageOf([shown(token) for token in tokens], following)


@blueprint.operation(
    "DELETE /me/tokens/<token:token_id>", "revokeToken", "token-not-found", security=ACCOUNT
)
def revoke(token_id: str) -> None:
    """Revoke a token

    It is rejected from now on, even if it is the token of this request.
    """
    get_container().tokens.revoke(caller(), token_id)


def _with_text(issued: IssuedToken) -> account.CreatedTokenShape:
    return {**shown(issued.token), "token": issued.text}


def shown(token: Token) -> account.TokenShape:
    """A token without its secret."""
    return {
        "id": token.id,
        "name": token.name,
        "kind": token.kind,
        "scopes": list(token.scopes),
        "created_at": token.created,
        "expires_at": token.expires,
        "last_used_at": token.last_used,
    }


ONE = "/me/bots/<player:bot_id>"


@blueprint.operation(
    "POST /me/bots",
    "registerBot",
    "name-reserved name-taken not-for-bots too-many-bots",
    headers="FreshIdempotencyKey",
    security=ACCOUNT,
)
def register_bot(body: account.OwnBotInput) -> Created[outputs.RegisteredPlayerShape]:
    """Register a bot of mine

    A player that is shown as a bot of yours: ` (bot)` follows its name, which is cut to 34
    characters. It has no mail address and no browser. Its token has all scopes. You can have 10.
    """
    owner, key = caller(), idempotency_key(caller(), fresh=True)
    player, token = get_container().registrations.register(body["name"], key=key, owner=owner)
    return registered(player, token, f"/v1/me/bots/{player.id}")


@blueprint.operation("GET /me/bots", "listOwnBots", security=ACCOUNT)
def list_bots() -> account.OwnBotListShape:
    """List my bots

    The oldest first.
    """
    return {"bots": shown_players(get_container().players.bots_of(caller()))}


@blueprint.operation(f"DELETE {ONE}", "endBot", "player-not-found", security=EVERYTHING)
def end_bot(bot_id: str) -> None:
    """End a bot of mine

    Its account is deleted, as with `DELETE /v1/me`: running games are resigned.
    """
    container = get_container()
    container.accounts.close(container.players.own_bot(caller(), bot_id))


@blueprint.operation(
    f"POST {ONE}/token",
    "renewBotToken",
    "player-not-found too-many-tokens",
    headers="FreshIdempotencyKey",
    security=EVERYTHING,
)
def renew_token(bot_id: str) -> Annotated[account.CreatedTokenShape, 201]:
    """Make a new token for a bot of mine

    It has all scopes. All former tokens of the bot end.
    """
    container = get_container()
    bot = container.players.own_bot(caller(), bot_id)
    issued = container.tokens.create(bot.id, "owner", SCOPES, idempotency_key(caller(), fresh=True))
    container.tokens.revoke_others(bot.id, issued.token.id)
    return _with_text(issued)
