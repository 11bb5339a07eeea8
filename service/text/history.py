"""The events of a game: a sentence for each turn, from the lines of a record.

The lines may be redacted: sentences leave out cards that the reader may not see.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple

from engine import Deck, Event, Seat
from engine.cards import STRATEGIST, in_order, name
from engine.chain import StoredEvent, to_event
from engine.events import (
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
from service.text.clock_words import CLOCK_SENTENCES, MomentWords, words_in

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


def in_utc(say: Say) -> str:
    """Make a sentence with its moments in UTC."""
    return say(words_in(UTC))


def narrate(
    lines: Iterable[StoredEvent],
    names: Names,
    card_name: CardName = name,
    shown: Callable[[Say], str] = in_utc,
) -> list[Sentence]:
    """The sentences for these lines, in order.

    `names` has the name for each seat; `card_name` gives a card's: `R7`, or `Red 7`; `shown` turns
    a sentence into text, with its moments as the reader sees them.
    """
    entries = [_Entry(line["seq"], line["at"], to_event(line)) for line in lines]
    sentences, dry_before = list[Sentence](), False
    for group in _grouped(entries):
        events = [entry.event for entry in group]
        dry = _ran_dry(events)
        text = shown(_saying(events, names, card_name, is_dry=dry and not dry_before))
        dry_before |= dry
        if text:
            sentences.append(Sentence(group[-1].seq, group[-1].at, text, events[0].by))
    return sentences


def _grouped(entries: Iterable[_Entry]) -> Iterator[list[_Entry]]:
    """Consecutive events by one player make one group; every other event stands alone."""
    group: list[_Entry] = []
    for entry in _without_last_round_end(entries):
        if group and not _belong_together(group[-1].event, entry.event):
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def _belong_together(before: Event, event: Event) -> bool:
    return (
        type(before) in _CLAUSES
        and type(event) in _CLAUSES
        and before.by == event.by
        and not isinstance(before, TurnEnded)
    )


def _without_last_round_end(entries: Iterable[_Entry]) -> Iterator[_Entry]:
    """Leave out the end of the last round: the end of the game includes it."""
    for entry, following in pairwise([*entries, None]):
        at_the_end = following is not None and isinstance(following.event, GameEnded)
        if entry is not None and not (at_the_end and isinstance(entry.event, RoundEnded)):
            yield entry


def _saying(events: Sequence[Event], names: Names, card_name: CardName, *, is_dry: bool) -> Say:
    return lambda when: _sentence(events, names, card_name, when, is_dry)


def _sentence(
    events: Sequence[Event], names: Names, card_name: CardName, when: MomentWords, is_dry: bool
) -> str:
    first = events[0]
    if sentence := _SENTENCES.get(type(first)):
        return sentence(first, names)
    if clock_sentence := CLOCK_SENTENCES.get(type(first)):
        return clock_sentence(first, names, when)
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


def _ran_dry(events: Sequence[Event]) -> bool:
    """Whether a card was played, and none was left to draw in its place."""
    types = {type(event) for event in events}
    return CardPlayed in types and TurnEnded in types and CardDrawn not in types


def join_words(items: Iterable[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    *others, end = [*items] or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


def count_cards(clan: int, tactic: int) -> str:
    """The number of cards from each deck: `2 Clan cards and 1 Tactic card`."""
    counts: Mapping[Deck, int] = {"clan": clan, "tactic": tactic}
    return join_words(
        f"{count} {DECK_TITLES[deck]} card{'s' if count > 1 else ''}"
        for deck, count in counts.items()
        if count
    )


# A player's actions: a verb and its objects


def _played(event: CardPlayed, card_name: CardName) -> str:
    return f"played {card_name(event.card)} on Stone {event.stone}"


def _ruse(event: RusePlayed, card_name: CardName) -> str:
    action = event.action
    if isinstance(action, Recruit):
        return f"played the Recruiter, drawing {count_cards(action.clan, action.tactic)}"
    card, ruse = card_name(action.card), card_name(action.ruse)
    if isinstance(action, Banish) or action.to is None:
        return f"discarded {card} from Stone {action.stone} with the {ruse}"
    verb = "moved" if action.ruse == STRATEGIST else "took"
    return f"{verb} {card} from Stone {action.stone} to Stone {action.to} with the {ruse}"


def _recruited(event: CardsRecruited, card_name: CardName) -> str:
    return f"found {_cards(event.cards, card_name)}" if event.cards else ""


def _returned(event: CardsReturned, card_name: CardName) -> str:
    what = _cards(event.cards, card_name) if event.cards else count_cards(event.clan, event.tactic)
    return f"put {what} under the deck" + ("s" if event.clan and event.tactic else "")


def _passed(event: Passed, card_name: CardName) -> str:
    return "passed"


def _claimed(event: StoneClaimed, card_name: CardName) -> str:
    mine = event.mine
    return f"claimed Stone {event.stone} ({FORMATIONS[RANKS[mine.rank]]}, {mine.total})"


def _drew(event: CardDrawn, card_name: CardName) -> str:
    """The clause about a drawn card; empty for a hidden Clan card, since nearly every turn draws
    one."""
    if event.cards:
        return f"drew {_cards(event.cards, card_name)}"
    return "drew a Tactic card" if event.deck == "tactic" else ""


def _turn_ended(event: TurnEnded, card_name: CardName) -> str:
    return ""


def _cards(cards: Iterable[str], card_name: CardName) -> str:
    return join_words(card_name(card) for card in in_order(cards))


_CLAUSES: dict[type[Event], Callable[[Any, CardName], str]] = {
    CardPlayed: _played,
    RusePlayed: _ruse,
    CardsRecruited: _recruited,
    CardsReturned: _returned,
    Passed: _passed,
    StoneClaimed: _claimed,
    CardDrawn: _drew,
    TurnEnded: _turn_ended,
}


# Events of the game itself


def _created(event: GameCreated, names: Names) -> str:
    return f"{names[event.by]} created the game."


def _joined(event: PlayerJoined, names: Names) -> str:
    return f"{names[event.by]} joined."


def _round_started(event: RoundStarted, names: Names) -> str:
    return f"Round {event.round} began. {names[event.first]} got the first turn."


def _resigned(event: Resigned, names: Names) -> str:
    return f"{names[event.by]} resigned."


def _timed_out(event: TimedOut, names: Names) -> str:
    return f"{names[event.seat]} ran out of time."


def _round_ended(event: RoundEnded, names: Names) -> str:
    result = outcome(event.winner, event.reason, names)
    return f"Round {event.round}: {result} {score(event.scores, names)}"


def _game_ended(event: GameEnded, names: Names) -> str:
    return outcome(event.winner, event.reason, names)


def _aborted(event: GameAborted, names: Names) -> str:
    return "The game was cancelled."


_SENTENCES: dict[type[Event], Callable[[Any, Names], str]] = {
    GameCreated: _created,
    PlayerJoined: _joined,
    RoundStarted: _round_started,
    Resigned: _resigned,
    TimedOut: _timed_out,
    RoundEnded: _round_ended,
    GameEnded: _game_ended,
    GameAborted: _aborted,
}


def outcome(winner: str | None, reason: str | None, names: Names) -> str:
    """The result of a round or game: `Bob won with five Stones.`"""
    how = f" {REASONS[reason]}" if reason else ""
    return f"{names[winner]} won{how}." if winner else f"A draw{how}."


def score(scores: Mapping[Seat, int], names: Names) -> str:
    """The points: `Ann 5, Bob 2.`"""
    return ", ".join(f"{names[seat]} {points}" for seat, points in scores.items()) + "."
