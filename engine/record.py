"""Records: a game's stored events as JSON Lines, and as a text that a player can read.

Both forms hold the whole game. The text form has header lines `[Key "value"]`, then a numbered line
for each turn, in action text. A round that ends in another way has a line `resign:SEAT`,
`time-out:SEAT` or `agreement`. An event of the clock has a line `clock:{…}` with its stored fields,
and may stand within a turn.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise, zip_longest
from typing import Final

from engine.cards import OTHER, SEATS, Seat
from engine.chain import (
    NO_HASH,
    EncodedEvent,
    StoredEvent,
    canonical,
    decode,
    encode,
    seal,
    to_event,
    upcast,
)
from engine.clock_events import CLOCK_DATA
from engine.clocks import clock_command
from engine.commands import Abandon, Command, CreateGame, JoinGame, Resign, TakeTurn, TimeOut
from engine.decide import advance
from engine.errors import RuleBroken, UnknownEvent
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsReturned,
    ClockEvent,
    Event,
    GameAborted,
    GameCreated,
    GameEnded,
    Passed,
    PlayerJoined,
    Resigned,
    RoundEnded,
    RusePlayed,
    StoneClaimed,
    TimedOut,
    TurnEnded,
)
from engine.game import Game
from engine.notation import requests_of
from engine.record_form import BadRecord, check_form, from_archive, read_line, stored_event
from engine.value_checks import Malformed
from engine.verify import action_of

__all__ = [
    "BadRecord",
    "from_archive",
    "from_jsonl",
    "from_text",
    "stored_event",
    "to_jsonl",
    "to_text",
    "turns",
]


def to_jsonl(lines: Iterable[StoredEvent]) -> str:
    """Each stored event on a line of its own, as canonical JSON."""
    return "".join(canonical(line) + "\n" for line in lines)


def from_jsonl(text: str) -> list[StoredEvent]:
    """The stored events of a record. Raises `BadRecord`."""
    rows = (row.strip() for row in text.split("\n"))
    lines = [read_line(number, row) for number, row in enumerate(filter(None, rows), 1)]
    if not lines:
        raise BadRecord("The record holds no events.")
    return lines


# The text form, written


def to_text(lines: Sequence[StoredEvent]) -> str:
    """The text form of a record. `?` stands for a card that the reader may not see."""
    rows = [f"[{key} {json.dumps(value, ensure_ascii=False)}]" for key, value in _headers(lines)]
    rows.append("")
    rows += (f"{number}. {' '.join(turn)}" for number, turn in enumerate(turns(lines), 1))
    return "\n".join(rows) + "\n"


def turns(lines: Sequence[StoredEvent]) -> list[list[str]]:
    """The turns of a record, each as its actions in action text, automatic ones included."""
    taken: list[list[str]] = [[]]
    for event in map(to_event, lines):
        if (ending := _ending(event)) is not None:
            taken.append([ending])
        elif isinstance(event, ClockEvent):
            type_, by, data, _, v = encode(event)
            said = canonical({"type": type_, "by": by, "data": data, "v": v})
            taken += [[_CLOCK + said], []]
        elif (word := _word(event, taken[-1])) is not None:
            taken[-1].append(word)
        if isinstance(event, TurnEnded | RoundEnded | GameEnded):
            taken.append([])
    return [turn for turn in taken if turn]


def _word(event: Event, turn: list[str]) -> str | None:
    """The text of an event within a turn; None if it adds nothing."""
    match event:
        case CardPlayed() | RusePlayed() | Passed() | StoneClaimed() | CardDrawn():
            return action_of(event)
        case CardsReturned():
            return "-?" if event.cards is None else action_of(event)
        case TurnEnded():
            return None if turn and turn[-1].startswith("+") else action_of(event)
    return None


def _ending(event: Event) -> str | None:
    """The line of text for an event that ends a round or a game outside any turn; None for
    others."""
    match event:
        case Resigned(by):
            return f"resign:{by}"
        case TimedOut(seat):
            return f"time-out:{seat}"
        case GameEnded(reason="agreement"):
            return "agreement"
        case GameAborted(by):
            return f"abort:{by or 'server'}"
    return None


def _headers(lines: Sequence[StoredEvent]) -> Iterator[tuple[str, str]]:
    created, last = to_event(lines[0]), to_event(lines[-1])
    if not isinstance(created, GameCreated):
        raise UnknownEvent(f"A log begins with {GameCreated.TYPE}, not {created.TYPE}.")
    yield "Edition", created.edition
    if created.rules_version > 1:
        yield "RulesVersion", str(created.rules_version)
    yield "Tactics", json.dumps(created.tactics)
    yield "Expert", json.dumps(created.expert)
    yield "Rounds", str(created.rounds)
    yield "FirstPlayer", created.first_player
    yield "Creator", created.seat
    for event in map(to_event, lines[:2]):
        if isinstance(event, GameCreated | PlayerJoined):
            yield from _seat_headers(event)
    yield "Terms", canonical(created.terms)
    yield "Commitment", created.commitment
    if created.secret:
        yield "Secret", created.secret
    for (at, via), run in groupby(lines, key=lambda line: (line["at"], line["via"])):
        yield "From", f"{next(run)['seq']} {at} {via}"
    if isinstance(last, GameEnded):
        yield "Winner", last.winner or "none"
        yield "Reason", last.reason
        yield "Score", f"{last.scores['north']}-{last.scores['south']}"
    yield "Head", lines[-1]["hash"]


def _seat_headers(event: GameCreated | PlayerJoined) -> Iterator[tuple[str, str]]:
    seat = event.by.title()
    yield seat, event.player
    yield f"{seat}Salt", event.salt
    if event.visited_scotland:
        yield f"{seat}Visited", event.visited_scotland


# The text form, read

_HEADER: Final = re.compile(r"\[(\w+) (\".*\")\]")
_TURN: Final = re.compile(r"\d+\. (\S.*)")
_CLOCK: Final = "clock:"


def from_text(text: str) -> list[StoredEvent]:
    """The stored events of a full record in text form.

    The rules decide its turns again, and the resulting game must give the same text. Raises
    `BadRecord` if anything was changed, if the record was exported before the game ended, or if its
    events are of older versions, which only JSON Lines can hold.
    """
    rows = [row.rstrip("\r") for row in text.rstrip().split("\n")]
    headers, played = _read_rows(rows)
    if "Secret" not in headers:
        raise BadRecord("It was exported before the game ended: use JSON Lines for that.")
    try:
        lines = _seal_events(_decide_turns(headers, played), headers)
    except RuleBroken as refusal:
        raise BadRecord(f"The rules refuse this game: {refusal.detail}") from None
    except (KeyError, ValueError, RecursionError) as error:
        raise BadRecord(f"The headers are not those of a full record: {error}.") from None
    check_form(lines)
    _check_rows(rows, to_text(lines).rstrip().split("\n"))
    return lines


def _check_rows(rows: list[str], expected: list[str]) -> None:
    """Check every header, including the last hash, and so every byte of the game."""
    for number, (row, right) in enumerate(zip_longest(rows, expected), 1):
        if row != right:
            raise BadRecord(f"Line {number} does not match the game that these turns lead to.")


def _read_rows(rows: list[str]) -> tuple[dict[str, list[str]], list[list[str]]]:
    headers: dict[str, list[str]] = {}
    played: list[list[str]] = []
    for number, row in enumerate(rows, 1):
        header, turn = _HEADER.fullmatch(row), _TURN.fullmatch(row)
        if header:
            headers.setdefault(header[1], []).append(_header_value(number, header[2]))
        elif turn:
            played.append(turn[1].split(" "))
        elif row:
            raise BadRecord(f"Line {number} is neither a header nor a turn.")
    return headers, played


def _header_value(number: int, quoted: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        raise BadRecord(f"Line {number} has no readable value.") from None


def _decide_turns(headers: dict[str, list[str]], played: list[list[str]]) -> list[Event]:
    game, events = advance(None, _creation(headers))
    if (joiner := OTHER[game.creator].title()) in headers:
        game, more = advance(game, JoinGame(*_player(headers, joiner)))
        events += more
    for number, turn in enumerate(played, 1):
        try:
            game, more = _decide_turn(game, turn)
        except RuleBroken as refusal:
            raise BadRecord(f"Turn {number}, {' '.join(turn)}: {refusal.detail}") from None
        events += more
    return events


def _decide_turn(game: Game, turn: list[str]) -> tuple[Game, list[Event]]:
    command = _ending_command(turn[0]) or _clock_command(turn[0])
    if command is not None:
        return advance(game, command)
    seat, events = game.turn or game.creator, list[Event]()
    for request in requests_of(turn):
        if game.turn != seat:
            break  # the rules make the rest of the turn automatically
        game, more = advance(game, TakeTurn(seat, request))
        events += more
    return game, events


def _creation(headers: dict[str, list[str]]) -> CreateGame:
    one = {key: values[0] for key, values in headers.items()}
    seat = _seat(one["Creator"])
    player, salt, visited = _player(headers, seat.title())
    return CreateGame(
        player=player,
        seat=seat,
        edition=one["Edition"],
        tactics=one["Tactics"] == "true",
        expert=one["Expert"] == "true",
        rounds=int(one["Rounds"]),
        first_player=one["FirstPlayer"],
        secret=one["Secret"],
        salt=salt,
        visited=visited,
        terms=json.loads(one["Terms"]),
        rules_version=int(one.get("RulesVersion", "1")),
    )


def _player(headers: dict[str, list[str]], seat: str) -> tuple[str, str, str | None]:
    visited = headers.get(f"{seat}Visited", [None])[0]
    return headers[seat][0], headers[f"{seat}Salt"][0], visited


def _seat(text: str) -> Seat:
    if text not in SEATS:
        raise ValueError(f"{text} is no seat")
    return text


def _ending_command(text: str) -> Command | None:
    """The command of a line that ends a round or a game outside any turn; None for a turn."""
    word, _, who = text.partition(":")
    if word == "resign":
        return Resign(_seat(who))
    if word == "time-out":
        return TimeOut(_seat(who))
    if word in ("agreement", "abort"):
        return Abandon(_seat(who) if who in SEATS else None)
    return None


def _clock_command(text: str) -> Command | None:
    """The command of a line with a clock event, None for any other."""
    if not text.startswith(_CLOCK):
        return None
    try:
        stored = json.loads(text[len(_CLOCK) :])
        CLOCK_DATA[stored["type"], stored["v"]](stored["data"], "data")
    except (LookupError, TypeError, Malformed) as error:
        raise ValueError(f"an event of the clock is not one: {error!r}") from None
    encoded = EncodedEvent(stored["type"], stored["by"], stored["data"], v=stored["v"])
    command = clock_command(decode(upcast(encoded)))
    if command is None:
        raise ValueError("another event stands in the place of one of the clock")
    return command


def _seal_events(events: Sequence[Event], headers: dict[str, list[str]]) -> list[StoredEvent]:
    starts = [_start(value) for value in headers["From"]]
    ends = [seq for seq, _, _ in starts[1:]] + [len(events) + 1]
    places = [0, *(seq for seq, _, _ in starts), len(events) + 1]
    if starts[0][0] != 1 or any(one >= next_ for one, next_ in pairwise(places)):
        raise ValueError("the events of From do not follow each other")
    lines: list[StoredEvent] = []
    for (seq, at, via), end in zip(starts, ends, strict=True):
        lines += seal(
            map(encode, events[seq - 1 : end - 1]),
            after=len(lines),
            at=at,
            via=via,
            secret=headers["Secret"][0],
            previous=lines[-1]["hash"] if lines else NO_HASH,
        )
    return lines


def _start(value: str) -> tuple[int, str, str]:
    seq, at, via = value.split(" ")
    return int(seq), at, via
