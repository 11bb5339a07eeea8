"""A whole account: exporting what is stored about a player, and closing it."""

import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from engine import RuleBroken, chain
from service.accounts.answer_addresses import AnswerAddress, AnswerAddresses
from service.accounts.channels import Channel
from service.accounts.channels.deliveries import DeliveryLedger
from service.accounts.channels.store import Channels
from service.accounts.deferred_notices import DeferredNotices
from service.accounts.identities import Identities, LinkedIdentity
from service.accounts.links import PrivateLinks
from service.accounts.mail_preferences import MailPreferences
from service.accounts.mail_signatures import MailSignatures
from service.accounts.player import Player
from service.accounts.players import Players
from service.accounts.privacy import ContactChoices, PresenceChoice, Presences
from service.accounts.tokens import Token, Tokens
from service.core.errors import RequestRejected
from service.core.timestamps import timestamp
from service.games import Games, StoredGame
from service.games.calendars.model import PlayerCalendar
from service.games.challenges.model import Challenge
from service.games.conversation.model import GameMessage
from service.games.orders.model import Orders
from service.games.projections.ratings import PlayerRating

PAGE: Final = 100
_OVERTAKEN: Final = ("stale-version", "game-started", "game-over", "time-out")
"""The codes of refusals which show that a game has changed since it was read."""


class OwnGame(NamedTuple):
    """A game of the player: its record as they may see it, their orders and note for it, and the
    messages between its players."""

    stored: StoredGame
    record: list[chain.StoredEvent]
    orders: Orders
    messages: list[GameMessage]
    note: str


class AccountData(NamedTuple):
    """All data stored about a player at a `moment` (RFC 3339).

    `muted` are the kinds of mail they have turned off, `signature` the lines that sign their mails,
    `challenges` their open challenges, by and to them; `messages_wanted`: they take messages from
    other players; `presence`: the choice how opponents see their presence.
    """

    moment: str
    player: Player
    answer_addresses: list[AnswerAddress]
    identities: list[LinkedIdentity]
    tokens: list[Token]
    muted: list[str]
    signature: list[str]
    messages_wanted: bool
    presence: PresenceChoice
    calendar: PlayerCalendar
    channels: list[Channel]
    challenges: list[Challenge]
    bots: list[Player]
    rating: PlayerRating
    games: Iterator[OwnGame]


class Accounts:
    """Exports all data of a player, and closes their account. `now` gives unix seconds."""

    def __init__(
        self,
        players: Players,
        answer_addresses: AnswerAddresses,
        tokens: Tokens,
        mail_preferences: MailPreferences,
        mail_signatures: MailSignatures,
        deferred_notices: DeferredNotices,
        channels: Channels,
        ledger: DeliveryLedger,
        private_links: PrivateLinks,
        identities: Identities,
        presences: Presences,
        contact_choices: ContactChoices,
        games: Games,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._players = players
        self._answer_addresses = answer_addresses
        self._tokens = tokens
        self._mail_preferences = mail_preferences
        self._mail_signatures = mail_signatures
        self._deferred_notices = deferred_notices
        self._channels = channels
        self._ledger = ledger
        self._private_links = private_links
        self._identities = identities
        self._presences = presences
        self._contact_choices = contact_choices
        self._games = games
        self._now = now

    def export(self, player: Player) -> AccountData:
        """Everything stored about a player. Each game is read when the iterator reaches it."""
        return AccountData(
            moment=timestamp(self._now()),
            player=player,
            answer_addresses=self._answer_addresses.all_of(player.id),
            identities=self._identities.all_of(player.id),
            tokens=self._tokens.all_of(player.id),
            muted=self._mail_preferences.turned_off(player.id),
            signature=self._mail_signatures.of(player.id),
            messages_wanted=not self._games.conversations.wishes.is_off(player.id),
            presence=self._presences.choice(player.id),
            calendar=self._games.calendars.of(player.id),
            channels=self._channels.all(player.id),
            challenges=list(self._challenges_of(player.id)),
            bots=self._players.bots_of(player.id),
            rating=self._games.ratings.of(player.id, None),
            games=(self._own(game, player.id) for game in self._games_of(player.id)),
        )

    def close(self, player: Player) -> None:
        """End everything the player has begun, and delete their identity.

        Running games are resigned, open games called off, challenges withdrawn; their messages and
        notes are deleted. The logs stay: they hold ids only, and this id no longer has a name. The
        player's own bots are closed too. May be repeated.
        """
        self._end_all(player.id)
        self._players.forget(player)
        # Again, for what was begun meanwhile with a token that was still valid.
        self._end_all(player.id)
        self._games.forget(player.id)

    def leave(self, game: StoredGame, player_id: str) -> None:
        """End a game for a player who is gone, and delete their messages and notes in it."""
        self._end(game, player_id)
        self._games.conversations.forget(game, player_id)

    def _end_all(self, player_id: str) -> None:
        for bot in self._players.bots_of(player_id):
            self.close(bot)
        for game in self._games_of(player_id):
            self.leave(game, player_id)
        self._games.challenges.withdraw_all(player_id)
        self._mail_preferences.forget(player_id)
        self._mail_signatures.forget(player_id)
        self._deferred_notices.forget(player_id)
        self._channels.forget(player_id)
        self._ledger.forget(player_id)
        self._private_links.revoke(player_id)
        self._answer_addresses.forget(player_id)
        self._identities.forget(player_id)
        self._contact_choices.forget(player_id)

    def _end(self, game: StoredGame, player_id: str) -> None:
        while not game.game.over:
            leave = self._games.call_off if game.game.status == "open" else self._games.resign
            try:
                game = leave(game.id, player_id)
            except (RequestRejected, RuleBroken) as refusal:
                if refusal.code not in _OVERTAKEN:
                    raise
                before, game = game, self._games.load(game.id)
                if refusal.code == "time-out" and game.version == before.version:
                    return  # only the clock may end it now, and does once the server is well
                # Else the opponent or the clock was quicker.

    def _own(self, stored: StoredGame, player_id: str) -> OwnGame:
        _, orders = self._games.orders.of(stored.id, player_id)
        return OwnGame(
            stored,
            self._games.history.lines(stored, player_id),
            orders,
            self._games.conversations.all_of(stored.id),
            self._games.private_notes.read(player_id, stored.id),
        )

    def _challenges_of(self, player_id: str) -> Iterator[Challenge]:
        after: str | None = None
        while True:
            challenges, after = self._games.challenges.open_of(player_id, after, PAGE)
            yield from challenges
            if after is None:
                return

    def _games_of(self, player_id: str) -> Iterator[StoredGame]:
        """The games in which the player sits, the newest first."""
        after: str | None = None
        while True:
            summaries, after = self._games.lists.of_player(player_id, after=after, limit=PAGE)
            for summary in summaries:
                if summary["seat"] is not None:
                    yield self._games.load(summary["id"])
            if after is None:
                return
