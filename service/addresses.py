"""E-mail addresses: which players gave one, and the links by which they prove that it is theirs.

st:address:DIGEST         set: ids of the players who gave this address
st:asked:DIGEST:HOUR      set: what mails were sent for to this address in this hour, at the
                          wish of whoever typed it in
"""

import time
from collections.abc import Callable
from typing import Final, NamedTuple, cast

from itsdangerous import BadSignature, URLSafeSerializer

from service import identifiers
from service.connections import Client
from service.instant import unix
from service.log import GameLog, Notice, notice_id
from service.snapshot_keys import DIGEST, derived_key

LASTING_KEYS: Final = (derived_key("st:address:*", f"st:address:{DIGEST}", "set"),)
"""Keys that a backup may hold."""
LINK_LIFE: Final = 3 * 24 * 60 * 60
"""Seconds for which a link that verifies an address is good."""
VERIFY: Final = "verify"
"""The kind of notice that carries such a link."""

_ASKED_AN_HOUR: Final = 5
_HOUR: Final = 60 * 60


class Claim(NamedTuple):
    """That this address is this player's. A link with it is good until `expires`, unix seconds."""

    player: str
    email: str
    expires: int


class Addresses:
    """The addresses of all players. `now` gives unix seconds."""

    def __init__(
        self,
        redis: Client,
        log: GameLog,
        secret_key: str,
        base_url: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._redis = redis
        self._log = log
        self._base_url = base_url
        self._now = now
        self._signer = URLSafeSerializer(secret_key, salt="address")

    def claim(self, player: str, email: str, moment: str) -> None:
        """The player gave this address, at this moment: ask there whether it is theirs.

        May be repeated.
        """
        self.add(player, email)
        notice = notice_id(player, unix(moment), player, "mail", VERIFY)
        if self.may_write(email, notice):
            self._log.add_notice(Notice(notice, self._now()))

    def add(self, player: str, email: str) -> None:
        """Let the player be found by this address."""
        self._redis.sadd(_key(email), player)

    def release(self, player: str, email: str) -> None:
        """The player has this address no more."""
        self._redis.srem(_key(email), player)

    def players(self, email: str) -> list[str]:
        """The ids of those who gave this address, whether it is theirs or not."""
        return sorted(cast(set[str], self._redis.smembers(_key(email))))

    def link(self, player: str, email: str, since: int) -> str:
        """The page on which the reader of a mail sent there verifies the address.

        `since` is when the player gave it, in unix seconds.
        """
        claim = Claim(player, email, since + LINK_LIFE)
        return f"{self._base_url}/verify/{self._signer.dumps(list(claim))}"

    def read_link(self, token: str) -> Claim | None:
        """What the last part of such a link says; None unless we signed it and it is in time."""
        try:
            claim = Claim(*self._signer.loads(token))
        except BadSignature:
            return None
        return claim if claim.expires > self._now() else None

    def may_write(self, email: str, about: str) -> bool:
        """Whether one more mail may go there because somebody, who knows who, typed it in.

        The same thing, `about`, may be asked again: it counts only once.
        """
        asked = f"st:asked:{_digest(email)}:{int(self._now() // _HOUR)}"
        pipeline = self._redis.pipeline()
        pipeline.sadd(asked, about)
        pipeline.scard(asked)
        pipeline.expire(asked, _HOUR)
        new, count, _ = cast(list[int], pipeline.execute())
        if new and count > _ASKED_AN_HOUR:
            self._redis.srem(asked, about)
        return not new or count <= _ASKED_AN_HOUR


def _key(email: str) -> str:
    return f"st:address:{_digest(email)}"


def _digest(email: str) -> str:
    return identifiers.digest(email.lower())
