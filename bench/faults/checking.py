"""Holds the record of a game against what its clients sent and what they were answered."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.core.times import unix
from service.eventlog.compaction import UnreadableLog
from service.games.reading import views
from service.games.stored_game import StoredGame, fold
from service.ops.integrity import fault_in

Line = dict[str, Any]
_TEXTS: Final = {"card_played": "{card}@{stone}", "stone_claimed": "!{stone}"}


RATED: Final = ("ratings",)
"""Members of views of games that are over, which do not follow from one record alone."""


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
    it, which must have the head of the answer. No action may stand there twice or be acknowledged
    twice, and none may stand there that nobody sent. With `full` the record has all that is hidden,
    so chain, shuffle and every decision are verified too.
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
    answered = [each for each in sent if each.version]
    acknowledged = Counter((each.seat, each.text) for each in answered)
    results += [
        f"{by} {text}: acknowledged {number} times"
        for (by, text), number in acknowledged.items()
        if number > 1
    ]
    for each in answered:
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


def view_faults(
    game: str,
    record: str,
    seen: Iterable[tuple[str | None, str]],
    players: Mapping[str, str],
    names: Mapping[str, str],
) -> list[str]:
    """How views differ from the replay of the record of a game that is over.

    `seen`: the seat of each reader, None for a spectator, and the answer as JSON. A view must be
    equal to that of its version in every member, so a member too many is a fault too; but for the
    ratings once it is over.
    """
    try:
        replayed = list(_replayed(game, record))
    except UnreadableLog as damage:
        return [str(damage)]
    results = []
    for seat, text in seen:
        view = json.loads(text)
        reader = players[seat] if seat else None
        try:
            shown = views.view_data(replayed[view["version"] - 1], reader, names)
        except IndexError:
            results.append(f"{game}: {seat} saw version {view['version']}, which is not there")
            continue
        expected = json.loads(views.to_json(shown))
        besides = RATED if expected["status"] == "finished" else ()
        members = [
            name
            for name in {*view, *expected}.difference(besides)
            if view.get(name) != expected.get(name)
        ]
        results += [
            f"{game}: {seat} saw at version {view['version']} in {name}: {view.get(name)}"
            for name in sorted(members)
        ]
    return results


def timeout_fault(game: str, record: str, latest: float) -> str | None:
    """The fault in a game that nobody played on, if it did not end on time.

    Time must have run out at the deadline that the replay has, at most `latest` seconds later.
    """
    lines = lines_of(record)
    if lines[-1]["type"] != "game_ended" or lines[-1]["data"]["reason"] != "time-out":
        return f"its time is not up yet: {lines[-1]['type']}"
    place = next(i for i, line in enumerate(lines) if line["type"] == "timed_out")
    try:
        deadline = list(_replayed(game, record))[place - 1].deadline
    except UnreadableLog as damage:
        return str(damage)
    assert deadline is not None
    late = unix(lines[place]["at"]) - deadline
    return None if 0 <= late <= latest else f"it ended {late} s after its deadline"


def _replayed(game: str, record: str) -> Iterator[StoredGame]:
    """The game after each line of its record."""
    stored = None
    for line in record.splitlines():
        stored = fold(game, stored, [line])
        assert stored is not None
        yield stored


def lines_of(record: str) -> list[Line]:
    """The lines of a record in JSON Lines."""
    return [json.loads(line) for line in record.splitlines()]


def _text(line: Line) -> str:
    """The action text of an event that a player's action is; '' for any other."""
    return _TEXTS.get(line["type"], "").format(**line["data"])
