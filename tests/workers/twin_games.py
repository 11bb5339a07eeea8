"""Games that differ in nothing that one of their players can see."""

import random
from collections.abc import Mapping
from typing import Any

import engine
from service.games import NewGame
from service.games.terms import creation
from tests.engine.twins import twin_of
from tests.support.games import stored
from tests.workers.match import Match

NAMES = ("abcdefghijklmnopqrst", "bcdefghijklmnopqrstu")


def twins(match: Match, seed: int, clock: Mapping[str, Any] | None = None) -> tuple[str, str]:
    """The ids of two games in which Bob has the turn, alike but for cards hidden from him."""
    chance = random.Random(seed)
    wanted = NewGame(tactics=True, first_player="creator", salt="a", clock=clock)
    game, events = engine.advance(None, creation(match.ann, wanted, "5e" * 32))
    game, more = engine.advance(game, engine.JoinGame(match.bob, "b"))
    events += more
    while len(events) < 20 or game.turn != "south":
        assert game.turn is not None
        turn = engine.TakeTurn(game.turn, [chance.choice(engine.legal(game))])
        game, more = engine.advance(game, turn)
        events += more
    for name, log in zip(NAMES, (events, twin_of(events, "south", chance)), strict=True):
        stored(match.context.container, log, name)
    return NAMES
