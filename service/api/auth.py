"""Authentication and authorization, settled before an operation begins.

Each operation declares which token it takes. The same declaration is enforced here and documented,
so that the two cannot differ.
"""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final, NamedTuple, cast

from flask import current_app, g, request

from service.accounts.tokens import Access, player_of
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.redis.batch import execute_many
from service.games import StoredGame
from service.realtime.deferred import is_rerun

DECLARATION: Final = "token"
"""The key under which flask-smorest's notes on a view hold its `TokenRule`."""
READ_METHODS: Final = ("GET", "HEAD")


class TokenRule(NamedTuple):
    """Which token an operation takes: one with all of these scopes, or none at all.

    With `optional` a request without a token is let in too. Without `scopes` the method decides:
    `games:read` for reading, else `games:play`.
    """

    required: bool = True
    optional: bool = False
    scopes: tuple[str, ...] = ()

    def scopes_for(self, method: str) -> tuple[str, ...]:
        """The scopes that a token needs for a request with this HTTP method."""
        return self.scopes or (("games:read",) if method in READ_METHODS else ("games:play",))


def authorize() -> None:
    """Let a request in, or reject it: `unauthenticated`, `insufficient-scope`."""
    rule = _token_rule()
    if not rule.required:
        return
    access = token_access()
    if access is None:
        if "Authorization" in request.headers:
            raise RequestRejected("unauthenticated", "This token is not valid.")
        if not rule.optional:
            raise _token_missing()
        return
    _check_scopes(access, rule.scopes_for(request.method))
    g.access = access


def check_scopes(*scopes: str) -> None:
    """Reject a request, `insufficient-scope`, whose content needs more than its operation does."""
    _check_scopes(caller_access(), scopes)


def caller() -> str:
    """The id of the calling player. Raises `RequestRejected` without a token."""
    return caller_access().player


def caller_if_any() -> str | None:
    """The id of the calling player; None without a token."""
    access = authorized_access()
    return None if access is None else access.player


def caller_access() -> Access:
    """What the caller's token allows. Raises `RequestRejected` without a token."""
    access = authorized_access()
    if access is None:
        raise _token_missing()
    return access


def authorized_access() -> Access | None:
    """What the token allows with which this request was let in; None without a token."""
    return cast(Access | None, g.get("access"))


def token_access() -> Access | None:
    """What the request's bearer token allows; None without a valid one.

    It is looked up once a request, whether or not the operation takes a token: limits count by it.
    """
    if "token_access" in g:
        return cast(Access | None, g.token_access)
    access = g.token_access = _look_up_token()
    return access


def prefetched_game() -> StoredGame | None:
    """The game in the request's address, if it was read along with the token. Only once."""
    parse: Callable[[], StoredGame | None] | None = g.pop("prefetched_game", None)
    return parse() if parse else None


def prefetched_side_state() -> Mapping[str, str] | None:
    """The side state of that game, if it was read along with the token."""
    return cast(Mapping[str, str] | None, g.get("prefetched_side_state"))


def _check_scopes(access: Access, scopes: Collection[str]) -> None:
    if not access.scopes.issuperset(scopes):
        raise RequestRejected(
            "insufficient-scope", f"This needs a token with the scope {' and '.join(scopes)}."
        )


def _look_up_token() -> Access | None:
    """Look the bearer token up, and read along what the operation will need of its game."""
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    container = get_container()
    if cached := container.tokens.cached_access(text.strip()):
        return cached
    token, player = container.tokens.access_query(text.strip()), player_of(text.strip())
    if token is None or player is None:
        return None
    visit = container.deferred_notices.awaits_visit_query(player)
    game_id = (request.view_args or {}).get("game_id")
    if game_id is None:
        found, awaited = execute_many(container.redis, [token, visit])
    elif request.method in READ_METHODS:
        game = container.games.game_query(game_id)
        found, awaited, read = execute_many(container.redis, [token, visit, game])
        g.prefetched_game = partial(game.parse, read)
    else:
        # A move may hand the turn to an opponent who has left standing orders.
        side_state = container.games.side_state_query(game_id)
        found, awaited, read = execute_many(container.redis, [token, visit, side_state])
        g.prefetched_side_state = side_state.parse(read)
    access = token.parse(found)
    if access is not None and visit.parse(awaited) and not is_rerun(request.environ):
        container.deferred_notices.visited(access.player)
    return access


def _token_missing() -> RequestRejected:
    return RequestRejected("unauthenticated", "Send your token: `Authorization: Bearer TOKEN`.")


def _token_rule() -> TokenRule:
    view = cast(Callable[..., Any], current_app.view_functions[request.endpoint or ""])
    return cast(TokenRule, view._apidoc[DECLARATION])  # type: ignore[attr-defined]
