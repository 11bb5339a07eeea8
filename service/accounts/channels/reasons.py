"""Why a channel fails or is off, in its player's words.

What is stored is the reason in English: a message, of which only the status of an answer is filled
in. So former reasons are said in other languages too.
"""

import re
from typing import Final

from service.core.words import N_, Words

# Note: why a channel failed, after "It failed: ", as are its other reasons; %(status)s is 404
ANSWERED: Final = N_("it answered %(status)s")
# Note: why a channel failed, after "It failed: "; %(status)s is 302
REDIRECTED: Final = N_("it answered %(status)s, a redirect, and none is followed")
_STATUS: Final = re.compile("it answered ([0-9]{3})(, a redirect, and none is followed)?")


def reason_words(words: Words, reason: str) -> str:
    """Return the stored reason in this language."""
    answered = _STATUS.fullmatch(reason)
    if answered is None:
        return words.say(reason) if reason else ""
    return words.say(REDIRECTED if answered[2] else ANSWERED, status=answered[1])
