"""Additional addresses from which a player replies to our mails.

We send to such an address only the link that confirms it, and responses to mails from it: never
mail about games or a sign-in link. As with other addresses, several players may give the same one.

st:{PLAYER}:answer-addresses  hash: each address by its id, with the moment it was added, and
                              whether it is confirmed
st:answers-from:DIGEST        set: ids of the players who have confirmed this address
"""

import json
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, cast

from marshmallow import fields, validate

from service.accounts.email_addresses import AddressLinks, AddressVerification, EmailAddresses
from service.accounts.player import PLAYER, Revocations, check_person
from service.core import ids
from service.core.errors import RequestRejected
from service.core.network import comparable
from service.core.redis.client import Client, Lua
from service.core.redis.snapshot_keys import (
    ADDRESS,
    DIGEST,
    JsonText,
    PlayerData,
    derived_key,
    text,
    timestamp_text,
)
from service.core.times import timestamp
from service.core.words import N_
from service.eventlog import Notice, NoticeParts, Outbox, notice_id

MOST: Final = 4
"""The most additional addresses of one player."""
ADDRESS_ID: Final = "[0-9a-f]{16}"
CONFIRM: Final = "answer-address"
"""The kind of notice with the link that confirms an additional address."""
CONFIRMED: Final = "answer-address-added"
"""The kind of notice that tells the player's own address that an additional one was confirmed."""
_STORED: Final[dict[str, fields.Field[Any]]] = {
    "email": text(ADDRESS, required=True),
    "added": timestamp_text(required=True),
    "verified": fields.Boolean(required=True),
}
ANSWER_ADDRESSES: Final = PlayerData(
    "answer-addresses",
    "hash",
    fields.Dict(
        text(ADDRESS_ID), JsonText(fields.Nested(_STORED)), validate=validate.Length(max=MOST)
    ),
    exported="answer_addresses",
)
LASTING_KEYS: Final = (derived_key("st:answers-from:*", "set", DIGEST),)
"""The keys that an older backup may include."""


class AnswerAddress(NamedTuple):
    """An address from which a player replies.

    It counts once it is `verified`; `added` is an RFC 3339 moment.
    """

    id: str
    email: str
    added: str
    verified: bool


