"""Guests: players who came without an account. Their unused accounts are closed."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from service.account_closure import Accounts
from service.accounts.identities import Identities
from service.accounts.player import Player
from service.accounts.players import Players
from service.accounts.registration import Registrations
from service.accounts.tokens import Tokens
from service.core.timestamps import unix
from service.eventlog import Outbox
from service.games import Games
from service.games.notices.notifications import GUEST_LIFE, guest_expiry_notice


@dataclass(frozen=True, slots=True)
class Guests:
    """Closes the accounts of guests. `now` gives unix seconds."""

    players: Players
    registrations: Registrations
    identities: Identities
    tokens: Tokens
    games: Games
    accounts: Accounts
    outbox: Outbox
    now: Callable[[], float] = time.time

    def register(
        self,
        name: str,
        seed: str | None = None,
        invitation: str | None = None,
        *,
        exactly: bool = False,
        holds_invite: bool = False,
    ) -> Player:
        """Register a guest with this name, or a similar one if it is taken; the same guest for one
        `seed`.

        `invitation` and `holds_invite` are as in `Admission.admitting`. Raises `RequestRejected`:
        `registration-closed`, `name-reserved`; with `exactly`, `name-taken`.
        """
        guest = self.registrations.register_guest(
            name, seed, exactly=exactly, invitation=invitation, holds_invite=holds_invite
        ).player
        self.outbox.add(guest_expiry_notice(guest.id, self.now()))
        return guest

    def is_guest(self, player: Player) -> bool:
        """Whether nothing but a browser or a token leads to this account; False for bots."""
        found = player.email or player.pending or player.owner
        return found is None and not self.identities.all_of(player.id)

    def expire_if_unused(self, player_id: str) -> float | None:
        """Close a guest's account if it has been unused for long enough.

        Returns when to check again (unix seconds), or None if there is nothing left to check: the
        guest is gone, or has given an address and so keeps the account.
        """
        guest = self.players.find(player_id)
        if guest is None or guest.email is not None or guest.pending is not None:
            return None
        used = self.tokens.last_use(player_id)
        unused_at = (unix(guest.created) if used is None else used) + GUEST_LIFE
        if unused_at > self.now():
            return unused_at
        if self.games.lists.has_unfinished(player_id) or self.identities.all_of(player_id):
            return self.now() + GUEST_LIFE
        self.accounts.close(guest)
        return None
