"""Secrets and signed links that open something for whoever holds them: one maker for all.

A secret is random; only its digest is stored, with what it stands for, until it is used or expires.
A signed link is stored nowhere: only this server can make one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

from itsdangerous import BadSignature, URLSafeSerializer

from service.core import ids
from service.core.redis.client import Client


@dataclass(frozen=True, slots=True)
class HeldSecrets:
    """The secrets of one kind. `begin` is how their keys begin; `life` is in seconds."""

    redis: Client
    begin: str
    life: int
    digest: Callable[[str], str] = ids.digest

    def make(self, meaning: str) -> str:
        """Draw a secret that stands for this text."""
        secret = ids.secret_text()
        self.store(secret, meaning)
        return secret

    def store(self, secret: str, meaning: str) -> None:
        self.redis.set(self._key(secret), meaning, ex=self.life)

    def meaning(self, secret: str) -> str | None:
        """Return what this secret stands for; None once it was used or has expired."""
        return cast(str | None, self.redis.get(self._key(secret)))

    def use(self, secret: str) -> str | None:
        """Use the secret up, and return what it stood for: of two users, only the first gets it."""
        return cast(str | None, self.redis.getdel(self._key(secret)))

    def end(self, secret: str) -> None:
        self.redis.unlink(self._key(secret))

    def _key(self, secret: str) -> str:
        return self.begin + self.digest(secret)


_END: Final = "~"
"""The last character of a signed link. Whoever loses it opens the link all the same."""


class SignedLinks:
    """Links to one page, each with values as JSON, for one `purpose` only."""

    def __init__(self, secret_key: str, purpose: str, page: str) -> None:
        self._signer = URLSafeSerializer(secret_key, salt=purpose)
        self._page = page

    def url(self, *values: object) -> str:
        # Where a mail program breaks the link, its end must not read as a command: "no", "-G4".
        return f"{self._page}/{self._signer.dumps(values)}{_END}"

    def read(self, token: str) -> list[Any] | None:
        """Return the values of a link, from its last part; None unless we signed it."""
        try:
            return cast(list[Any], self._signer.loads(token.removesuffix(_END)))
        except BadSignature:
            return None
