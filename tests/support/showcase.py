"""The game that the front page plays: the steward against itself, as a record in text form.

`python -m tests.support.showcase` writes it again, the same each time.
"""

import random
from collections.abc import Iterator
from typing import Final

from engine import Command, CreateGame, Game, JoinGame, TakeTurn, advance, view
from engine.chain import NO_HASH, StoredEvent, encode, seal
from engine.record import to_text
from service.bots import BOTS
from service.web.games.showcase import RECORD

SEED: Final = 27
"""The near side wins by three Stones in the middle of the board, after forty cards."""
_AT: Final = "2026-01-01T00:00:00Z"


def record(seed: int = SEED) -> str:
    """The whole game of this seed, in text form."""
    lines = list[StoredEvent]()
    rng = random.Random(seed)
    secret = rng.randbytes(32).hex()
    game: Game | None = None
    for command in _begin(secret):
        game = _go_on(game, command, secret, lines)
    while game is not None and game.turn is not None:
        action = BOTS["steward"].choose(view(game, game.turn), rng)
        game = _go_on(game, TakeTurn(game.turn, [action]), secret, lines)
    return to_text(lines)


def _begin(secret: str) -> Iterator[Command]:
    yield CreateGame(
        player="a" * 16,
        seat="north",
        edition="iello",
        tactics=False,
        expert=False,
        rounds=1,
        first_player="creator",
        secret=secret,
        salt="a",
    )
    yield JoinGame("b" * 16, "b")


def _go_on(game: Game | None, command: Command, secret: str, lines: list[StoredEvent]) -> Game:
    """The game after the command, whose events join the lines."""
    after, events = advance(game, command)
    seq, previous = (lines[-1]["seq"], lines[-1]["hash"]) if lines else (0, NO_HASH)
    encoded = map(encode, events)
    lines += seal(encoded, after=seq, at=_AT, via="bot", secret=secret, previous=previous)
    return after


if __name__ == "__main__":
    RECORD.write_text(record(), encoding="utf-8")
