"""Whether anything acknowledged is lost or doubled while every process is killed again and again.

    python -m bench.faults [--moves N] [--pairs N] [--seeds N …] [--pause S] [--broken double|lost]

Players move through a proxy that cuts and delays, at a whole Scottenbury as `make run` starts it,
whose Redis, worker, web workers, web server and supervisor are killed in turn. Then each game is
resigned, and its record is held against what the players sent and were answered
(`bench/checking.py`). Besides, no answer may be a 500, and none may take over 15 seconds.

With --broken the server appends each event twice, or forgets the last moments when Redis dies: the
run succeeds if the checker notices it.
"""

import argparse
import json
import os
import random
import secrets
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from redis import Redis

from bench.checking import Sent, faults
from tests.support.cutting_proxy import CuttingProxy
from tests.support.processes import Running

LONGEST: Final = 15.0
"""Seconds that a request may wait for its answer, or for the end of its connection."""
PATIENCE: Final = 180.0
"""Seconds for which a client sends a request again and again."""
ROLES: Final = ("redis", "worker", "web worker", "web", "supervisor")
DELAY: Final = 0.02
"""Seconds by which the proxy delays a part at most."""
DOUBLE: Final = """
from service.eventlog import event_store

def load(name, whole=event_store.load):
    once, twice = "for i = 1, events do", "for i = 1, (expected > 20 and 2 or 1) * events do"
    one, other = "FIRST_EVENT + i - 1]", "FIRST_EVENT + (i - 1) % events]"
    return whole(name).replace(once, twice).replace(one, other)

event_store.load = load
"""


class Failed(Exception):
    """An answer that ends a game; the text says which."""


class Run:
    """Counts what all clients see, and what was done to the processes."""

    def __init__(self, moves: int) -> None:
        self.wanted, self.done = moves, 0
        self.kills: Counter[str] = Counter()
        self.statuses: Counter[str] = Counter()
        self.faults: list[str] = []
        self.longest = 0.0
        self._lock = threading.Lock()

    def answered(self, status: int | str, seconds: float, what: str) -> None:
        with self._lock:
            self.statuses[str(status)] += 1
            self.longest = max(self.longest, seconds)
            if seconds > LONGEST:
                self.faults.append(f"{what} waited {seconds:.1f} s for {status}")
            if status == 500:
                self.faults.append(f"{what}: 500")

    def acknowledged(self) -> None:
        with self._lock:
            self.done += 1

    @property
    def is_over(self) -> bool:
        return self.done >= self.wanted


class Answer(NamedTuple):
    """The status, 0 if none came, and the body."""

    status: int
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Client:
    """Sends requests to a port, each on a connection of its own."""

    def __init__(self, run: Run, port: int) -> None:
        self.run, self.port = run, port

    def once(self, method: str, path: str, token: str, body: Any, key: str) -> Answer:
        """The answer to a request that is sent once."""
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=LONGEST + 5)
        begun, status = time.monotonic(), 0
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(method, f"/v1{path}", sent, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            status = answer.status
            return Answer(status, text)
        except (OSError, HTTPException):
            return Answer(0, "")
        finally:
            connection.close()
            self.run.answered(status or "no answer", time.monotonic() - begun, f"{method} {path}")

    def insist(self, method: str, path: str, token: str = "", body: Any = None) -> Answer:
        """The answer to a request that is sent under one key until there is an answer to it.

        Raises `Failed` if that is an error.
        """
        key, end = secrets.token_hex() if method == "POST" else "", time.monotonic() + PATIENCE
        while time.monotonic() < end:
            answer = self.once(method, path, token, body, key)
            if answer.status in (200, 201):
                return answer
            if answer.status not in (0, 429, 503):
                raise Failed(f"{method} {path}: {answer.status} {answer.text[:200]}")
            time.sleep(0.1)
        raise Failed(f"{method} {path}: no answer in {PATIENCE:.0f} s")


class Pair:
    """Two players and their games, one after the other."""

    def __init__(self, run: Run, port: int, seed: str) -> None:
        self._run, self._client, self._chance = run, Client(run, port), random.Random(seed)
        self._seed, self._tokens = seed, dict[str, str]()
        self.games: dict[str, list[Sent]] = {}

    def play(self) -> None:
        """Play until there were moves enough; each game is resigned at the latest then."""
        try:
            for seat in ("north", "south"):
                name = {"name": f"{self._seed} {seat}"}
                self._tokens[seat] = self._client.insist("POST", "/players", body=name).json[
                    "token"
                ]
            while not self._run.is_over:
                self._game()
        except Failed as failure:
            self._run.faults.append(str(failure))

    def _game(self) -> None:
        north, south = self._tokens.values()
        wanted = {"first_player": "creator", "seat": "north"}
        made = self._client.insist("POST", "/games", north, wanted).json
        path, sent = f"/games/{made['id']}", self.games.setdefault(made["id"], [])
        invite = {"invite": made["invite"]}
        view = self._client.insist("POST", f"{path}/join", south, invite).json
        while view["status"] == "active" and not self._run.is_over:
            view = self._turn(path, sent)
        if view["status"] == "active":
            self._client.insist("POST", f"{path}/resignation", north, {})

    def _turn(self, path: str, sent: list[Sent]) -> Any:
        """Read the game as the mover and act; a fifth of the requests have no key."""
        view = self._client.insist("GET", path, self._tokens["north"]).json
        seat = view["turn"]
        if seat == "south":
            view = self._client.insist("GET", path, self._tokens[seat]).json
        if view["status"] != "active" or not view["legal"]:
            return view
        claims = [text for text in view["legal"] if text.startswith("!")]
        action = claims[0] if claims else self._chance.choice(view["legal"])
        body, turns = {"actions": [action]}, f"{path}/turns"
        is_play = claims or "@" in action
        if self._chance.random() < 0.2:
            answer = self._client.once("POST", turns, self._tokens[seat], body, "")
            if answer.status != 200:
                sent += [Sent(seat, action)] if is_play else []
                return view
        else:
            answer = self._client.insist("POST", turns, self._tokens[seat], body)
        after = answer.json
        if is_play:
            sent.append(Sent(seat, action, after["version"], after["head"]))
            self._run.acknowledged()
        return after

    def check(self, port: int) -> Iterator[str]:
        """What is wrong with the games, read from this port."""
        for game, sent in self.games.items():
            try:
                asked = Client(self._run, port).insist
                text = asked("GET", f"/games/{game}/record", self._tokens["north"]).text
                record = [json.loads(line) for line in text.splitlines()]
                over = record[-1]["type"] == "game_ended"
                yield from (f"{game}: {fault}" for fault in faults(record, sent, full=over))
                if not over:
                    yield f"{game}: it did not come to its end"
            except Failed as failure:
                yield str(failure)


class Killer:
    """A server whose processes are killed, role by role."""

    def __init__(self, run: Run, data: Path, env: dict[str, str], *, forgets: bool) -> None:
        self._run, self._data, self._env, self._forgets = run, data, env, forgets
        self.server = Running(data, **env).ready()
        env["SCOTTENBURY_PORT"] = str(self.server.port)

    def kill_until(self, over: Callable[[], bool], pause: float, chance: random.Random) -> None:
        """Kill a process about every `pause` seconds."""
        for role in islice(cycle(ROLES), chance.randrange(len(ROLES)), None):
            time.sleep(chance.uniform(0.5, 1.5) * pause)
            if over():
                return
            self._kill(role, chance)

    def _kill(self, role: str, chance: random.Random) -> None:
        if role == "supervisor":
            self.server.kill_all()
            self.server = Running(self._data, **self._env).ready()
            self._run.kills[role] += 1
            return
        if role == "redis" and self._forgets:
            self._forget()
        web = self.server.pids("http_server")
        pids = {
            "redis": [*self.server.pids("valkey"), *self.server.pids("redis-server")],
            "worker": self.server.pids("-m workers"),
            "web worker": web[1:],
            "web": web[:1],
        }[role]
        if pids:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(pids), signal.SIGKILL)
                self._run.kills[role] += 1

    def _forget(self) -> None:
        """Let Redis write down nothing more until it dies, which is soon."""
        with suppress(Exception), Redis.from_url(f"unix://{self._data}/redis.sock") as redis:
            redis.config_set("appendonly", "no")
            time.sleep(1.0)


