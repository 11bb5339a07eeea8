"""The addresses that a mail can be answered to: `play+TOKEN@DOMAIN`, signed, each for one thing.

Nothing of them is stored. A token says which game, whose seat, at which version of the log, with
which hash, which pause is offered, and what an answer may do there; only this server can make one.
"""

import hmac
import re
from base64 import b32encode
from email.utils import parseaddr
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

from engine import Seat
from service.core import ids
from service.core.settings import Settings
from service.games.agreements.pauses import OfferedPause

Purpose = Literal["turn", "resign", "win", "abandonment", "invitation", "challenge"]

LOCAL_PART: Final = "play"
_LETTERS: Final[dict[Purpose, str]] = {
    "turn": "t",
    "resign": "r",
    "win": "w",
    "abandonment": "a",
    "invitation": "i",
    "challenge": "c",
}
_PURPOSES: Final = {letter: purpose for purpose, letter in _LETTERS.items()}
_SEATS: Final[dict[str, Seat]] = {"n": "north", "s": "south"}
_TOKEN: Final = re.compile(
    rf"(?P<said>(?P<letter>[{''.join(_PURPOSES)}])(?P<seat>[ns]?)(?P<game>{ids.GAME_ID})"
    r"(?P<version>[0-9]{1,6})(h(?P<head>[0-9a-f]{4,8}))?(x(?P<pause>[a-z2-7]{3}))?)"
    r"-(?P<mac>[a-z2-7]{20}([a-z2-7]{6})?)"
)
_OF_HEAD: Final = 8
"""Letters of the hash: a local part has 64 at most, of any case."""
_OF_PAUSE: Final = 4
"""Letters that mark a pause: so many less of the hash."""
_OF_MAC: Final = 20
"""Letters of the signature; earlier programs wrote 26."""


class ReplyTo(NamedTuple):
    """What an answer to an address is about.

    A `turn` is that of the player in `seat` at this version. Three more confirm what ends a game:
    to `resign`, to claim a `win` on time, to agree to an `abandonment`; everything else is as in a
    turn. An `invitation` and a `challenge` are for whom they are for.

    `head` is the hash of the log at this version, or how it begins: a log that was restored from a
    backup comes to the same version with another. It is empty in addresses of earlier programs.
    `pause` marks the pause of the clock that the mail said the other player offers: see `mark`.
    """

    purpose: Purpose
    game: str
    version: int
    seat: Seat | None = None
    head: str = ""
    pause: str = ""


def mark(offered: OfferedPause | None) -> str:
    """Three letters for an offered pause, so that nobody agrees to another one than they read of;
    none where none is offered."""
    if offered is None:
        return ""
    digest = bytes.fromhex(ids.digest(f"{offered.by} {offered.until}"))
    return b32encode(digest).decode().lower()[:3]


class ReplyAddresses:
    """Writes and reads reply addresses."""

    def __init__(self, settings: Settings) -> None:
        self._secret_key = settings.secret_key
        self.domain = settings.mail_domain or urlsplit(settings.base_url).hostname or "localhost"
        self.sender = parseaddr(settings.mail_from)[1].lower()
        # The local mailbox sends nothing to anybody who could answer in vain.
        self.answered = settings.takes_mail or settings.smtp_url is None

    def write(self, reply_to: ReplyTo) -> str | None:
        """The address; None where this server takes no mail."""
        if not self.answered:
            return None
        seat = reply_to.seat[0] if reply_to.seat else ""
        marks = f"h{reply_to.head[:_OF_HEAD]}" if reply_to.head else ""
        if reply_to.pause:
            marks = f"{marks[:-_OF_PAUSE]}x{reply_to.pause}"
        said = f"{_LETTERS[reply_to.purpose]}{seat}{reply_to.game}{reply_to.version}{marks}"
        return f"{LOCAL_PART}+{said}-{self._mac(said, _OF_MAC)}@{self.domain}"

    def read(self, address: str) -> ReplyTo | None:
        """What this address is for; None unless we wrote it."""
        name, _, token = self.local_part(address).partition("+")
        found = _TOKEN.fullmatch(token)
        if name != LOCAL_PART or found is None:
            return None
        if not hmac.compare_digest(found["mac"], self._mac(found["said"], len(found["mac"]))):
            return None
        purpose, seat = _PURPOSES[found["letter"]], _SEATS.get(found["seat"])
        head, pause = found["head"] or "", found["pause"] or ""
        return ReplyTo(purpose, found["game"], int(found["version"]), seat, head, pause)

    def local_part(self, address: str) -> str:
        """What stands before the @, in small letters; nothing where the domain is not ours."""
        local, _, domain = address.lower().rpartition("@")
        return local if domain == self.domain.lower() else ""

    def takes(self, address: str) -> bool:
        """Whether mail to this address is for us: a reply address, or the sender of our mail."""
        return address.lower() == self.sender or self.read(address) is not None

    def _mac(self, said: str, length: int) -> str:
        secret = ids.derive(self._secret_key, "reply address", said)
        return b32encode(secret[:20]).decode().lower()[:length]
