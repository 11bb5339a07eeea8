"""Matches of several rounds, played at random and written to the log as they were."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from random import Random
from unittest.mock import patch

import engine
from service.container import Container
from service.games.stored_game import StoredGame, changed, fold
from service.games.terms import NewGame, creation
from tests.support.clock import NOON
from tests.support.games import SECRET

MATCH = "onrw65dumvxhs5dporxw"
NORTH, SOUTH = "a" * 16, "b" * 16


@lru_cache
def lines_of_match(
    rounds: int, north: str = NORTH, south: str = SOUTH, game_id: str = MATCH
) -> tuple[str, ...]:
    """The whole log of such a match, a minute between two moves: some 170 events a round."""
    chance, at = Random(rounds), NOON
    command: engine.Command = creation(
        north, NewGame(rounds=rounds, tactics=True, salt="north's"), SECRET
    )
    stored, _, lines = changed(game_id, None, command, at, "api")
    command = engine.JoinGame(south, "south's")
    while not stored.game.over:
        stored, _, more = changed(game_id, stored, command, at, "api")
        lines += more
        at += 60
        if stored.game.turn is not None:
            action = chance.choice(engine.legal(stored.game))
            command = engine.TakeTurn(stored.game.turn, [action])
    return tuple(lines)


def put_match(container: Container, rounds: int, upto: int | None = None) -> str:
    """Store a match, or its first `upto` events; its id."""
    container.log.events.append(MATCH, 0, lines_of_match(rounds)[:upto])
    return MATCH


def folded(lines: tuple[str, ...]) -> StoredGame:
    """The game after these lines, each of which was read."""
    stored = fold(MATCH, None, lines)
    assert stored is not None
    return stored


@contextmanager
def events_read() -> Iterator[list[str]]:
    """All JSON that is read while the context lasts: events of logs, one by one."""
    read: list[str] = []
    loads = json.loads

    def noted(text: str) -> object:
        read.append(text)
        return loads(text)

    with patch.object(json, "loads", noted):
        yield read
