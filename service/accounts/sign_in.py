"""Sign-in by a link sent to the player's address. It works once, for 15 minutes.

A request does the same for every address: only the worker that sends the mail checks whether a
player has the address.

st:sign-in:DIGEST         the address for the link with this secret, until it is used or expires
"""

import time
from collections.abc import Callable, Collection
from typing import Final, cast

from service.accounts.email_addresses import ADDRESS, EmailAddresses
from service.accounts.identities import Identities
from service.accounts.player import Player
from service.accounts.players import Players
from service.core import ids
from service.core.durations import MINUTE
from service.core.redis.client import Client
from service.core.settings import Settings
from service.eventlog import Notice, Outbox, notice_id

LINK_LIFE: Final = 15 * MINUTE
"""Seconds until a link expires."""
SIGN_IN: Final = "sign-in"
"""The kind of notice with a link that signs in."""


class SignIn:
    """The links that sign in. `now` returns unix seconds."""

    def __init__(
        self,
        redis: Client,
        outbox: Outbox,
        players: Players,
        addresses: EmailAddresses,
        identities: Identities,
        settings: Settings,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._redis = redis
        self._outbox = outbox
        self._players = players
        self._addresses = addresses
        self._identities = identities
        # Nobody comes by an identity where none is asked for.
        self._takes_identities = bool(settings.auth_header or settings.oidc_issuer)
        self._secret_key = settings.secret_key
        self._base_url = settings.base_url
        # Mail to the local mailbox does not leave the machine: there is nothing to verify.
        self._verified_only = settings.smtp_url is not None
        self._now = now

    def request_link(self, email: str) -> None:
        """Send a link to this address if it is a player's. The caller does not learn whether it is.

        Raises `RequestRejected`, `too-many-mails`, for any address alike.
        """
        request = ids.game_id()
        self._addresses.count_sign_in_mail(email, request)
        self._redis.set(_key(self._secret(request)), email, ex=LINK_LIFE)
        notice = notice_id(request, int(self._now()), ADDRESS, "mail", SIGN_IN)
        self._outbox.add(Notice(notice, self._now()))

    def link_to_send(self, request: str) -> tuple[str, str] | None:
        """Return the address and the link of this request.

        None if it was used or has expired, or if no player has the address.
        """
        secret = self._secret(request)
        accounts = self.accounts(secret)
        # The owner's spelling, not that of the request.
        email = accounts[0].email if accounts else None
        return (email, f"{self._base_url}/sign-in/{secret}") if email else None

    def accounts(self, secret: str) -> list[Player]:
        """Return the players whom the link with this secret can sign in: all at its address."""
        email = cast(str | None, self._redis.get(_key(secret)))
        return self._accounts(email) if email else []

    def redeem(self, secret: str, player_id: str) -> Player | None:
        """Use up the link, and return the player to sign in.

        Return None if the link is not for this player (it then stays valid), or was used already.
        """
        player = next((one for one in self.accounts(secret) if one.id == player_id), None)
        if player is None:
            return None
        # Only the first of two users gets in.
        return player if self._redis.delete(_key(secret)) else None

    def reaches_by_mail(self, player: Player) -> bool:
        """Whether this player could sign in again by mail."""
        return player.email is not None and self._reached(player, player.email)

    def can_return(self, player: Player) -> bool:
        """Whether this player could sign in again: by mail, or by an identity."""
        return player.id not in self.guests([player])

    def guests(self, players: Collection[Player]) -> set[str]:
        """Return the ids of those among these players who could not sign in again: each such
        account is that of one browser or program."""
        unreached = [player.id for player in players if not self.reaches_by_mail(player)]
        linked = self._identities.linked(unreached) if self._takes_identities else set()
        return set(unreached) - linked

    def _accounts(self, email: str) -> list[Player]:
        players = (self._players.find(player) for player in self._addresses.players_at(email))
        return [player for player in players if player is not None and self._reached(player, email)]

    def _reached(self, player: Player, email: str) -> bool:
        own = player.email is not None and player.email.lower() == email.lower()
        return own and player.suspended is None and (player.verified or not self._verified_only)

    def _secret(self, request: str) -> str:
        return ids.secret_text(ids.derive(self._secret_key, SIGN_IN, request))


def _key(secret: str) -> str:
    return f"st:sign-in:{ids.digest(secret)}"
