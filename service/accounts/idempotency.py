"""Stores requests outside a game's log by idempotency key, so that a repeat has the same result.

st:repeat:DIGEST          JSON of the fingerprint, seed and moment of the first request, and whether
                          it was completed; for a day
st:repeats:DIGEST         the number of new keys that a caller has used within a day
st:answer:DIGEST          the fingerprint of a request, then its answer, sealed, for a day; for a
                          minute without one, while the request is carried out
st:answers:DIGEST         list: the digests of a caller's newest answers, the newest first
"""

import base64
import hmac
import json
import re
import secrets
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from service.core import ids
from service.core.errors import RequestRejected, key_reused
from service.core.redis.client import Client, counted
from service.core.times import DAY, timestamp
from service.eventlog import IdempotencyKey
from service.eventlog.results import report_repeat

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_LIFE: Final = DAY
"""Seconds for which a key is stored."""
MAX_KEYS: Final = 500
"""The most keys of one caller that are stored at a time."""
MOST_ANSWERS: Final = 100
"""The most answers that are stored for one caller; the oldest give way to new ones."""
_LEASE: Final = 60
"""Seconds after which a request that was never answered may be carried out again: whoever carried
it out is gone."""
_NONCE: Final = 12

_FORMS: Final = re.compile(
    r"""[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}  # a random UUID
    | [0-9a-f]{32,}                                       # hex digits, of 16 bytes or more
    | (?P<base64>(?=.*[^0-9a-f-])[0-9a-z_+/-]{22,}={0,2}) # base64, of 16 bytes or more
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LEAST_DIFFERENT: Final = 8
"""The fewest different characters in a key. Of 27 million texts of 32 random hex digits, one has
fewer."""
_MOST_ALIKE: Final = 6
"""A base64 key reads as words if its kind of character (digit, capital, other) changes less often
than once in this many characters. In random texts it changes about twice as often: of 15,000 texts
of 22 random characters, one is taken for words."""
_PUBLISHED: Final = Path(__file__).with_name("published_keys.txt")


class StoredRequest(NamedTuple):
    """The values with which a request and its repeats work.

    All random values are derived from `seed`; `at` is the moment of the first request (RFC 3339);
    `done`: it was completed, so nothing is left to be written.
    """

    seed: str
    at: str
    done: bool


@dataclass(frozen=True, slots=True)
class IdempotencyStore:
    """The requests of the last day that had an idempotency key, so that they can be repeated."""

    redis: Client
    now: Callable[[], float] = time.time

    def begin(self, key: IdempotencyKey | None) -> StoredRequest:
        """Return the values for this request: new ones, or those of the first request under `key`.

        Raises `RequestRejected`: `idempotency-key-reused` if that was another request,
        `too-many-requests`.
        """
        drawn = StoredRequest(ids.secret_text(), timestamp(self.now()), False)
        if key is None:
            return drawn
        mine = json.dumps([key.fingerprint, *drawn])
        is_new = self.redis.set(_request_key(key), mine, nx=True, ex=KEY_LIFE)
        if is_new and counted(self.redis, _count_key(key), KEY_LIFE) > MAX_KEYS:
            self.redis.delete(_request_key(key))
            raise RequestRejected(
                "too-many-requests",
                "You have used %(most)s idempotency keys here within a day. Try again later.",
                {"most": MAX_KEYS},
            )
        stored = cast(str | None, self.redis.get(_request_key(key)))
        fingerprint, *values = json.loads(stored or mine)
        if fingerprint != key.fingerprint:
            raise key_reused()
        if stored not in (None, mine):
            report_repeat()
        return StoredRequest(*values)

    def finish(self, key: IdempotencyKey | None, stored: StoredRequest) -> None:
        """Mark the request as done: a repeat then changes nothing, and has the same result."""
        if key is not None and not stored.done:
            done = json.dumps([key.fingerprint, *stored._replace(done=True)])
            self.redis.set(_request_key(key), done, ex=KEY_LIFE)

    def abandon(self, key: IdempotencyKey | None, stored: StoredRequest) -> None:
        """Release the key of a request that changed nothing."""
        if key is not None and not stored.done and self.redis.delete(_request_key(key)):
            self.redis.decr(_count_key(key))


@dataclass(frozen=True, slots=True)
class AnswerStore:
    """Whole answers to requests that are not repeatable by themselves, in the order of `begin`,
    then `finish` or `abandon`.

    They are encrypted: an answer may hold a token or an address, and nobody can read it without
    both the idempotency key and the server's.
    """

    redis: Client
    secret_key: str = field(repr=False)

    def begin(self, key: IdempotencyKey) -> bytes | None:
        """Return the answer to the first request under `key`; None if this is the first.

        Raises `RequestRejected`: `idempotency-key-reused` if that was another request,
        `request-in-progress`.
        """
        name = _answer_key(key)
        if self.redis.set(name, key.fingerprint, nx=True, ex=_LEASE):
            return None
        fingerprint, _, sealed = cast(str, self.redis.get(name) or "").partition(" ")
        if fingerprint not in ("", key.fingerprint):
            raise key_reused()
        if not sealed:
            raise RequestRejected(
                "request-in-progress",
                "The first request under this Idempotency-Key is still being carried out.",
            )
        report_repeat()
        nonce, content = (base64.b64decode(part) for part in sealed.split(" "))
        return zlib.decompress(self._cipher(key).decrypt(nonce, content, None))

    def finish(self, key: IdempotencyKey, answer: bytes) -> None:
        """Store the answer for a day."""
        nonce = secrets.token_bytes(_NONCE)
        content = self._cipher(key).encrypt(nonce, zlib.compress(answer), None)
        sealed = " ".join(base64.b64encode(part).decode() for part in (nonce, content))
        newest = f"st:answers:{ids.digest(key.scope)}"
        with self.redis.pipeline(transaction=False) as pipeline:
            pipeline.set(_answer_key(key), f"{key.fingerprint} {sealed}", ex=KEY_LIFE)
            pipeline.lpush(newest, _answer_key(key))
            pipeline.lrange(newest, MOST_ANSWERS, -1)
            pipeline.ltrim(newest, 0, MOST_ANSWERS - 1)
            pipeline.expire(newest, KEY_LIFE)
            older = pipeline.execute()[2]
        for name in older:
            self.redis.unlink(name)

    def abandon(self, key: IdempotencyKey) -> None:
        """Release the key of a request that was refused."""
        self.redis.unlink(_answer_key(key))

    def _cipher(self, key: IdempotencyKey) -> "AESGCM":
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        material = hmac.digest(self.secret_key.encode(), f"answer {key.key}".encode(), "sha256")
        return AESGCM(material)


def check_unguessable(key: str) -> None:
    """Raise `RequestRejected` for a key that somebody else could guess or use too.

    A repeat under the key returns a token. So the key must have the form of 16 random bytes, must
    not read as words, and must not appear in a document of ours.
    """
    form = _FORMS.fullmatch(key)
    is_random = form is not None and len(set(key.lower())) >= _LEAST_DIFFERENT
    if not is_random or (form and form["base64"] and _reads_as_words(key)):
        raise RequestRejected(
            "weak-idempotency-key",
            "Under this key a token is made, so nobody must be able to guess it. Take a new random"
            " UUID, 32 random hexadecimal digits, or 22 random characters of base64.",
        )
    if _normal(key) in _published():
        raise RequestRejected(
            "weak-idempotency-key",
            "This key is an example that everybody can read. Draw a new one at random.",
        )


def _reads_as_words(key: str) -> bool:
    kinds = [(one.isdigit(), one.isupper()) for one in key if one.isalnum()]
    return sum(one != other for one, other in pairwise(kinds)) * _MOST_ALIKE < len(key)


def _normal(key: str) -> str:
    """Return the normal form of a UUID, or of bytes in base64: lower case, without punctuation."""
    return re.sub("[^0-9a-z]", "", key.lower())


@cache
def _published() -> frozenset[str]:
    return frozenset(map(_normal, _PUBLISHED.read_text().split()))


def key_spent() -> RequestRejected:
    """Return the rejection if the result of the first request under the key has been deleted."""
    return RequestRejected(
        "idempotency-key-spent",
        "What was made under this Idempotency-Key has been deleted. Take a new key.",
    )


def _request_key(key: IdempotencyKey) -> str:
    return f"st:repeat:{ids.digest(key.key)}"


def _answer_key(key: IdempotencyKey) -> str:
    return f"st:answer:{ids.digest(key.key)}"


def _count_key(key: IdempotencyKey) -> str:
    return f"st:repeats:{ids.digest(key.scope)}"
