"""Twenty bots of the client play through cut connections, stops and kills of the whole server.

    python -m tests.clients.python.endurance [--pairs N] [--restarts N]

Fails if an action, an event or a game was lost or doubled, or a bot does not come to an end.
"""

import argparse
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.clients.python.tournament import PlayedGame
from tests.support.cutting_proxy import CuttingProxy
from tests.support.processes import Running


def main() -> None:
    """Play, and print what was gone through."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pairs", type=int, default=10)
    arguments.add_argument("--restarts", type=int, default=4)
    given = arguments.parse_args()
    with TemporaryDirectory() as folder:
        server = _started(Path(folder))
        begun, restarts = time.monotonic(), 0
        try:
            with CuttingProxy(server.port) as proxy, ThreadPoolExecutor(given.pairs) as pool:
                games = [
                    PlayedGame(proxy.url, pair, tactics=pair % 2 == 0, rounds=2)
                    for pair in range(given.pairs)
                ]
                ways = cycle((PlayedGame.play, PlayedGame.play_async))
                played = [pool.submit(way, game) for way, game in zip(ways, games, strict=False)]
                while restarts < given.restarts and not any(one.done() for one in played):
                    time.sleep(5)
                    server = _again(server, kill=restarts % 2 == 0)
                    restarts += 1
                events = [one.result() for one in played]
                for game, followed in zip(games, events, strict=True):
                    game.check(followed, server.url)
                chosen = sum(chooser.chosen for game in games for chooser in game.choosers)
                seconds = time.monotonic() - begun
                sys.stdout.write(
                    f"{2 * given.pairs} bots, {given.pairs} matches, {chosen} actions,"
                    f" {sum(map(len, events))} events followed, {proxy.cuts} cuts,"
                    f" {restarts} restarts, {seconds:.0f} s: nothing lost, doubled or stuck\n"
                )
        finally:
            server.kill_all()


def _started(data: Path, **settings: str) -> Running:
    return Running(data, SCOTTENBURY_RATE_LIMITS="off", **settings).ready()


def _again(server: Running, *, kill: bool) -> Running:
    """The server after a stop, or after a kill of all its processes at once."""
    if kill:
        for pid in server.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        server.kill_all()
    else:
        server.interrupt()
    return _started(server.data, SCOTTENBURY_PORT=str(server.port))


if __name__ == "__main__":
    main()
