"""The events of a game, its clock's too: a sentence for each turn, from the lines of a record.

The lines may be redacted: sentences leave out cards that the reader may not see.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

from engine import Event, Seat
from engine.chain import StoredEvent, to_event
from engine.clock_events import CalendarChanged, ClockAdjusted
from engine.events import (
    ONE_A_TURN,
    CardDrawn,
    CardPlayed,
    GameEnded,
    RoundEnded,
    RoundStarted,
    StoneClaimed,
    TurnEnded,
)
from service.core.words import N_, Words
from service.text.card_names import short_name
from service.text.event_words import CLAUSES, SENTENCES, CardName, Names, Teller, won_by_both
from service.text.moments import MomentWords, words_in

# Note: %(clauses)s is a list of what the player did, perhaps participles: "played … and passed"
_YOU_DID: Final = N_("You %(clauses)s.")
# Note: as for "You"
_DID: Final = N_("%(name)s %(clauses)s.")

Say = Callable[[MomentWords], str]
"""Makes a sentence, given a function that puts moments into words."""


class Sentence(NamedTuple):
    """A sentence, with the number and the moment of its last event, the seat that acted, and
    whether it claimed a Stone."""

    seq: int
    at: str
    text: str
    by: Seat | None = None
    claims: bool = False


class _Entry(NamedTuple):
    """An event of the record, with its number and moment."""

    seq: int
    at: str
    event: Event


def turn_of(lines: Iterable[StoredEvent], at: int) -> tuple[int, int]:
    """Return the turn that event `at` belongs to, and the number of turns of its round so far.

    Turns are those of both players, counted from 1 in each round; 0 before the first. A claim may
    come before the card of its turn.
    """
    turns, found = 0, None
    for line, turn in _counted(lines):
        if line["type"] == RoundStarted.TYPE:
            if found is not None:
                break
            turns = 0
        turns = max(turns, turn)
        if line["seq"] == at:
            found = turn
    return found or 0, turns


def turns_by_event(lines: Iterable[StoredEvent]) -> dict[int, int]:
    """Return the turn, as `turn_of` counts it, of each event that is part of one, by its number."""
    parts = {event.TYPE for event in CLAUSES}
    return {line["seq"]: turn for line, turn in _counted(lines) if line["type"] in parts}


def _counted(lines: Iterable[StoredEvent]) -> Iterator[tuple[StoredEvent, int]]:
    turns, is_over = 0, True
    for line in lines:
        if line["type"] == RoundStarted.TYPE:
            turns, is_over = 0, True
        elif line["type"] in ONE_A_TURN:
            turns, is_over = turns + 1, False
        yield line, turns + (is_over and line["type"] == StoneClaimed.TYPE)
        is_over = is_over or line["type"] == TurnEnded.TYPE


def told_to(lines: Iterable[StoredEvent], reader: Seat | None) -> list[StoredEvent]:
    """Return the lines that the reader is told of: nights and vacations are for the two players,
    and a time zone without either moves no deadline that anybody could miss."""
    return [
        line
        for line in lines
        if not (_is_zone_alone(line) or (reader is None and _is_of_calendar(line)))
    ]


def _is_zone_alone(line: StoredEvent) -> bool:
    data = line["data"]
    is_empty = line["type"] == CalendarChanged.TYPE and not (data["sleep"] or data["vacations"])
    return is_empty and data["zone"] != "UTC"


def _is_of_calendar(line: StoredEvent) -> bool:
    is_vacation = line["type"] == ClockAdjusted.TYPE and line["data"].get("reason") == "vacation"
    return is_vacation or line["type"] == CalendarChanged.TYPE


def narrate(
    words: Words,
    lines: Iterable[StoredEvent],
    names: Names,
    reader: Seat | None = None,
    name_of: CardName = short_name,
    shown: Callable[[Say], str] | None = None,
) -> list[Sentence]:
    """The sentences for these lines, in order.

    `names` has the name for each seat; `name_of` gives a card's: `R7`, or `Red 7`; `shown` turns a
    sentence into text, with its moments as the reader sees them, or else in UTC.
    """
    entries = [
        *_with_both_reasons(_Entry(line["seq"], line["at"], to_event(line)) for line in lines)
    ]
    teller = partial(Teller, words, names, reader, name_of)
    sentences, dry_before, in_utc = list[Sentence](), False, words_in(words, UTC)
    for group in _grouped(entries):
        events = [entry.event for entry in group]
        types = {type(event) for event in events}
        # A card was played, and none was left to draw in its place.
        dry = CardPlayed in types and TurnEnded in types and CardDrawn not in types
        say = partial(_sentence, events, dry and not dry_before, teller)
        text = shown(say) if shown else say(in_utc)
        dry_before |= dry
        if text:
            claims = StoneClaimed in types
            sentences.append(Sentence(group[-1].seq, group[-1].at, text, events[0].by, claims))
    return sentences


def _with_both_reasons(entries: Iterable[_Entry]) -> Iterator[_Entry]:
    """Let the end of a round that three adjacent Stones won name five in all too."""
    held = Counter[Seat | None]()
    for entry in entries:
        event: Event = entry.event
        if isinstance(event, RoundStarted):
            held.clear()
        elif isinstance(event, StoneClaimed):
            held[event.by] += 1
        elif isinstance(event, RoundEnded | GameEnded) and won_by_both(
            event.reason, held[event.winner]
        ):
            event = replace(event, reason="both")
        yield entry._replace(event=event)


def _grouped(entries: Sequence[_Entry]) -> Iterator[list[_Entry]]:
    """Consecutive events by one player make one group; every other event stands alone."""
    group: list[_Entry] = []
    for entry, following in zip(entries, [*entries[1:], None], strict=False):
        if isinstance(entry.event, RoundEnded) and isinstance(
            following and following.event, GameEnded
        ):
            continue  # the end of the game includes that of its last round
        before = group[-1].event if group else None
        if before is not None and not (
            {type(before), type(entry.event)} <= CLAUSES.keys()
            and before.by == entry.event.by
            and not isinstance(before, TurnEnded)
        ):
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def _sentence(
    events: Sequence[Event],
    is_dry: bool,
    teller: Callable[[MomentWords], Teller],
    when: MomentWords,
) -> str:
    first, tell = events[0], teller(when)
    if sentence := SENTENCES.get(type(first)):
        return sentence(first, tell)
    clauses = [clause for clause in _clauses(events, tell) if clause]
    if is_dry:
        # Note: in a list of what a player did: "Bob played …, and found no card left to draw."
        clauses.append(tell.words.say("found no card left to draw"))
    if not clauses:
        return ""
    return tell.by(first.by, _YOU_DID, _DID, clauses=tell.words.joined(clauses))


def _clauses(events: Sequence[Event], tell: Teller) -> Iterator[str]:
    """The player's actions as clauses, consecutive claims in one clause."""
    for kind, group in groupby(events, type):
        if kind is StoneClaimed:
            stones = tell.words.joined(CLAUSES[kind](event, tell) for event in group)
            # Note: a clause, after "Bob"; %(stones)s is such as "Stone 3 (colour run, sum 24)",
            # or more
            yield tell.words.say("claimed %(stones)s", stones=stones)
        else:
            yield from (CLAUSES[kind](event, tell) for event in group)
