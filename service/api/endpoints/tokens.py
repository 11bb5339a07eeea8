"""The tokens of an account."""

from typing import Any

from flask import Response

from service.accounts.tokens import Token
from service.api.blueprint import ACCOUNT, Blueprint
from service.api.headers import LINKED, LOCATION
from service.api.paging import page_answer, page_of
from service.api.responses import caller, caller_access, idempotency_key, json_answer, no_content
from service.api.schemas import account
from service.container import get_container
from service.core.errors import RequestRejected

blueprint = Blueprint("tokens", __name__, description="Tokens for programs, and their scopes")


@blueprint.route("/me/tokens", methods=["POST"])
@blueprint.operation(
    "createToken", "too-many-tokens", headers=("FreshIdempotencyKey",), security=ACCOUNT
)
@blueprint.body(account.TokenInput)
@blueprint.response(201, account.TokenMade, headers=LOCATION)
def create(body: dict[str, Any]) -> Response:
    """Make a token

    The answer holds its text, which is shown only this once. A token can give no scope that it
    does not have.
    """
    access = caller_access()
    if missing := set(body["scopes"]) - access.scopes:
        raise RequestRejected(
            "insufficient-scope", f"This token has no {', '.join(sorted(missing))}."
        )
    key = idempotency_key(access.player, fresh=True)
    issued = get_container().tokens.create(access.player, body["name"], body["scopes"], key)
    answer = json_answer({**issued.token._asdict(), "token": issued.text}, 201)
    answer.headers["Location"] = f"/v1/me/tokens/{issued.token.id}"
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.route("/me/tokens")
@blueprint.operation("listTokens", security=ACCOUNT)
@blueprint.query(account.TokensQuery)
@blueprint.response(200, account.TokenList, headers=LINKED)
def list_all(query: dict[str, Any]) -> Response:
    """List my tokens

    And the browsers that are signed in, the oldest first.
    """
    known = get_container().tokens.all_of(caller())
    tokens, following = page_of(known, _place, query.get("cursor"), query["limit"])
    return page_answer("tokens", [token._asdict() for token in tokens], following)


@blueprint.route("/me/tokens", methods=["DELETE"])
@blueprint.operation("revokeOtherTokens", security=ACCOUNT)
@blueprint.response(204)
def revoke_others() -> Response:
    """Revoke all my other tokens

    And sign out every browser: only the token of this request is good from now on.
    """
    access = caller_access()
    get_container().device_links.revoke(access.player)
    get_container().tokens.revoke_others(access.player, access.token)
    return no_content()


@blueprint.route("/me/tokens/<token:token_id>", methods=["DELETE"])
@blueprint.operation("revokeToken", "token-not-found", security=ACCOUNT)
@blueprint.response(204)
def revoke(token_id: str) -> Response:
    """Revoke a token

    It is refused from now on; so is the one of this very request, if it is that.
    """
    get_container().tokens.revoke(caller(), token_id)
    return no_content()


def _place(token: Token) -> str:
    return f"{token.created} {token.id}"
