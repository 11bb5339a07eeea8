"""Whether requests cost more as a store grows: with games stored, the length of a game, idle
streams, and players in the lobby.

    nice -n 10 python -m bench.growth [--stored N …] [--lengths N …] [--streams N …] [--lobby N …]

A whole Scottenbury as `make run` starts it is asked by one client at a time, each kind of request
in three rounds of `--number`. Counted is the processor time of web and Redis for one request, which
is steadier than seconds on a machine that does other things too, in the cheapest round; the least
median of the seconds stands beside it.
Writes OUT.json, and for each dimension OUT-NAME.svg and OUT-NAME.png.
"""

import argparse
import json
import math
import os
import platform
import random
import secrets
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from socket import create_connection
from tempfile import TemporaryDirectory
from typing import Any, Final

from bench.exchanges import request
from bench.figures import curves, save_plot, thread_seconds
from bench.filling import CLOCK, fill, played, store
from bench.population import Player, registered
from service.container import Container
from service.core.redis.client import connect
from service.core.settings import Settings
from service.games import NewGame
from tests.support.processes import Running

Figures = dict[str, Any]
Ask = Callable[[int], object]
"""Sends the request with this number, and takes its answer."""
PLAYERS: Final = 12
"""Players who ask; each two have a game."""
ROUNDS: Final = 3
MATCH: Final = 60
"""Rounds of a long game."""
ROLES: Final = {"web": ("http_server",), "redis": ("valkey", "redis-server")}


