"""Signed reply addresses, each for one purpose: `play+TOKEN@DOMAIN`.

Nothing about them is stored. A token holds the game, the seat, the version and hash of the log, the
offers of the other player, and what an answer may do; only this server can make one.
"""

import hmac
import re
from base64 import b32encode
from email.utils import parseaddr
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

from engine import Seat
from letters.single_words import Offered
from service.core import ids
from service.core.settings import Settings

Purpose = Literal[
    "turn",
    "question",
    "resign",
    "win",
    "abandonment",
    "invitation",
    "naming",
    "challenge",
    "wish",
    "made",
]

LOCAL_PART: Final = "play"
_LETTERS: Final[dict[Purpose, str]] = {
    "turn": "t",
    "question": "q",
    "resign": "r",
    "win": "w",
    "abandonment": "a",
    "invitation": "i",
    "naming": "m",
    "challenge": "c",
    "wish": "y",
    "made": "k",
}
_PURPOSES: Final = {letter: purpose for purpose, letter in _LETTERS.items()}
_OF_A_SEAT: Final = "tqrwa"
_SEATS: Final[dict[str, Seat]] = {"n": "north", "s": "south"}
_OFFERED: Final[dict[str, tuple[Offered, ...]]] = {
    "p": ("pause",),
    "q": ("abandonment",),
    "o": ("pause", "abandonment"),
}
_TOKEN: Final = re.compile(
    # A seat only for purposes that have one: ids begin with "n" and "s" too.
    rf"(?P<said>(?P<letter>[{''.join(_PURPOSES)}])(?:(?<=[{_OF_A_SEAT}])(?P<seat>[ns])|(?<![{_OF_A_SEAT}]))"
    rf"(?P<game>(?<=y){ids.PLAYER_ID}|(?<!y){ids.GAME_ID})"
    r"(?P<version>[0-9]{1,6})(m(?P<question>[a-z2-7]{9}))?(h(?P<head>[0-9a-f]{2,8}))?"
    r"((?P<offered>[opq])(?P<number>[0-9a-z]{1,6}))?"
    # Earlier versions added a mark of three letters for a pause. It is ignored: another pause could
    # have the same mark.
    r"(x[a-z2-7]{3})?)-(?P<mac>[a-z2-7]{20}([a-z2-7]{6})?)"
)
_LONGEST: Final = 64
"""Most characters that a local part may have (RFC 5321)."""
_OF_HEAD: Final = 8
"""Most digits of the log's hash; fewer if an address has no room for them."""
_OF_MAC: Final = 20
"""Letters of the signature; earlier versions wrote 26."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


class OffersShown(NamedTuple):
    """The kinds of the other player's offers that a mail showed, and the highest of their numbers:
    an offer of these kinds with a higher number was made after the mail."""

    kinds: tuple[Offered, ...]
    number: int


class ReplyTo(NamedTuple):
    """What a reply address is for. The `purpose` is one of these:

    - `turn`: a turn of the player in `seat` at this version
    - `question`: the answer to a question about an unclear turn, by its mark in `Questions`
    - `resign`, `win` and `abandonment`: confirm what ends a game (resigning, claiming a win on
      time, agreeing to abandon it); any other command works as in `turn`
    - `invitation` and `challenge`: the reader accepts or declines it
    - `naming`: as `invitation`, after its reader was shown the name that others will see
    - `wish`: the answer to a question about a wish, by its mark in `Questions`; `game` is the
      player's id
    - `made`: calls off the reader's own game or challenge

    `head` is the beginning of the log's hash at this version: after a backup was restored, a log
    can reach the same version with another hash. It is empty in addresses that earlier versions of
    this program wrote. For `naming` it is the mark of the name instead (`name_mark`). `offers`
    holds the other player's offers that the mail showed, None for none.
    """

    purpose: Purpose
    game: str
    version: int
    seat: Seat | None = None
    head: str = ""
    offers: OffersShown | None = None
    question: str = ""


def name_mark(name: str) -> str:
    """Return the mark of this name in an address, which tells it from other names."""
    return ids.digest(name)[:_OF_HEAD]


class ReplyAddresses:
    """Writes and reads reply addresses."""

    def __init__(self, settings: Settings) -> None:
        self._secret_key = settings.secret_key
        self.domain = settings.mail_domain or urlsplit(settings.base_url).hostname or "localhost"
        self.sender = parseaddr(settings.mail_from)[1].lower()
        # The local mailbox sends no mail to people whose answers could not come in.
        self.answered = settings.takes_mail or settings.smtp_url is None

    def write(self, reply_to: ReplyTo) -> str | None:
        """Return the address; None if this server takes no mail."""
        if not self.answered:
            return None
        seat = reply_to.seat[0] if reply_to.seat else ""
        of = f"{_LETTERS[reply_to.purpose]}{seat}{reply_to.game}{reply_to.version}"
        if reply_to.question:  # it is stored with the hash
            said = f"{of}m{reply_to.question}"
            return f"{LOCAL_PART}+{said}-{self._mac(said, _OF_MAC)}@{self.domain}"
        offers = _offers_text(reply_to.offers)
        room = _LONGEST - len(f"{LOCAL_PART}+{of}h{offers}-") - _OF_MAC
        head = f"h{reply_to.head[: min(room, _OF_HEAD)]}" if reply_to.head else ""
        said = f"{of}{head}{offers}"
        return f"{LOCAL_PART}+{said}-{self._mac(said, _OF_MAC)}@{self.domain}"

    def read(self, address: str) -> ReplyTo | None:
        """Return what this address is for; None unless this server wrote it."""
        name, _, token = self.local_part(address).partition("+")
        match = _TOKEN.fullmatch(token)
        if name != LOCAL_PART or match is None:
            return None
        if not hmac.compare_digest(match["mac"], self._mac(match["said"], len(match["mac"]))):
            return None
        purpose, seat = _PURPOSES[match["letter"]], _SEATS.get(match["seat"] or "")
        offers = None
        if match["number"] is not None:
            offers = OffersShown(_OFFERED[match["offered"]], int(match["number"], 36))
        version, head = int(match["version"]), match["head"] or ""
        return ReplyTo(purpose, match["game"], version, seat, head, offers, match["question"] or "")

    def local_part(self, address: str) -> str:
        """Return the part before the @, in lower case; empty if the domain is not ours."""
        local, _, domain = address.lower().rpartition("@")
        return local if domain == self.domain.lower() else ""

    def takes(self, address: str) -> bool:
        """Whether mail to this address is for us: a reply address, or the sender of our mail."""
        return address.lower() == self.sender or self.read(address) is not None

    def _mac(self, said: str, length: int) -> str:
        secret = ids.derive(self._secret_key, "reply address", said)
        return b32encode(secret[:20]).decode().lower()[:length]


def _offers_text(offers: OffersShown | None) -> str:
    """Return a letter for the kinds, then the number in base 36; empty for None."""
    if offers is None:
        return ""
    (letter,) = (letter for letter, kinds in _OFFERED.items() if kinds == offers.kinds)
    digits, left = "", offers.number
    while left or not digits:
        left, digit = divmod(left, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return letter + digits
