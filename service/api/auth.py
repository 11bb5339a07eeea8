"""Authentication and authorization, done before an operation begins; and the caller's address.

Each operation declares the token it takes. The same declaration is enforced here and documented, so
the two cannot differ.
"""

from collections.abc import Callable, Collection
from typing import Final, NamedTuple, cast

from flask import current_app, has_request_context, request

from service.accounts.tokens import Access, player_of
from service.api.application import Request, current_request
from service.api.request_counts import count_along, is_counted_later
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.network import network_address
from service.core.redis.batch import Batch, Pending
from service.games import StoredGame
from service.games.writer import ChangeFacts
from service.realtime.deferred import is_rerun

DECLARATION: Final = "operation"
"""The attribute of a view with what `blueprint` declares of it."""
READ_METHODS: Final = ("GET", "HEAD")


class TokenRule(NamedTuple):
    """The token that an operation requires: one with all of these scopes; none if not `required`.

    `optional`: a request without a token is admitted too; `any_scope`: any token is admitted.
    Without `scopes` the method decides: `games:read` for reading, else `games:play`.
    """

    required: bool = True
    optional: bool = False
    any_scope: bool = False
    scopes: tuple[str, ...] = ()

    def scopes_for(self, method: str) -> tuple[str, ...]:
        """Return the scopes that a token needs for a request with this HTTP method."""
        if self.any_scope:
            return ()
        return self.scopes or (("games:read",) if method in READ_METHODS else ("games:play",))


def authorize() -> None:
    """Admit a request, or raise `RequestRejected`: `unauthenticated`, `insufficient-scope`."""
    request = current_request()
    rule = _token_rule(request)
    assert rule is not None, "each operation declares the token it takes"
    if not rule.required:
        return
    access = token_access()
    if access is None:
        if "HTTP_AUTHORIZATION" in request.environ:
            raise RequestRejected("unauthenticated", "This token is not valid.")
        if not rule.optional:
            raise _token_missing()
        return
    _check_scopes(access, rule.scopes_for(request.method))
    request.access = access


def check_scopes(*scopes: str) -> None:
    """Reject a request whose content needs more scopes than its operation: `insufficient-scope`."""
    _check_scopes(caller_access(), scopes)


def caller() -> str:
    """Return the id of the calling player. Raises `RequestRejected` without a token."""
    return caller_access().player


def caller_if_any() -> str | None:
    """Return the id of the calling player; None without a token."""
    access = authorized_access()
    return None if access is None else access.player


def caller_access() -> Access:
    """Return the access rights of the caller's token. Raises `RequestRejected` without a token."""
    access = authorized_access()
    if access is None:
        raise _token_missing()
    return access


def authorized_access() -> Access | None:
    """Return the access rights of the token that admitted this request; None without a token."""
    return current_request().access


def token_access() -> Access | None:
    """Return the access rights of the request's bearer token; None without a valid one.

    It is looked up once per request, even if the operation takes no token: rate limits use it.
    """
    request = current_request()
    if request.token is None:
        request.token = (_look_up_token(request),)
    return request.token[0]


def prefetched_game() -> StoredGame | None:
    """Return the game named in the request's URL, if it was read along with the token; else None.

    Returns the game only once.
    """
    request = current_request()
    answer, request.prefetched_game = request.prefetched_game, None
    return answer.get() if answer else None


def prefetched_facts() -> ChangeFacts | None:
    """Return the data that a change to that game needs, if read along with the token; else None."""
    facts = current_request().prefetched_facts
    return facts() if facts else None


def _check_scopes(access: Access, scopes: Collection[str]) -> None:
    if not access.scopes.issuperset(scopes):
        raise RequestRejected(
            "insufficient-scope",
            "This needs a token with the scope %(scopes)s.",
            {"scopes": " and ".join(scopes)},
        )


def _look_up_token(request: Request) -> Access | None:
    """Return the access rights of the bearer token; None without a valid one.

    The round trip that looks it up also reads the data on the game named in the URL.
    """
    scheme, _, given = request.environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    text = given.strip() if scheme.lower() == "bearer" else ""
    container = get_container()
    tokens = container.tokens
    access = tokens.cached_access(text)
    if access is not None and not is_counted_later():
        return access
    batch, token = Batch(container.redis), None if access else tokens.access_query(text)
    player = player_of(text) if access or token else None
    if player is None or tokens.was_valid(text):
        count_along(batch, player)
    looked_up = awaits_visit = None
    if token is not None and player is not None:
        looked_up = batch.ask(token)
        awaits_visit = batch.ask(container.deferred_notices.awaits_visit_query(player))
    if batch:
        prefetched = _prefetch(request, batch, player)
        batch.send()
        # Only now: after a failure, the operation asks Redis again, and reports that.
        request.prefetched_game, request.prefetched_facts = prefetched
    if looked_up is None or awaits_visit is None or (session_access := looked_up.get()) is None:
        return access
    if awaits_visit.get() and not is_rerun(request.environ):
        container.deferred_notices.visited(session_access.player)
    return session_access


def _prefetch(
    request: Request, batch: Batch, player: str | None
) -> tuple[Pending[StoredGame | None] | None, Callable[[], ChangeFacts] | None]:
    """Add a query for the game named in the URL, or for the facts that a change to it needs, to the
    batch, if the operation takes a token. Return both as `Request` has them."""
    rule, game_id = _token_rule(request), (request.view_args or {}).get("game_id")
    if game_id is None or rule is None or not rule.required:
        return None, None
    games = get_container().games
    if request.method in READ_METHODS:
        return batch.ask(games.repository.game_query(game_id)), None
    return None, None if player is None else games.writer.ask_facts(batch, game_id)


def _token_missing() -> RequestRejected:
    return RequestRejected("unauthenticated", "Send your token: `Authorization: Bearer TOKEN`.")


def _token_rule(request: Request) -> TokenRule | None:
    """Return the rule of the requested operation; None if the API has no such operation."""
    view = current_app.view_functions.get(request.endpoint or "")
    operation = getattr(view, DECLARATION, None)
    return operation and operation.security


def caller_address() -> str:
    """Return the network address of the request's caller, in the form of `network_address`.

    Behind trusted proxies (`SCOTTENBURY_TRUSTED_PROXIES`) it is the address seen by the outermost
    proxy.
    """
    return network_address(request.remote_addr)


def peer_address() -> str:
    """Return the IP address at the other end of the connection, regardless of any header; `""` if
    unknown."""
    # Where proxies are trusted, ProxyFix has put the address of X-Forwarded-For in its place.
    seen = request.environ.get("werkzeug.proxy_fix.orig", request.environ)
    return cast(str, seen.get("REMOTE_ADDR") or "")


def current_caller() -> str | None:
    """Return the network address of the caller; None outside a request."""
    return caller_address() if has_request_context() else None
