"""Clocks told minute by minute: what the arithmetic must agree with, and shares nothing with.

What a wall clock shows is asked of `zoneinfo` each quarter of an hour, since no zone of these years
is off by less; from that follows whether any minute is asleep or of a weekend.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from engine import Event, Seat
from engine.clock_events import CalendarChanged, ClockAdjusted, ClockPaused, ClockResumed, TimeGiven
from engine.events import TurnEnded
from service.core.times import timestamp
from service.games.clock.state import Terms

FIRST: Final = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()) // 60
"""All moments are minutes since then."""
MINUTES: Final = 800 * 24 * 60
WINDOW: Final = 50 * 24 * 60
"""How far a turn is looked at."""
ZONES: Final = (
    *("Europe/Berlin", "America/New_York", "Australia/Sydney", "America/Santiago", "UTC"),
    # Off by half an hour or three quarters; Lord Howe moves its clocks by half an hour.
    *("Asia/Kathmandu", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Chatham"),
    *("America/St_Johns", "Africa/Casablanca", "Pacific/Kiritimati"),
)


@lru_cache
def quarters(zone: str) -> tuple[bytes, bytes]:
    """For each minute what the wall clock shows: the quarter hour of the day, and the weekday."""
    info, at = ZoneInfo(zone), datetime.fromtimestamp(FIRST * 60, UTC)
    times, days = bytearray(), bytearray()
    for _ in range(MINUTES // 15):
        local = at.astimezone(info)
        assert local.minute % 15 == 0
        times += bytes([local.hour * 4 + local.minute // 15]) * 15
        days += bytes([local.weekday()]) * 15
        at += timedelta(minutes=15)
    return bytes(times), bytes(days)


@lru_cache
def changes(zone: str) -> list[int]:
    """The minutes at which this zone moves its clocks."""
    info = ZoneInfo(zone)
    hours = [datetime.fromtimestamp((FIRST + 60 * n) * 60, info) for n in range(MINUTES // 60)]
    moved = [n for n in range(1, len(hours)) if hours[n].utcoffset() != hours[n - 1].utcoffset()]
    return [60 * n for n in moved]


@dataclass(frozen=True)
class Turn:
    """A turn that begins at minute `start`, and what happens to its clock then, in order."""

    terms: Terms
    start: int
    events: Sequence[tuple[int, Event]]


@dataclass
class DeliveryLedger:
    """Which of the turn's minutes do not count, as its events tell it. `seconds` is the time."""

    turn: Turn
    seconds: int
    paused: bytearray = field(default_factory=lambda: bytearray(WINDOW))
    endless: bool = False

    def mark(self, start: int, end: int) -> None:
        first, last = (min(max(at - self.turn.start, 0), WINDOW) for at in (start, end))
        if first < last:
            self.paused[first:last] = b"\x01" * (last - first)

    def deadline(self) -> int | None:
        """The minute after the last that counts; None if the window is too short for that."""
        left, at = self.seconds // 60, 0
        if self.paused.count(0) < left:
            return None
        low, high = 0, WINDOW
        while low < high:  # the least number of minutes of which enough count
            at = (low + high) // 2
            low, high = (low, at) if self.paused.count(0, 0, at) >= left else (at + 1, high)
        return self.turn.start + low


def simulated(turn: Turn, mover: Seat, seconds: int) -> DeliveryLedger:
    """The turn of a player who has so many seconds, minute by minute."""
    told = DeliveryLedger(turn, seconds)
    _mark_calendars(told, mover)
    _mark_agreed(told)
    for _, event in turn.events:
        match event:
            case ClockAdjusted(seat, _, since, until) if seat in (None, mover):
                told.mark(minute(since), minute(until))
            case TimeGiven(_, seat, more) if seat == mover:
                told.seconds += more
    return told


