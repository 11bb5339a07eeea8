"""What the other player has done besides moving: answered the reader's offer or invitation, or
written; and their name in the head of a mail.

Subject and thread of a game never change, so in a list of mails only the sender's name tells them
apart: `Otto · your turn`, `Otto won`.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from datetime import tzinfo
from typing import Final, NamedTuple

from engine import Seat
from letters.inert import inert_name
from service.accounts.names import is_nameless, shown_name
from service.core.times import unix
from service.core.words import N_, Words
from service.games import StoredGame
from service.games.agreements import Offer, lapse_number, last_offer
from service.games.drafts import ABANDONMENT, PAUSE
from service.text.moments import end_moment


class OfferOutcome(NamedTuple):
    """The outcome of an offer, as a sentence, and as the name of the mail's sender."""

    sentence: str
    as_sender: str


class OtherNames(NamedTuple):
    """The other player's name: in a text, and in the name of a mail's sender."""

    name: str
    as_sender: str


_AGREED: Final = N_("%(name)s agreed")
_DECLINED: Final = N_("%(name)s declined")
_LAPSED: Final = N_("%(name)s · offer lapsed")


def outcome_of_offer(
    words: Words,
    stored: StoredGame,
    side_state: Mapping[str, str],
    seat: Seat | None,
    number: int,
    other: OtherNames,
    now: float,
    zone: tzinfo,
) -> OfferOutcome | None:
    """Return the outcome of the offer with this number by the player in `seat`; None if there is
    none, or it no longer matters. `number` may be the day of a lapse instead (`lapse_number`)."""
    lasts = ((kind, last_offer(kind, side_state)) for kind in (PAUSE, ABANDONMENT))
    last_offers = [
        (kind, last)
        for kind, last in lasts
        if last is not None and last.offer.by == seat and number in _numbers(kind, last.offer)
    ]
    if not last_offers or stored.game.over:
        return None

    def told(sentence: str, sender: str) -> OfferOutcome:
        return OfferOutcome(sentence, words.say(sender, name=other.as_sender))

    kind, last = last_offers[0]
    if kind == ABANDONMENT:
        said = words.say("%(name)s declined to end your game: it goes on.", name=other.name)
        return told(said, _DECLINED) if last.state == "declined" else None
    pause = last.offer
    has_ended = pause.until is not None and unix(pause.until) <= now
    until = None if pause.until is None else end_moment(words, pause.until, zone)
    if number != last.offer.number:
        if last.state != "offered" or not has_ended:
            return None  # the notice of its answer says so, or it was replaced
        return told(_until(words, _PAUSE_LAPSED, other.name, until), _LAPSED)
    if last.state == "declined":
        return told(_until(words, _PAUSE_DECLINED, other.name, until), _DECLINED)
    clock = stored.clock
    if last.state == "agreed" and clock and clock.pause_at(now):
        return told(_until(words, _PAUSE_AGREED, other.name, until), _AGREED)
    return None


_PAUSE_LAPSED: Final = (
    N_("%(name)s has not answered your offer to pause the clock: it has lapsed."),
    N_("%(name)s has not answered your offer to pause the clock until %(moment)s: it has lapsed."),
)
_PAUSE_DECLINED: Final = (
    N_("%(name)s declined to pause the clock: it runs on."),
    N_("%(name)s declined to pause the clock until %(moment)s: it runs on."),
)
_PAUSE_AGREED: Final = (
    N_("%(name)s agreed: the clock is paused until one of you ends the pause."),
    N_("%(name)s agreed: the clock is paused until %(moment)s."),
)
"""Sentences about a pause without an end, and about one that ends at a moment."""


def _until(words: Words, sentences: tuple[str, str], name: str, moment: str | None) -> str:
    without_end, with_end = sentences
    if moment is None:
        return words.say(without_end, name=name)
    return words.say(with_end, name=name, moment=moment)


def _numbers(kind: str, offer: Offer) -> tuple[int, ...]:
    """Return the numbers in the ids of the notices of this offer's outcome."""
    if kind != PAUSE or offer.until is None:
        return (offer.number,)
    return offer.number, lapse_number(unix(offer.until))


def outcome_of_invitation(
    words: Words, invited: str, stored: StoredGame, was_declined: bool
) -> str:
    """Return a sentence about the end of a game that did not begin; `invited` is the invited
    player's name, if one was invited."""
    if was_declined:
        return words.say("%(name)s declined your invitation.", name=invited)
    if stored.invited is None:
        return words.say("Nobody has accepted your invitation in time: it has expired.")
    return words.say(
        "%(name)s has not accepted your invitation in time: it has expired.", name=invited
    )


_MOST_BYTES: Final = 3000
"""Most bytes of messages. A mail may take six times this, since each text appears in its text and
in its HTML."""
_MOST_LINES: Final = 50


class WrittenLines(NamedTuple):
    """A player's lines, in a form that does not read as commands; `is_all` is False if any were
    left out."""

    lines: list[str]
    is_all: bool


def written_lines(texts: Iterable[str]) -> WrittenLines:
    """Return the lines of these texts, as many as fit into a mail."""
    from letters.inert_prose import inert_prose  # here, as in compose.py

    left, fitting = _MOST_BYTES, list[str]()
    for line in (line for text in texts for line in text.split("\n")):
        beginning = line.encode()[:left].decode(errors="ignore")
        if beginning != line or len(fitting) == _MOST_LINES:
            return WrittenLines(
                [*map(inert_prose, fitting), f"{inert_prose(beginning)}…"], is_all=False
            )
        fitting.append(line)
        left -= len(line.encode())
    return WrittenLines([*map(inert_prose, fitting)], is_all=True)


NOT_NAMED: Final = N_("Your opponent")
"""Replaces a name that must not appear in the head of a mail."""
_LONGEST: Final = 24
_CATEGORIES: Final = ("L", "M", "N")
"""The first letters of Unicode's categories for letters, marks and digits."""
_IN_NAMES: Final = "-'\N{RIGHT SINGLE QUOTATION MARK}"


def harmless(words: Words, name: str | None) -> str:
    """Return the part of a player's name that is safe in a sender's name: letters, digits and their
    joiners, nothing like a command. It can neither cut off nor imitate the news after it."""
    shown = (
        c if unicodedata.category(c)[0] in _CATEGORIES or c in _IN_NAMES else " "
        for c in name or ""
    )
    bare = " ".join("".join(shown).split())
    cut = _cut(bare)
    if name is not None and is_nameless(name):
        return shown_name(words, name)
    if name is None or any(inert_name(text) != text for text in (name, bare, cut)):
        return words.say(NOT_NAMED)
    return cut or words.say(NOT_NAMED)


def _cut(name: str) -> str:
    """Return a name without the words that are too many; a long word is cut itself."""
    if len(name) <= _LONGEST:
        return name
    words = name[:_LONGEST].rpartition(" ")[0]
    return f"{words or name[: _LONGEST - 1]}…"
