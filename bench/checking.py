"""Holds the record of a game against what its clients sent and what they were answered."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from service.ops.integrity import fault_in

Line = dict[str, Any]
_TEXTS: Final = {"card_played": "{card}@{stone}", "stone_claimed": "!{stone}"}


class Sent(NamedTuple):
    """An action that a client sent, once or again and again under one key.

    `version` and `head` are those of the view that answered it; 0 and '' if no answer came.
    """

    seat: str
    text: str
    version: int = 0
    head: str = ""


def faults(record: Sequence[Line], sent: Iterable[Sent], *, full: bool = True) -> list[str]:
    """What is wrong with a game; one round of the base game, in which no card is played twice.

    Each acknowledged action must stand in the record once, at or before the version that answered
    it, which must have the head of the answer. No action may stand there twice, and none that
    nobody sent. With `full` the record has all that is hidden, so chain, shuffle and every decision
    are verified too.
    """
    sent = list(sent)
    played = [(line["by"], text, line["seq"]) for line in record if (text := _text(line))]
    counts = Counter((by, text) for by, text, _ in played)
    attempted = {(each.seat, each.text) for each in sent}
    places = {(by, text): seq for by, text, seq in played}
    heads = {line["seq"]: line["hash"] for line in record}
    results = [
        f"{by} {text}: {number} times" for (by, text), number in counts.items() if number > 1
    ]
    results += [
        f"{by} {text}: nobody sent it" for by, text in counts if (by, text) not in attempted
    ]
    for each in sent:
        if not each.version:
            continue
        place = places.get((each.seat, each.text))
        if place is None:
            results.append(f"{each.seat} {each.text}: acknowledged and lost")
        elif place > each.version:
            results.append(f"{each.seat} {each.text}: stands after the version that answered it")
        if heads.get(each.version) != each.head:
            results.append(f"{each.seat} {each.text}: version {each.version} has another head")
    if full and (fault := fault_in(record)) is not None:
        results.append(f"the log is not sound: {fault}")
    return results


def _text(line: Line) -> str:
    """The action text of an event that a player's action is; '' for any other."""
    return _TEXTS.get(line["type"], "").format(**line["data"])
