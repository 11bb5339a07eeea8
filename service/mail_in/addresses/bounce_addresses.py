"""The addresses that our mails come back to: `bounce+TOKEN@DOMAIN`, signed, one for each mail.

Nothing of them is stored. A token says to whom the mail went, by a player's id or the id of the
game of an invitation, to which of their addresses, and when; only this server can make one.
"""

import hmac
import re
from base64 import b32encode
from typing import Final, NamedTuple

from service.core import ids
from service.core.durations import MINUTE
from service.mail_in.addresses.reply_addresses import ReplyAddresses

_ADDRESS: Final = re.compile(
    rf"bounce\+(?P<said>(?P<of>{ids.GAME_ID}|{ids.PLAYER_ID})(?P<mark>[a-z2-7]{{8}})"
    r"(?P<sent>[0-9a-f]{7}))-(?P<mac>[a-z2-7]{20})"
)


class SentMail(NamedTuple):
    """A mail of ours: to whom it went, the mark of the address, and when (unix seconds, to the
    minute)."""

    of: str
    mark: str
    sent: int


class BounceAddresses:
    """Writes and reads these addresses."""

    def __init__(self, secret_key: str, addresses: ReplyAddresses) -> None:
        self._secret_key = secret_key
        self._addresses = addresses

    def write(self, of: str, email: str, sent: float) -> str | None:
        """The address for a mail to this player, or about this game; None where this server takes
        no mail."""
        if not self._addresses.answered:
            return None
        said = f"{of}{self.mark(email)}{int(sent // MINUTE):07x}"
        return f"bounce+{said}-{self._mac(said)}@{self._addresses.domain}"

    def read(self, address: str) -> SentMail | None:
        """The mail that comes back to this address; None unless we wrote it."""
        found = _ADDRESS.fullmatch(self._addresses.local_part(address))
        if found is None:
            return None
        if not hmac.compare_digest(found["mac"], self._mac(found["said"])):
            return None
        return SentMail(found["of"], found["mark"], int(found["sent"], 16) * MINUTE)

    def mark(self, email: str) -> str:
        """What tells this address from the others of its owner."""
        return self._letters("bounce mark", email.lower())[:8]

    def _mac(self, said: str) -> str:
        return self._letters("bounce address", said)[:20]

    def _letters(self, purpose: str, said: str) -> str:
        return b32encode(ids.derive(self._secret_key, purpose, said)[:20]).decode().lower()
