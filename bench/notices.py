"""Notices that a worker process delivers in a second, each a mail into the local mailbox.

    python -m bench.notices [--notices N] [--turns N] [--times N] [--against FOLDER]

With --against the worker of another version takes turns with this one, on the same server and the
same games, so that the ratio means something on any machine. Its folder is a worktree:

    git worktree add /tmp/before REVISION && python -m bench.notices --against /tmp/before
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from service.container import Container
from service.core.redis.client import connect
from service.eventlog import keys
from service.games import NewGame
from tests.support.servers import bundled_binary, running
from tests.support.settings import settings
from tests.support.stored_state import StoredState

HERE: Final = Path(__file__).parent.parent
_PATIENCE: Final = 300.0


def main() -> None:
    """Print a line for each version."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--notices", type=int, default=1000, help="how many wait")
    arguments.add_argument("--turns", type=int, default=12, help="played in each game")
    arguments.add_argument("--times", type=int, default=3, help="to measure each version")
    arguments.add_argument("--against", type=Path, help="the folder of another version")
    chosen = arguments.parse_args()
    folders = [folder.resolve() for folder in (chosen.against, HERE) if folder]
    rates: dict[Path, list[float]] = {folder: [] for folder in folders}
    with running(bundled_binary()) as server, connect(server.url) as redis:
        store = Container(settings(notice_delay=0), redis)
        _fill(store, chosen.notices, chosen.turns)
        filled = StoredState.of(redis)
        for _ in range(chosen.times):
            for folder in folders:
                filled.put_back(redis)
                with _worker(folder, server.url):
                    rates[folder].append(_drained(store))
    _print(rates)


def _fill(store: Container, count: int, turns: int) -> None:
    """Play games of several turns, every one between two new players.

    Only the notices of whose turn it is are left in the outbox.
    """
    latest = set()
    for number in range(count):
        ann, bob = (
            store.registrations.register(f"{name} {number}").player.id for name in ("Ann", "Bob")
        )
        game = store.games.create(ann, NewGame(first_player="creator", salt="a"), secret="5e" * 32)
        invite = store.games.invitations.token(game.id)
        game = store.games.join(game.id, bob, invite=invite, salt="b")
        for _ in range(turns):
            mover = game.player_to_move()
            assert mover is not None, "so few turns end no game"
            legal = store.games.view(game, mover).legal
            game = store.games.play(game.id, mover, legal[:1])
        latest.add(f"{game.id}.{game.version}")
    for notice in list(store.log.outbox.pending()):
        if notice.id.rpartition(".mail.")[0].rpartition(".")[0] not in latest:
            store.log.outbox.finish(notice.id)


@contextmanager
def _worker(folder: Path, url: str) -> Iterator[None]:
    own = {key: text for key, text in os.environ.items() if "SCOTTENBURY" not in key}
    own |= {"SCOTTENBURY_REDIS_URL": url, "SCOTTENBURY_SECRET_KEY": settings().secret_key}
    own |= {"SCOTTENBURY_LOG_LEVEL": "warning"}
    process = subprocess.Popen([sys.executable, "-m", "workers"], cwd=folder, env=own)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def _drained(store: Container) -> float:
    """Notices a second, from the first one that is delivered to the last."""
    waiting = first = _waiting(store)
    end = time.monotonic() + _PATIENCE
    while waiting == first:
        assert time.monotonic() < end, "no notice was delivered"
        time.sleep(0.005)
        waiting = _waiting(store)
    begun, begun_with = time.monotonic(), waiting
    while waiting:
        assert time.monotonic() < end, "the notices were not delivered in time"
        time.sleep(0.02)
        waiting = _waiting(store)
    return begun_with / (time.monotonic() - begun)


def _waiting(store: Container) -> int:
    with store.redis.pipeline(transaction=False) as pipeline:
        for bucket in range(keys.BUCKETS):
            pipeline.zcard(keys.outbox_key(bucket))
        return sum(pipeline.execute())


def _print(rates: dict[Path, list[float]]) -> None:
    print(f"{'version':40}{'notices a second':>20}{'least':>8}{'most':>8}")
    for folder, found in rates.items():
        name = "this one" if folder == HERE else str(folder)
        print(f"{name:40}{statistics.median(found):20.0f}{min(found):8.0f}{max(found):8.0f}")
    if len(rates) == 2:
        before, after = (statistics.median(found) for found in rates.values())
        print(f"{after / before:.2f} times as many")


if __name__ == "__main__":
    main()
