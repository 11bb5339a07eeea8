"""Whose mail a mail is."""

from typing import Final

from service.accounts.answer_addresses import AnswerAddresses
from service.accounts.email_addresses import EmailAddresses
from service.accounts.player import Player
from service.accounts.players import Players
from service.core.settings import Settings
from service.mail_in import authentication
from service.mail_in.reading.message import IncomingMessage

_MAILBOX: Final = "mailbox.invalid"
"""The domain of players without an address, in the local mailbox."""


class Senders:
    """Tells players by the addresses that their mails are from."""

    def __init__(
        self,
        players: Players,
        addresses: EmailAddresses,
        answer_addresses: AnswerAddresses,
        settings: Settings,
    ) -> None:
        self._players = players
        self._addresses = addresses
        self._answer_addresses = answer_addresses
        self._authserv = settings.mail_authserv
        # The local mailbox is not the outside world: there is nothing to verify there.
        self._verified_only = settings.smtp_url is not None

    def is_of(self, player: Player, sender: str | None) -> bool:
        """Whether the player reads this address, and may answer from it."""
        if sender is None or player.suspended is not None:
            return False
        if not self._verified_only and sender == f"{player.id}@{_MAILBOX}":
            return True
        own = player.email is not None and player.email.lower() == sender
        if own and (player.verified or not self._verified_only):
            return True
        return self.is_further(player.id, sender)

    def is_further(self, player_id: str, sender: str) -> bool:
        """Whether this is an address from which the player answers, besides their own."""
        return self._answer_addresses.is_confirmed(player_id, sender)

    def is_forged(self, message: IncomingMessage) -> bool:
        """Whether our own mail server found that the mail is not from whom it says."""
        return authentication.has_failed(message.authentication, self._authserv, message.sender)

    def owner(self, email: str) -> Player | None:
        """The one player whose address this is; None where it is nobody's, or several players'."""
        owners = self.owners(email)
        return owners[0] if len(owners) == 1 else None

    def owners(self, email: str) -> list[Player]:
        """The players who read this address."""
        at = {*self._addresses.players_at(email), *self._answer_addresses.players_at(email)}
        found = [self._players.find(each) for each in sorted(at)]
        return [each for each in found if each is not None and self.is_of(each, email.lower())]
