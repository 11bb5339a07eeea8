"""Games played by mail while the listener and the worker are killed at every seam, again and again.

    python -m tests.faults.mail_kills [--turns N] [--games N] [--rounds N]

`make test-kills` runs it as it is meant; the suite has a short form of it.
"""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from service.core.redis.client import connect
from service.mail.mailbox import Mailbox
from service.ops.integrity import fault_in_stored
from tests.faults.postal import WISHES, Players
from tests.faults.seams import LISTENER, WORKER
from tests.support.ports import free_port
from tests.support.processes import ROOT, clean_environment
from tests.support.servers import bundled_binary, running
from tests.support.settings import settings
from tests.support.waiting import until
from workers.context import build_context

SECRET = "a key for tests"
PATIENCE = 1800.0


class Kills(NamedTuple):
    """What happened, in figures."""

    turns: int
    games: int
    mails: int
    repeated: int
    attempts: int
    kills: Counter[str]
    outcomes: Counter[str]
    seconds: float


class Mortals:
    """Processes by their roles, each killed at its seams, one after the other."""

    def __init__(self, folder: Path, seams: dict[str, list[str]], env: dict[str, str]) -> None:
        self._log = folder / "lives"
        self._log.touch()
        self._env = clean_environment() | env
        self.seams = seams

    @contextmanager
    def dying(self) -> Iterator[None]:
        program = [sys.executable, "-m", "tests.faults.seams"]
        started = [
            subprocess.Popen([*program, role, self._log, *seams], cwd=ROOT, env=self._env)
            for role, seams in self.seams.items()
        ]
        try:
            yield
        finally:
            for each in started:
                each.terminate()
                each.wait()

    def told(self, what: str) -> list[dict[str, Any]]:
        """What they told of their lives (`life`), or of notices (`finished`)."""
        lines = [json.loads(line) for line in self._log.read_text().splitlines(keepends=False)]
        return [line for line in lines if what in line]

    def are_through(self) -> bool:
        return len(self.told("life")) >= sum(map(len, self.seams.values()))


def played_by_mail(
    rounds: int, turns: int, games: int, seams: Mapping[str, Sequence[str]]
) -> Kills:
    """Play while they die at these seams of each role, so often, then let them finish; fails for
    anything lost or doubled."""
    begun = time.monotonic()
    with (
        running(bundled_binary()) as server,
        connect(server.url) as redis,
        TemporaryDirectory() as folder,
    ):
        listener = free_port()
        own = settings(mail_in=("127.0.0.1", listener))
        players = Players(build_context(own, redis), listener, games)
        env = {
            "SCOTTENBURY_REDIS_URL": server.url,
            "SCOTTENBURY_DATA": folder,
            "SCOTTENBURY_SECRET_KEY": SECRET,
            "SCOTTENBURY_BASE_URL": own.base_url,
            "SCOTTENBURY_MAIL_FROM": own.mail_from,
            "SCOTTENBURY_MAIL_IN": f"127.0.0.1:{listener}",
            "SCOTTENBURY_SMTP_URL": players.url,
            "SCOTTENBURY_NOTICE_DELAY": "0",
            "SCOTTENBURY_LOG_LEVEL": "error",
        }
        each = {role: list(names) * rounds for role, names in seams.items()}
        mortals = Mortals(Path(folder), each, env)
        with players.playing(), mortals.dying():
            until(lambda: mortals.are_through() and players.turns >= turns, PATIENCE)
            until(lambda: players.questions + players.given_up() >= 2 * WISHES, PATIENCE)
            players.enough.set()
            until(lambda: _is_quiet(players), PATIENCE)
            lives, finished = mortals.told("life"), mortals.told("finished")
        assert not Mailbox(redis).newest(), "all of it went by SMTP"
        _check_games(players)
        repeated = _check_mails(players, lives, finished)
        outcomes = players.outcomes()
        return Kills(
            turns=outcomes["played"],
            games=len(players.games),
            mails=len(players.copies()),
            repeated=repeated,
            attempts=players.attempts,
            kills=Counter(f"{life['role']}: {life['seam']}" for life in lives if life["killed"]),
            outcomes=outcomes,
            seconds=time.monotonic() - begun,
        )


