"""Access to the operator's page, through links that `scottenbury operator` prints.

There is no account: a link opens one session of a browser. Only digests of both are stored.

st:{operator}:link:DIGEST     a link that was not opened yet
st:{operator}:session:DIGEST  a session
"""

from typing import Final

from service.core import ids
from service.core.durations import HOUR, MINUTE
from service.core.redis.client import Client

LINK_LIFE: Final = 10 * MINUTE
"""Seconds until a link expires."""
SESSION_LIFE: Final = 8 * HOUR
"""Seconds after which a session ends, used or not."""


class OperatorAccess:
    """The links and sessions of this server's operators."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def make_link(self) -> str:
        """The secret of a new link."""
        secret = ids.secret_text()
        self._redis.set(_link_key(secret), "1", ex=LINK_LIFE)
        return secret

    def is_link(self, secret: str) -> bool:
        """Whether this is the secret of a link that can be opened."""
        return bool(self._redis.exists(_link_key(secret)))

    def open(self, secret: str) -> str | None:
        """Use up a link, and return the text of a new session; None for any other secret.

        Only the first of two users gets in.
        """
        if not self._redis.delete(_link_key(secret)):
            return None
        session = ids.secret_text()
        self._redis.set(_session_key(session), "1", ex=SESSION_LIFE)
        return session

    def is_open(self, session: str) -> bool:
        """Whether this is the text of a session."""
        return bool(session) and bool(self._redis.exists(_session_key(session)))

    def close(self, session: str) -> None:
        """End a session."""
        self._redis.unlink(_session_key(session))


def _link_key(secret: str) -> str:
    return f"st:{{operator}}:link:{ids.digest(secret)}"


def _session_key(session: str) -> str:
    return f"st:{{operator}}:session:{ids.digest(session)}"
