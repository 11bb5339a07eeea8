"""The signed addresses at which mail comes in. Only this server can make one, and reads it with
nothing stored; see `ReplyTo`, `Subscription` and `SentMail`.

play+TOKEN@DOMAIN                    an answer, for one purpose: the token holds the game, the seat,
                                     the version and hash of the log, and the offers shown
play+vTOKEN@DOMAIN                   a `yes` to a mail that asks to confirm an address
play+fTOKEN@DOMAIN                   the same where a player may answer from that address
bounce+TOKEN@DOMAIN                  a mail of ours that comes back
stop+KIND-READER-SIGNATURE@DOMAIN    turns off a kind of mail, for programs that follow only the
                                     `mailto:` of `List-Unsubscribe`
"""

import hmac
import re
from dataclasses import dataclass, field
from email.utils import parseaddr
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

from engine import Seat
from letters.wishes import Offered
from service.accounts.mail_preferences import ALIAS, MailPreferences, Subscription
from service.core import ids
from service.core.settings import Settings
from service.core.site import Part, Site
from service.core.times import MINUTE

Purpose = Literal[
    "turn",
    "question",
    "resign",
    "win",
    "abandonment",
    "invitation",
    "naming",
    "challenge",
    "season",
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
    "season": "e",
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
    - `season`: the reader enters this season, `game`; `version` is their place among those who
      entered the one that it follows
    - `naming`: as `invitation`, after its reader was offered a name, or asked for one
    - `wish`: the answer to a question about a wish, by its mark in `Questions`; `game` is the
      player's id
    - `made`: calls off the reader's own game or challenge

    `head` is the beginning of the log's hash at this version: after a backup was restored, a log
    can reach the same version with another hash. It is empty in addresses that earlier versions of
    this program wrote. For `naming` it is the mark of the offered name instead (`name_mark`),
    empty for none. `offers` holds the other player's offers that the mail showed, None for none.
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
        return ids.proof(self._secret_key, "reply address", said, letters=length)


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


_ADDRESS: Final = re.compile(
    rf"stop\+(?P<kind>[a-z]{{1,11}})-(?P<alias>{ids.PLAYER_ID}|{ALIAS})-(?P<mac>[a-z2-7]{{26}})"
)


@dataclass(frozen=True, slots=True)
class UnsubscribeAddresses:
    """Writes and reads these addresses. Nothing is stored for those of players."""

    secret_key: str = field(repr=False)
    addresses: ReplyAddresses
    preferences: MailPreferences

    def write(self, subscription: Subscription) -> str | None:
        """Return the address; None if this server takes no mail."""
        if not self.addresses.answered:
            return None
        named = subscription._replace(reader=self.preferences.alias_of(subscription.reader))
        local = f"stop+{named.kind}-{named.reader}-{self._mac(named)}"
        return f"{local}@{self.addresses.domain}"

    def read(self, address: str) -> Subscription | None:
        """Return the subscription that mail to this address turns off; None unless we wrote the
        address, or after a year."""
        match = _ADDRESS.fullmatch(self.addresses.local_part(address))
        if match is None:
            return None
        named = Subscription(match["alias"], match["kind"])
        if not hmac.compare_digest(match["mac"], self._mac(named)):
            return None
        reader = self.preferences.reader_of(named.reader)
        return Subscription(reader, named.kind) if reader else None

    def _mac(self, subscription: Subscription) -> str:
        return ids.proof(self.secret_key, "unsubscribe address", *subscription, letters=26)


Use = Literal["bounce", "confirm", "answer"]
_BEGINS: Final[dict[Use, str]] = {
    "bounce": "bounce+",
    "confirm": f"{LOCAL_PART}+v",
    "answer": f"{LOCAL_PART}+f",
}
_MAIL_TOKEN: Final = re.compile(
    rf"(?P<said>(?P<of>{ids.GAME_ID}|{ids.PLAYER_ID})(?P<mark>[a-z2-7]{{8}})"
    r"(?P<sent>[0-9a-f]{7}))-(?P<mac>[a-z2-7]{20})"
)


class SentMail(NamedTuple):
    """A mail of ours: `of` is the id of the player, or of the game of an invitation, `mark` stands
    for the address that it went to, and `sent` is when (unix seconds, to the minute)."""

    of: str
    mark: str
    sent: int


@dataclass(frozen=True, slots=True)
class SentMailAddresses:
    """Writes and reads the addresses for one use; an address for another use is not read."""

    secret_key: str = field(repr=False)
    addresses: ReplyAddresses
    use: Use

    def write(self, of: str, email: str, sent: float) -> str | None:
        """Return the address for a mail to this player, or about this game; None if this server
        takes no mail."""
        if not self.addresses.answered:
            return None
        said = f"{of}{self.mark(email)}{int(sent // MINUTE):07x}"
        return f"{_BEGINS[self.use]}{said}-{self._mac(said)}@{self.addresses.domain}"

    def read(self, address: str) -> SentMail | None:
        """Return the mail that this address names; None unless we wrote it for this use."""
        local, begins = self.addresses.local_part(address), _BEGINS[self.use]
        match = _MAIL_TOKEN.fullmatch(local.removeprefix(begins))
        if match is None or not local.startswith(begins):
            return None
        if not hmac.compare_digest(match["mac"], self._mac(match["said"])):
            return None
        return SentMail(match["of"], match["mark"], int(match["sent"], 16) * MINUTE)

    def mark(self, email: str) -> str:
        """Return the mark of this address, which tells it from its owner's other addresses."""
        return ids.proof(self.secret_key, "bounce mark", email.lower(), letters=8)

    def _mac(self, said: str) -> str:
        return ids.proof(self.secret_key, f"{self.use} address", said)


@dataclass(eq=False)
class MailAddresses(Site):
    """The addresses that our mails have, over the parts of the container."""

    below: Site

    replies = Part(ReplyAddresses)
    unsubscribing = Part(UnsubscribeAddresses)
    bouncing = Part(SentMailAddresses, use=lambda _: "bounce")
