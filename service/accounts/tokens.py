"""Tokens: the credentials with which a program or browser acts for a player.

A token's text contains its player's id and a secret; it is shown once, and only its digest is
stored.

st:{PLAYER}:tokens        hash: DIGEST → JSON of the token's description
st:{PLAYER}:used          hash: DIGEST → unix seconds of its last use or creation, to the minute
st:{PLAYER}:answered      unix seconds of the player's last sign of life: a use of a token, to the
                          minute, or an answer by mail (at first only these, hence its name),
                          which " mail" follows.
                          It outlives the tokens: signing out makes nobody absent
"""

import json
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from time import monotonic, sleep
from typing import Any, Final, Literal, NamedTuple, cast

from marshmallow import fields
from redis.exceptions import ResponseError

from service.accounts.idempotency import IdempotencyStore, key_spent
from service.accounts.player import Revocations
from service.core import ids
from service.core.cache import ThreadSafeCache, recently_used
from service.core.errors import RequestRejected
from service.core.ids import PLAYER_ID
from service.core.redis.batch import Query, execute
from service.core.redis.client import Client, Lua, unavailable
from service.core.redis.snapshot_keys import (
    DIGEST,
    JsonText,
    PlayerData,
    plain_text,
    text,
    timestamp_text,
)
from service.core.times import DAY, timestamp, unix
from service.core.words import N_
from service.eventlog import IdempotencyKey

SCOPE_MEANINGS: Final = {
    "games:read": N_("see your games"),
    "games:play": N_("make and play games"),
    "account": N_("see and change this account"),
}
"""The description of each scope, for the token's owner."""
SCOPES: Final = tuple(SCOPE_MEANINGS)
_DESCRIPTION: Final[tuple[fields.Field[Any], ...]] = (
    *(text("api|session"), plain_text(1000), fields.List(text("|".join(SCOPES)))),
    *(timestamp_text(), timestamp_text(allow_none=True)),
)
TOKENS: Final = PlayerData(
    "tokens",
    "hash",
    fields.Dict(text(DIGEST), JsonText(fields.Tuple(_DESCRIPTION))),
    exported="tokens",
)
LAST_USES: Final = PlayerData("used", "hash", exported="tokens")
_BY_MAIL: Final = " mail"
LAST_SIGN: Final = PlayerData("answered", "string", text(f"[0-9]{{1,12}}({_BY_MAIL})?"))
MAX_TOKENS: Final = 50
SESSION_LIFE: Final = 60 * DAY
"""Seconds for which a browser stays signed in after its last use."""
GUEST_SESSION_LIFE: Final = 400 * DAY
"""Seconds for which a browser stays signed in if its player could not sign in again: as long as
browsers store a cookie."""

ACCESS_CACHE_SECONDS: Final = 0.25
"""Seconds for which a process caches an API token.

A revocation waits as long before it returns, so that the token is then invalid everywhere.
"""

_PREFIX: Final = {"api": "scot_", "session": "scos_", "arrival": "scoa_"}
_TEXT: Final = re.compile(rf"({'|'.join(_PREFIX.values())})({PLAYER_ID})[A-Za-z0-9_-]{{43}}")
_ID_LENGTH: Final = 16
_USE_STEP: Final = 60

Kind = Literal["api", "session"]
Credential = Literal["api", "session", "arrival"]
"""The kind of credential. An `arrival` is a session that is valid only together with a trusted
header; it is stored like any session."""


class Access(NamedTuple):
    """The access rights of a token: to act for `player`, within `scopes`.

    `token` is the token's id, `expires` the RFC 3339 moment at which a session ends, else None.
    """

    player: str
    token: str
    scopes: frozenset[str]
    expires: str | None = None


class Token(NamedTuple):
    """A token's description. Moments are RFC 3339; `last_used` is accurate to the minute, and at
    first the moment of creation.

    A `session` is a browser's token, which ends at `expires`; an `api` token does not expire.
    """

    id: str
    name: str
    kind: Kind
    scopes: tuple[str, ...]
    created: str
    expires: str | None
    last_used: str


class _CachedAccess(NamedTuple):
    """The access rights of a token, cached until `end` on the process's monotonic clock."""

    access: Access
    end: float