@dataclass(eq=False, repr=False)
class AnswerAddresses:
    """The additional addresses of all players. `now` returns unix seconds."""

    _keep = Lua(__file__, "keep_answer_address")

    _redis: Client
    _revocations: Revocations
    _outbox: Outbox
    _addresses: EmailAddresses
    _secret_key: str
    _base_url: str
    _now: Callable[[], float] = time.time

    @cached_property
    def links(self) -> AddressLinks:
        """The links that confirm an address. Send each to that address only."""
        return AddressLinks(self._secret_key, self._base_url, "answer-address", self._now)

    def all_of(self, player: str) -> list[AnswerAddress]:
        """The player's additional addresses, the oldest first."""
        stored = cast(dict[str, str], self._redis.hgetall(ANSWER_ADDRESSES.key(player)))
        addresses = [AnswerAddress(id=each, **json.loads(value)) for each, value in stored.items()]
        return sorted(addresses, key=lambda address: (address.added, address.id))

    def is_confirmed(self, player: str, email: str) -> bool:
        """Whether the player has confirmed that they read and write from this address."""
        address = self._find(player, email)
        return address is not None and address.verified

    def players_at(self, email: str) -> list[str]:
        """Return the ids of players who reply from this address, or once did: check each with
        `is_confirmed`."""
        return sorted(cast(set[str], self._redis.smembers(_index_key(email))))

    def index_all(self) -> None:
        """Index all players by their confirmed addresses. May be repeated."""
        for key in self._redis.scan_iter(match=ANSWER_ADDRESSES.key("*"), count=1000):
            self._index(key.removeprefix("st:{").partition("}")[0])

    def add(self, player: str, email: str) -> AnswerAddress:
        """Add an address, and mail a link there; replies from it count once the link is opened.

        An address that is not confirmed yet gets another link, a confirmed one stays as it is.
        Raises `RequestRejected`: `too-many-addresses`, `too-many-mails`, `not-for-bots`.
        """
        check_person(player, N_("A bot answers no mails: its owner does."))
        present = self._find(player, email)
        if present is not None and present.verified:
            return present
        now = self._now()
        # A new id for each addition: the mark that an address was removed must not affect the next.
        new_id = secrets.token_hex(8)
        added = present or AnswerAddress(new_id, email, timestamp(now), verified=False)
        about = ids.digest(f"{player} answers from {email} {now}")
        with self._addresses.counting_mail(email, about, player):
            if not self._store(player, added, MOST):
                raise RequestRejected(
                    "too-many-addresses",
                    "You already answer from %(most)s further addresses. Remove one first.",
                    {"most": MOST},
                )
        self._notify(player, self._request(player, added), CONFIRM)
        return added

    def remove(self, player: str, address_id: str) -> None:
        """Remove an address: replies from it no longer count.

        Raises `RequestRejected`: `address-not-found`.
        """
        removed = [address for address in self.all_of(player) if address.id == address_id]
        self._revocations.mark(player, "answer-addresses", (each.id for each in removed))
        self._drop_from_index(player, removed)
        if not self._redis.hdel(ANSWER_ADDRESSES.key(player), address_id):
            raise RequestRejected("address-not-found", "There is no address with this id.")

    def leave_index(self, player: str) -> None:
        """Index the player by no address. Call this before deleting their addresses."""
        self._drop_from_index(player, self.all_of(player))

    def link_to_send(self, notice: NoticeParts) -> tuple[str, str] | None:
        """Return the address that this notice goes to, and the link that confirms it.

        None if the address was removed or confirmed meanwhile.
        """
        player = notice.recipient
        for address in self.all_of(player):
            if not address.verified and self._request(player, address) == notice.subject:
                return address.email, self.links.url(player, address.email, notice.version)
        return None

    def read_link(self, token: str) -> AddressVerification | None:
        """Return the player and address that a link confirms, from the last part of the link.

        None if it is forged or has expired, or if the player has removed the address.
        """
        claim = self.links.read(token)
        return claim if claim and self._find(claim.player, claim.email) else None

    def verify(self, claim: AddressVerification) -> bool:
        """Mark the address as confirmed, and notify the player's own address.

        Return False if the player has removed it since.
        """
        address = self._find(claim.player, claim.email)
        if address is not None and not address.verified:
            # First, so that no crash in between loses it.
            self._notify(claim.player, self._request(claim.player, address), CONFIRMED)
        if address is None or not self._store(claim.player, address._replace(verified=True), 0):
            return False
        self._index(claim.player)
        return True

    def _index(self, player: str) -> None:
        for address in self.all_of(player):
            if address.verified:
                self._redis.sadd(_index_key(address.email), player)

    def _drop_from_index(self, player: str, addresses: Iterable[AnswerAddress]) -> None:
        for address in addresses:
            self._redis.srem(_index_key(address.email), player)

    def _notify(self, player: str, request: str, kind: str) -> None:
        now = self._now()
        self._outbox.add(Notice(notice_id(request, int(now), player, "mail", kind), now))

    def _find(self, player: str, email: str) -> AnswerAddress | None:
        email = comparable(email)
        return next((each for each in self.all_of(player) if comparable(each.email) == email), None)

    def _store(self, player: str, address: AnswerAddress, most: int) -> bool:
        data = address._asdict()
        address_id = data.pop("id")
        keys = [PLAYER.key(player), ANSWER_ADDRESSES.key(player)]
        return bool(self._keep(keys=keys, args=[address_id, json.dumps(data), most]))

    def _request(self, player: str, address: AnswerAddress) -> str:
        return ids.derived_game_id(self._secret_key, CONFIRM, player, address.id)


def _index_key(email: str) -> str:
    return f"st:answers-from:{ids.digest(comparable(email))}"
