"""Whole games by a player who takes any legal action, for tests and benchmarks."""

import os
import random
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from engine import CreateGame, Event, Game, JoinGame, TakeTurn, advance, legal
from engine.chain import NO_HASH, EncodedEvent, StoredEvent, encode, seal
from engine.options import RULES_VERSION, RULES_VERSIONS

THOROUGHNESS: Final = int(os.environ.get("SCOTTENBURY_TEST_THOROUGHNESS", "1"))
"""By how much longer the long tests take: 25 plays thousands of complete games."""


class Kind(NamedTuple):
    """What a game is made with."""

    edition: str
    tactics: bool = False
    expert: bool = False
    rounds: int = 1
    rules_version: int = RULES_VERSION

    def __str__(self) -> str:
        extras = [name for name in ("tactics", "expert") if getattr(self, name)]
        rounds = "" if self.rounds == 1 else f"x{self.rounds}"
        rules = "" if self.rules_version == RULES_VERSION else f"-rules{self.rules_version}"
        return "+".join([self.edition, *extras]) + rounds + rules


KINDS = [
    Kind(edition, tactics, expert)
    for edition in ("iello", "bga", "reference-card", "community")
    for tactics in (False, True)
    for expert in (False, True)
] + [Kind("scottentots")]
"""Every combination of edition and variants there is."""

OLDER_KINDS = [
    kind._replace(rules_version=version)
    for version in RULES_VERSIONS[:-1]
    for kind in KINDS
    if kind.tactics
]
"""Those whose rules were others in an earlier version."""


def begin(
    kind: Kind,
    rng: random.Random,
    first_player: str = "random",
    salts: tuple[str, str] = ("salt of ann", "salt of bob"),
) -> tuple[Game, list[Event]]:
    """A game of which the second player has just sat down, and its events."""
    made = CreateGame(
        player="ann",
        seat="north",
        edition=kind.edition,
        tactics=kind.tactics,
        expert=kind.expert,
        rounds=kind.rounds,
        first_player=first_player,
        secret=rng.randbytes(32).hex(),
        salt=salts[0],
        rules_version=kind.rules_version,
    )
    game, events = advance(None, made)
    game, more = advance(game, JoinGame("bob", salts[1]))
    return game, events + more


def steps(game: Game, rng: random.Random) -> Iterator[tuple[str, Game, list[Event]]]:
    """The game played to its end: each action, the game after it and its events."""
    while game.turn is not None:
        action = rng.choice(legal(game))
        game, events = advance(game, TakeTurn(game.turn, [action]))
        yield action, game, events


def whole_game(kind: Kind, seed: int, **options: Any) -> tuple[Game, list[Event]]:
    """A complete game, the same for the same seed. `options` are those of `begin`."""
    rng = random.Random(seed)
    game, events = begin(kind, rng, **options)
    for _, after, more in steps(game, rng):
        events += more
        game = after
    return game, events


def record_of(events: Iterable[Event | EncodedEvent], secret: str) -> list[StoredEvent]:
    """The events as a record, all of one moment. A forged one is given in its stored form."""
    at = "2026-11-21T12:00:00Z"
    encoded = [event if isinstance(event, EncodedEvent) else encode(event) for event in events]
    return list(seal(encoded, after=0, at=at, via="api", secret=secret, previous=NO_HASH))


def forged(event: Event, **members: Any) -> EncodedEvent:
    """The event in its stored form, with other members in `data`."""
    encoded = encode(event)
    return encoded._replace(data={**encoded.data, **members})
