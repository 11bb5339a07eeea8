"""Who asks, and how far their token reaches: settled before an operation begins.

The operation's own declaration says what it takes, so the document tells what is enforced.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple, cast

from flask import current_app, g, request

from service.accounts.tokens import Access
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.redis.batch import execute, execute_many
from service.games import StoredGame

DECLARED: Final = "access"
"""Where flask-smorest's notes on a view keep its `Needed`."""
READING: Final = ("GET", "HEAD")


class Needed(NamedTuple):
    """What an operation takes: no token at all, or one with all of these scopes; with `optional`
    only if there is one.

    Without `scopes` it is that of the method: `games:read` for reading, else `games:play`.
    """

    token: bool = True
    optional: bool = False
    scopes: tuple[str, ...] = ()

    def scopes_of(self, method: str) -> tuple[str, ...]:
        """The scopes that a token needs when it is used with this HTTP method."""
        return self.scopes or (("games:read",) if method in READING else ("games:play",))


def admit() -> None:
    """Let a request in, or refuse it: `unauthenticated`, `insufficient-scope`."""
    needed = _needed()
    if not needed.token:
        return
    access = presented()
    if access is None:
        if "Authorization" in request.headers:
            raise RequestRejected("unauthenticated", "This token is not valid.")
        if not needed.optional:
            raise no_token()
        return
    scopes = needed.scopes_of(request.method)
    if not access.scopes.issuperset(scopes):
        raise RequestRejected(
            "insufficient-scope", f"This takes a token that has {' and '.join(scopes)}."
        )
    g.access = access


def presented() -> Access | None:
    """What the request's bearer token gives; None without a valid one. Asked for only once."""
    if "presented" in g:
        return cast(Access | None, g.presented)
    access = g.presented = _presented()
    return access


def game_ahead() -> StoredGame | None:
    """The game of the request's address, where it was read along with the token; only once."""
    take: Callable[[], StoredGame | None] | None = g.pop("game_ahead", None)
    return take() if take else None


def side_state_ahead() -> Mapping[str, str] | None:
    """The side state of that game, where it was read along with the token."""
    return cast(Mapping[str, str] | None, g.get("side_state_ahead"))


def admitted() -> Access | None:
    """What the token gives with which this request was let in; None where it came without."""
    return cast(Access | None, g.get("access"))


def no_token() -> RequestRejected:
    """The request takes a token, and came without."""
    return RequestRejected("unauthenticated", "Send your token: `Authorization: Bearer …`.")


def _presented() -> Access | None:
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    its = get_container()
    if scheme.lower() != "bearer":
        return None
    if cached := its.tokens.cached_access(text.strip()):
        return cached
    query = its.tokens.access_query(text.strip())
    if query is None:
        return None
    game_id = (request.view_args or {}).get("game_id")
    if game_id is None:
        return execute(its.redis, query)
    if request.method not in READING:
        # A move may hand over to a player who has left orders.
        state = its.games.side_state_query(game_id)
        of_token, of_state = execute_many(its.redis, [query, state])
        g.side_state_ahead = state.parse(of_state)
        return query.parse(of_token)
    # Who reads a game is to see how it stands: it comes with the same round trip.
    game = its.games.game_query(game_id)
    of_token, of_game = execute_many(its.redis, [query, game])
    g.game_ahead = partial(game.parse, of_game)
    return query.parse(of_token)


def _needed() -> Needed:
    view = cast(Callable[..., Any], current_app.view_functions[request.endpoint or ""])
    return cast(Needed, view._apidoc[DECLARED])  # type: ignore[attr-defined]
