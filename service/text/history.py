"""The events of a game, its clock's too: a sentence for each turn, from the lines of a record.

The lines may be redacted: sentences leave out cards that the reader may not see. Players may be
called like a card: `people` and `unmarked` keep their names apart.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple

from engine import Deck, Event, Seat
from engine.cards import CLAN_CARDS, STRATEGIST, TACTIC_CARDS, full_name, in_order, name
from engine.chain import StoredEvent, to_event
from engine.clock_events import (
    CalendarChanged,
    ClockAdjusted,
    ClockMoved,
    ClockPaused,
    ClockResumed,
    FlagHeld,
    TimeGiven,
)
from engine.events import (
    ONE_A_TURN,
    CardDrawn,
    CardPlayed,
    CardsRecruited,
    CardsReturned,
    GameAborted,
    GameCreated,
    GameEnded,
    Passed,
    PlayerJoined,
    Resigned,
    RoundEnded,
    RoundStarted,
    RusePlayed,
    StoneClaimed,
    TimedOut,
    TurnEnded,
)
from engine.formations import RANKS
from engine.notation import Banish, Recruit
from service.core.words import ENGLISH
from service.text.game_terms import join_words
from service.text.moments import IN_UTC, MomentWords, duration

Names = Mapping[str, str]
CardName = Callable[[str], str]


Say = Callable[[MomentWords], str]
"""Makes a sentence, given a function that puts moments into words."""

DECK_TITLES: Final[Mapping[Deck, str]] = {"clan": "Clan", "tactic": "Tactic"}

FORMATIONS = {
    "color-run": "colour run",
    "three-of-a-kind": "three of a kind",
    "color": "colour",
    "run": "run",
    "sum": "sum",
}
REASONS = {
    "three-adjacent": "with three adjacent Stones",
    "five-stones": "with five Stones",
    "stalemate": "by stalemate",
    "resignation": "by resignation",
    "time-out": "on time",
    "agreement": "by agreement",
}


class Sentence(NamedTuple):
    """A sentence, with the number and the moment of its last event, and the seat that acted."""

    seq: int
    at: str
    text: str
    by: Seat | None = None


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
    turns, is_over, found = 0, True, None
    for line in lines:
        if line["type"] == RoundStarted.TYPE:
            if found is not None:
                break
            turns, is_over = 0, True
        elif line["type"] in ONE_A_TURN:
            turns, is_over = turns + 1, False
        if line["seq"] == at:
            found = turns + (is_over and line["type"] == StoneClaimed.TYPE)
        is_over = is_over or line["type"] == TurnEnded.TYPE
    return found or 0, max(turns, found or 0)


def narrate(
    lines: Iterable[StoredEvent],
    names: Names,
    card_name: CardName = name,
    shown: Callable[[Say], str] = lambda say: say(IN_UTC),
) -> list[Sentence]:
    """The sentences for these lines, in order.

    `names` has the name for each seat; `card_name` gives a card's: `R7`, or `Red 7`; `shown` turns
    a sentence into text, with its moments as the reader sees them.
    """
    entries = [_Entry(line["seq"], line["at"], to_event(line)) for line in lines]
    sentences, dry_before = list[Sentence](), False
    for group in _grouped(entries):
        events = [entry.event for entry in group]
        types = {type(event) for event in events}
        # A card was played, and none was left to draw in its place.
        dry = CardPlayed in types and TurnEnded in types and CardDrawn not in types
        text = shown(partial(_sentence, events, names, card_name, dry and not dry_before))
        dry_before |= dry
        if text:
            sentences.append(Sentence(group[-1].seq, group[-1].at, text, events[0].by))
    return sentences


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
            {type(before), type(entry.event)} <= _CLAUSES.keys()
            and before.by == entry.event.by
            and not isinstance(before, TurnEnded)
        ):
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def _sentence(
    events: Sequence[Event], names: Names, card_name: CardName, is_dry: bool, when: MomentWords
) -> str:
    first = events[0]
    if sentence := _SENTENCES.get(type(first)):
        return sentence(first, names, when)
    clauses = [clause for clause in _clauses(events, card_name) if clause]
    if is_dry:
        clauses.append("found no card left to draw")
    return f"{names[first.by or '']} {join_words(clauses)}." if clauses else ""


def _clauses(events: Sequence[Event], card_name: CardName) -> Iterator[str]:
    """The player's actions as clauses, consecutive claims in one clause."""
    for kind, group in groupby(events, type):
        first, *others = [_CLAUSES[kind](event, card_name) for event in group]
        if kind is StoneClaimed:
            yield join_words([first, *(claim.removeprefix("claimed ") for claim in others)])
        else:
            yield from (first, *others)


