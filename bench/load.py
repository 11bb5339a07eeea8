"""What a server holds: a population of players at a whole Scottenbury, as `make run` starts it.

    nice -n 10 python -m bench.load [--stored N …] [--streams N …] [--pairs N] [--think S] …

For each number of stored games and of idle streams: a bare Flask view with one call of Redis
(`bench.bare`), as fast as it answers; players who think between turns, first more and more of
them (ramp), then all (steady); and players who do not think (full). The bare view stands in the
same run, with the same clients, so that ratios mean something on any machine. Writes OUT.json,
OUT.svg and OUT.png. Whether requests cost more as the store grows: `bench.growth`.
"""

import argparse
import asyncio
import itertools
import json
import os
import platform
import secrets
import sys
import time
from collections import defaultdict
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bench.api import served
from bench.exchanges import request
from bench.figures import Usage, curves, percentile, save_plot, summary, usage
from bench.filling import fill
from bench.population import Connection, Observed, Pair, Player, registered
from service.container import Container
from service.core.redis.client import connect
from service.core.settings import Settings
from service.games import NewGame
from tests.support.mail_server import MailServer
from tests.support.processes import Running, clean_environment, processes_of

ROLES: Final = {
    "bare": ("bench.bare",),
    "bench": ("this bench",),
    "redis": ("redis", "valkey"),
    "worker": ("-m workers",),
    "web": ("http_server",),
}
"""Parts of command lines by which processes are recognised; all others are the supervisor's."""
Figures = dict[str, Any]


