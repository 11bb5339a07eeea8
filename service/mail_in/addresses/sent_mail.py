"""Signed addresses that name a mail of ours.

A mail that bounces comes back to `bounce+TOKEN@DOMAIN`. A mail that asks its reader to confirm an
address is answered to `play+vTOKEN@DOMAIN`, one that asks whether a player may answer from an
address to `play+fTOKEN@DOMAIN`.

Nothing about them is stored. A token holds the player's id, or the id of the game of an invitation,
a mark of the address that the mail went to, and when; only this server can make one.
"""

import hmac
import re
from base64 import b32encode
from typing import Final, Literal, NamedTuple

from service.core import ids
from service.core.durations import MINUTE
from service.mail_in.addresses.reply_addresses import LOCAL_PART, ReplyAddresses

Use = Literal["bounce", "confirm", "answer"]
_BEGINS: Final[dict[Use, str]] = {
    "bounce": "bounce+",
    "confirm": f"{LOCAL_PART}+v",
    "answer": f"{LOCAL_PART}+f",
}
_TOKEN: Final = re.compile(
    rf"(?P<said>(?P<of>{ids.GAME_ID}|{ids.PLAYER_ID})(?P<mark>[a-z2-7]{{8}})"
    r"(?P<sent>[0-9a-f]{7}))-(?P<mac>[a-z2-7]{20})"
)


class SentMail(NamedTuple):
    """A mail of ours: `of` is the id of the player, or of the game of an invitation, `mark` stands
    for the address that it went to, and `sent` is when (unix seconds, to the minute)."""

    of: str
    mark: str
    sent: int


class SentMailAddresses:
    """Writes and reads the addresses for one use; an address for another use is not read."""

    def __init__(self, secret_key: str, addresses: ReplyAddresses, use: Use) -> None:
        self._secret_key = secret_key
        self._addresses = addresses
        self._use = use

    def write(self, of: str, email: str, sent: float) -> str | None:
        """Return the address for a mail to this player, or about this game; None if this server
        takes no mail."""
        if not self._addresses.answered:
            return None
        said = f"{of}{self.mark(email)}{int(sent // MINUTE):07x}"
        return f"{_BEGINS[self._use]}{said}-{self._mac(said)}@{self._addresses.domain}"

    def read(self, address: str) -> SentMail | None:
        """Return the mail that this address names; None unless we wrote it for this use."""
        local, begins = self._addresses.local_part(address), _BEGINS[self._use]
        match = _TOKEN.fullmatch(local.removeprefix(begins))
        if match is None or not local.startswith(begins):
            return None
        if not hmac.compare_digest(match["mac"], self._mac(match["said"])):
            return None
        return SentMail(match["of"], match["mark"], int(match["sent"], 16) * MINUTE)

    def mark(self, email: str) -> str:
        """Return the mark of this address, which tells it from its owner's other addresses."""
        return self._letters("bounce mark", email.lower())[:8]

    def _mac(self, said: str) -> str:
        return self._letters(f"{self._use} address", said)[:20]

    def _letters(self, purpose: str, said: str) -> str:
        return b32encode(ids.derive(self._secret_key, purpose, said)[:20]).decode().lower()