def count_cards(clan: int, tactic: int) -> str:
    """The number of cards from each deck: `2 Clan cards and 1 Tactic card`."""
    counts: Mapping[Deck, int] = {"clan": clan, "tactic": tactic}
    return join_words(
        f"{count} {DECK_TITLES[deck]} card{'s' if count > 1 else ''}"
        for deck, count in counts.items()
        if count
    )


# A player's actions: a verb and its objects


def _ruse(event: RusePlayed, card_name: CardName) -> str:
    action = event.action
    if isinstance(action, Recruit):
        return f"played the Recruiter, drawing {count_cards(action.clan, action.tactic)}"
    card, ruse = card_name(action.card), card_name(action.ruse)
    if isinstance(action, Banish) or action.to is None:
        return f"discarded {card} from Stone {action.stone} with the {ruse}"
    verb = "moved" if action.ruse == STRATEGIST else "took"
    return f"{verb} {card} from Stone {action.stone} to Stone {action.to} with the {ruse}"


def _returned(event: CardsReturned, card_name: CardName) -> str:
    what = _cards(event.cards, card_name) if event.cards else count_cards(event.clan, event.tactic)
    return f"put {what} under the deck" + ("s" if event.clan and event.tactic else "")


def _drew(event: CardDrawn, card_name: CardName) -> str:
    """The clause about a drawn card; empty for a hidden Clan card, since nearly every turn draws
    one."""
    if event.cards:
        return f"drew {_cards(event.cards, card_name)}"
    return "drew a Tactic card" if event.deck == "tactic" else ""


def _cards(cards: Iterable[str], card_name: CardName) -> str:
    return join_words(card_name(card) for card in in_order(cards))


_CLAUSES: dict[type[Event], Callable[[Any, CardName], str]] = {
    CardPlayed: lambda event, card: f"played {card(event.card)} on Stone {event.stone}",
    RusePlayed: _ruse,
    CardsRecruited: lambda event, card: f"found {_cards(event.cards, card)}" if event.cards else "",
    CardsReturned: _returned,
    Passed: lambda event, card: "passed",
    StoneClaimed: lambda event, card: (
        f"claimed Stone {event.stone} ({FORMATIONS[RANKS[event.mine.rank]]}, {event.mine.total})"
    ),
    CardDrawn: _drew,
    TurnEnded: lambda event, card: "",
}


def outcome(winner: str | None, reason: str | None, names: Names, *, rounds: int = 1) -> str:
    """The result of a round, or of a game of so many rounds: `Bob won with five Stones.`"""
    if winner and reason == "resignation":
        if rounds > 1:  # whoever resigned its last round may have won it
            return f"{names[winner]} won the match."
        loser = names["south" if winner == "north" else "north"]
        return f"{names[winner]} won: {within(loser)} resigned."
    how = f" {REASONS[reason]}" if reason else ""
    return f"{names[winner]} won{how}." if winner else f"A draw{how}."


def score(scores: Mapping[Seat, int], names: Names) -> str:
    """The points: `Ann 5, Bob 2.`"""
    return ", ".join(f"{names[seat]} {points}" for seat, points in scores.items()) + "."


def _untold(reason: str) -> str | None:
    """The reason for an end, unless the sentence before it has told it: `Bob resigned.`"""
    return None if reason == "resignation" else reason


def within(name: str) -> str:
    """A name inside a sentence: `You` becomes lower case."""
    return "you" if name == "You" else name


def _whose(name: str) -> str:
    return "Your" if name == "You" else f"{name}'s"