def _mark_calendars(told: DeliveryLedger, mover: Seat) -> None:
    turn, terms = told.turn, told.turn.terms
    calendars: list[tuple[int, str, tuple[str, str] | None, tuple[tuple[str, str], ...]]] = [
        (turn.start, "UTC", None, ())
    ]
    for at, event in turn.events:
        if isinstance(event, CalendarChanged) and event.by == mover:
            calendars.append((at, event.zone, event.sleep, event.vacations))
    for number, (since, zone, sleep, vacations) in enumerate(calendars):
        last = number + 1 == len(calendars)
        until = turn.start + WINDOW if last else calendars[number + 1][0]
        first, end = since - turn.start, min(until - turn.start, WINDOW)
        if first >= end:
            continue
        times, days = (table[since : turn.start + end] for table in quarters(zone))
        asleep = bytes(terms.sleeping_hours and is_asleep(sleep, n) for n in range(256))
        weekend = bytes(terms.weekends_off and n in (5, 6) for n in range(256))
        told.paused[first:end] = either(times.translate(asleep), days.translate(weekend))
        for one, other in vacations if terms.vacations else ():
            told.mark(max(minute(one), since), min(minute(other), until))


def is_asleep(sleep: tuple[str, str] | None, quarter: int) -> bool:
    if sleep is None:
        return False
    now, (falls, wakes) = f"{quarter // 4:02}:{quarter % 4 * 15:02}", sleep
    return falls <= now < wakes if falls < wakes else now >= falls or now < wakes


def either(one: bytes, other: bytes) -> bytes:
    both = int.from_bytes(one, "big") | int.from_bytes(other, "big")
    return both.to_bytes(len(one), "big")


def _mark_agreed(told: DeliveryLedger) -> None:
    pause: tuple[int, int | None] | None = None
    for at, event in told.turn.events:
        if isinstance(event, ClockPaused | ClockResumed) and pause is not None:
            told.mark(pause[0], at if pause[1] is None else min(at, pause[1]))
            pause = None
        if isinstance(event, ClockPaused):
            pause = at, None if event.until is None else minute(event.until)
    if pause is not None:
        told.endless = pause[1] is None
        told.mark(pause[0], 10**9 if pause[1] is None else pause[1])


def minute(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) // 60 - FIRST


def moment(at: int) -> str:
    return timestamp((FIRST + at) * 60)


@dataclass(frozen=True)
class Round:
    """Turns of two players, north first, in the order in which everything became known."""

    terms: Terms
    start: int
    events: Sequence[tuple[int, Event]]


def simulated_round(told: Round) -> tuple[dict[Seat, int], Turn, Seat]:
    """What is in the banks, and the turn that goes on, had every outage been known in time."""
    terms, start = told.terms, told.start
    mover: Seat = "north"
    banks: dict[Seat, int] = {"north": terms.bank or 0, "south": terms.bank or 0}
    for at, event in told.events:
        if isinstance(event, TimeGiven):
            banks[event.seat] += event.seconds
        if isinstance(event, TurnEnded):
            paused = simulated(_turn(told, start, at), mover, 0).paused
            left = max(banks[mover] - 60 * paused.count(0, 0, at - start), 0)
            most = left + terms.increment if terms.cap is None else max(left, terms.cap)
            banks[mover] = min(left + terms.increment, most)
            mover, start = event.next, at
    return banks, _turn(told, start, 10**9), mover


def _turn(told: Round, start: int, end: int) -> Turn:
    """A turn with what matters to it of what happened before it, in it, and of outages later."""
    events = [
        (max(at, start) if isinstance(event, CalendarChanged) else at, event)
        for at, event in told.events
        if not isinstance(event, TimeGiven)
        and (at <= end or (isinstance(event, ClockAdjusted) and event.reason == "outage"))
    ]
    return Turn(told.terms, start, events)


# Turns by chance


