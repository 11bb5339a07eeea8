"""Matches of several rounds, played at random and written to the log as they were."""

from functools import lru_cache
from random import Random

import engine
from service.container import Container
from service.games.opening.new_game import NewGame, creation
from service.games.stored_game import StoredGame, changed, fold
from tests.support.clock import NOON
from tests.support.games import SECRET

MATCH = "onrw65dumvxhs5dporxw"
NORTH, SOUTH = "a" * 16, "b" * 16


@lru_cache
def lines_of_match(rounds: int) -> tuple[str, ...]:
    """The whole log of such a match, a minute between two moves: some 170 events a round."""
    chance, at = Random(rounds), NOON
    command: engine.Command = creation(
        NORTH, NewGame(rounds=rounds, tactics=True, salt="north's"), SECRET
    )
    stored, _, lines = changed(MATCH, None, command, at, "api")
    command = engine.JoinGame(SOUTH, "south's")
    while not stored.game.over:
        stored, _, more = changed(MATCH, stored, command, at, "api")
        lines += more
        at += 60
        if stored.game.turn is not None:
            action = chance.choice(engine.legal(stored.game))
            command = engine.TakeTurn(stored.game.turn, [action])
    return tuple(lines)


def put_match(container: Container, rounds: int, upto: int | None = None) -> str:
    """Store a match, or its first `upto` events; its id."""
    lines = lines_of_match(rounds)[:upto]
    container.log.events.append(MATCH, 0, lines)
    return MATCH


def folded(lines: tuple[str, ...]) -> StoredGame:
    """The game after these lines, each of which was read."""
    stored = fold(MATCH, None, lines)
    assert stored is not None
    return stored
