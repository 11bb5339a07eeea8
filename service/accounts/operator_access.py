"""Access to the operator's page, through links that `scottenbury operator` prints.

The operator has no account: a link, made under somebody's name, opens one session of a browser.
Only digests of link and session are stored, with that name.

st:{operator}:link:DIGEST     a link that was not opened yet
st:{operator}:session:DIGEST  a session
"""

from typing import Final, cast

from service.core import ids
from service.core.durations import HOUR, MINUTE
from service.core.redis.client import Client

LINK_LIFE: Final = 10 * MINUTE
"""Seconds until a link expires."""
SESSION_LIFE: Final = 8 * HOUR
"""Seconds after which a session ends, even if it is in use."""


class OperatorAccess:
    """The links and sessions of this server's operators."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def make_link(self, name: str = "operator") -> str:
        """Create a link; return its secret. Whoever opens it acts under this name."""
        secret = ids.secret_text()
        self._redis.set(_link_key(secret), name, ex=LINK_LIFE)
        return secret

    def is_link(self, secret: str) -> bool:
        """Whether this is the secret of a link that can be opened."""
        return bool(self._redis.exists(_link_key(secret)))

    def open(self, secret: str) -> str | None:
        """Use up a link, and return the text of a new session; None for any other secret.

        Of two simultaneous users, only the first gets a session.
        """
        name = cast(str | None, self._redis.getdel(_link_key(secret)))
        if name is None:
            return None
        session = ids.secret_text()
        self._redis.set(_session_key(session), name, ex=SESSION_LIFE)
        return session

    def is_open(self, session: str) -> bool:
        """Whether this is the text of a session."""
        return self.name(session) is not None

    def name(self, session: str) -> str | None:
        """Return the name under which this session acts; None if it does not exist."""
        return cast(str | None, self._redis.get(_session_key(session))) if session else None

    def close(self, session: str) -> None:
        """End a session."""
        self._redis.unlink(_session_key(session))


def _link_key(secret: str) -> str:
    return f"st:{{operator}}:link:{ids.digest(secret)}"


def _session_key(session: str) -> str:
    return f"st:{{operator}}:session:{ids.digest(session)}"