@dataclass
class Bench:
    """The servers, and what their clients see."""

    server: Running
    bare_port: int
    bare_data: Path
    container: Container
    observed: Observed
    options: argparse.Namespace
    mail_token: str

    def pairs(self, number: int, think: float) -> list[Pair]:
        """Pairs of new players; of ten pairs one plays by mail, and five follow their games."""
        players = registered(self.container, 2 * number)
        return [
            Pair(
                Connection(self.server.port, self.observed),
                (players[2 * index], players[2 * index + 1]),
                think,
                mail_token=self.mail_token,
                by_mail=bool(think) and index % 10 == 5,
                streams=index % 2 == 0,
            )
            for index in range(number)
        ]

    async def cell(self, stored: int, streams: int) -> Figures:
        """All phases with so many games stored and so many idle streams."""
        given, name = self.options, f"{stored} games, {streams} streams"
        idle = await self._idle_streams(streams)
        bare = await self._phase(
            f"{name}: bare", given.full, [self._bare() for _ in range(given.clients)]
        )
        thinking = self.pairs(given.pairs, given.think)
        started = [_later(each, given.ramp * n / given.pairs) for n, each in enumerate(thinking)]
        steady = await self._phase(f"{name}: steady", given.steady, started, ramp=given.ramp)
        hasty = [pair.play() for pair in self.pairs(given.clients, 0)]
        full = await self._phase(f"{name}: full", given.full, hasty)
        again = await self._phase(
            f"{name}: bare", given.full, [self._bare() for _ in range(given.clients)]
        )
        for writer in idle:
            writer.close()
        both = (bare["rate"] + again["rate"]) / 2
        return {
            "stored": stored,
            "streams": streams,
            "bare": bare,
            "bare_again": again,
            "steady": steady,
            "full": full,
            "full_to_bare": round(full["rate"] / both, 3),
        }

    async def _bare(self) -> None:
        connection = Connection(self.bare_port, self.observed)
        try:
            while True:
                await connection.ask("bare", "GET", "/bare", {})
        finally:
            connection.close()

    async def _phase(
        self,
        name: str,
        seconds: float,
        clients: Sequence[Coroutine[Any, Any, None]],
        ramp: float = 0,
    ) -> Figures:
        """Let the clients work for `ramp` seconds, then for `seconds` that are measured."""
        tasks = [asyncio.create_task(each) for each in clients]
        await self._show(f"{name}, ramp", ramp, tasks)
        self.observed.forget()
        before, begun = self._usages(), time.monotonic()
        await self._show(name, seconds, tasks)
        took, after = time.monotonic() - begun, self._usages()
        figures = self._figures(took, before, after)
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result
        return figures

    async def _show(self, name: str, seconds: float, tasks: Sequence[asyncio.Task[None]]) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(1.0, left))
            answers = sum(map(len, self.observed.times.values()))
            refused = sum(self.observed.refused.values())
            ended = sum(task.done() for task in tasks)
            line = f"{name}: {max(0, left - 1):3.0f} s left, {answers} answers, {refused} refused"
            sys.stderr.write(f"\r{line}, {ended} clients ended \x1b[K")
        sys.stderr.write("\n")

    def _figures(self, took: float, before: dict[str, Usage], after: dict[str, Usage]) -> Figures:
        seen = self.observed
        times = sorted(itertools.chain.from_iterable(seen.times.values()))
        requests = len(times) - len(seen.times.get("turn by mail, done", ()))
        return {
            "seconds": round(took, 2),
            "rate": round(requests / took, 1),
            "all": summary(times),
            "curve": [
                (rank, round(1000 * percentile(times, rank), 2))
                for rank in range(0, 100, 3)
                if times
            ],
            "kinds": {kind: summary(each) for kind, each in sorted(seen.times.items())},
            "refused": dict(seen.refused),
            "notice_delay": summary(seen.notice_delays()),
            "news_delay": summary(seen.news_delays()),
            "processes": {
                role: {
                    "cpu_seconds": round(used := spent - before.get(role, Usage(0, 0)).seconds, 2),
                    "ms_a_request": round(1000 * used / max(1, requests), 3),
                    "megabytes": round(megabytes, 1),
                }
                for role, (spent, megabytes) in sorted(after.items())
            },
        }

    def _usages(self) -> dict[str, Usage]:
        """What each kind of process has used, together; this one too."""
        results: dict[str, Usage] = defaultdict(lambda: Usage(0, 0))
        lines = {**self.server.processes(), **processes_of(self.bare_data)}
        for pid, line in {**lines, os.getpid(): "this bench"}.items():
            role = _role(line)
            with suppress(OSError):  # it has ended
                seconds, megabytes = usage(pid)
                results[role] = Usage(
                    results[role].seconds + seconds, results[role].megabytes + megabytes
                )
        return dict(results)

    async def _idle_streams(self, number: int) -> list[asyncio.StreamWriter]:
        """Streams of a game in which nothing happens. Each has sent its first part."""
        ann, bob = registered(self.container, 2)
        game = _stored(self.container, ann, bob)
        wanted = {"Authorization": f"Bearer {ann.token}", "Accept": "text/event-stream"}
        writers = []
        for _ in range(number):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
            writer.write(request("GET", f"/v1/games/{game}/events", wanted))
            assert (await reader.read(4096)).startswith(b"HTTP/1.1 200")
            writers.append(writer)
        return writers


async def _later(pair: Pair, seconds: float) -> None:
    await asyncio.sleep(seconds)
    await pair.play()


def _role(command: str) -> str:
    return next(
        (role for role, parts in ROLES.items() if any(part in command for part in parts)),
        "supervisor",
    )


def _stored(container: Container, ann: Player, bob: Player) -> str:
    """The id of a new game that has begun."""
    made = container.games.create(ann.id, NewGame(first_player="creator"))
    container.games.join(made.id, bob.id, invite=container.games.invitations.token(made.id))
    return made.id


