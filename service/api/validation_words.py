"""What is wrong with a member of a request, in its reader's language.

marshmallow says it in English, and so do our own checks: the words are these messages, with their
places filled in.
"""

import re
from functools import lru_cache
from typing import Final

from service.core.words import N_, PLACE, Words

MESSAGES: Final = (
    N_("Missing data for required field."),
    N_("Field may not be null."),
    N_("Invalid value."),
    N_("Unknown field."),
    N_("Not a valid string."),
    N_("Not a valid integer."),
    N_("Not a valid number."),
    N_("Number too large."),
    N_("Not a valid boolean."),
    N_("Not a valid list."),
    N_("Not a valid mapping type."),
    N_("Not a valid date."),
    N_("Not a valid email address."),
    N_("Must be an object."),
    N_("Must be one of: %(choices)s."),
    N_("Must be greater than or equal to %(least)s and less than or equal to %(most)s."),
    N_("Length must be between %(least)s and %(most)s."),
    N_("Longer than maximum length %(most)s."),
    N_("Shorter than minimum length %(least)s."),
    # Ours
    N_("Must have exactly one of: %(choices)s."),
    N_("Must have at least one of: %(choices)s."),
    N_("Must be the code of a card, such as R7 or JOK."),
    N_("Must be the number of a Stone, 1 to 9, or discard."),
    N_("Must be a player's id: %(length)s letters a to z and digits 2 to 7."),
    N_("Must be the id of a game."),
    N_("Must be the id of a game in the archive."),
    N_("Must be a seal from `POST /v1/seals`."),
    N_("Must be a time of day: hours and minutes, 07:30."),
    N_("Must be the name of a time zone, such as Europe/Berlin."),
    N_("Must be a moment such as 2026-12-31T20:00:00Z."),
    N_("Must be of the form that the documentation gives."),
    N_("Must be another time than begin."),
    N_("This cursor was never issued."),
    N_("This day is still to come."),
    N_("A listed game cannot be private."),
    N_("A salt may not contain control characters or line breaks."),
    N_("A name has at most %(most)s characters, counting all spaces."),
    N_("A name may contain only printable characters."),
    N_("A name must contain a visible letter, digit or symbol."),
    N_("Only printable characters can stand in a name."),
    N_("A name cannot contain `=?`."),
    N_("A name cannot contain a web or mail address. Put a space after a dot."),
    N_("At most %(most)s characters."),
)
"""The messages. Whatever else a check says stays as it is: English."""


def fault_words(words: Words, fault: str) -> str:
    """Return what is wrong, said in English with its places filled in, in this language."""
    for message, form in _forms():
        if found := form.fullmatch(fault):
            return words.say(message, **found.groupdict())
    return fault


@lru_cache(1)
def _forms() -> list[tuple[str, re.Pattern[str]]]:
    """The messages, each with the expression that it fits with its places filled in."""
    return [(each, _form(each)) for each in MESSAGES]


def _form(message: str) -> re.Pattern[str]:
    parts = PLACE.split(message)
    parts[::2] = map(re.escape, parts[::2])
    parts[1::2] = [f"(?P<{place}>.+)" for place in parts[1::2]]
    return re.compile("".join(parts), re.DOTALL)
