"""Whether anything acknowledged is lost, doubled or leaked while a server suffers every mishap.

    python -m bench.faults [--moves N] [--pairs N] [--seeds N …] [--pause S] [--each N]
                           [--longest S] [--mishaps NAME …] [--lazyfs PROGRAM] [--broken NAME]

Players move through a proxy that cuts and delays, at a whole Scottenbury as `make run` starts it,
to which the mishaps happen in turn: its Redis, worker, web workers, web server and supervisor are
killed (all of these by default), its disk is full, Redis has no memory, hangs, is a replica or
refuses to write (MISCONF), the clock jumps, the mail server refuses or stalls, or the power fails.
A run goes on until there were so many moves, and so many of each mishap, or for so long.

Then, from outside: each acknowledged action stands in its game's record exactly once and nothing
that nobody sent; the record is sound; each view that anybody saw is equal to the replay; both
players of each game were notified of its end by mail; games whose time ran out ended at their
deadlines; no answer was a 500, and none took over 15 seconds.

With --broken the server doubles appends, does not compare versions, leaks a card, or forgets the
last moments when Redis dies: the run succeeds if the checks notice it.
"""

import argparse
import os
import random
import secrets
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from itertools import cycle, islice
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.faults.broken import BROKEN, FORGETS, broken_environment
from bench.faults.clients import Client, Run
from bench.faults.deadlines import TimedGames
from bench.faults.disk import Disk, lazy_disk, plain_disk, small_disk
from bench.faults.mishaps import KILLED, OTHERS, Mishaps
from bench.faults.notices import Mailbox
from bench.faults.players import Pair
from bench.faults.server import Server
from bench.population import registered
from service.container import Container
from service.core.redis.client import connect
from service.core.settings import Settings
from tests.support.cutting_proxy import CuttingProxy
from tests.support.sick_mail_server import sick_mail_server

JUMPS: Final = {"clock-ahead", "clock-back"}
DELAY: Final = 0.02
"""Seconds by which the proxy delays a part at most."""
FAKETIME: Final = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
"""The library by which clocks jump, where it is installed; Debian's package is `faketime`."""


def run_once(given: argparse.Namespace, seed: int) -> Run:
    """Play, suffer, and check; the run says what was seen."""
    begun = time.monotonic()
    run = Run(given.moves, dict.fromkeys(given.mishaps, given.each), given.longest)
    with ExitStack() as stack:
        mails = stack.enter_context(sick_mail_server())
        clock = Path(stack.enter_context(TemporaryDirectory()), "clock")
        clock.write_text("+0")
        disk = stack.enter_context(_disk(given))
        env = stack.enter_context(broken_environment(given.broken)) | _settings(mails.url)
        env |= _jumping(clock) if JUMPS & {*given.mishaps} else {}
        server = Server(disk.folder, env)
        stack.callback(server.stop)
        os.environ.update(env | {"SCOTTENBURY_REDIS_URL": server.redis_url})
        timed = TimedGames(Settings.from_env(), server.redis_url, given.timed)
        proxy = stack.enter_context(CuttingProxy(server.port, seed, DELAY))
        pairs = _pairs(run, server, int(proxy.server_address[1]), given.pairs, f"s{seed}p")
        mishaps = Mishaps(server, mails, disk, clock, random.Random(seed))
        _suffer(given, run, pairs, mishaps, random.Random(seed))
        run.faults += [fault for pair in pairs for fault in pair.check(server.port)]
        mailbox = Mailbox(mails)
        run.faults += mailbox.check(pairs)
        run.faults += timed.check(Client(run, server.port))
    _print(run, seed, pairs, f"{proxy.cuts} cuts, {len(mailbox.came())} mails", begun)
    return run


def _disk(given: argparse.Namespace) -> AbstractContextManager[Disk]:
    if "power-cut" in given.mishaps:
        return lazy_disk(given.lazyfs)
    return small_disk() if "full-disk" in given.mishaps else plain_disk()