def _is_quiet(players: Players) -> bool:
    """Whether nothing is to be done any more but to compact games that are over.

    Looks twice: the outbox is read bucket by bucket, and a mail that was carried out meanwhile may
    have its answer in one that was read before.
    """
    outbox = players.container.log.outbox
    return all(each.id.endswith(".log.pack") for _ in range(2) for each in list(outbox.pending()))


def _check_games(players: Players) -> None:
    """Every log is sound, what it holds was played once, by the mails that say so, and each game
    that was asked for was made once."""
    container = players.container
    outcomes = players.outcomes()
    expected = {"played", "late", "asked", "done", "refused", "given up"}
    assert set(outcomes) <= expected, outcomes
    # Of a reply that was given up, a worker may have died after carrying it out.
    either_way = outcomes["given up"]
    # Each question has two answers, of which the first makes the game.
    assert outcomes["done"] <= outcomes["asked"], outcomes
    assert 0 <= sum(players.wished()) - outcomes["done"] <= either_way, outcomes
    if not outcomes["given up"]:
        of_wishes = [outcomes[each] for each in ("asked", "done", "refused")]
        assert of_wishes == [2 * WISHES] * 3, outcomes
    by_mail = 0
    for game in players.games:
        assert fault_in_stored(container.log.events, game) is None
        lines = container.games.history.lines(container.games.load(game), None)
        actions = ("card_played", "stone_claimed")
        by_mail += sum(line["type"] in actions and line["via"] == "mail" for line in lines)
    assert 0 <= by_mail - outcomes["played"] <= either_way, outcomes
    assert container.dead_letters.all() == []


def _check_mails(
    players: Players, lives: list[dict[str, Any]], finished: list[dict[str, Any]]
) -> int:
    """Every turn and every end was told, and no mail went out again but after a death between the
    mail server's 250 and its being noted; how many did."""
    killed = {f"life-{life['life']}.example.org" for life in lives if life["killed"]}
    ends = {line["finished"]: line["at"] for line in reversed(finished)}
    copies = players.copies()
    for message_id, receipts in copies.items():
        senders = [receipt.life for receipt in receipts]
        assert len(set(senders)) == len(senders), f"sent twice in one life: {message_id}"
        assert killed.issuperset(senders[:-1]), f"sent again, though nobody died: {message_id}"
        end = ends.get(message_id.strip("<>").partition("@")[0])
        assert end is None or all(each.at < end for each in receipts), f"noted: {message_id}"
    _check_turns(players)
    return sum(len(receipts) - 1 for receipts in copies.values())


def _check_turns(players: Players) -> None:
    """Every turn and every end was told, if need be by the answer to another mail.

    An answer that is sent again shows the game as it stands then.
    """
    read = players.container.incoming_mail.addresses.read
    told = {read(str(receipt.mail["Reply-To"])) for receipt in players.receipts}
    ends = players.told_of_ends()
    for game in players.games:
        stored = players.container.games.load(game)
        lines = players.container.games.history.lines(stored, None)
        turns = {line["seq"] for line in lines if line["type"] in ("turn_ended", "round_started")}
        versions = {each.version for each in told if each is not None and each.game == game}
        assert turns <= versions, f"not told: {game} {turns - versions} of {stored.version}"
        assert ends[game] == (2 if stored.game.over else 0)


def main() -> None:
    """Print what happened, in figures."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--turns", type=int, default=500, help="at least")
    arguments.add_argument("--games", type=int, default=8, help="at a time")
    arguments.add_argument("--rounds", type=int, default=3, help="kills at each seam")
    chosen = arguments.parse_args()
    seams = {"listener": [*LISTENER], "worker": [*WORKER]}
    found = played_by_mail(chosen.rounds, chosen.turns, chosen.games, seams)
    print(*(f"{name:10} {value}" for name, value in found._asdict().items()), sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()
