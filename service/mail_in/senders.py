"""Finds out which player sent a mail."""

from typing import Final

from service.accounts.answer_addresses import AnswerAddresses
from service.accounts.email_addresses import EmailAddresses
from service.accounts.player import Player
from service.accounts.players import Players
from service.core.settings import Settings
from service.mail_in import authentication
from service.mail_in.message import IncomingMessage

_MAILBOX: Final = "mailbox.invalid"
"""The domain that stands for players without an e-mail address in the local mailbox."""


class Senders:
    """Identifies players by the addresses that they write from."""

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
        """Whether the player may answer from this address: it is theirs, and they are not
        suspended."""
        if sender is None or player.suspended is not None:
            return False
        if not self._verified_only and sender == f"{player.id}@{_MAILBOX}":
            return True
        own = player.email is not None and player.email.lower() == sender
        if own and (player.verified or not self._verified_only):
            return True
        return self.is_further(player.id, sender)

    def is_further(self, player_id: str, sender: str) -> bool:
        """Whether the player has confirmed this as a further address to answer from."""
        return self._answer_addresses.is_confirmed(player_id, sender)

    def is_forged(self, message: IncomingMessage) -> bool:
        """Whether our own mail server found that the mail is not from the address in its `From`."""
        return authentication.has_failed(message.authentication, self._authserv, message.sender)

    def owner(self, email: str) -> Player | None:
        """Return the one player who may answer from this address; None for none or several."""
        owners = self.owners(email)
        return owners[0] if len(owners) == 1 else None

    def owners(self, email: str) -> list[Player]:
        """Return the players who may answer from this address; an empty list for none."""
        at = {*self._addresses.players_at(email), *self._answer_addresses.players_at(email)}
        players = [self._players.find(each) for each in sorted(at)]
        return [each for each in players if each is not None and self.is_of(each, email.lower())]