class Growth:
    """The server, and players who ask it."""

    def __init__(self, server: Running, container: Container, number: int) -> None:
        self._server, self._container, self._number = server, container, number
        self._players: Sequence[Player] = ()
        self._connection = HTTPConnection("127.0.0.1", server.port, timeout=60)

    def ask(self, method: str, path: str, by: Player | None, **body: Any) -> bytes:
        """The body of the answer to a request; it must succeed."""
        headers = {"Authorization": f"Bearer {by.token}"} if by else {}
        sent = json.dumps(body) if body else None
        headers |= {"Content-Type": "application/json"} if body else {}
        self._connection.request(method, path, sent, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise ValueError(f"{method} {path}: {answer.status} {text[:200]!r}")
        return text

    def kinds(self, length: int = 0) -> dict[str, Ask]:
        """The requests that are measured, of new players, whose games begin with at least `length`
        events."""
        self._players = registered(self._container, PLAYERS)
        chance, ann = random.Random(length), self._players[0]
        games = [self._begun(each, length, chance) for each in range(PLAYERS // 2)]
        api = [f"/v1/games/{game}" for game in games]

        def move(number: int) -> None:
            place = number % len(games)
            both = self._players[2 * place : 2 * place + 2]
            views = [json.loads(self.ask("GET", api[place], each)) for each in both]
            mover, view = next(
                each for each in zip(both, views, strict=True) if each[1]["turn"] == each[1]["seat"]
            )
            self.ask("POST", f"{api[place]}/turns", mover, actions=[_careful(view, chance)])

        return {
            "own view": lambda number: self.ask("GET", api[0], ann),
            "views and a move": move,
            "page of a game": lambda number: self.ask("GET", f"/games/{games[0]}", None),
            "record": lambda number: self.ask("GET", f"{api[0]}/record", ann),
            "list of games": lambda number: self.ask("GET", "/v1/games?status=active", ann),
            "new game": lambda number: self.ask(
                "POST", "/v1/games", self._players[number % PLAYERS], seat="north"
            ),
            "lobby": lambda number: self.ask("GET", "/v1/lobby", ann),
            "page of the lobby": lambda number: self.ask("GET", "/lobby", None),
            "archive": lambda number: self.ask("GET", "/v1/records", None),
            "metrics": lambda number: self.ask("GET", "/metrics", None),
        }

    def measured(self, kinds: dict[str, Ask], what: str, size: int) -> Figures:
        """Each kind: milliseconds of processor in web and Redis, and of the median answer."""
        self._connection.close()  # the server has, if filling its store took long
        results = {}
        for name, ask in kinds.items():
            sys.stderr.write(f"\r{what}, {size}: {name}\x1b[K")
            results[name] = self._measured(ask)
        sys.stderr.write("\n")
        return results

    def _measured(self, ask: Ask) -> Figures:
        """The least of some rounds: what else a machine does only adds to it."""
        ask(0)
        rounds = [self._round(ask) for _ in range(ROUNDS)]
        return {name: min(each[name] for each in rounds) for name in rounds[0]}

    def _round(self, ask: Ask) -> Figures:
        before, times = self._spent(), []
        for number in range(self._number):
            begun = time.perf_counter()
            ask(number)
            times.append(time.perf_counter() - begun)
        after = self._spent()
        used = {role: 1000 * (after[role] - before[role]) / self._number for role in ROLES}
        return {
            **{role: round(each, 3) for role, each in used.items()},
            "median": round(1000 * statistics.median(times), 2),
        }

    def _spent(self) -> dict[str, float]:
        lines = self._server.processes().items()
        return {
            role: sum(
                thread_seconds(pid) for pid, line in lines if any(part in line for part in parts)
            )
            for role, parts in ROLES.items()
        }

    def _begun(self, place: int, length: int, chance: random.Random) -> str:
        """A new game of two of the players."""
        ann, bob = self._players[2 * place : 2 * place + 2]
        rounds = MATCH if length else 1
        wanted = NewGame(first_player="creator", clock=CLOCK, rounds=rounds)
        deal = played((ann.id, bob.id), wanted, max(length, 12), chance)
        return store(self._container, deal.whole).id

    @contextmanager
    def idle_streams(self, number: int) -> Iterator[None]:
        """So many streams of a game in which nothing happens. Each has sent its first part."""
        game = self._begun(0, 0, random.Random(0))
        headers = {"Authorization": f"Bearer {self._players[0].token}"}
        wanted = request(
            "GET", f"/v1/games/{game}/events", headers | {"Accept": "text/event-stream"}
        )
        with ExitStack() as stack:
            for _ in range(number):
                stream = stack.enter_context(
                    closing(create_connection(("127.0.0.1", self._server.port)))
                )
                stream.sendall(wanted)
                if not stream.recv(4096).startswith(b"HTTP/1.1 200"):
                    raise ValueError("a stream was refused")
            yield

    def wait_in_lobby(self, players: int) -> None:
        """Let so many more players wait in the lobby."""
        for player in registered(self._container, players):
            self._container.games.create(player.id, NewGame(listed=True))


def _careful(view: Any, chance: random.Random) -> str:
    claims: list[str] = [text for text in view["legal"] if text.startswith("!")]
    return claims[0] if claims else str(chance.choice(view["legal"]))


def main() -> None:
    """Measure each dimension, write the files, and print a line for each kind of request."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--stored", type=int, nargs="+", default=[100, 10_000, 100_000])
    arguments.add_argument("--lengths", type=int, nargs="+", default=[20, 500, 2000])
    arguments.add_argument("--streams", type=int, nargs="+", default=[0, 1000])
    arguments.add_argument("--lobby", type=int, nargs="+", default=[10, 1000])
    arguments.add_argument("--number", type=int, default=20, help="requests in a round")
    arguments.add_argument("--out", type=Path, default=Path("build/growth"))
    given = arguments.parse_args()
    with ExitStack() as stack:
        server, container = _begun(stack)
        results = _measured(Growth(server, container, given.number), container, given)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "nice": os.nice(0)}
    text = json.dumps({"machine": machine, "load": os.getloadavg(), **results}, indent=1)
    given.out.with_suffix(".json").write_text(text + "\n")
    for name, cells in results.items():
        _draw(given.out.with_name(f"{given.out.name}-{name}"), name, cells)
        _print(name, cells)


def _begun(stack: ExitStack) -> tuple[Running, Container]:
    data = Path(stack.enter_context(TemporaryDirectory(prefix="st-")))
    env = {
        "SCOTTENBURY_RATE_LIMITS": "off",
        "SCOTTENBURY_SECRET_KEY": secrets.token_hex(),
        "SCOTTENBURY_LOG_LEVEL": "error",
    }
    server = Running(data, **env)
    stack.callback(server.kill_all)
    server.ready()
    os.environ.update(env | {"SCOTTENBURY_REDIS_URL": f"unix://{data}/redis.sock"})
    return server, Container(Settings.from_env(), connect(os.environ["SCOTTENBURY_REDIS_URL"]))


def _measured(growth: Growth, container: Container, given: argparse.Namespace) -> Figures:
    """For each dimension, each size and its figures. The games stored come last: they stay."""
    results: Figures = {name: {} for name in ("lengths", "streams", "lobby", "stored")}
    for length in given.lengths:
        results["lengths"][length] = growth.measured(growth.kinds(length), "a game", length)
    for streams in given.streams:
        with growth.idle_streams(streams):
            results["streams"][streams] = growth.measured(growth.kinds(), "streams", streams)
    waiting = 0
    for players in given.lobby:
        growth.wait_in_lobby(players - waiting)
        waiting = players
        results["lobby"][players] = growth.measured(growth.kinds(), "in the lobby", players)
    for wanted in given.stored:
        begun = time.monotonic()
        fill(container, wanted)
        took = time.monotonic() - begun
        stored = sum(1 for _ in container.log.events.game_ids())  # those of the cells before, too
        results["stored"][stored] = growth.measured(growth.kinds(), "games", stored)
        memory = container.redis.info("memory")["used_memory"]
        sys.stderr.write(f"{stored} games: filled in {took:.0f} s, {memory / 1e6:.0f} MB\n")
    return results


def _draw(path: Path, name: str, cells: dict[int, Figures]) -> None:
    """The curves of all kinds of requests over the sizes of one dimension."""
    kinds = next(iter(cells.values()))
    lines = {
        kind: [
            (math.log10(max(1, size)), each[kind]["web"] + each[kind]["redis"])
            for size, each in cells.items()
        ]
        for kind in kinds
    }
    title = f"Processor time of a request: {name}"
    save_plot(path, curves(title, "size, as a power of ten", "ms", lines))


def _print(name: str, cells: dict[int, Figures]) -> None:
    print(f"{name}: web + Redis, milliseconds of processor a request (median of the seconds)")
    for kind in next(iter(cells.values())):
        columns = (
            f"{size:8}: {each[kind]['web']:6.2f} + {each[kind]['redis']:5.2f}"
            f" ({each[kind]['median']:6.1f})"
            for size, each in cells.items()
        )
        print(f"  {kind:18}{''.join(columns)}")


if __name__ == "__main__":
    main()
