"""Whether people's turns slow down while bots think: the same people, before and meanwhile.

    python -m bench.beside_bots [--games N] [--turns N]

A whole server, as `make run` starts it. Two people play against each other, and each of their
requests is timed; then the same while a third plays `--games` games against the strategist and
answers each of its turns at once, so that most of them wait for it all the time.
"""

import argparse
import random
import statistics
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from scottenbury_client import Client

from bench.figures import summary
from tests.support.processes import Running

THINK: Final = 0.02
"""Seconds between two turns of the people."""


class Third:
    """Plays games against the strategist, in a thread of its own.

    `waiting` counts games that waited for the bot, each time it looked; `turns` the bot's turns.
    """

    def __init__(self, player: Client, games: int) -> None:
        self.player, self.turns = player, 0
        self.waiting: list[int] = []
        opponent: Any = {"bot": "strategist"}
        self._games = games
        for _ in range(games):
            player.create_game(opponent=opponent)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._play)
        self._thread.start()

    def end(self) -> None:
        """Play no more."""
        self._ended.set()
        self._thread.join()

    def _play(self) -> None:
        chance = random.Random(1)
        while not self._ended.wait(0.1):
            mine = list(self.player.list_games(status="active", turn="me"))
            self.waiting.append(self._games - len(mine))
            for game in mine:
                self.turns += 1
                _whole_turn(self.player, game["id"], chance)


def _whole_turn(player: Client, game: str, chance: random.Random) -> None:
    view = player.get_game(game)
    seat = view["seat"]
    while view["status"] == "active" and view["turn"] == seat:
        claims = [action for action in view["legal"] if action.startswith("!")]
        view = player.play_turn(game, actions=[chance.choice(claims or view["legal"])])


def _times_of(people: Sequence[Client], turns: int) -> dict[str, list[float]]:
    """Seconds of each read and each turn of these two people."""
    chance, times = random.Random(1), dict[str, list[float]](read=[], turn=[])
    north, south = people
    status = "none yet"
    while len(times["turn"]) < turns:
        if status != "active":
            begun = north.create_game()
            game = begun["id"]
            south.join_game(game, invite=begun["invite"])
        for player in people:
            time.sleep(THINK)
            start = time.perf_counter()
            view = player.get_game(game)
            times["read"].append(time.perf_counter() - start)
            status = view["status"]
            if status == "active" and view["turn"] == view["seat"]:
                start = time.perf_counter()
                _whole_turn(player, game, chance)
                times["turn"].append(time.perf_counter() - start)
    return times


def main() -> None:
    """Print the times of reads and turns, without and with bots that think."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--games", type=int, default=50)
    arguments.add_argument("--turns", type=int, default=600)
    given = arguments.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="st-"))
        server = Running(Path(folder), SCOTTENBURY_RATE_LIMITS="off")
        stack.callback(server.kill_all)
        url = server.ready().url
        ada, bo, third = (stack.enter_context(Client(url)) for _ in range(3))
        for player, name in ((ada, "Ada"), (bo, "Bo"), (third, "Cleo")):
            player.register(name)
        _times_of((ada, bo), given.turns // 4)  # warm
        _report("no bot", _times_of((ada, bo), given.turns))
        against = Third(third, given.games)
        stack.callback(against.end)
        _report(f"{given.games} games with bots", _times_of((ada, bo), given.turns))
        print(f"{statistics.mean(against.waiting):.0f} games waited for the bot (mean), ", end="")
        print(f"which played {against.turns} turns")


def _report(title: str, times: dict[str, list[float]]) -> None:
    for name, seconds in times.items():
        print(f"{title:24}{name:6}{summary(seconds)}", flush=True)


if __name__ == "__main__":
    main()
