"""Finding where rounds begin among the lines of a log, without parsing each line."""

from collections.abc import Sequence
from typing import Final

from engine.events import RoundEnded, RoundStarted

_ROUND_STARTED: Final = f'"type":"{RoundStarted.TYPE}"'
_ROUND_ENDED: Final = f'"type":"{RoundEnded.TYPE}"'
"""The part of a line that gives its type.

No player's text can contain it, because quotes are escaped.
"""


def round_start(texts: Sequence[str]) -> int | None:
    """The index of the line that begins the round of the last line.

    None if it is not among these lines, or no line comes before it.
    """
    for place in range(len(texts) - 1, 0, -1):
        if _ROUND_STARTED in texts[place]:
            return place
    return None


def follows_another(texts: Sequence[str], start: int) -> bool:
    """Whether the round that begins at index `start` is not the first of its match."""
    return _ROUND_ENDED in texts[start - 1]


def round_of(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The lines of one round; `before` ends with an event of it, `after` follows.

    The first round includes the lines before it, the last one those after it.
    """
    start = round_start(before)
    is_first = start is None or not follows_another(before, start)
    lines = [*(before if is_first else before[start:])]
    for text in after:
        if _ROUND_STARTED in text and _ROUND_ENDED in lines[-1]:
            break
        lines.append(text)
    return lines
