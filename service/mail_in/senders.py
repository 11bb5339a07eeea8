"""Finds out which player sent a mail, and what our own mail server found out about the sender, from
`Authentication-Results` (RFC 8601).

Anybody can write such a header into a mail. Only those of the server named
`SCOTTENBURY_MAIL_AUTHSERV` count: that server removes the ones that came with the mail. SPF and
DKIM only show that some domain sent the mail. This vouches for `From` if the two domains are equal
or one lies within the other (RFC 7489, relaxed alignment without a list of public suffixes).
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from service.accounts.answer_addresses import AnswerAddresses
from service.accounts.email_addresses import EmailAddresses
from service.accounts.mail_state import DeferredNotices
from service.accounts.player import Player
from service.accounts.players import Players
from service.accounts.tokens import Tokens
from service.mail_in import outcome, sentences
from service.mail_in.message import IncomingMessage
from service.mail_in.outcome import Dropped, Outcome
from service.mail_in.wording import PlayerWords

_ESCAPED: Final = re.compile(r"\\.|.", re.DOTALL)
"""Matches a character, or a backslash with the character that it escapes."""
_RESULT: Final = re.compile(r"\s*(dmarc|dkim|spf)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)", re.IGNORECASE)
_BAD: Final = ("fail", "hardfail", "softfail", "permerror")
_HARMLESS: Final = re.compile(r"[^\s\"();\\=<>]*")
"""Matches quoted text that is safe to read without its quotes: it can only be a value."""
_NAMES: Final = {
    "dmarc": ("header.from",),
    "dkim": ("header.d", "header.i"),
    "spf": ("smtp.mailfrom", "smtp.mail"),
}
"""For each method, the properties that name the domain it checked; the first one present counts."""


class _Result(NamedTuple):
    """A method's result and the domains that it checked. `domains` is empty if none is named, and
    None if they cannot be read with certainty."""

    method: str
    result: str
    domains: tuple[str, ...] | None


def has_failed(headers: Sequence[str], server: str | None, sender: str | None) -> bool:
    """Whether that server found that the mail is not from `sender`, the address in `From`.

    If `server` is None, no header is trusted and the answer is False. `headers` are in the order of
    the mail, the latest first.
    """
    verdicts = _results_by(headers, server)
    domain = _domain(sender or "")
    for one in verdicts:
        if one.method == "dmarc" and (one.result == "fail" or not _is_about(domain, one)):
            return True
    # A failure counts in every header of that server, a success only in the topmost one, which
    # cannot have come with the mail.
    latest = _results_by(headers, server, most=1)
    if any(_vouches_for(domain, one) for one in latest):
        return False
    return any(one.result in _BAD for one in verdicts)


def results(headers: Sequence[str], server: str | None) -> dict[str, str]:
    """Return the results of that server by method: `{"spf": "pass"}`; several results of a method
    are joined by commas."""
    verdicts = _results_by(headers, server)
    said = {name: {one.result for one in verdicts if one.method == name} for name in sorted(_NAMES)}
    return {name: ", ".join(sorted(each)) for name, each in said.items() if each}


def _vouches_for(domain: str, verdict: _Result) -> bool:
    if verdict.result != "pass" or verdict.domains is None:
        return False
    # DMARC is about `From`, and need not say so.
    return _is_about(domain, verdict) and (verdict.method == "dmarc" or bool(verdict.domains))


def _is_about(domain: str, verdict: _Result) -> bool:
    """Whether every domain of the result is aligned with `domain`; True if the result names none.

    False means that our server took another address for the sender than we did.
    """
    return all(_is_aligned(each, domain) for each in verdict.domains or ())


def _is_aligned(one: str, other: str) -> bool:
    """Whether the two are the same domain, or one lies within the other."""
    shorter, longer = sorted((one, other), key=len)
    return "." in shorter and f".{longer}".endswith(f".{shorter}")


def _results_by(
    headers: Sequence[str], server: str | None, most: int | None = None
) -> list[_Result]:
    """Return the results in the headers that `server` wrote, or in only the first `most` of
    them."""
    plain = [(header, _plain(header)) for header in headers if server is not None]
    by = str(server).lower()
    ours = [pair for pair in plain if pair[1].partition(";")[0].lower().split()[:1] == [by]]
    found: list[_Result] = []
    for header, bare in ours[:most]:
        # A stranger may have written comments and quoted text: a failure counts there too, and a
        # success does not.
        found += (*_results(bare), *(one for one in _results(header) if one.result in _BAD))
    return found


def _results(header: str) -> Iterator[_Result]:
    for said in header.split(";")[1:]:
        if (match := _RESULT.match(said)) is not None:
            method = match[1].lower()
            yield _Result(method, match[2].lower(), _domains(method, said[match.end() :]))


def _domains(method: str, said: str) -> tuple[str, ...] | None:
    """Return the domains that the method's properties name, empty for none; None if any part is not
    a property (`name=value`)."""
    properties = [part.partition("=") for part in said.split()]
    if not all(name and equals for name, equals, _ in properties):
        return None
    for wanted in _NAMES[method]:
        if values := [value for name, _, value in properties if name.lower() == wanted]:
            return tuple(map(_domain, values))
    return ()


def _domain(address: str) -> str:
    """Return the domain of an e-mail address, or of a bare domain, in lower case and with punycode
    decoded."""
    domain = address.strip("<>").rpartition("@")[2].rstrip(".").lower()[:255]
    return ".".join(map(_label, domain.split(".")))


def _label(label: str) -> str:
    if label.startswith("xn--"):
        try:
            return label[4:64].encode("ascii").decode("punycode")
        except ValueError:
            return label
    return unicodedata.normalize("NFC", label)


def _plain(header: str) -> str:
    """Return the header without comments, which may be nested, and without quoted text unless it is
    harmless: strangers choose some of that text, such as the envelope's sender."""
    parts: list[str] = []
    quote: list[str] = []
    depth, quoted = 0, False
    for part in _ESCAPED.findall(header):
        if part == '"' and not depth:
            if quoted and _HARMLESS.fullmatch("".join(quote)):
                parts += quote
            quoted, quote = not quoted, []
        elif quoted:
            quote.append(part)
        elif part in ("(", ")"):
            depth = max(0, depth + (1 if part == "(" else -1))
            parts.append(" ")
        elif not depth:
            parts.append(part)
    return "".join(parts)


