"""Reads wishes for an agreement in people's own words: to pause the game, or to end it, as in "Can
we pause until Monday?". Each is asked about before it is offered."""

import re
from collections.abc import Sequence
from typing import Final

from letters.days import day_of
from letters.mail.lines import Line
from letters.mail.phrases import straight
from letters.taught import date_in_english, months
from letters.wishes import AskedWord, OfferPause
from letters.words import keyed, words

_ASKING: Final = words("offers", "asking").replace("\n", "|")
_PAUSING: Final = words("offers", "pausing")
_PAUSED: Final = words("offers", "paused")
_ENDING: Final = words("offers", "ending")
_UNTIL: Final = r"(?: (?:until|till|til|up to) (?P<until>.{3,24}))"
_PAUSES: Final = {
    "en": re.compile(rf"(?:{_ASKING}) (?:{_PAUSING})(?:{_PAUSED}){_UNTIL}?"),
    **{
        code: re.compile(form) for code, form in keyed(words("offers", "pausing_elsewhere")).items()
    },
}
_ENDS: Final = re.compile(rf"(?:{_ASKING}) {_ENDING}")
_DAY_BESIDE: Final = re.compile(
    r"(?<!\w)(?:until|till|til|bis(?: zum)?|jusqu'(?:au|à)) (?P<until>(?:[^,.!?;]|(?<=\d)\.)+)"
)
"""Matches the day beside such a wish: "I am away until Monday, can we pause?"."""
_DAY_OF_MONTH: Final = re.compile(rf"(?<!\w)(\d\d?)\. (?=(?:{months()})(?!\w))", re.IGNORECASE)


def with_plain_days(text: str) -> str:
    """Return the text with no full stop in a day such as "10. Dezember", which ends no sentence."""
    return _DAY_OF_MONTH.sub(r"\1 ", text)


def offer_asked(text: str) -> OfferPause | AskedWord | None:
    """Return what a sentence proposes to offer the other player; None if it proposes nothing."""
    said = straight(text.lower()).strip(" .!?").removesuffix(" please").rstrip(" ,")
    if _ENDS.fullmatch(said):
        return AskedWord("offer an end")
    for language, form in _PAUSES.items():
        if (match := form.fullmatch(said)) is not None:
            return _pause(language, match)
    return None


def _pause(language: str, match: re.Match[str]) -> OfferPause | None:
    """Return the pause, up to the day that it names; None if that is no day."""
    named = match.groupdict()
    if (text := named["until"] or named.get("later")) is None:
        return OfferPause()
    until = day_of(date_in_english(language, text))
    return OfferPause(until) if until else None


def with_day_beside(pause: OfferPause, lines: Sequence[Line]) -> OfferPause:
    """Return the pause up to the only day that these lines name, if it has no day of its own."""
    texts = (straight(line.text.lower()) for line in lines)
    named = [match["until"] for text in texts for match in _DAY_BESIDE.finditer(text)]
    days = {day_of(date_in_english(code, text)) for code in _PAUSES for text in named} - {None}
    return OfferPause(days.pop()) if pause.until is None and len(days) == 1 else pause
