"""What a stored game costs: bytes in Redis, and whether a move stays as fast as it was.

    python -m bench.log [--games N] [--moves N]

A move is timed early and late in a game, with few games stored and with many, on two servers that
sync every write. All four are timed in turns in the same run, so that their ratio means something
on any machine.
"""

import argparse
import random
import statistics
import time
from base64 import b32encode
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from typing import Any, NamedTuple

from redis import Redis

from engine import OTHER
from service.container import Container
from service.core.redis.client import connect
from service.core.times import unix
from service.eventlog import IdempotencyKey, keys
from service.games import ChangeContext
from service.games.projections.player_games import PlayerIndex
from service.ops.restore import restore_game
from tests.engine.games import Kind
from tests.support.clock import Clock
from tests.support.servers import bundled_binary, running
from tests.support.settings import settings
from tests.support.stored_games import IELLO, TACTICS, SlowGame, finished

FEW = 100
EARLY, LATE = 10, 300
COMPACTED_SHARE = 0.9
CLOCK = Clock()


class Timing(NamedTuple):
    """A kind of move: on which store, in games of which length, to be made in these games."""

    stored: int
    version: int
    store: Container
    games: list[str]


def main() -> None:
    """Print both tables."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--games", type=int, default=100_000, help="how many are many")
    arguments.add_argument("--moves", type=int, default=400, help="of each kind")
    chosen = arguments.parse_args()
    with ExitStack() as stack:
        few, many = (_store(stack) for _ in range(2))
        _print_sizes(few)
        few.redis.flushall()
        timings = [*_prepare(few, FEW, chosen.moves), *_prepare(many, chosen.games, chosen.moves)]
        _print_times(timings, _time_in_turns(timings))


def _store(stack: ExitStack) -> Container:
    server = stack.enter_context(running(bundled_binary()))
    redis = stack.enter_context(connect(server.url))
    # Nothing is to be written anew in the background while moves are timed.
    redis.config_set("auto-aof-rewrite-percentage", 0)
    return Container(settings(), redis, CLOCK)


# Bytes


def _print_sizes(store: Container, games: int = 20) -> None:
    print(
        f"{'bytes a game, all keys counted':34}{'events':>8}{'live':>10}{'compact':>10}{'most':>8}"
    )
    for name, kind in (("base", IELLO), ("tactics", TACTICS)):
        played = [finished(kind, seed) for seed in range(games)]
        live, compacted = zip(*(_sizes(store, game) for game in played), strict=True)
        events = statistics.mean(len(game.lines) for game in played)
        print(
            f"{name:34}{events:8.0f}{statistics.mean(live):10.0f}{statistics.mean(compacted):10.0f}"
            f"{max(compacted):8.0f}"
        )
    print()


def _sizes(store: Container, game: SlowGame) -> tuple[int, int]:
    """Of a game whose every event was a request of its own under a key: before and after."""
    game_id = next(_ids)
    for number, text in enumerate(game.texts):
        key = IdempotencyKey(f"{game.game.players['north']}:{number:032}", "f" * 64)
        store.log.events.append(game_id, number, [text], key=key)
    live = _bytes(store, game_id)
    store.log.events.compact(game_id)
    return live, _bytes(store, game_id)


def _bytes(store: Container, game_id: str) -> int:
    found = store.redis.scan_iter(f"*{game_id}*")
    return sum(store.redis.memory_usage(key, samples=0) or 0 for key in found)


# Time


def _prepare(store: Container, stored: int, moves: int) -> Iterator[Timing]:
    """Fill the store, and put games to be moved in among the others."""
    templates = {version: _at(version) for version in (EARLY, LATE)}
    _fill(store, stored)
    for version, game in templates.items():
        games = [next(_ids) for _ in range(moves)]
        for game_id in games:
            restore_game(store, game_id, game.lines)
        yield Timing(stored, version, store, games)


def _at(version: int) -> SlowGame:
    """A game from `version` events on, as it stands two turns after the begin of a round."""
    game = SlowGame(Kind("iello", rounds=9), random.Random(5), first_player="creator")
    while len(game.lines) < version - EARLY:
        round_ = game.game.round
        while game.game.round == round_:
            game.play(len(game.lines) + 1)
    mover = game.game.turn
    assert mover is not None
    for seat in (mover, OTHER[mover]):
        while game.game.turn == seat:
            game.play(len(game.lines) + 1)
    return game


def _fill(store: Container, games: int) -> None:
    """Store copies of a compacted game and of a running one, each with two players of its own."""
    raw = Redis.from_pool(_raw_pool(store.redis))
    originals = {True: finished(), False: _at(EARLY)}
    copies: dict[bool, Any] = {}
    for compacted, game in originals.items():
        game_id = next(_ids)
        restore_game(store, game_id, game.lines)
        copies[compacted] = raw.dump(keys.log_key(game_id)), store.games.load(game_id)
    for first in range(0, games, 1000):
        pipeline, texts = raw.pipeline(False), store.redis.pipeline(False)
        index = PlayerIndex(texts)
        for number in range(first, min(first + 1000, games)):
            game_id = next(_ids)
            value, stored = copies[number < COMPACTED_SHARE * games]
            pipeline.restore(keys.log_key(game_id), 0, value)
            deadlines = keys.deadlines_key(keys.bucket_of(game_id))
            pipeline.zadd(deadlines, {game_id: 4_000_000_000 + number})
            game = stored.game.copy()
            game.players = {"north": f"north{number}", "south": f"south{number}"}
            index.apply(stored._replace(id=game_id, game=game))
        pipeline.execute()
        texts.execute()


def _raw_pool(redis: Any) -> Any:
    """Connections to the same server that give bytes."""
    pool = redis.connection_pool
    options = {**pool.connection_kwargs, "decode_responses": False}
    return type(pool)(connection_class=pool.connection_class, **options)


def _time_in_turns(timings: list[Timing]) -> list[list[float]]:
    """Seconds of every move of each kind, made in random order."""
    order = [(kind, game) for kind, timing in enumerate(timings) for game in timing.games]
    random.Random(1).shuffle(order)
    seconds: list[list[float]] = [[] for _ in timings]
    for kind, game_id in order:
        games = timings[kind].store.games
        stored = games.load(game_id)  # as the process knows a game that it has just shown
        player = stored.player_to_move()
        assert player is not None
        assert stored.turn_since is not None
        CLOCK.time = unix(stored.turn_since)  # or its time would be up
        action = games.view(stored, player).legal[0]
        origin = ChangeContext(key=IdempotencyKey(f"{player}:{game_id}", action))
        begun = time.perf_counter()
        games.play(game_id, player, [action], origin)
        seconds[kind].append(time.perf_counter() - begun)
    return seconds


def _print_times(timings: list[Timing], seconds: list[list[float]]) -> None:
    """The ratio is of what the fastest tenth takes: a machine that is busy adds little to that."""
    print(f"{'milliseconds a move':34}{'10 %':>10}{'median':>10}{'90 %':>10}{'ratio':>9}")
    least = statistics.quantiles(seconds[0], n=10)[0]
    for timing, measured in zip(timings, seconds, strict=True):
        name = f"at event {timing.version}, {timing.stored} games stored"
        tenths = statistics.quantiles(measured, n=10)
        figures = "".join(f"{1000 * tenths[place]:10.3f}" for place in (0, 4, 8))
        print(f"{name:34}{figures}{tenths[0] / least:9.3f}")


# 100 bits each.
_ids = (b32encode((number << 4).to_bytes(13, "big"))[:20].decode().lower() for number in count())

if __name__ == "__main__":
    main()
