"""E-mail addresses: which players gave one, and the links by which they prove that it is theirs.

st:address:DIGEST         set: ids of the players who gave this address
st:changed:REQUEST        the address that is to be told that a player's mail goes elsewhere
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, cast

from itsdangerous import BadSignature, URLSafeSerializer

from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import DIGEST, derived_key
from service.core.timestamps import unix
from service.eventlog import Notice, Outbox, notice_id
from service.mail.budget import MailBudget, mailbox_of

LASTING_KEYS: Final = (derived_key("st:address:*", f"st:address:{DIGEST}", "set"),)
"""Keys that a backup may hold."""
LINK_LIFE: Final = 3 * 24 * 60 * 60
"""Seconds for which a link that verifies an address is good."""
VERIFY: Final = "verify"
"""The kind of notice that carries such a link."""
CHANGED: Final = "address-changed"
"""The kind of notice that tells an address that mail is to go elsewhere."""
ADDRESS: Final = "address"
"""The recipient of a notice to an address: nobody's name is in it."""

_HOUR: Final = 60 * 60


class Claim(NamedTuple):
    """That this address is this player's. A link with it is good until `expires`, unix seconds."""

    player: str
    email: str
    expires: int


class EmailAddresses:
    """The addresses of all players. `now` gives unix seconds."""

    def __init__(
        self,
        redis: Client,
        outbox: Outbox,
        budget: MailBudget,
        secret_key: str,
        base_url: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._redis = redis
        self._budget = budget
        self._secret_key = secret_key
        self._outbox = outbox
        self._base_url = base_url
        self._now = now
        self._signer = URLSafeSerializer(secret_key, salt="address")

    def admit(self, email: str, about: str, player: str | None = None) -> None:
        """Count one more mail that goes there because somebody, who knows who, typed it in.

        The same thing, `about`, may be asked again: it counts only once. Raises `RequestRejected`:
        `too-many-mails`. To be called before anything is written.
        """
        self._budget.spend("proof", about, account=player, recipient=mailbox_of(email))

    def admit_sign_in(self, email: str, about: str) -> None:
        """Count one more mail with a link to sign in.

        Raises `RequestRejected`: `too-many-mails`.
        """
        self._budget.spend("sign-in", about, recipient=mailbox_of(email))

    @contextmanager
    def admitted(self, email: str | None, about: str, player: str | None = None) -> Iterator[None]:
        """Count it as `admit` does, unless what is done meanwhile is refused. None: no mail."""
        if email is None:
            yield
            return
        self.admit(email, about, player)
        try:
            yield
        except RequestRejected:
            by = {"account": player, "recipient": mailbox_of(email)}
            self._budget.give_back("proof", about, **by)
            raise

    def claim(self, player: str, email: str, moment: str) -> None:
        """The player gave this address, at this moment: ask there whether it is theirs.

        May be repeated.
        """
        self.add(player, email)
        self.ask(player, email, moment)

    def ask(self, player: str, email: str, moment: str) -> None:
        """Ask there whether it is the player's, who gave it at this moment. May be repeated."""
        notice = notice_id(player, unix(moment), player, "mail", VERIFY)
        self._outbox.add(Notice(notice, self._now()))

    def tell_former(self, player: str, email: str) -> None:
        """Tell this address that the player's mail is to go elsewhere: once an hour at most."""
        hour = str(int(self._now() // _HOUR))
        request = ids.derived_game_id(self._secret_key, CHANGED, player, email, hour)
        if self._redis.set(_changed_key(request), email, nx=True, ex=LINK_LIFE):
            notice = notice_id(request, int(self._now()), ADDRESS, "mail", CHANGED)
            self._outbox.add(Notice(notice, self._now()))

    def former(self, request: str) -> str | None:
        """The address to be told so under this request; None after some days."""
        return cast(str | None, self._redis.get(_changed_key(request)))

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


def _changed_key(request: str) -> str:
    return f"st:changed:{request}"


def _key(email: str) -> str:
    return f"st:address:{_digest(email)}"


def _digest(email: str) -> str:
    return ids.digest(email.lower())
