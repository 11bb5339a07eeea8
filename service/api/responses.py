"""What all resources read from a request's headers, and how they answer."""

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from flask import Response, g, request

from service.accounts.idempotency import check_unguessable
from service.accounts.tokens import Access
from service.api.auth import admitted, game_ahead, no_token, side_state_ahead
from service.api.parsing import read_json
from service.api.problems import NO_STORE, VARY
from service.container import get_container
from service.core import ids
from service.core.errors import RequestRejected
from service.eventlog import IdempotencyKey
from service.games import Origin, StoredGame
from service.games.views import to_json

MAX_KEY: Final = 200

_TAG: Final = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
"""An entity tag (RFC 9110, 8.8.3)."""
_TAGS: Final = re.compile(rf"[ \t,]*{_TAG}(?:[ \t]*,[ \t,]*{_TAG})*[ \t,]*")
_VERSION: Final = re.compile(r'"[1-9][0-9]{0,8}"')
"""The tag of a game's version."""
IF_MATCH: Final = rf"^(\*|{_VERSION.pattern}( ?, ?{_VERSION.pattern})*)$"
"""What an If-Match header looks like that any version could match."""


def reader() -> str | None:
    """The id of the player who asks; None without a token."""
    access = admitted()
    return None if access is None else access.player


def caller() -> str:
    """The id of the player who asks. RequestRejected without a token."""
    return caller_access().player


def caller_access() -> Access:
    """What the caller's token gives. RequestRejected without a token."""
    access = admitted()
    if access is None:
        raise no_token()
    return access


def origin(player: str, *, fresh: bool = False) -> Origin:
    """What the headers say of a write by this player: the version seen, the idempotency key."""
    key = idempotency_key(player, fresh=fresh)
    return Origin("api", expected_versions(), key, side_state_ahead())


def idempotency_key(scope: str, *, fresh: bool = False) -> IdempotencyKey | None:
    """The request's key, which counts within `scope`, with a fingerprint of the request.

    It has to be `fresh` where a token is made under it: `weak-idempotency-key`.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not (1 <= len(key) <= MAX_KEY and key.isascii() and key.isprintable()):
        raise RequestRejected(
            "malformed-request",
            f"An Idempotency-Key has 1 to {MAX_KEY} printable ASCII characters.",
        )
    if fresh:
        check_unguessable(key)
    body = request.get_data(cache=True)
    asked = json.dumps(read_json(body) if body else {}, sort_keys=True)
    print_of = ids.digest(f"{request.method} {request.path}\n{asked}")
    return IdempotencyKey(f"{scope} {key}", print_of, scope)


def expected_versions() -> list[int] | None:
    """The versions in `If-Match`, of which any will do. None where every version will."""
    given = request.headers.get("If-Match")
    if given is None or given.strip() == "*":
        return None
    if not _TAGS.fullmatch(given):
        raise RequestRejected(
            "malformed-if-match",
            'If-Match takes the ETag of an answer, in its quotes: `"42"`. There may be several with'
            " commas in between; or it is `*`.",
        )
    # Any other tag is that of no version, and a weak tag matches none.
    return [int(tag[1:-1]) for tag in re.findall(_TAG, given) if _VERSION.fullmatch(tag)]


def current_game(game_id: str) -> StoredGame:
    """The game of the request's address as it stands, whoever may see it.

    Without a round trip the first time, where it came along with the caller's token.
    """
    return game_ahead() or get_container().games.load(game_id)


def readable_game(
    game_id: str, player: str | None, *, at: int | None = None, invite: str | None = None
) -> StoredGame:
    """The game of the request's address, now or after event `at`, if this player may see it.

    Raises `RequestRejected`: `game-not-found`, `version-not-found`.
    """
    latest = current_game(game_id)
    stored = get_container().games.read(game_id, player, at=at, invite=invite, latest=latest)
    _keep_out_of_caches(stored)
    return stored


def unchanged(version: int) -> Response | None:
    """A 304 where the client has this version already."""
    if "If-None-Match" not in request.headers:
        return None
    if not request.if_none_match.contains_weak(str(version)):
        return None
    return Response(status=304, headers=_headers(version))


def game_answer(stored: StoredGame, player: str | None) -> Response:
    """The game view, as this player may see it."""
    _keep_out_of_caches(stored)
    return _json(get_container().games.view_text(stored, player), 200, stored.version)


def json_answer(body: Any, status: int = 200, version: int | None = None) -> Response:
    """A JSON document; with its ETag where it has a version."""
    return _json(to_json(body), status, version)


def no_content() -> Response:
    """A 204, which has no type of content either."""
    answer = Response(status=204)
    del answer.headers["Content-Type"]
    return answer


def text_answer(text: str, mimetype: str, version: int) -> Response:
    """A text of a game at this version."""
    return Response(text, headers=_headers(version), mimetype=mimetype)


def _json(text: str, status: int, version: int | None) -> Response:
    return Response(text, status, _headers(version), content_type="application/json")


def _keep_out_of_caches(stored: StoredGame) -> None:
    """Answers about a private game are not to be stored, not even in the reader's browser."""
    g.no_store = stored.private


def _headers(version: int | None) -> list[tuple[str, str]]:
    # Every reader may see something else under the same address.
    if version is None:
        return [VARY, NO_STORE]
    kept = NO_STORE if g.get("no_store") else ("Cache-Control", "private, no-cache")
    return [("ETag", f'"{version}"'), VARY, kept]


def accepted(choices: Iterable[str]) -> str:
    """The one of these media types that the client likes best; the first where it does not say."""
    offered = list(choices)
    liked = request.accept_mimetypes
    best = liked.best_match(offered) if liked else offered[0]
    if best is None:
        raise RequestRejected("not-acceptable", f"There is only {', '.join(offered)}.")
    return best