def _settings(mails: str) -> dict[str, str]:
    return {
        "SCOTTENBURY_RATE_LIMITS": "off",
        "SCOTTENBURY_LOG_LEVEL": "error",
        "SCOTTENBURY_SECRET_KEY": secrets.token_hex(),
        "SCOTTENBURY_SMTP_URL": mails,
        "SCOTTENBURY_NOTICE_DELAY": "0",
    }


def _jumping(clock: Path) -> dict[str, str]:
    """The environment in which this file says by how many seconds the clock is wrong."""
    return {
        "LD_PRELOAD": str(FAKETIME),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def _pairs(run: Run, server: Server, port: int, number: int, stem: str) -> list[Pair]:
    container = Container(Settings.from_env(), connect(server.redis_url))
    players = registered(container, 2 * number)
    both = zip(players[::2], players[1::2], strict=True)
    return [Pair(run, port, each, f"{stem}{place}") for place, each in enumerate(both)]


def _suffer(
    given: argparse.Namespace,
    run: Run,
    pairs: Sequence[Pair],
    mishaps: Mishaps,
    chance: random.Random,
) -> None:
    """Let the pairs play while a mishap happens about every `pause` seconds.

    Half of them befall a server that has come to work again, half come however it is. There are
    none while the last games come to their ends.
    """
    with ThreadPoolExecutor(len(pairs)) as pool:
        playing = [pool.submit(pair.play) for pair in pairs]
        for name in islice(cycle(given.mishaps), chance.randrange(len(given.mishaps)), None):
            if chance.random() < 0.5:
                mishaps.await_recovery()
            time.sleep(chance.uniform(0.5, 1.5) * given.pause)
            if run.is_over or all(each.done() for each in playing):
                break
            forgets = given.broken == FORGETS and name == "redis"
            if mishaps.forget_and_die() if forgets else mishaps.happen(name):
                run.happened(name)
        for each in playing:
            each.result()


def _print(run: Run, seed: int, pairs: Sequence[Pair], seen: str, begun: float) -> None:
    print(
        f"seed {seed}: {run.done} acknowledged actions in {sum(len(p.games) for p in pairs)} games,"
        f" {sum(run.mishaps.values())} mishaps {dict(run.mishaps)}, {seen},"
        f" answers {dict(run.statuses)}, {run.views} views compared,"
        f" longest {run.longest:.1f} s, {time.monotonic() - begun:.0f} s;"
        f" {len(run.faults)} faults",
        flush=True,
    )
    for fault in run.faults[:10]:
        print(f"  {fault[:300]}", flush=True)


def main() -> None:
    """Run each seed; exit 1 if a fault was seen, or with --broken if none was."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--moves", type=int, default=1000, help="acknowledged, for each seed")
    arguments.add_argument("--each", type=int, default=0, help="times of each mishap, at least")
    arguments.add_argument("--longest", type=float, default=inf, help="seconds, at most")
    arguments.add_argument("--pairs", type=int, default=8)
    arguments.add_argument("--timed", type=int, default=6, help="games whose time runs out")
    arguments.add_argument("--seeds", type=int, nargs="+", default=[1])
    arguments.add_argument("--pause", type=float, default=2.0, help="mean seconds between mishaps")
    names = (*KILLED, *OTHERS)
    arguments.add_argument("--mishaps", nargs="+", choices=names, default=KILLED, metavar="NAME")
    arguments.add_argument("--lazyfs", default="lazyfs", help="the program, for power-cut")
    arguments.add_argument("--broken", choices=("", *BROKEN), default="")
    given = arguments.parse_args()
    if JUMPS & {*given.mishaps} and FAKETIME is None:
        arguments.error("clocks jump by libfaketime, which is not installed")
    noticed = [bool(run_once(given, seed).faults) for seed in given.seeds]
    sys.exit(noticed != [bool(given.broken)] * len(noticed))


if __name__ == "__main__":
    main()