_MAILBOX: Final = "mailbox.invalid"
"""The domain that stands for players without an e-mail address in the local mailbox."""


@dataclass(eq=False, repr=False)
class Senders:
    """Identifies players by the addresses that they write from."""

    _players: Players
    _addresses: EmailAddresses
    _answer_addresses: AnswerAddresses
    _mail_authserv: str | None
    _has_mail_server: bool
    """The local mailbox is not the outside world: there is nothing to verify there."""

    def is_of(self, player: Player, sender: str | None) -> bool:
        """Whether the player may answer a mail of ours from this address: it is theirs, and they
        are not suspended. The local mailbox brings mail to unconfirmed addresses too."""
        if sender is None or player.suspended is not None:
            return False
        is_reached = not self._has_mail_server and _is_own(player, sender)
        return is_reached or self.has_confirmed(player, sender)

    def has_confirmed(self, player: Player, sender: str) -> bool:
        """Whether the address is surely the player's: what answers none of our mails to them counts
        from no other, for anybody can give an address. They are not suspended."""
        if player.suspended is not None:
            return False
        if not self._has_mail_server and sender == f"{player.id}@{_MAILBOX}":
            return True
        own = _is_own(player, sender) and player.verified
        return own or self.is_further(player.id, sender)

    def is_further(self, player_id: str, sender: str) -> bool:
        """Whether the player has confirmed this as a further address to answer from."""
        return self._answer_addresses.is_confirmed(player_id, sender)

    def is_forged(self, message: IncomingMessage) -> bool:
        """Whether our own mail server found that the mail is not from the address in its `From`."""
        return has_failed(message.authentication, self._mail_authserv, message.sender)

    def owner(self, email: str) -> Player | None:
        """Return the one player who has confirmed this address; None for none or several."""
        owners = self.owners(email)
        return owners[0] if len(owners) == 1 else None

    def owners(self, email: str) -> list[Player]:
        """Return the players who have confirmed this address; an empty list for none."""
        at = {*self._addresses.players_at(email), *self._answer_addresses.players_at(email)}
        players = [self._players.find(each) for each in sorted(at)]
        sender = email.lower()
        return [each for each in players if each is not None and self.has_confirmed(each, sender)]


def _is_own(player: Player, sender: str) -> bool:
    """Whether this is the address of the player's account, confirmed or not."""
    return player.email is not None and player.email.lower() == sender


class Distrusted(Exception):
    """A mail that may not be its player's. The `warning` goes to their own address."""

    def __init__(self, warning: Outcome) -> None:
        super().__init__(warning.label)
        self.warning = warning


@dataclass(eq=False, repr=False)
class Writers:
    """The players who write to us, as far as a mail can be trusted."""

    _addresses: EmailAddresses
    _tokens: Tokens
    _senders: Senders
    _deferred_notices: DeferredNotices
    _player_words: PlayerWords

    def came_by(self, player: Player) -> None:
        """Record an answer from the player: it is a visit, and it shows that our mail reached
        them."""
        self._deferred_notices.visited(player.id)
        self._tokens.record_answer(player.id)
        if player.email is not None and player.verified:
            self._addresses.failing.clear(player.email)

    def trusted(self, player: Player | None, message: IncomingMessage, game: str = "") -> Player:
        """Return the player, if the mail is from an address of theirs, and not forged. Raises
        `Distrusted` otherwise, `Dropped` without an account."""
        if player is None:
            raise Dropped("gone")
        if not self._senders.is_of(player, message.sender):
            label, warning = "stranger", sentences.STRANGER
        elif self._senders.is_forged(message):
            label, warning = "forged", sentences.FORGED
        else:
            return player
        said = sentences.say(self._player_words.of(player.id), warning)
        raise Distrusted(Outcome(label, outcome.NOTE, player.id, about=game, sentences=(said,)))
