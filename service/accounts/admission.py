"""Decides whether a person may open an account: everybody may, or invited people, or only guests of
the operator.

An invitation of the operator admits one person. It lasts a week. The person who has used it can
open it again, so that a repeated request returns the same account.

st:{operator}:invitation:DIGEST       an invitation
st:{operator}:invitation:DIGEST:used  the player whom it admitted
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.core import ids
from service.core.durations import DAY
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.core.settings import Registration

INVITATION_LIFE: Final = 7 * DAY
"""Seconds until an operator's invitation expires."""
_WHY: Final[dict[Registration, str]] = {
    "invited": "New players come here by invitation: ask somebody who plays here, or the host.",
    "closed": "This server takes no new players without an invitation of its host.",
}


class Admission:
    """Admits new players to this server, according to the setting `registration`."""

    def __init__(self, redis: Client, registration: Registration) -> None:
        self._redis = redis
        self.registration: Final = registration

    def make_invitation(self) -> str:
        """Create an invitation of the operator; return its secret."""
        secret = ids.secret_text()
        self._redis.set(_invitation_key(secret), "1", ex=INVITATION_LIFE)
        return secret

    def is_invitation(self, secret: str) -> bool:
        """Whether this is the secret of an invitation that nobody has used."""
        return bool(self._redis.exists(_invitation_key(secret))) and not self._redis.exists(
            _used_key(secret)
        )

    @contextmanager
    def admitting(
        self, player: str, invitation: str | None = None, *, holds_invite: bool = False
    ) -> Iterator[None]:
        """Admit a new player in this block, and use the invitation up unless the block fails.

        `invitation` is the secret of an operator's invitation. `holds_invite`: the player has a
        valid invite to a game. Raises `RequestRejected`: `registration-closed`.
        """
        admits_all = self.registration == "open"
        if admits_all or (holds_invite and self.registration == "invited"):
            yield
            return
        first_use = self._use(invitation or "", player)
        try:
            yield
        except BaseException:
            if first_use:
                self._redis.unlink(_used_key(invitation or ""))
            raise

    def _use(self, secret: str, player: str) -> bool:
        """Use an invitation for this player; return False if they have used it before.

        Raises `RequestRejected`: `registration-closed`.
        """
        if self._redis.exists(_invitation_key(secret)):
            used = _used_key(secret)
            if self._redis.set(used, player, nx=True, ex=INVITATION_LIFE):
                return True
            if self._redis.get(used) == player:
                return False
        raise RequestRejected(
            "registration-closed", _WHY[self.registration], registration=self.registration
        )


def _invitation_key(secret: str) -> str:
    return f"st:{{operator}}:invitation:{ids.digest(secret)}"


def _used_key(secret: str) -> str:
    return f"{_invitation_key(secret)}:used"
