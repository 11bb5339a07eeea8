"""E-mail addresses: those that mail does not reach, the players who gave them, and the links that
verify them.

st:address:DIGEST         set: ids of the players who gave this address
st:changed:REQUEST        a player and their former address, until it was told of the change;
                          REQUEST is the id of the notice that does so
st:{failing}:addresses    hash: digest of the address → JSON of its first and last failure, and of
                          the way and the reason it failed
st:failing:cleared:DIGEST when a mark was cleared; stored while older mails may be returned

An address fails if mail was refused for good, or returned. If a mail server refused a mail by a
rule of its own (against the mail, or its sender), the address is not dead: its player sees the
failure, and further mails are sent and may succeed.

A refusal is cleared once the mail server accepts a mail. But returned mail had been accepted first:
its mark is cleared only when the address is confirmed again, or its player replies to a mail.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple, cast

from service.core import ids
from service.core.errors import RequestRejected
from service.core.held_secrets import SignedLinks
from service.core.network import comparable
from service.core.redis.batch import Query, execute
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import DIGEST, derived_key
from service.core.times import DAY, HOUR, unix
from service.eventlog import Notice, Outbox, notice_id
from service.mail.budget import MailBudget, mailbox_of

FAILURE_LIFE: Final = 180 * DAY
"""Seconds for which a failure is stored, after the last one."""
RETURN_LIFE: Final = 14 * DAY
"""Seconds after which the return of a mail proves nothing any more."""
How = Literal["refused", "returned"]
_FAILING: Final = "st:{failing}:addresses"


class AddressFailure(NamedTuple):
    """A failing address: its last failure (`at`) and first (`since`), in unix seconds.

    `error` quotes the mail server. `how` says whether it refused the mail or returned it;
    `by_policy`, whether it only applied a rule of its own.
    """

    at: float
    error: str
    since: float = 0.0
    how: How = "refused"
    by_policy: bool = False


@dataclass(frozen=True, slots=True)
class FailingAddresses:
    """The addresses to which mail does not get through. Every call may be repeated."""

    redis: Client
    now: Callable[[], float] = time.time

    def mark(
        self, email: str, error: str, how: How = "refused", *, by_policy: bool = False
    ) -> None:
        """Mark the address as failing. A mail to it was refused for good, or returned."""
        now, before = self.now(), self.find(email)
        since = before.since if before else now
        # An address whose mail was returned stays marked so until it is confirmed.
        lasting: How = "returned" if before and before.how == "returned" else how
        # A rule against one mail does not change what other mails have shown.
        alive = by_policy and (before is None or before.by_policy)
        failure = AddressFailure(now, error[:500], since, lasting, alive)
        self.redis.hset(_FAILING, _digest(email), json.dumps(failure._asdict()))
        stored = self.by_digest().items()
        if old := [digest for digest, one in stored if now - one.at > FAILURE_LIFE]:
            self.redis.hdel(_FAILING, *old)

    def mark_returned(
        self, email: str, error: str, sent: float, *, by_policy: bool = False
    ) -> bool:
        """Mark the address after a mail sent at `sent` (unix seconds) was returned.

        Return False if the address has worked since, or if the mail is too old.
        """
        cleared = cast(str | None, self.redis.get(_cleared_key(_digest(email))))
        if sent <= max(float(cleared or 0), self.now() - RETURN_LIFE):
            return False
        self.mark(email, error, "returned", by_policy=by_policy)
        return True

    def clear(self, email: str) -> None:
        """Clear the mark of an address whose owner has shown that mail arrives."""
        self.clear_digest(_digest(email))

    def clear_digest(self, digest: str) -> None:
        """Clear the mark of the address with this digest."""
        if self.redis.hdel(_FAILING, digest):
            self.redis.set(_cleared_key(digest), repr(self.now()), ex=RETURN_LIFE)

    def clear_refusal(self, email: str) -> None:
        """Clear a refusal after a mail server accepted a mail; it may still be returned."""
        if (failure := self.find(email)) is not None and failure.how == "refused":
            self.redis.hdel(_FAILING, _digest(email))

    def find(self, email: str | None) -> AddressFailure | None:
        """Return the failure of mail to the address; None without one."""
        return execute(self.redis, self.find_query(email)) if email else None

    def find_query(self, email: str) -> Query[AddressFailure | None]:
        command = ("HGET", _FAILING, _digest(email))
        return Query(command, lambda stored: _read(stored) if stored else None)

    def is_dead(self, email: str | None) -> bool:
        """Whether mail to the address is unlikely to arrive."""
        failure = self.find(email)
        return failure is not None and not failure.by_policy

    def all(self) -> list[AddressFailure]:
        """Return the failures of all addresses, the latest first."""
        return sorted(self.by_digest().values(), key=lambda failure: -failure.at)

    def by_digest(self) -> dict[str, AddressFailure]:
        stored = cast(dict[str, str], self.redis.hgetall(_FAILING))
        return {digest: _read(text) for digest, text in stored.items()}

    def count_query(self) -> Query[int]:
        return Query(("HLEN", _FAILING), int)


def _read(stored: str) -> AddressFailure:
    failure = AddressFailure(**json.loads(stored))
    return failure if failure.since else failure._replace(since=failure.at)


def _cleared_key(digest: str) -> str:
    return f"st:failing:cleared:{digest}"


def _digest(email: str) -> str:
    return ids.digest(comparable(email))


LASTING_KEYS: Final = (derived_key("st:address:*", "set", DIGEST),)
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


@dataclass(eq=False, repr=False)
class AddressLinks:
    """Signed links to the page that verifies an address. A link is valid for one `purpose` only."""

    _secret_key: str
    _base_url: str
    _purpose: str
    _now: Callable[[], float]

    @cached_property
    def _links(self) -> SignedLinks:
        return SignedLinks(self._secret_key, self._purpose, f"{self._base_url}/verify")

    def url(self, player: str, email: str, since: int) -> str:
        """Return the link for an address that the player gave at `since`, in unix seconds."""
        return self._links.url(*AddressVerification(player, email, since + LINK_LIFE))

    def read(self, token: str) -> AddressVerification | None:
        """Return the content of a link, from its last part; None if it is forged or has expired."""
        values = self._links.read(token)
        verification = values and AddressVerification(*values)
        return verification if verification and verification.expires > self._now() else None


@dataclass(eq=False, repr=False)
class EmailAddresses:
    """The addresses of all players. `now` returns unix seconds."""

    _redis: Client
    failing: FailingAddresses
    _outbox: Outbox
    _budget: MailBudget
    _secret_key: str
    _base_url: str
    _now: Callable[[], float] = time.time

    @cached_property
    def links(self) -> AddressLinks:
        """The links that verify an address. Send each to that address only."""
        return AddressLinks(self._secret_key, self._base_url, "address", self._now)

    def count_sign_in_mail(self, email: str, about: str) -> None:
        """Count a mail with a sign-in link; mails with the same text in `about` count once.

        Raises `RequestRejected`: `too-many-mails`.
        """
        self._budget.spend("sign-in", about, recipient=mailbox_of(email))

    @contextmanager
    def counting_mail(
        self, email: str | None, about: str, player: str | None = None
    ) -> Iterator[None]:
        """Count a mail to an address that somebody, perhaps a stranger, typed in, unless the block
        raises `RequestRejected`. If `email` is None, there is no mail to count.

        Mails with the same text in `about` count once. Raises `RequestRejected`: `too-many-mails`.
        """
        if email is None:
            yield
            return
        self._budget.spend("proof", about, account=player, recipient=mailbox_of(email))
        try:
            yield
        except RequestRejected:
            self._budget.give_back("proof", about, account=player, recipient=mailbox_of(email))
            raise

    def add_unverified(self, player: str, email: str, created: str) -> None:
        """Record the address that the player gave at `created` (RFC 3339), and mail a link that
        verifies it.

        May be repeated.
        """
        self.add(player, email)
        self.request_verification(player, created)

    def request_verification(self, player: str, created: str) -> None:
        """Mail a link that verifies the player's address, given at `created` (RFC 3339). May be
        repeated."""
        notice = notice_id(player, unix(created), player, "mail", VERIFY)
        self._outbox.add(Notice(notice, self._now()))

    def notify_former(self, player: str, email: str) -> None:
        """Notify this address that the player's mail will go elsewhere, at most once an hour."""
        hour = str(int(self._now() // HOUR))
        request = ids.derived_game_id(self._secret_key, CHANGED, player, email, hour)
        if self._redis.set(_changed_key(request), f"{player} {email}", nx=True, ex=LINK_LIFE):
            notice = notice_id(request, int(self._now()), ADDRESS, "mail", CHANGED)
            self._outbox.add(Notice(notice, self._now()))

    def former_address(self, request: str) -> tuple[str | None, str] | None:
        """Return the player and the address to notify for this request; None after some days. Of a
        request by a former version only the address is stored."""
        stored = cast(str | None, self._redis.get(_changed_key(request)))
        if stored is None:
            return None
        player, _, email = stored.partition(" ")
        return (player, email) if email else (None, stored)

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


def _changed_key(request: str) -> str:
    return f"st:changed:{request}"


def _key(email: str) -> str:
    return f"st:address:{ids.digest(comparable(email))}"
