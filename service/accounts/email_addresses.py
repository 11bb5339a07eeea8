"""E-mail addresses: the players who gave them, and the links that verify them.

st:address:DIGEST         set: ids of the players who gave this address
st:changed:REQUEST        the former address of a player, until it was told of the change; REQUEST
                          is the id of the notice that does so
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, cast

from itsdangerous import BadSignature, URLSafeSerializer

from service.accounts.failing_addresses import FailingAddresses
from service.core import ids
from service.core.addresses import comparable
from service.core.durations import DAY, HOUR
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import DIGEST, derived_key
from service.core.timestamps import unix
from service.eventlog import Notice, Outbox, notice_id
from service.mail.budget import MailBudget, mailbox_of

LASTING_KEYS: Final = (derived_key("st:address:*", f"st:address:{DIGEST}", "set"),)
"""The keys that a backup may include."""
LINK_LIFE: Final = 3 * DAY
"""Seconds until a link that verifies an address expires."""
VERIFY: Final = "verify"
"""The kind of notice with the link that verifies an address."""
CHANGED: Final = "address-changed"
"""The kind of notice to a former address, saying that mail now goes elsewhere."""
ADDRESS: Final = "address"
"""The recipient in the id of a notice that goes to an address instead of a player."""


class AddressVerification(NamedTuple):
    """The player and address that a link verifies, until the unix second `expires`."""

    player: str
    email: str
    expires: int


class AddressLinks:
    """Signed links to the page that verifies an address. A link is valid for one `purpose` only."""

    def __init__(
        self, secret_key: str, base_url: str, purpose: str, now: Callable[[], float]
    ) -> None:
        self._signer = URLSafeSerializer(secret_key, salt=purpose)
        self._base_url = base_url
        self._now = now

    def url(self, player: str, email: str, since: int) -> str:
        """Return the link for an address that the player gave at `since`, in unix seconds."""
        verification = AddressVerification(player, email, since + LINK_LIFE)
        return f"{self._base_url}/verify/{self._signer.dumps(list(verification))}"

    def read(self, token: str) -> AddressVerification | None:
        """Return the content of a link, from its last part; None if it is forged or has expired."""
        try:
            verification = AddressVerification(*self._signer.loads(token))
        except BadSignature:
            return None
        return verification if verification.expires > self._now() else None


class EmailAddresses:
    """The addresses of all players. `now` returns unix seconds."""

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
        self._now = now
        self._links = AddressLinks(secret_key, base_url, "address", now)
        self.failing = FailingAddresses(redis, now)

    def count_mail(self, email: str, about: str, player: str | None = None) -> None:
        """Count a mail to an address that somebody, perhaps a stranger, typed in.

        Mails with the same text in `about` count once. Call this before anything is written. Raises
        `RequestRejected`: `too-many-mails`.
        """
        self._budget.spend("proof", about, account=player, recipient=mailbox_of(email))

    def count_sign_in_mail(self, email: str, about: str) -> None:
        """Count a mail with a sign-in link; mails with the same text in `about` count once.

        Raises `RequestRejected`: `too-many-mails`.
        """
        self._budget.spend("sign-in", about, recipient=mailbox_of(email))

    @contextmanager
    def counting_mail(
        self, email: str | None, about: str, player: str | None = None
    ) -> Iterator[None]:
        """Count a mail as `count_mail` does, unless the block raises `RequestRejected`.

        If `email` is None, there is no mail to count.
        """
        if email is None:
            yield
            return
        self.count_mail(email, about, player)
        try:
            yield
        except RequestRejected:
            by = {"account": player, "recipient": mailbox_of(email)}
            self._budget.give_back("proof", about, **by)
            raise

    def add_unverified(self, player: str, email: str, created: str) -> None:
        """Record the address that the player gave at `created` (RFC 3339), and mail a link that
        verifies it.

        May be repeated.
        """
        self.add(player, email)
        self.request_verification(player, email, created)

    def request_verification(self, player: str, email: str, created: str) -> None:
        """Mail a link that verifies the address, given at `created` (RFC 3339). May be repeated."""
        notice = notice_id(player, unix(created), player, "mail", VERIFY)
        self._outbox.add(Notice(notice, self._now()))

    def notify_former(self, player: str, email: str) -> None:
        """Notify this address that the player's mail will go elsewhere, at most once an hour."""
        hour = str(int(self._now() // HOUR))
        request = ids.derived_game_id(self._secret_key, CHANGED, player, email, hour)
        if self._redis.set(_changed_key(request), email, nx=True, ex=LINK_LIFE):
            notice = notice_id(request, int(self._now()), ADDRESS, "mail", CHANGED)
            self._outbox.add(Notice(notice, self._now()))

    def former_address(self, request: str) -> str | None:
        """Return the address to notify for this request; None after some days."""
        return cast(str | None, self._redis.get(_changed_key(request)))

    def add(self, player: str, email: str) -> None:
        """Index the player under this address."""
        self._redis.sadd(_key(email), player)

    def remove(self, player: str, email: str, *, was_verified: bool) -> None:
        """Remove the player from the index of this address.

        If nobody else has the address, and the player had verified it, its failures are deleted as
        well. Not if it was unverified: anybody can give an address and remove it again.
        """
        self._redis.srem(_key(email), player)
        if was_verified and not self._redis.exists(_key(email)):
            self.failing.clear(email)

    def players_at(self, email: str) -> list[str]:
        """Return the ids of the players who gave this address, verified or not."""
        return sorted(cast(set[str], self._redis.smembers(_key(email))))

    def verification_link(self, player: str, email: str, since: int) -> str:
        """Return the URL of the page that verifies the address. Send it to that address only.

        `since`: when the player gave the address, in unix seconds.
        """
        return self._links.url(player, email, since)

    def read_link(self, token: str) -> AddressVerification | None:
        """Return the content of a link, from its last part; None if it is forged or has expired."""
        return self._links.read(token)


def _changed_key(request: str) -> str:
    return f"st:changed:{request}"


def _key(email: str) -> str:
    return f"st:address:{ids.digest(comparable(email))}"