def run_once(given: argparse.Namespace, seed: int) -> Run:
    """Play, kill, and check; the run says what was seen."""
    run, begun = Run(given.moves), time.monotonic()
    with (
        TemporaryDirectory(prefix="st-") as data,
        broken_modules(given.broken) as env,
        ThreadPoolExecutor(given.pairs) as pool,
    ):
        env |= {"SCOTTENBURY_RATE_LIMITS": "off", "SCOTTENBURY_LOG_LEVEL": "error"}
        killer = Killer(run, Path(data), env, forgets=given.broken == "lost")
        try:
            with CuttingProxy(killer.server.port, seed, DELAY) as proxy:
                port = int(proxy.server_address[1])
                pairs = [Pair(run, port, f"s{seed}p{number}") for number in range(given.pairs)]
                playing = [pool.submit(pair.play) for pair in pairs]
                chance = random.Random(seed)
                killer.kill_until(lambda: all(p.done() for p in playing), given.pause, chance)
                for each in playing:
                    each.result()
                run.faults += [fault for pair in pairs for fault in pair.check(killer.server.port)]
                cuts = proxy.cuts
        finally:
            killer.server.kill_all()
    print(
        f"seed {seed}: {run.done} acknowledged actions in {sum(len(p.games) for p in pairs)} games,"
        f" {sum(run.kills.values())} kills {dict(run.kills)}, {cuts} cuts,"
        f" answers {dict(run.statuses)}, longest {run.longest:.1f} s,"
        f" {time.monotonic() - begun:.0f} s; {len(run.faults)} faults",
        flush=True,
    )
    for fault in run.faults[:10]:
        print(f"  {fault[:300]}", flush=True)
    return run


@contextmanager
def broken_modules(broken: str) -> Iterator[dict[str, str]]:
    """The environment in which the processes of the server append twice, where that is wanted."""
    if broken != "double":
        yield {}
        return
    with TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(DOUBLE)
        yield {"PYTHONPATH": folder}


def main() -> None:
    """Run each seed; exit 1 if a fault was seen, or with --broken if none was."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--moves", type=int, default=1000, help="acknowledged, for each seed")
    arguments.add_argument("--pairs", type=int, default=8)
    arguments.add_argument("--seeds", type=int, nargs="+", default=[1])
    arguments.add_argument("--pause", type=float, default=2.0, help="mean seconds between kills")
    arguments.add_argument("--broken", choices=("", "double", "lost"), default="")
    given = arguments.parse_args()
    noticed = [bool(run_once(given, seed).faults) for seed in given.seeds]
    sys.exit(noticed != [bool(given.broken)] * len(noticed))


if __name__ == "__main__":
    main()