def random_turn(rng: random.Random) -> Turn:
    """A turn in which anything may happen, half of them where clocks are moved."""
    zone = rng.choice(ZONES)
    start = rng.randrange(MINUTES - WINDOW)
    if changes(zone) and rng.random() < 0.5:
        near = rng.choice(changes(zone)) - rng.randrange(6 * 24 * 60)
        start = min(max(near, 0), MINUTES - WINDOW - 1)
    terms = Terms(
        bank=60 * rng.randrange(1, 12 * 24 * 60),
        weekends_off=rng.random() < 0.6,
        sleeping_hours=rng.random() < 0.7,
        vacations=rng.random() < 0.7,
    )
    return Turn(terms, start, sorted(_events(rng, zone, start), key=lambda dated: dated[0]))


def _events(rng: random.Random, zone: str, start: int) -> Iterator[tuple[int, Event]]:
    yield start, _calendar(rng, zone, start)
    for _ in range(rng.choice((0, 0, 1, 2, 4))):
        at = start + rng.randrange(10 * 24 * 60)
        span = rng.choice((1, 90, 1000, 4000))
        first = at - rng.randrange(4000)
        interval = moment(first), moment(first + rng.randrange(1, span + 1))
        seat: Seat = rng.choice(("north", "south"))
        yield (
            at,
            rng.choice(
                (
                    _calendar(rng, rng.choice(ZONES), at),
                    _calendar(rng, zone, at),
                    ClockPaused(seat, moment(at + rng.randrange(1, 4000))),
                    ClockPaused(seat, None),
                    ClockResumed(seat),
                    ClockResumed(None),
                    ClockAdjusted(None, "outage", *interval),
                    ClockAdjusted(seat, "untold", *interval),
                    TimeGiven("south", "north", 60 * rng.randrange(1, 5000)),
                )
            ),
        )


def _calendar(rng: random.Random, zone: str, at: int) -> CalendarChanged:
    falls, hours = rng.randrange(96), rng.randrange(1, 41)
    sleep = [f"{quarter % 96 // 4:02}:{quarter % 4 * 15:02}" for quarter in (falls, falls + hours)]
    vacations = []
    for _ in range(rng.choice((0, 0, 1, 2))):
        first = at + rng.randrange(-3000, 20_000)
        vacations.append((moment(first), moment(first + rng.randrange(1, 10_000))))
    asleep = (sleep[0], sleep[1]) if rng.random() < 0.8 else None
    return CalendarChanged("north", zone, asleep, tuple(vacations))


def random_round(rng: random.Random) -> Round:
    """Some turns in which anything may happen, and outages that become known late or in time."""
    turn, day = random_turn(rng), 24 * 60
    while turn.start > MINUTES - 2 * WINDOW:
        turn = random_turn(rng)
    terms = replace(
        turn.terms, increment=60 * rng.randrange(2 * day), cap=rng.choice((None, 600 * day))
    )
    south = replace(_calendar(rng, rng.choice(ZONES), turn.start), by="south")
    events = [*turn.events, (turn.start, south)]
    for _ in range(rng.randrange(1, 5)):
        first, last, at = sorted(turn.start + rng.randrange(-day, 14 * day) for _ in range(3))
        if first < last and turn.start < at:
            events.append((at, ClockAdjusted(None, "outage", moment(first), moment(last))))
    return Round(terms, turn.start, [*_with_moves(rng, events, turn.start)])


def _with_moves(
    rng: random.Random, events: Sequence[tuple[int, Event]], start: int
) -> Iterator[tuple[int, Event]]:
    """These events in order, and among them turns that end: none at a moment of theirs."""
    minutes = {start + rng.randrange(1, 12 * 24 * 60) for _ in range(rng.randrange(9))}
    moves = [(at, None) for at in minutes - {at for at, _ in events}]
    mover: Seat = "north"
    other: Seat = "south"
    for at, event in sorted([*events, *moves], key=lambda dated: dated[0]):
        if event is not None:
            yield at, event
        else:
            yield at, TurnEnded(mover, other)
            mover, other = other, mover
