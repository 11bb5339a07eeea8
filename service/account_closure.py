"""A whole account: what is stored about a player, and closing it; and guests, who came without an
account, and whose unused accounts are closed.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from engine import RuleBroken
from service.accounts.answer_addresses import ANSWER_ADDRESSES, AnswerAddresses
from service.accounts.channels.deliveries import TOLD, DeliveryLedger
from service.accounts.channels.store import CHANNELS, Channels
from service.accounts.identities import IDENTITIES, Identities
from service.accounts.links import DEVICE_LINK, PRIVATE_LINK
from service.accounts.mail_preferences import MAIL_CHOICE, MUTED
from service.accounts.mail_state import RESERVATION, SIGNATURE, WAITING
from service.accounts.player import OWN_BOTS, PLAYER, REVOKED, Player
from service.accounts.players import Players
from service.accounts.privacy import BLOCKED, CHALLENGES_OFF
from service.accounts.registration import Registrations
from service.accounts.tokens import LAST_SIGN, LAST_USES, TOKENS, Tokens
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.core.times import unix
from service.eventlog import Outbox
from service.games import Games, StoredGame
from service.games.calendar_store import STORED_CALENDAR
from service.games.challenge import Challenge
from service.games.conversation_store import NOTES
from service.games.moderation import MESSAGES_OFF
from service.games.notices import GUEST_LIFE, guest_expiry_notice

PAGE: Final = 100
_OVERTAKEN: Final = ("stale-version", "game-started", "game-over", "time-out")
"""The codes of refusals which show that a game has changed since it was read."""


PLAYER_DATA: Final = (
    PLAYER,
    OWN_BOTS,
    TOKENS,
    LAST_USES,
    LAST_SIGN,
    ANSWER_ADDRESSES,
    BLOCKED,
    CHALLENGES_OFF,
    IDENTITIES,
    MUTED,
    MAIL_CHOICE,
    SIGNATURE,
    RESERVATION,
    WAITING,
    PRIVATE_LINK,
    DEVICE_LINK,
    CHANNELS,
    TOLD,
    STORED_CALENDAR,
    NOTES,
    MESSAGES_OFF,
    REVOKED,
)
"""What is kept about a player beside games: backups, exports and closing follow from it."""
_WITH_ACCOUNT: Final = (PLAYER, TOKENS, LAST_USES, REVOKED)
"""Those of them that `Players.forget` deletes, in an order of its own."""


@dataclass(frozen=True)
class Accounts:
    """Closes accounts, and goes through all that they are part of."""

    redis: Client
    players: Players
    answer_addresses: AnswerAddresses
    channels: Channels
    ledger: DeliveryLedger
    identities: Identities
    games: Games

    def close(self, player: Player) -> None:
        """End everything the player has begun, and delete their identity.

        Running games are resigned, open games and invitations cancelled, challenges withdrawn;
        their messages and notes are deleted. The logs stay: they hold ids only, and this id no
        longer has a name. The player's own bots are closed too. May be repeated.
        """
        self._end_all(player.id)
        self.players.forget(player)
        # Again, for what was begun meanwhile with a token that was still valid.
        self._end_all(player.id)
        self.games.forget(player.id)

    def leave(self, game: StoredGame, player_id: str) -> None:
        """End a game for a player who is gone, and delete their messages and notes in it."""
        self._end(game, player_id)
        self.games.conversations.forget(game, player_id)

    def _end_all(self, player_id: str) -> None:
        for bot in self.players.bots_of(player_id):
            self.close(bot)
        for game in self._listed(player_id):
            if game.seat_of(player_id) is None:
                self._end(game, player_id)  # an invitation to them
            else:
                self.leave(game, player_id)
        self.games.challenges.withdraw_all(player_id)
        self.channels.forget(player_id)
        self.ledger.forget(player_id)
        self.answer_addresses.leave_index(player_id)
        self.identities.leave_index(player_id)
        gone = (data for data in PLAYER_DATA if data not in _WITH_ACCOUNT)
        self.redis.unlink(*(data.key(player_id) for data in gone))

    def _end(self, game: StoredGame, player_id: str) -> None:
        while not game.game.over:
            leave = self.games.call_off if game.game.status == "open" else self.games.resign
            try:
                game = leave(game.id, player_id)
            except (RequestRejected, RuleBroken) as refusal:
                if refusal.code not in _OVERTAKEN:
                    raise
                before, game = game, self.games.load(game.id)
                if refusal.code == "time-out" and game.version == before.version:
                    return  # only the clock may end it now, and does once the server is well
                # Else the opponent or the clock was quicker.

    def challenges_of(self, player_id: str) -> Iterator[Challenge]:
        """The open challenges by and to this player."""
        after: str | None = None
        while True:
            challenges, after = self.games.challenges.open_of(player_id, after, PAGE)
            yield from challenges
            if after is None:
                return

    def games_of(self, player_id: str) -> Iterator[StoredGame]:
        """The games in which the player sits, the newest first."""
        return (game for game in self._listed(player_id) if game.seat_of(player_id) is not None)

    def _listed(self, player_id: str) -> Iterator[StoredGame]:
        after: str | None = None
        while True:
            summaries, after = self.games.lists.of_player(player_id, after=after, limit=PAGE)
            for summary in summaries:
                yield self.games.load(summary["id"])
            if after is None:
                return


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
        if self.games.index.unfinished(player_id) or self.identities.all_of(player_id):
            return self.now() + GUEST_LIFE
        self.accounts.close(guest)
        return None
