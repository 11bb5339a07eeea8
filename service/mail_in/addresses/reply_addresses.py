"""The addresses that a mail can be answered to: `play+TOKEN@DOMAIN`, signed, each for one thing.

Nothing of them is stored. A token says which game, whose seat, at which version of the log, with
which hash, what the other player offers, and what an answer may do there; only this server can make
one.
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

Offered = Literal["pause", "abandonment"]
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
    # A seat where there is one, and nowhere else: ids begin with "n" and "s" too.
    rf"(?P<said>(?P<letter>[{''.join(_PURPOSES)}])(?:(?<=[{_OF_A_SEAT}])(?P<seat>[ns])|(?<![{_OF_A_SEAT}]))"
    rf"(?P<game>(?<=y){ids.PLAYER_ID}|(?<!y){ids.GAME_ID})"
    r"(?P<version>[0-9]{1,6})(m(?P<question>[a-z2-7]{9}))?(h(?P<head>[0-9a-f]{2,8}))?"
    r"((?P<offered>[opq])(?P<number>[0-9a-z]{1,6}))?"
    # Earlier programs marked a pause with so little that another one could have the same mark.
    r"(x[a-z2-7]{3})?)-(?P<mac>[a-z2-7]{20}([a-z2-7]{6})?)"
)
_LONGEST: Final = 64
"""Characters of a local part, of any case."""
_OF_HEAD: Final = 8
"""Letters of the hash, or as many as there is room for."""
_OF_MAC: Final = 20
"""Letters of the signature; earlier programs wrote 26."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


class OffersShown(NamedTuple):
    """Which kinds of offers of the other player a mail has told of, and the highest of their
    numbers: one of these kinds with a higher number came after the mail."""

    kinds: tuple[Offered, ...]
    number: int


class ReplyTo(NamedTuple):
    """What an answer to an address is about.

    A `turn` is that of the player in `seat` at this version. A `question` is about one that was not
    clear, by the mark of `Questions`. Three more confirm what ends a game: to `resign`, to claim a
    `win` on time, to agree to an `abandonment`; everything else is as in a turn. An `invitation`
    and a `challenge` are for whom they are for; `naming` is that invitation once more, after its
    reader was told the name that others will see. A `wish` is what a player has asked for besides a
    turn, by the player's id in the place of `game` and the mark of `Wishes`; an answer to `made`
    calls off a game or a challenge of one's own.

    `head` is the hash of the log at this version, or how it begins: a log that was restored from a
    backup comes to the same version with another. It is empty in addresses of earlier programs. In
    `naming` it is the mark of that name instead (`name_mark`).
    `offers` is what the mail said the other player offers, None for nothing.
    """

    purpose: Purpose
    game: str
    version: int
    seat: Seat | None = None
    head: str = ""
    offers: OffersShown | None = None
    question: str = ""


def name_mark(name: str) -> str:
    """What tells this name from others in an address."""
    return ids.digest(name)[:_OF_HEAD]


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
        of = f"{_LETTERS[reply_to.purpose]}{seat}{reply_to.game}{reply_to.version}"
        if reply_to.question:  # which is kept with the hash
            said = f"{of}m{reply_to.question}"
            return f"{LOCAL_PART}+{said}-{self._mac(said, _OF_MAC)}@{self.domain}"
        offers = _offers_text(reply_to.offers)
        room = _LONGEST - len(f"{LOCAL_PART}+{of}h{offers}-") - _OF_MAC
        head = f"h{reply_to.head[: min(room, _OF_HEAD)]}" if reply_to.head else ""
        said = f"{of}{head}{offers}"
        return f"{LOCAL_PART}+{said}-{self._mac(said, _OF_MAC)}@{self.domain}"

    def read(self, address: str) -> ReplyTo | None:
        """What this address is for; None unless we wrote it."""
        name, _, token = self.local_part(address).partition("+")
        found = _TOKEN.fullmatch(token)
        if name != LOCAL_PART or found is None:
            return None
        if not hmac.compare_digest(found["mac"], self._mac(found["said"], len(found["mac"]))):
            return None
        purpose, seat = _PURPOSES[found["letter"]], _SEATS.get(found["seat"] or "")
        offers = None
        if found["number"] is not None:
            offers = OffersShown(_OFFERED[found["offered"]], int(found["number"], 36))
        version, head = int(found["version"]), found["head"] or ""
        return ReplyTo(purpose, found["game"], version, seat, head, offers, found["question"] or "")

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


def _offers_text(offers: OffersShown | None) -> str:
    """A letter for the kinds, and the number to the base 36."""
    if offers is None:
        return ""
    (letter,) = (letter for letter, kinds in _OFFERED.items() if kinds == offers.kinds)
    digits, left = "", offers.number
    while left or not digits:
        left, digit = divmod(left, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return letter + digits