class IssuedToken(NamedTuple):
    """A new token and its text, which is shown only this once."""

    token: Token
    text: str


@dataclass(eq=False, repr=False)
class Tokens:
    """The tokens of all players. `now` returns unix seconds."""

    _record_use = Lua(__file__, "record_use")
    _renew = Lua(__file__, "renew_session")

    _redis: Client
    _revocations: Revocations
    _idempotency: IdempotencyStore
    _secret_key: str
    _now: Callable[[], float] = time.time
    _recorded: ThreadSafeCache[str, float] = field(
        init=False, default_factory=lambda: recently_used(10_000)
    )
    _cached: ThreadSafeCache[str, _CachedAccess] = field(
        init=False, default_factory=lambda: recently_used(1000)
    )
    _valid: ThreadSafeCache[str, bool] = field(
        init=False, default_factory=lambda: recently_used(10_000)
    )

    def create(
        self, player: str, name: str, scopes: Iterable[str], key: IdempotencyKey | None = None
    ) -> IssuedToken:
        """Create a token for this player. The same `key` within a day returns the same token.

        Raises `RequestRejected`: `too-many-tokens`, `idempotency-key-reused`,
        `idempotency-key-spent` if the token created under the key has been revoked.
        """
        stored = self._idempotency.begin(key)
        issued = self.prepare(player, name, scopes, stored.seed, stored.at)
        if stored.done:
            self.check_stored(player, issued)
            return issued
        try:
            self.store(player, issued)
        except RequestRejected:
            self._idempotency.abandon(key, stored)
            raise
        self._idempotency.finish(key, stored)
        return issued

    def prepare(
        self, player: str, name: str, scopes: Iterable[str], seed: str, created: str
    ) -> IssuedToken:
        """Return the API token derived from `seed`; it becomes valid once it is stored."""
        text = self._text("api", player, seed)
        ordered = tuple(scope for scope in SCOPES if scope in set(scopes))
        return IssuedToken(Token(_id_of(text), name, "api", ordered, created, None, created), text)

    def store(self, player: str, issued: IssuedToken) -> None:
        """Store a prepared token, which makes it valid. Raises `RequestRejected`:
        `too-many-tokens`."""
        present = [token for token in self.all_of(player) if token.kind == "api"]
        if len(present) >= MAX_TOKENS and issued.token.id not in {token.id for token in present}:
            raise RequestRejected(
                "too-many-tokens",
                "You already have %(most)s tokens. Revoke some first.",
                {"most": MAX_TOKENS},
            )
        self._put(player, issued)

    def check_stored(self, player: str, issued: IssuedToken) -> None:
        """Raise `RequestRejected`, `idempotency-key-spent`, unless this token is still valid."""
        if not self._redis.hexists(TOKENS.key(player), ids.digest(issued.text)):
            raise key_spent()

    def open_session(
        self,
        player: str,
        name: str,
        life: int = SESSION_LIFE,
        most: int | None = None,
        credential: Credential = "session",
    ) -> str:
        """Sign in a browser under this name for `life` seconds; return the text of its token.

        Of the sessions under this name, only the latest `most` stay valid (None: all).
        """
        stored = cast(dict[str, str], self._redis.hgetall(TOKENS.key(player)))
        tokens = {digest: _read(digest, text) for digest, text in stored.items()}
        over = [digest for digest, token in tokens.items() if self._is_over(token)]
        if most is not None:
            named = [token for token in tokens.items() if token[1][1:3] == (name, "session")]
            named.sort(key=lambda token: token[1].created, reverse=True)
            over += [digest for digest, _ in named[most - 1 :]]
        if over:
            self._forget(player, over)
        text = self._text(credential, player, ids.secret_text())
        begin, end = (timestamp(self._now() + seconds) for seconds in (0, life))
        token = Token(_id_of(text), name, "session", SCOPES, begin, end, begin)
        self._put(player, IssuedToken(token, text))
        return text

    def renew_session(self, text: str, life: int) -> bool:
        """Extend the session of this token to `life` seconds from now; return False if it has
        ended."""
        parts = _TEXT.fullmatch(text)
        if parts is None or parts[1] == _PREFIX["api"]:
            return False
        key, digest = TOKENS.key(parts[2]), ids.digest(text)
        stored = cast(str | None, self._redis.hget(key, digest))
        if stored is None or self._is_over(_read(digest, stored)):
            return False
        token = _read(digest, stored)._replace(expires=timestamp(self._now() + life))
        return bool(self._renew(keys=[key], args=[digest, stored, _stored(token)]))

    def authenticate(self, text: str, kind: Credential = "api") -> Access | None:
        """Return the access rights of a token of this kind; None for any other text."""
        query = self.access_query(text, kind)
        return None if query is None else execute(self._redis, query)

    def access_query(
        self, text: str, kind: Credential = "api", *, is_use: bool = True
    ) -> Query[Access | None] | None:
        """Return the query that `authenticate` executes; None for a text that cannot be a token of
        this kind. With `is_use`, the query records the use.

        A session is read at every request, an API token when its cached access rights expire.
        """
        parts = _TEXT.fullmatch(text)
        if parts is None or parts[1] != _PREFIX[kind]:
            return None
        player, digest = parts[2], ids.digest(text)
        cached_until = monotonic() + ACCESS_CACHE_SECONDS  # of data read later than this

        def parse(stored: str | None) -> Access | None:
            if stored is None or self._is_over(token := _read(digest, stored)):
                self._valid.drop(digest)
                return None
            self._valid.put(digest, True)
            if is_use:
                self._use(player, digest)
            access = Access(player, token.id, frozenset(token.scopes), token.expires)
            if token.kind == "api":
                self._cached.put(digest, _CachedAccess(access, cached_until))
            return access

        return Query(("HGET", TOKENS.key(player), digest), parse)

    def cached_access(self, text: str) -> Access | None:
        """Return the cached access rights of this API token; None if they have to be read."""
        digest = ids.digest(text)
        cached = self._cached.get(digest)
        if cached is None or cached.end <= monotonic():
            return None
        self._use(cached.access.player, digest)
        return cached.access

    def was_valid(self, text: str) -> bool:
        """Whether this process has seen this token or session valid; it may have ended since."""
        return self._valid.get(ids.digest(text)) is not None

    def all_of(self, player: str) -> list[Token]:
        """Return the player's tokens and sessions, the oldest first."""
        stored = cast(dict[str, str], self._redis.hgetall(TOKENS.key(player)))
        used = cast(dict[str, str], self._redis.hgetall(LAST_USES.key(player)))
        tokens = [_read(digest, text, used.get(digest)) for digest, text in stored.items()]
        good = (token for token in tokens if not self._is_over(token))
        return sorted(good, key=lambda token: (token.created, token.id))

    def revoke(self, player: str, token_id: str) -> None:
        """Revoke a token. It is invalid everywhere once this returns.

        Raises `RequestRejected`: `token-not-found`.
        """
        stored = cast(dict[str, str], self._redis.hgetall(TOKENS.key(player)))
        digests = [digest for digest in stored if digest.startswith(token_id)]
        if len(token_id) != _ID_LENGTH or not digests:
            raise RequestRejected("token-not-found", "There is no token with this id.")
        self._revoke(player, digests)
        if any(_read(digest, stored[digest]).kind == "api" for digest in digests):
            sleep(ACCESS_CACHE_SECONDS)

    def revoke_others(self, player: str, spared: str) -> None:
        """Revoke all of the player's tokens and sessions except the one with the id `spared`."""
        self._revoke_others(player, spared)
        sleep(ACCESS_CACHE_SECONDS)
        # Repeat: one of the others may have made new tokens meanwhile.
        self._revoke_others(player, spared)

    def last_use(self, player: str) -> float | None:
        """Return when a token of the player was last used (unix seconds); None without a token."""
        return max((unix(token.last_used) for token in self.all_of(player)), default=None)

    def last_use_query(self, player: str) -> Query[int | None]:
        """Return the query for the last use as recorded, including that of tokens that have
        expired."""
        command = ("HVALS", LAST_USES.key(player))
        return Query(command, lambda reply: max(map(int, reply), default=None))

    def record_answer(self, player: str) -> None:
        """Record that the player has answered a mail: some never come otherwise."""
        self._redis.set(LAST_SIGN.key(player), f"{int(self._now())}{_BY_MAIL}")

    def last_mail_query(self, player: str) -> Query[int | None]:
        """Return the query for the player's last answer by mail, if it is their last sign of life;
        else it finds None."""

        def parse(reply: str | None) -> int | None:
            is_mail = reply is not None and reply.endswith(_BY_MAIL)
            return _moment(reply) if is_mail else None

        return Query(("GET", LAST_SIGN.key(player)), parse)

    def last_sign_queries(self, player: str) -> list[Query[int | None]]:
        """Return the queries for the player's last signs of life. Older versions recorded a use of
        a token with the token alone."""
        sign = Query(("GET", LAST_SIGN.key(player)), _moment)
        return [self.last_use_query(player), sign]

    def revoke_all(self, player: str) -> None:
        """Revoke all of the player's tokens and sessions. They are invalid once this returns."""
        keys = TOKENS.key(player), LAST_USES.key(player)
        self._redis.unlink(*keys)
        sleep(ACCESS_CACHE_SECONDS)
        # Repeat: one of the others may have made new tokens meanwhile.
        self._redis.unlink(*keys)

    def _revoke_others(self, player: str, spared: str) -> None:
        stored = cast(list[str], self._redis.hkeys(TOKENS.key(player)))
        if others := [digest for digest in stored if not digest.startswith(spared)]:
            self._revoke(player, others)

    def _put(self, player: str, issued: IssuedToken) -> None:
        digest, pipeline = ids.digest(issued.text), self._redis.pipeline(transaction=False)
        if issued.token.kind != "api":  # else nobody has come with it yet: a mail can register
            created = str(unix(issued.token.created))
            pipeline.hsetnx(LAST_USES.key(player), digest, created)
            pipeline.set(LAST_SIGN.key(player), created)
        pipeline.hset(TOKENS.key(player), digest, _stored(issued.token))
        pipeline.execute()

    def _text(self, kind: Credential, player: str, seed: str) -> str:
        secret = ids.derive(self._secret_key, f"{kind} token", player, seed)
        return f"{_PREFIX[kind]}{player}{ids.secret_text(secret)}"

    def _is_over(self, token: Token) -> bool:
        return token.expires is not None and unix(token.expires) <= self._now()

    def _use(self, player: str, digest: str) -> None:
        now, recorded = self._now(), self._recorded.get(digest)
        if recorded is not None and 0 <= now - recorded < _USE_STEP:
            return
        keys = [TOKENS.key(player), LAST_USES.key(player), LAST_SIGN.key(player)]
        try:
            self._record_use(keys=keys, args=[digest, int(now), _USE_STEP])
        except ResponseError as error:
            if not unavailable(error):
                raise
            return  # a full disk, which refuses all writes, keeps nobody from reading
        self._recorded.put(digest, now)

    def _revoke(self, player: str, digests: list[str]) -> None:
        self._revocations.mark(player, "tokens", digests)
        self._forget(player, digests)

    def _forget(self, player: str, digests: list[str]) -> None:
        self._redis.hdel(TOKENS.key(player), *digests)
        self._redis.hdel(LAST_USES.key(player), *digests)


@lru_cache(10_000)
def _read(digest: str, stored: str, used: str | None = None) -> Token:
    kind, name, scopes, created, expires = json.loads(stored)
    last_used = created if used is None else timestamp(float(used))
    return Token(digest[:_ID_LENGTH], name, kind, tuple(scopes), created, expires, last_used)


def _moment(sign: str | None) -> int | None:
    """Return the unix seconds of a sign of life as it is stored."""
    return None if sign is None else int(sign.removesuffix(_BY_MAIL))


def _stored(token: Token) -> str:
    """Return the JSON under which a token is stored."""
    fields = [token.kind, token.name, token.scopes, token.created, token.expires]
    return json.dumps(fields, ensure_ascii=False)


def _id_of(text: str) -> str:
    return ids.digest(text)[:_ID_LENGTH]


def player_of(text: str) -> str | None:
    """Return the id of the player in a token's text, valid or not; None for any other text."""
    parts = _TEXT.fullmatch(text)
    return None if parts is None else parts[2]
