"""Fills a store with games in bulk: written to the log, not played by requests.

Each pair of players has one deal, played at random; its copies, under ids of their own, are cut off
where they still go on, or compacted as a week after their end. So a hundred thousand games take
minutes.
"""

import random
import secrets
import sys
import time
from typing import Final, NamedTuple

import engine
from service.container import Container
from service.core import ids
from service.core.times import DAY
from service.eventlog import keys
from service.games import NewGame
from service.games.stored_game import StoredGame, changed, fold
from service.games.terms import creation, joining

GAMES_OF_PAIR: Final = 40
RUNNING_OF_PAIR: Final = 4
"""One game in ten goes on."""
SINCE: Final = 10 * DAY
"""Seconds since the ends of the others."""
CLOCK: Final = {"days_per_move": 30}


class Deal(NamedTuple):
    """The log of a game: as far as it goes on, and whole."""

    running: list[str]
    whole: list[str]


def fill(container: Container, games: int) -> None:
    """Store as many games as are missing, of new players; the store does not sync meanwhile."""
    have = sum(1 for _ in container.log.events.game_ids())
    chance = random.Random(have)
    container.redis.config_set("appendfsync", "no")
    for stored in range(have, games, GAMES_OF_PAIR):
        _fill_pair(container, chance, min(GAMES_OF_PAIR, games - stored))
        sys.stderr.write(f"\r{stored} of {games} games stored\x1b[K")
    container.redis.config_set("appendfsync", "always")
    sys.stderr.write("\n")


def played(players: tuple[str, str], wanted: NewGame, until: int, chance: random.Random) -> Deal:
    """A game of these players, played at random until it is over or has `until` events.

    Its middle is the part that goes on.
    """
    at, game_id = time.time() - SINCE, ids.game_id()
    made = creation(players[0], wanted, chance.randbytes(32).hex())
    stored, _, texts = changed(game_id, None, made, at, "api")
    stored, _, more = changed(game_id, stored, joining(players[1], stored.game), at, "api")
    texts, cuts = [*texts, *more], list[int]()
    while stored.game.turn is not None and len(texts) < until:
        cuts.append(len(texts))
        legal = engine.legal(stored.game)
        claims = [action for action in legal if action.startswith("!")]
        action = claims[0] if claims else chance.choice(legal)
        turn = engine.TakeTurn(stored.game.turn, [action])
        stored, _, more = changed(game_id, stored, turn, at, "api")
        texts += more
    return Deal(texts[: cuts[len(cuts) // 2]], texts)


def store(container: Container, texts: list[str]) -> StoredGame:
    """A new game with this log, in the lists of its players."""
    game_id = ids.game_id()
    stored = fold(game_id, None, texts)
    assert stored is not None
    container.log.events.append(game_id, 0, texts, deadline=stored.deadline)
    container.games.index.apply(stored)
    return stored


def _fill_pair(container: Container, chance: random.Random, number: int) -> None:
    ann, bob = (
        container.registrations.register(f"S {secrets.token_hex(6)} {seat}").player.id
        for seat in engine.SEATS
    )
    deal = played((ann, bob), NewGame(first_player="creator", clock=CLOCK), 10**6, chance)
    running = min(RUNNING_OF_PAIR, number)
    for _ in range(running):
        store(container, deal.running)
    if number == running:
        return
    whole = store(container, deal.whole)
    container.log.events.compact(whole.id)
    copies = [whole._replace(id=ids.game_id()) for _ in range(number - running - 1)]
    pipeline = container.redis.pipeline(transaction=False)
    for copy in copies:
        pipeline.copy(keys.log_key(whole.id), keys.log_key(copy.id))
    pipeline.execute()
    container.games.index.apply(*copies)