def main() -> None:
    """Measure, write the files, and print a line for each phase."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--stored", type=int, nargs="+", default=[100, 1000])
    arguments.add_argument("--streams", type=int, nargs="+", default=[0, 1000])
    arguments.add_argument("--pairs", type=int, default=40, help="games with players who think")
    arguments.add_argument("--think", type=float, default=2.0, help="mean seconds between turns")
    arguments.add_argument("--clients", type=int, default=8, help="games without thinking")
    arguments.add_argument("--ramp", type=float, default=5.0, help="seconds")
    arguments.add_argument("--steady", type=float, default=15.0, help="seconds")
    arguments.add_argument("--full", type=float, default=8.0, help="seconds")
    arguments.add_argument("--out", type=Path, default=Path("build/load"))
    given = arguments.parse_args()
    with ExitStack() as stack:
        cells = asyncio.run(_measured(_begun(stack, given), given))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "nice": os.nice(0)}
    results = {"machine": machine, "cells": cells}
    given.out.with_suffix(".json").write_text(json.dumps(results, indent=1) + "\n")
    named = {
        f"{cell['stored']} games, {cell['streams']} streams, {phase}": cell[phase]["curve"]
        for cell in cells
        for phase in ("bare", "full")
    }
    plot = curves("Milliseconds of an answer", "percentile", "ms", named)
    save_plot(given.out, plot)
    _print(cells)


def _begun(stack: ExitStack, given: argparse.Namespace) -> Bench:
    observed, mail_token = Observed(), secrets.token_hex()
    mails = stack.enter_context(MailServer())
    mails.on_mail = lambda: observed.take_mail(mails.mails.pop())
    data = Path(stack.enter_context(TemporaryDirectory(prefix="st-")))
    env = {
        "SCOTTENBURY_RATE_LIMITS": "off",
        "SCOTTENBURY_SECRET_KEY": secrets.token_hex(),
        "SCOTTENBURY_SMTP_URL": mails.url,
        "SCOTTENBURY_NOTICE_DELAY": "0",
        "SCOTTENBURY_MAIL_IN_TOKEN": mail_token,
        "SCOTTENBURY_LOG_LEVEL": "error",
    }
    server = Running(data, **env)
    stack.callback(server.kill_all)
    server.ready()
    beside = Path(stack.enter_context(TemporaryDirectory()))
    env |= {
        "SCOTTENBURY_REDIS_URL": f"unix://{data}/redis.sock",
        "SCOTTENBURY_DATA": str(beside),
        "SCOTTENBURY_PORT": str(server.port),
    }
    bare_port = stack.enter_context(served("bench.bare", clean_environment() | env))
    os.environ.update(env)
    settings = Settings.from_env()
    container = Container(settings, connect(env["SCOTTENBURY_REDIS_URL"]))
    return Bench(server, bare_port, beside, container, observed, given, mail_token)


async def _measured(bench: Bench, given: argparse.Namespace) -> list[Figures]:
    cells = []
    for stored in sorted(given.stored):
        await asyncio.to_thread(fill, bench.container, stored)
        for streams in sorted(given.streams):
            cells.append(await bench.cell(stored, streams))
    return cells


def _print(cells: Sequence[Figures]) -> None:
    print(
        f"{'stored':>7}{'streams':>8} {'phase':7}{'a second':>9}{'p50 ms':>8}{'p99 ms':>9}", end=""
    )
    print(f"{'notice p50':>11}{'p99':>8}{'news p50':>10}  processor ms a request, MB")
    for cell in cells:
        for phase in ("bare", "steady", "full"):
            each = cell[phase]
            cost = ", ".join(
                f"{role} {used['ms_a_request']:.2f} {used['megabytes']:.0f}"
                for role, used in each["processes"].items()
            )
            notice, news = each["notice_delay"], each["news_delay"].get("p50", "-")
            print(
                f"{cell['stored']:7}{cell['streams']:8} {phase:7}{each['rate']:9.1f}"
                f"{each['all'].get('p50', 0):8.1f}{each['all'].get('p99', 0):9.1f}"
                f"{notice.get('p50', '-'):>11}{notice.get('p99', '-'):>8}{news:>10}  {cost}"
            )
            if each["refused"]:
                print(f"{'':16}refused: {each['refused']}")
        print(f"{'':16}full to bare: {cell['full_to_bare']}")


if __name__ == "__main__":
    main()
