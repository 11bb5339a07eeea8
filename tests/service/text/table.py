"""Games for mails to tell of: always the same cards."""

from collections.abc import Iterator, Sequence
from typing import Any

import engine
from engine import Game, chain
from engine.chain import EncodedEvent, StoredEvent, encode

SECRET = "5e" * 32
AT = "2026-11-21T12:00:00Z"
NAMES = {"north": "Ann", "south": "Bob"}


def begun(**options: Any) -> tuple[Game, list[engine.Event]]:
    """A game of Ann (north, who plays first) and Bob that has just begun, and its events."""
    wanted = {"edition": "iello", "tactics": False, "expert": False, "rounds": 1, **options}
    created = engine.CreateGame(
        player="ann", seat="north", first_player="creator", secret=SECRET, salt="a", **wanted
    )
    game, made = engine.advance(None, created)
    game, joined = engine.advance(game, engine.JoinGame("bob", "b"))
    return game, [*made, *joined]


def turns(game: Game, *texts: str) -> tuple[Game, list[engine.Event]]:
    """The game after these turns, each of whoever is to move, and the events of them."""
    events: list[engine.Event] = []
    for text in texts:
        assert game.turn is not None
        game, made = engine.advance(game, engine.TakeTurn(game.turn, text.split()))
        events += made
    return game, events


def at_random(game: Game, seed: int, actions: int) -> Iterator[Game]:
    """The game after each of a number of actions, claims and Ruses before others."""
    for number in range(actions):
        if game.turn is None:
            return
        game, _ = turns(game, _choice(engine.legal(game), seed + number))
        yield game


def _choice(legal: Sequence[str], number: int) -> str:
    lively = [text for text in legal if text[0] == "!" or text[3:4] == ":"]
    candidates = lively or legal
    return candidates[number * 7919 % len(candidates)]


def lines(
    events: Sequence[engine.Event | EncodedEvent], seat: engine.Seat | None = None
) -> list[StoredEvent]:
    """The events as lines of a record, as the seat may see them during the game."""
    encoded = [event if isinstance(event, EncodedEvent) else encode(event) for event in events]
    sealed = chain.seal(encoded, after=0, at=AT, via="api", secret=SECRET, previous=chain.NO_HASH)
    return [chain.redact(line, seat, False) for line in sealed]
