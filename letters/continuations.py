"""Joins a message to the other player with the lines below it that go on with it, as mail programs
wrap lines, and people write a second sentence on the next.

Only what cannot be meant for us belongs to a message: a line that may hold a command, or takes
anything back, is left as it is, and the server asks about it. A courtesy such as "Good luck!" right
below a message is for the other player too.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

from letters.commands import Unread, read_commands
from letters.grammar import may_hold
from letters.guesses import guessed
from letters.mail.html_text import HIDDEN
from letters.mail.lines import Line, is_wrapped
from letters.mail.phrases import SENTENCE_END, is_courtesy, surely_takes_back, takes_back
from letters.small_talk import is_small_talk
from letters.taught import MESSAGE

_SAY: Final = "say: "
_WORD: Final = re.compile(r"[^\W\d_]+")
_ENDS: Final = re.compile(rf"{SENTENCE_END}$")


def with_whole_messages(
    lines: Sequence[Line], courteous: Sequence[Line], names: Collection[str]
) -> list[Line]:
    """Return the lines, each that goes on with the message right above it being a part of it, and
    those of the `courteous` lines that do."""
    whole: list[Line] = []
    above: Line | None = None  # the line above as it stands in the mail, if it is of a message
    for line in sorted({*lines, *courteous}):
        is_next = above is not None and line.number == above.number + 1
        if line not in lines:
            if not (is_next and is_courtesy(line.text, names)):
                continue
            whole.append(line._replace(text=f"{_SAY}{line.text}"))
        elif MESSAGE.match(line.text):
            whole.append(line)
        elif is_next and above is not None and _goes_on(above, line, names):
            if is_wrapped(above, line):
                whole[-1] = whole[-1]._replace(text=f"{whole[-1].text} {line.text}")
            else:
                whole.append(line._replace(text=f"{_SAY}{line.text}"))
        else:
            whole.append(line)
            above = None
            continue
        above = line
    return whole


def _goes_on(above: Line, line: Line, names: Collection[str]) -> bool:
    """Whether a line goes on with the message of the line above."""
    if HIDDEN in above.text or HIDDEN in line.text or surely_takes_back(line.text):
        return False
    if not isinstance(read_commands([line]), Unread) or guessed([line], ()) is not None:
        return False
    if is_wrapped(above, line) or is_small_talk(line.text, names):
        return True
    return _is_prose(line.text) and not (may_hold(line.text) or takes_back(line.text))


def _is_prose(text: str) -> bool:
    """Whether a line is a sentence rather than a signature, most of whose words are names."""
    words = _WORD.findall(text)
    return _ENDS.search(text) is not None or 2 * sum(map(str.islower, words)) >= len(words)
