"""The bytes of game views: programs and their caches rely on them, so a new shape keeps them."""

import random
from collections.abc import Iterator, Mapping
from hashlib import sha256

import engine
from engine import chain
from engine.chain import encode
from service.container import Container
from service.games.stored_game import StoredGame, fold
from tests.support.games import GAME, MOMENT, SECRET

KINDS: tuple[tuple[str, bool, bool, int, Mapping[str, object] | None], ...] = (
    ("iello", False, False, 1, None),
    ("iello", True, False, 1, {"days_per_move": 3}),
    ("community", True, True, 2, {"days_per_move": 2, "weekends_off": True, "vacations": True}),
    ("bga", True, False, 1, {"bank_days": 3, "increment_hours": 4, "cap_days": 5}),
    ("reference-card", False, False, 3, {"until": "2026-12-10T12:00:00Z", "time_out": "claim"}),
)
BYTES = "422dca0dfb499d3624104ac6b41444afed9c9d251d4f61d0ec6a1f1adac0d06b"
"""Of every view of the games below."""


def test_every_view_of_many_games_is_the_same_to_the_byte(container: Container) -> None:
    digest, count = sha256(), 0
    for seed, kind in enumerate(KINDS):
        for stored in _versions(seed, *kind):
            for reader in ("north", "south", None):
                digest.update(container.games.view_text(stored, reader).encode())
                count += 1
    assert (count, digest.hexdigest()) == (1890, BYTES)


def _versions(
    seed: int,
    edition: str,
    tactics: bool,
    expert: bool,
    rounds: int,
    clock: Mapping[str, object] | None,
) -> Iterator[StoredGame]:
    """A random game, at each of its versions that ends a command."""
    rng, head, stored = random.Random(seed), chain.NO_HASH, None
    terms = {"clock": clock, "invited": None, "invited_by_mail": seed == 1, "listed": seed == 2}
    command: engine.Command = engine.CreateGame(
        player="north",
        seat="north",
        edition=edition,
        tactics=tactics,
        expert=expert,
        rounds=rounds,
        first_player="creator",
        secret=SECRET,
        salt="north's",
        terms={**terms, "private": seed == 3},
    )
    while stored is None or not stored.game.over:
        game, events = engine.advance(stored.game if stored else None, command)
        after = stored.version if stored else 0
        origin = {"at": MOMENT, "via": "api", "secret": SECRET, "previous": head}
        lines = list(chain.seal(map(encode, events), after=after, **origin))
        head = lines[-1]["hash"]
        stored = fold(f"{GAME[:-1]}{seed + 2}", stored, [chain.canonical(line) for line in lines])
        assert stored is not None, "it has events"
        yield stored
        if game.turn is None:
            command = engine.JoinGame("south", "south's")
        else:
            command = engine.TakeTurn(game.turn, [rng.choice(list(engine.legal(game)))])
