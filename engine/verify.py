"""Checking a record without trusting who made it: chain, commitment, shuffle, every decision."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.cards import OTHER
from engine.chain import LAST, NO_HASH, SEALED, StoredEvent, hash_of, salt_of, to_event, up_to_date
from engine.decide import decide
from engine.errors import RuleBroken
from engine.events import (
    Abandon,
    Command,
    CreateGame,
    Event,
    JoinGame,
    Resign,
    TakeTurn,
    TimeOut,
)
from engine.evolve import KNOWN, UnknownEvent, apply, begin
from engine.game import Game
from engine.notation import Banish, Claim, Draw, End, Move, Pass, Play, Recruit, Return
from engine.shuffle import commitment, decks, seed


class Finding(NamedTuple):
    """Something wrong with a record: at which event (None: the whole), and what."""

    seq: int | None
    problem: str

    def __str__(self) -> str:
        where = "the record" if self.seq is None else f"event {self.seq}"
        return f"{where}: {self.problem}"


def verify(lines: Sequence[StoredEvent]) -> Finding | None:
    """The first thing wrong with a full record, or None.

    Raises `UnknownEvent` where the record is of a later program than this.
    """
    # The chain is over what is stored, the rest about what it means today.
    return verify_chain(lines) or next(_content(lines), None)


def _content(lines: Sequence[StoredEvent]) -> Iterator[Finding]:
    try:
        current = [up_to_date(line) for line in lines]
        for check in (_commitment, _shuffle, _decisions):
            yield from check(current)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        yield Finding(None, f"its events do not hold what they should: {error!r}")


def is_redacted(lines: Sequence[StoredEvent]) -> bool:
    """Whether the record hides something, as one does of a game that goes on.

    Of such a record only the chain can be checked, as far as it can be seen.
    """
    return lines[-1]["type"] not in LAST and any(line["salt"] is None for line in lines)


def verify_chain(lines: Sequence[StoredEvent]) -> Finding | None:
    """The first broken link of the chain, or None; hidden events are taken by their hash."""
    try:
        return next(_chain(lines), None)
    except (TypeError, ValueError) as error:
        return Finding(None, f"its events do not hold what they should: {error}")


def _chain(lines: Sequence[StoredEvent]) -> Iterator[Finding]:
    if not lines:
        yield Finding(None, "it holds no events")
        return
    previous, redacted = NO_HASH, is_redacted(lines)
    for seq, line in enumerate(lines, 1):
        if line["seq"] != seq:
            yield Finding(seq, f"it says that it is event {line['seq']}")
        if line["salt"] is not None:
            if hash_of(previous, line["salt"], line) != line["hash"]:
                yield Finding(seq, "its hash is not that of its content and the event before")
        elif not redacted:
            yield Finding(seq, "its salt is missing, though the game is over")
        elif line["type"] not in SEALED or line["private"] is not None:
            yield Finding(seq, "its salt is missing, though it hides nothing")
        previous = line["hash"]


def _secret(lines: Sequence[StoredEvent]) -> str:
    return str((lines[0]["private"] or {}).get("secret", ""))


def _commitment(lines: Sequence[StoredEvent]) -> Iterator[Finding]:
    secret = _secret(lines)
    if commitment(secret) != lines[0]["data"]["commitment"]:
        yield Finding(1, "the commitment is not that of the secret")
    for line in lines:
        if line["salt"] != salt_of(secret, line["seq"]):
            yield Finding(line["seq"], "its salt does not follow from the secret")
        if line["data"].get("secret", secret) != secret:
            yield Finding(line["seq"], "it tells another secret than the game was begun with")


def _shuffle(lines: Sequence[StoredEvent]) -> Iterator[Finding]:
    created = lines[0]["data"]
    joined = next((line["data"] for line in lines if line["type"] == "player_joined"), None)
    if joined is None:
        return
    seed_ = seed(_secret(lines), created["salt"], joined["salt"])
    for line in lines:
        if line["type"] == "round_started":
            order = decks(seed_, line["data"]["round"], created["options"]["tactics"])
            if line["private"] != order:
                yield Finding(line["seq"], "the decks are not those of the verifiable shuffle")


def _decisions(lines: Sequence[StoredEvent]) -> Iterator[Finding]:
    """Ask the rules again for every command that the events tell of, and compare."""
    events = [to_event(line) for line in lines]
    begin(events[0])  # refuses a game of rules that are not known here
    game: Game | None = None
    place = 0
    while place < len(events):
        event = events[place]
        try:
            decided = decide(game, command_of(event, game))
        except RuleBroken as refusal:
            yield Finding(place + 1, f"the rules refuse it: {refusal.detail}")
            return
        except UnknownEvent:
            if (event.type, event.v) not in KNOWN:
                raise
            yield Finding(place + 1, f"nothing that a player does leads to {event.type} here")
            return
        for seq, expected in enumerate(decided, place + 1):
            if seq > len(events):
                yield Finding(None, f"it ends where {expected.type} should follow")
                return
            found = events[seq - 1]
            if found != expected:
                yield Finding(seq, f"the rules decide {_tell(expected)}, it says {_tell(found)}")
                return
            if game is None:
                game = begin(found)
            else:
                apply(game, found)
        place += len(decided)


def _tell(event: Event) -> str:
    return f"{event.type} by {event.by or 'the server'} {dict(event.data)}"


def command_of(event: Event, game: Game | None) -> Command:
    """The command whose first event this is; the events that follow from it come after.

    Raises `UnknownEvent` for a type of event that no command begins with.
    """
    data = event.data
    if game is None:
        return _creation(event)
    if event.type == "player_joined":
        return JoinGame(data["player"], data["salt"], data["visited_scotland"])
    if event.type == "resigned" and event.by:
        return Resign(event.by)
    if event.type == "timed_out":
        return TimeOut(data["seat"])
    if event.type in ("game_aborted", "game_ended"):
        return Abandon(event.by)
    return TakeTurn(event.by or OTHER[game.creator], [action_of(event)])


def _creation(event: Event) -> CreateGame:
    data = event.data
    return CreateGame(
        player=data["player"],
        seat=data["seat"],
        edition=data["edition"],
        tactics=data["tactics"],
        expert=data["expert"],
        rounds=data["rounds"],
        first_player=data["first_player"],
        secret=(event.private or {})["secret"],
        salt=data["salt"],
        visited=data["visited_scotland"],
        terms=data["terms"],
        rules_version=data["rules_version"],
    )


def action_of(event: Event) -> str:
    """The action text of an event that a player's action begins with.

    Raises `UnknownEvent` for any other.
    """
    data = event.data
    if event.type == "card_played":
        return str(Play(data["card"], data["stone"]))
    if event.type == "ruse_played":
        return _ruse_text(event)
    if event.type == "cards_returned":
        return str(Return(tuple((event.private or {})["cards"])))
    if event.type == "stone_claimed":
        return str(Claim(data["stone"]))
    if event.type == "card_drawn":
        return str(Draw(data["deck"]))
    if event.type == "passed":
        return str(Pass())
    if event.type == "turn_ended":
        return str(End())
    raise UnknownEvent(f"No player's action begins with {event.type} v{event.v}.")


def _ruse_text(event: Event) -> str:
    data = event.data
    if "draws" in data:
        return str(Recruit(**data["draws"]))
    card, stone = data["target"]["card"], data["target"]["stone"]
    if "to" not in data:
        return str(Banish(card, stone))
    return str(Move(data["card"], card, stone, None if data["to"] == "x" else data["to"]))
