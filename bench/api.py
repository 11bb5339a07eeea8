"""How much the API takes: moves, reads and unchanged reads a second.

    python -m bench.api [--seconds S] [--rounds N]

Each stands beside an endpoint of bare Flask that does one call to Redis (`bench.bare`), in the same
run, with the same server, settings and Redis, so that the ratio means something on any machine. The
figures are medians over rounds in which all take turns. Then comes the profile of a move.
"""

import argparse
import cProfile
import io
import json
import os
import pstats
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

import engine
from bench.exchanges import Exchange, Load, load, request
from service.container import Container
from service.core.redis.client import connect
from service.core.settings import Settings
from service.games import NewGame
from service.server.app import create_app
from tests.support.ports import free_port
from tests.support.processes import clean_environment
from tests.support.servers import bundled_binary, running

CONNECTIONS: Final = 8
TURNS: Final = 40
TARGETS: Final = {"moves": 0.5, "reads": 0.8}


class Move(NamedTuple):
    """A move that will be legal when those before it have been made."""

    game: str
    token: str
    body: str


def main() -> None:
    """Print the table and the profile."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seconds", type=float, default=2.0)
    arguments.add_argument("--rounds", type=int, default=5)
    given = arguments.parse_args()
    with ExitStack() as stack:
        container, environment = stack.enter_context(prepared())
        ports = {
            module: stack.enter_context(served(module, environment))
            for module in ("service.server.http_server", "bench.bare")
        }
        bench = Bench(container, ports["service.server.http_server"], ports["bench.bare"])
        _print_table(bench.rounds(given.rounds, given.seconds))
        _print_profile(container)


class Bench:
    """The servers under load. Moves are never made twice, so each round has games of its own."""

    def __init__(self, container: Container, port: int, bare_port: int) -> None:
        self._services = container
        self._port = port
        self._bare_port = bare_port
        self._chance = random.Random(1)

    def rounds(self, number: int, seconds: float) -> dict[str, list[Load]]:
        """What each kind of request came to in each round."""
        found: dict[str, list[Load]] = {}
        self._round(0.3)  # to warm up
        for _ in range(number):
            for kind, result in self._round(seconds).items():
                found.setdefault(kind, []).append(result)
        return found

    def _round(self, seconds: float) -> dict[str, Load]:
        played = self._games(int(CONNECTIONS * (1 + seconds * 2)))
        last = [moves[-1] for moves in played[:CONNECTIONS]]
        return {
            "bare": load(self._bare_port, [_bare()] * CONNECTIONS, seconds),
            "moves": load(self._port, _moving(played), seconds),
            "reads": load(self._port, [_reading(move, None, 200) for move in last], seconds),
            "304s": load(
                self._port, [_reading(move, self._tag(move), 304) for move in last], seconds
            ),
        }

    def _games(self, number: int) -> list[list[Move]]:
        return [planned(self._services, self._chance) for _ in range(number)]

    def _tag(self, move: Move) -> str:
        return f'"{self._services.games.load(move.game).version}"'


def planned(container: Container, chance: random.Random) -> list[Move]:
    """A new game of two new players, and the moves that will be made in it."""
    players, tokens = zip(
        *(container.registrations.register_guest(name) for name in ("Ada", "Bob")), strict=True
    )
    by_seat = dict(zip(engine.SEATS, tokens, strict=True))
    game_id = container.games.create(players[0].id, NewGame(first_player="creator")).id
    invite = container.games.invitations.token(game_id)
    game = container.games.join(game_id, players[1].id, invite=invite).game
    moves = []
    for _ in range(TURNS):
        assert game.turn is not None
        card, _, stone = chance.choice([a for a in engine.legal(game) if "@" in a]).partition("@")
        body = json.dumps({"card": card, "stone": int(stone), "draw": "clan"})
        moves.append(Move(game_id, by_seat[game.turn], body))
        command = engine.TakeTurn(game.turn, (f"{card}@{stone}", "+C"))
        game, _ = engine.advance(game, command)
    return moves


@contextmanager
def prepared() -> Iterator[tuple[Container, dict[str, str]]]:
    """A container over an empty store, and the environment for servers beside them."""
    with running(bundled_binary()) as redis, TemporaryDirectory() as folder:
        environment = _environment(redis.url, Path(folder))
        os.environ.update(environment)
        yield Container(Settings.from_env(), connect(redis.url)), environment


@contextmanager
def served(module: str, environment: dict[str, str]) -> Iterator[int]:
    """The port on which this module serves, for as long as the context lasts."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", module], env=environment | {"SCOTTENBURY_PORT": str(port)}
    )
    try:
        _wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait()


def _environment(redis_url: str, data: Path) -> dict[str, str]:
    return clean_environment() | {
        "SCOTTENBURY_REDIS_URL": redis_url,
        "SCOTTENBURY_DATA": str(data),
        "SCOTTENBURY_RATE_LIMITS": "off",
    }


def _wait_for(port: int) -> None:
    for _ in range(200):
        try:
            urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1)
        except URLError as error:
            if hasattr(error, "code"):  # it answers, if only that there is no such page
                return
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"nobody answers on port {port}")


def _bare() -> Exchange:
    return Exchange([request("GET", "/bare", {})] * 100_000, 200)


def _moving(games: Sequence[list[Move]]) -> list[Exchange]:
    """Each connection plays its games one after the other."""
    requests = [[move_request(move) for move in moves] for moves in games]
    return [
        Exchange(list(chain.from_iterable(requests[at::CONNECTIONS])), 200)
        for at in range(CONNECTIONS)
    ]


def move_request(move: Move) -> bytes:
    return request("POST", f"/v1/games/{move.game}/moves", _with_token(move), move.body)


def _reading(move: Move, tag: str | None, status: int) -> Exchange:
    known = {} if tag is None else {"If-None-Match": tag}
    asked = request("GET", f"/v1/games/{move.game}", _with_token(move) | known)
    return Exchange([asked] * 100_000, status)


def _with_token(move: Move) -> dict[str, str]:
    return {"Authorization": f"Bearer {move.token}"}


def _print_table(found: dict[str, list[Load]]) -> None:
    rates = {kind: statistics.median(each.rate for each in loads) for kind, loads in found.items()}
    print(f"{'':8}{'a second':>10}{'of bare':>10}{'median ms':>12}{'target':>9}")
    for kind, loads in found.items():
        ratio = statistics.median(
            each.rate / bare.rate for each, bare in zip(loads, found["bare"], strict=True)
        )
        median = statistics.median(each.median for each in loads)
        target = f"{TARGETS[kind]:9.2f}" if kind in TARGETS else ""
        print(f"{kind:8}{rates[kind]:10,.0f}{ratio:10.2f}{median:12.2f}{target}")


def _print_profile(container: Container) -> None:
    """The ten functions in which a move spends most, without a server around it."""
    client = create_app(container.settings, container.redis).test_client(use_cookies=False)
    games = [planned(container, random.Random(seed)) for seed in range(10)]
    profile = cProfile.Profile()
    for move in (move for moves in games for move in moves):
        headers = _with_token(move) | {"Content-Type": "application/json"}
        profile.enable()
        answer = client.post(f"/v1/games/{move.game}/moves", data=move.body, headers=headers)
        profile.disable()
        assert answer.status_code == 200, answer.text
    text = io.StringIO()
    pstats.Stats(profile, stream=text).sort_stats("tottime").print_stats(10)
    print(re.sub(r"\n{2,}", "\n", text.getvalue()))


if __name__ == "__main__":
    main()
