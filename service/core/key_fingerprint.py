"""The fingerprint of the secret key that a store belongs to.

By it, web and workers notice that they have different keys: each would reject every link, address
or cookie made by the other.

st:key-fingerprint        a digest from which the key cannot be computed

No backup holds it: a restored store belongs to the key of the server that first starts on it.
"""

from typing import Final, cast

from service.core import ids
from service.core.redis.client import Client

_KEY: Final = "st:key-fingerprint"

OTHER_KEY: Final = (
    "this store belongs to another secret key: links in mail, invitations and private addresses"
    " made with one key are dead for the other"
)
ADVICE: Final = (
    "Give web and worker the same SCOTTENBURY_SECRET_KEY, or the same folder SCOTTENBURY_DATA."
    " If the key was changed on purpose, run `scottenbury new-key`."
)


def claim(redis: Client, secret_key: str) -> bool:
    """Whether the store belongs to this key; a store without a key belongs to it from now on."""
    if redis.get(_KEY) is None:  # a full disk takes no writes, and ours is already there
        redis.set(_KEY, _fingerprint(secret_key), nx=True)
    return belongs_to(redis, secret_key)


def belongs_to(redis: Client, secret_key: str) -> bool:
    """Whether no server has used this store with another key."""
    return cast(str | None, redis.get(_KEY)) in (None, _fingerprint(secret_key))


def replace(redis: Client, secret_key: str) -> None:
    """Assign the store to this key."""
    redis.set(_KEY, _fingerprint(secret_key))


def _fingerprint(secret_key: str) -> str:
    return ids.derive(secret_key, "fingerprint").hex()[:32]
