"""Check a record without trusting its author: form, chain, commitment, shuffle, every decision."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import OTHER
from engine.chain import (
    FINAL_TYPES,
    NO_HASH,
    PRIVATE_TYPES,
    EncodedEvent,
    StoredEvent,
    encode,
    encoded,
    hash_of,
    salt_of,
    to_event,
)
from engine.clocks import clock_command
from engine.commands import Abandon, Command, CreateGame, JoinGame, Resign, TakeTurn, TimeOut
from engine.decide import decide
from engine.errors import RuleBroken, UnknownEvent
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsReturned,
    Event,
    GameAborted,
    GameCreated,
    GameEnded,
    Passed,
    PlayerJoined,
    Resigned,
    RoundStarted,
    RusePlayed,
    StoneClaimed,
    TimedOut,
    TurnEnded,
)
from engine.evolve import apply, begin
from engine.game import Game
from engine.notation import Claim, Draw, End, Pass, Play, Return
from engine.record_form import BadRecord, stored_event
from engine.shuffle import commitment, decks, seed

BAD_DATA: Final = (LookupError, TypeError, ValueError, AttributeError)
"""The errors that decoding raises for an event with malformed data."""


@dataclass(frozen=True, slots=True)
class RecordFault:
    """A fault of a record, and the number of its event (None: the record as a whole)."""

    seq: int | None
    problem: str

    def __str__(self) -> str:
        where = "the record" if self.seq is None else f"event {self.seq}"
        return f"{where}: {self.problem}"


def verify(record: Sequence[object]) -> RecordFault | None:
    """Return the first fault of a full record, as read from JSON; None if it is sound.

    Raises `UnknownEvent` for a record that does not begin with the making of a game.
    """
    try:
        lines = [stored_event(seq, value) for seq, value in enumerate(record, 1)]
    except BadRecord as refusal:
        return RecordFault(refusal.event, refusal.problem)
    # The chain covers the stored form; the rest checks its meaning today.
    return verify_chain(lines) or next(_content(lines), None)


def _content(lines: Sequence[StoredEvent]) -> Iterator[RecordFault]:
    events = [to_event(line) for line in lines]
    created = events[0]
    if not isinstance(created, GameCreated):
        raise UnknownEvent(f"A log begins with {GameCreated.TYPE}, not {created.TYPE}.")
    try:
        yield from _commitment(lines, created, events)
        yield from _shuffle(created, events)
        yield from _decisions(lines, events)
    except BAD_DATA as error:
        yield RecordFault(None, f"its events do not hold what they should: {error!r}")


def is_redacted(lines: Sequence[StoredEvent]) -> bool:
    """Whether the record hides something because its game is not over.

    Only the visible part of its chain can be checked.
    """
    return lines[-1]["type"] not in FINAL_TYPES and any(line["salt"] is None for line in lines)


def bound_by(lines: Sequence[StoredEvent], head: str) -> int | None:
    """Return the number of the event whose hash is `head` (hex); None if no event has it.

    In a record with an unbroken chain, a head that was seen elsewhere proves all events up to this
    one. A head of no event belongs to another game, or to other moves. A record alone proves
    nothing: it holds its secret, so its owner can seal other moves anew.
    """
    return next((line["seq"] for line in lines if line["hash"] == head), None)


def verify_chain(lines: Sequence[StoredEvent]) -> RecordFault | None:
    """Return the first broken link of the chain; None if it is unbroken. Hidden events are trusted
    by their hash."""
    try:
        return next(_chain(lines), None)
    except (TypeError, ValueError) as error:
        return RecordFault(None, f"its events do not hold what they should: {error}")


def _chain(lines: Sequence[StoredEvent]) -> Iterator[RecordFault]:
    if not lines:
        yield RecordFault(None, "it holds no events")
        return
    previous, redacted = NO_HASH, is_redacted(lines)
    for seq, line in enumerate(lines, 1):
        if line["seq"] != seq:
            yield RecordFault(seq, f"it says that it is event {line['seq']}")
        if line["salt"] is not None:
            if hash_of(previous, line["salt"], line) != line["hash"]:
                yield RecordFault(seq, "its hash is not that of its content and the event before")
        elif not redacted:
            yield RecordFault(seq, "its salt is missing, though the game is over")
        elif line["type"] not in PRIVATE_TYPES or line["private"] is not None:
            yield RecordFault(seq, "its salt is missing, though it hides nothing")
        previous = line["hash"]


def _commitment(
    lines: Sequence[StoredEvent], created: GameCreated, events: Sequence[Event]
) -> Iterator[RecordFault]:
    secret = created.secret or ""
    if commitment(secret) != created.commitment:
        yield RecordFault(1, "the commitment is not that of the secret")
    for seq, (line, event) in enumerate(zip(lines, events, strict=True), 1):
        if line["salt"] != salt_of(secret, seq):
            yield RecordFault(seq, "its salt does not follow from the secret")
        if isinstance(event, GameEnded | GameAborted) and event.secret != secret:
            yield RecordFault(seq, "it tells another secret than the game was begun with")


def _shuffle(created: GameCreated, events: Sequence[Event]) -> Iterator[RecordFault]:
    joined = next((event for event in events if isinstance(event, PlayerJoined)), None)
    if joined is None:
        return
    seed_ = seed(created.secret or "", created.salt, joined.salt)
    for seq, event in enumerate(events, 1):
        if isinstance(event, RoundStarted):
            order = decks(seed_, event.round, created.options.tactics)
            if event.to_private() != order:
                yield RecordFault(seq, "the decks are not those of the verifiable shuffle")


def _decisions(lines: Sequence[StoredEvent], events: Sequence[Event]) -> Iterator[RecordFault]:
    """Decide every command again, and compare the events with those stored."""
    game: Game | None = None
    place = 0
    while place < len(events):
        event = events[place]
        try:
            decided = decide(game, command_of(event, game))
        except RuleBroken as refusal:
            yield RecordFault(place + 1, f"the rules refuse it: {refusal.detail}")
            return
        except UnknownEvent:
            yield RecordFault(place + 1, f"nothing that a player does leads to {event.TYPE} here")
            return
        for seq, event in enumerate(decided, place + 1):
            if seq > len(events):
                yield RecordFault(None, f"it ends where {event.TYPE} should follow")
                return
            expected, stored = encode(event), encoded(lines[seq - 1])
            if stored != expected:
                problem = f"the rules decide {_described(expected)}, it says {_described(stored)}"
                yield RecordFault(seq, problem)
                return
            if game is None:
                game = begin(event)
            else:
                apply(game, event)
        place += len(decided)


def _described(event: EncodedEvent) -> str:
    return f"{event.type} by {event.by or 'the server'} {dict(event.data)}"


def command_of(event: Event, game: Game | None) -> Command:
    """The command whose first event this is. Raises `UnknownEvent` if no command begins with it."""
    if game is None:
        return _creation(event)
    match event:
        case PlayerJoined():
            return JoinGame(event.player, event.salt, event.visited_scotland)
        case Resigned(by):
            return Resign(by)
        case TimedOut(seat):
            return TimeOut(seat)
        case GameAborted() | GameEnded():
            return Abandon(event.by)
    if (of_clock := clock_command(event)) is not None:
        return of_clock
    return TakeTurn(event.by or OTHER[game.creator], [action_of(event)])


def _creation(event: Event) -> CreateGame:
    if not isinstance(event, GameCreated):
        raise UnknownEvent(f"A log begins with {GameCreated.TYPE}, not {event.TYPE}.")
    return CreateGame(
        player=event.player,
        seat=event.seat,
        edition=event.edition,
        tactics=event.tactics,
        expert=event.expert,
        rounds=event.rounds,
        first_player=event.first_player,
        secret=event.secret or "",
        salt=event.salt,
        visited=event.visited_scotland,
        terms=event.terms,
        rules_version=event.rules_version,
    )


def action_of(event: Event) -> str:
    """The action text of the first event of a player's action.

    Raises `UnknownEvent` for any other event, and for returned cards that are hidden.
    """
    match event:
        case CardPlayed():
            return str(Play(event.card, event.stone))
        case RusePlayed():
            return str(event.action)
        case CardsReturned() if event.cards is not None:
            return str(Return(event.cards))
        case StoneClaimed():
            return str(Claim(event.stone))
        case CardDrawn():
            return str(Draw(event.deck))
        case Passed():
            return str(Pass())
        case TurnEnded():
            return str(End())
    raise UnknownEvent(f"No player's action begins with {event.TYPE} v{event.VERSION}.")