def _calendar(event: CalendarChanged, names: Names, when: MomentWords) -> str:
    """A sentence about the parts of a calendar that count in a game; the zone is left out if
    nothing depends on it."""
    parts = [f"vacation from {when(first)} to {when(last)}" for first, last in event.vacations]
    if event.sleep is not None:
        parts.insert(0, "nights from {} to {}".format(*event.sleep))
    if event.sleep is not None or event.zone != "UTC":
        parts.append(f"time zone {event.zone}")
    held = ", ".join(parts) or "no nights and no vacation"
    return f"{_whose(names[event.by])} calendar in this game: {held}."


def _adjusted(event: ClockAdjusted, names: Names, when: MomentWords) -> str:
    span = f"{when(event.since)} to {when(event.until)}"
    if event.reason == "outage":
        return f"The server was away: {span} does not count."
    who = names[event.seat] if event.seat else "the player"
    if event.reason == "vacation":
        return f"{_whose(who)} time was out, and a vacation began by itself: {span} does not count."
    return f"{who} had not been told of the turn: {span} does not count."


def _held(event: FlagHeld, names: Names, when: MomentWords) -> str:
    who = names[event.seat]
    has = "you have" if who == "You" else f"{who} has"
    return (
        f"{_whose(who)} time is up, but {has} not been told of the turn: "
        f"nothing ends before {when(event.until)}."
    )


_SENTENCES: dict[type[Event], Callable[[Any, Names, MomentWords], str]] = {
    GameCreated: lambda event, names, when: f"{names[event.by]} created the game.",
    PlayerJoined: lambda event, names, when: f"{names[event.by]} joined.",
    RoundStarted: lambda event, names, when: (
        f"{f'Round {event.round} began. ' if event.round > 1 else ''}"
        f"{names[event.first]} got the first turn."
    ),
    Resigned: lambda event, names, when: f"{names[event.by]} resigned.",
    TimedOut: lambda event, names, when: f"{names[event.seat]} ran out of time.",
    RoundEnded: lambda event, names, when: (
        f"Round {event.round}: {outcome(event.winner, _untold(event.reason), names)}"
        f" {score(event.scores, names)}"
    ),
    GameEnded: lambda event, names, when: outcome(event.winner, _untold(event.reason), names),
    GameAborted: lambda event, names, when: "The game was cancelled.",
    CalendarChanged: _calendar,
    TimeGiven: lambda event, names, when: (
        f"{names[event.by]} gave {within(names[event.seat])}"
        f" {duration(ENGLISH, event.seconds)} more."
    ),
    ClockMoved: lambda event, names, when: (
        f"In this sandbox {within(names[event.by])} let {duration(ENGLISH, event.seconds)} pass."
    ),
    ClockPaused: lambda event, names, when: (
        f"{names[event.by]} agreed: the clock is paused"
        f"{f' until {when(event.until, is_end=True)}' if event.until else ''}."
    ),
    ClockResumed: lambda event, names, when: (
        f"{names[event.by] if event.by else 'The server'} resumed the clock."
    ),
    ClockAdjusted: _adjusted,
    FlagHeld: _held,
}


BY_NAME: Final = {full_name(code): code for code in (*CLAN_CARDS, *TACTIC_CARDS)}
NAMED: Final = re.compile(rf"\b({'|'.join(map(re.escape, BY_NAME))})\b(?! \(bot\))")
"""Matches a card's name in a sentence, and no bot's: one is called `Strategist (bot)`."""
_MARK: Final = "\u2060"
"""The invisible character by which a player's name differs from a card's, until it is shown."""


def people(names: Mapping[str, str]) -> dict[str, str]:
    """Players' names made safe for sentences in which card names are highlighted: a player may be
    called `Red 7`. `unmarked` takes the marks out again."""
    return {seat: NAMED.sub(_parted, name) for seat, name in names.items()}


def unmarked(words: str) -> str:
    """These words without the marks that `people` sets, to be read, copied and searched."""
    return words.replace(_MARK, "")


def _parted(match: re.Match[str]) -> str:
    return match[0][0] + _MARK + match[0][1:]
