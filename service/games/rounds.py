"""Where rounds begin among the lines of a log, found without reading each of them."""

from collections.abc import Sequence
from typing import Final

from engine.events import RoundEnded, RoundStarted

_ROUND_STARTED: Final = f'"type":"{RoundStarted.TYPE}"'
_ROUND_ENDED: Final = f'"type":"{RoundEnded.TYPE}"'
"""How a line says its type. No text of a player's reads like it: its quotes would be escaped."""


def round_start(texts: Sequence[str]) -> int | None:
    """The place, among lines of a log, of the one that begins the round of the last line.

    None where it is not among them, or where no line comes before it.
    """
    for place in range(len(texts) - 1, 0, -1):
        if _ROUND_STARTED in texts[place]:
            return place
    return None


def follows_another(texts: Sequence[str], start: int) -> bool:
    """Whether the round that begins at this place is not the first of its match."""
    return _ROUND_ENDED in texts[start - 1]


def round_of(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The lines of one round, from those up to an event of it and those that follow upon it.

    The first round has with it what comes before it, the last one what comes after it.
    """
    start = round_start(before)
    is_first = start is None or not follows_another(before, start)
    lines = [*(before if is_first else before[start:])]
    for text in after:
        if _ROUND_STARTED in text and _ROUND_ENDED in lines[-1]:
            break
        lines.append(text)
    return lines
