"""Authentication and authorization, settled before an operation begins.

Each operation declares the token it takes. The same declaration is enforced here and documented, so
the two cannot differ.
"""

from collections.abc import Callable, Collection
from typing import Any, Final, NamedTuple, cast

from flask import current_app, g, request

from service.accounts.tokens import Access, player_of
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.redis.batch import Batch, Pending
from service.games import StoredGame
from service.games.change.writer import ChangeFacts
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
    """Reject a request whose content needs more scopes than its operation: `insufficient-scope`."""
    _check_scopes(caller_access(), scopes)


def caller() -> str:
    """The id of the calling player. Raises `RequestRejected` without a token."""
    return caller_access().player


def caller_if_any() -> str | None:
    """The id of the calling player; None without a token."""
    access = authorized_access()
    return None if access is None else access.player


def caller_access() -> Access:
    """The rights of the caller's token. Raises `RequestRejected` without a token."""
    access = authorized_access()
    if access is None:
        raise _token_missing()
    return access


def authorized_access() -> Access | None:
    """The rights of the token that admitted this request; None without a token."""
    return cast(Access | None, g.get("access"))


def token_access() -> Access | None:
    """The rights of the request's bearer token; None without a valid one.

    It is looked up once per request, even if the operation takes no token: rate limits use it.
    """
    if "token_access" in g:
        return cast(Access | None, g.token_access)
    access = g.token_access = _look_up_token()
    return access


def prefetched_game() -> StoredGame | None:
    """The game in the request's address, if it was read along with the token. Works only once."""
    answer: Pending[StoredGame | None] | None = g.pop("prefetched_game", None)
    return answer.get() if answer else None


def prefetched_facts() -> ChangeFacts | None:
    """The data that a change to that game needs, if it was read along with the token."""
    facts: Callable[[], ChangeFacts] | None = g.get("prefetched_facts")
    return facts() if facts else None


def _check_scopes(access: Access, scopes: Collection[str]) -> None:
    if not access.scopes.issuperset(scopes):
        raise RequestRejected(
            "insufficient-scope", f"This needs a token with the scope {' and '.join(scopes)}."
        )


def _look_up_token() -> Access | None:
    """Look the bearer token up, together with the data on its game that the operation will need."""
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    container = get_container()
    if cached := container.tokens.cached_access(text.strip()):
        return cached
    token, player = container.tokens.access_query(text.strip()), player_of(text.strip())
    if token is None or player is None:
        return None
    batch = Batch(container.redis)
    access = batch.ask(token)
    awaits_visit = batch.ask(container.deferred_notices.awaits_visit_query(player))
    game_id = (request.view_args or {}).get("game_id")
    game = facts = None
    if game_id is not None and request.method in READ_METHODS:
        game = batch.ask(container.games.game_query(game_id))
    elif game_id is not None:
        facts = container.games.writer.ask_facts(batch, game_id)
    batch.send()
    g.prefetched_game, g.prefetched_facts = game, facts
    if access.get() is not None and awaits_visit.get() and not is_rerun(request.environ):
        container.deferred_notices.visited(player)
    return access.get()


def _token_missing() -> RequestRejected:
    return RequestRejected("unauthenticated", "Send your token: `Authorization: Bearer TOKEN`.")


def _token_rule() -> TokenRule:
    view = cast(Callable[..., Any], current_app.view_functions[request.endpoint or ""])
    return cast(TokenRule, view._apidoc[DECLARATION])  # type: ignore[attr-defined]
