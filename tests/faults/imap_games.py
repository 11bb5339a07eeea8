"""Whole games by mail through Postfix and Dovecot, fetched by IMAP, while the worker is killed.

    python -m tests.faults.imap_games [--kills N] [--lease SECONDS] [--seed N]

Two programs know the game by the mails in their mailboxes alone, and answer them. Prints figures;
fails for anything lost or doubled. Needs Postfix, Dovecot and root, and says so where they are not.
"""

import argparse
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from imaplib import IMAP4
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from service.container import Container
from service.core.redis.client import connect
from service.mail_in.polling import state
from service.mail_in.sentences import GIVEN_UP, GIVEN_UP_PLAYED
from service.ops.integrity import fault_in_stored
from tests.faults.postal import id_of
from tests.faults.real_mail_servers import PASSWORD, MailServers, mail_servers, missing
from tests.mail.programs import Player, outlook, text_in, thunderbird
from tests.support.processes import ROOT, clean_environment
from tests.support.servers import bundled_binary, running
from tests.support.settings import settings
from tests.support.waiting import until
from tests.workers.match import begin_with_tactics
from workers.context import build_context

DOMAIN: Final = "play.scottenbury.test"
PATIENCE: Final = 1800.0
LIVES: Final = (4.0, 24.0)
"""Seconds that a worker lives, at least and at most, while it is to be killed."""


class GameByImap(NamedTuple):
    """What happened, in figures. `silence` is the longest time without any mail, in seconds."""

    letters: int
    mails: int
    repeated: int
    given_up: int
    turns: int
    kills: int
    seconds: float
    silence: float


class Correspondence:
    """The two players with their mailboxes, all letters that they wrote and mails that they got."""

    def __init__(self, servers: MailServers) -> None:
        self._servers = servers
        self.players = [
            Player("ann@example.org", outlook, strong=True),
            Player("bob@example.org", thunderbird, strong=False),
        ]
        self.letters: list[tuple[str, str]] = []
        """Address and Message-ID of each letter."""
        self.mails: list[EmailMessage] = []
        self.arrivals = [time.monotonic()]

    def play(self) -> None:
        """Read and answer mails until both players know that the game is over."""
        over, end = set[str](), time.monotonic() + PATIENCE
        while len(over) < len(self.players):
            assert time.monotonic() < end, text_in(self.mails[-1])
            for player in self.players:
                for mail in self.unread(player.email):
                    self.mails.append(mail)
                    self.arrivals.append(time.monotonic())
                    if "is over" in text_in(mail).split("\n")[0]:
                        over.add(player.email)
                    self._answer(player, mail)
            time.sleep(0.1)

    def unread(self, user: str) -> Iterator[EmailMessage]:
        """The unread mails of a mailbox, which are read then."""
        with IMAP4("127.0.0.1", self._servers.imap, timeout=30) as box:
            box.login(user, PASSWORD)
            box.select()
            for number in box.search(None, "UNSEEN")[1][0].split():
                part = box.fetch(number, "(RFC822)")[1][0]
                assert isinstance(part, tuple)
                yield message_from_bytes(part[1], policy=policy.default)

    def _answer(self, player: Player, mail: EmailMessage) -> None:
        said = " ".join(text_in(mail).split())
        if GIVEN_UP in said and GIVEN_UP_PLAYED not in said:
            player.answered.discard(str(mail["Reply-To"]))  # it asks to send the answer again
        if (answer := player.answer(mail)) is not None:
            to = str(mail["Reply-To"])
            self.letters.append((to, str(message_from_bytes(answer)["Message-ID"]).strip("<>")))
            self._servers.send(player.email, to, answer)


class MortalWorker:
    """A worker that is killed at random moments, so many times, and started again at once."""

    def __init__(self, lease: float | None, env: dict[str, str], seed: int) -> None:
        self.kills = 0
        self._command = [sys.executable, "-m", "tests.faults.fetching_worker"]
        self._command += [] if lease is None else [str(lease)]
        self._env = clean_environment() | env
        self._moments = random.Random(seed)
        self._ended = threading.Event()

    @contextmanager
    def dying(self, times: int) -> Iterator[None]:
        killing = threading.Thread(target=self._live, args=[times])
        killing.start()
        try:
            yield
        finally:
            self._ended.set()
            killing.join()

    def _live(self, times: int) -> None:
        for life in range(times + 1):
            worker = subprocess.Popen(self._command, cwd=ROOT, env=self._env)
            is_last = life == times
            if self._ended.wait(None if is_last else self._moments.uniform(*LIVES)):
                worker.terminate()
                worker.wait()
                return
            worker.kill()
            worker.wait()
            self.kills += 1


def played_by_imap(kills: int, lease: float | None, seed: int) -> GameByImap:
    """Play a whole game while the worker is killed; fails for anything lost or doubled."""
    with (
        running(bundled_binary()) as server,
        connect(server.url) as redis,
        TemporaryDirectory() as data,
        TemporaryDirectory() as folder,
        mail_servers(Path(folder), DOMAIN) as servers,
    ):
        own = settings(mail_domain=DOMAIN)
        context = build_context(own, redis)
        mailbox = f"{servers.mailbox.replace('@', '%40')}:{PASSWORD}@127.0.0.1:{servers.imap}"
        env = {
            "SCOTTENBURY_REDIS_URL": server.url,
            "SCOTTENBURY_DATA": data,
            "SCOTTENBURY_SECRET_KEY": own.secret_key,
            "SCOTTENBURY_BASE_URL": own.base_url,
            "SCOTTENBURY_MAIL_FROM": own.mail_from,
            "SCOTTENBURY_MAIL_DOMAIN": DOMAIN,
            "SCOTTENBURY_IMAP_URL": f"imap://{mailbox}/INBOX",
            "SCOTTENBURY_SMTP_URL": f"smtp://127.0.0.1:{servers.smtp}",
            "SCOTTENBURY_NOTICE_DELAY": "0",
            "SCOTTENBURY_RATE_LIMITS": "0",
            "SCOTTENBURY_LOG_LEVEL": "error",
        }
        post, mortal, begun = (
            Correspondence(servers),
            MortalWorker(lease, env, seed),
            time.monotonic(),
        )
        game = begin_with_tactics(context)
        with mortal.dying(kills):
            post.play()
            seconds = time.monotonic() - begun
            until(lambda: not servers.queued() and not _unsettled(context.container, post))
        assert not list(post.unread(servers.mailbox)), "letters are left in the mailbox"
        late = [mail for player in post.players for mail in post.unread(player.email)]
        post.mails += late
        turns = _check_game(context.container, game)
        given_up = _check_letters(context.container, post)
        copies = Counter(str(mail["Message-ID"]) for mail in post.mails)
        repeated = copies.total() - len(copies)
        assert repeated <= mortal.kills, copies.most_common(3)
        gaps = zip(post.arrivals, post.arrivals[1:], strict=False)
        silence = max(after - before for before, after in gaps)
        found = len(post.letters), len(post.mails), repeated, given_up, turns, mortal.kills
        return GameByImap(*found, round(seconds, 1), round(silence, 1))


def _unsettled(container: Container, post: Correspondence) -> list[str]:
    """The letters that were not answered yet."""
    store = container.incoming_mail._store
    named = (id_of(container, *letter) for letter in post.letters)
    return [mail_id for mail_id in named if not store.state(mail_id).is_answered]


def _check_game(container: Container, game: str) -> int:
    """The game is over, sound and played by mail alone; how many turns it had."""
    lines = [json.loads(line) for line in container.log.events.read(game)]
    assert lines[-1]["type"] == "game_ended", lines[-1]
    assert fault_in_stored(container.log.events, game) is None
    acts = [line for line in lines if line["by"] and line["type"] != "player_joined"][1:]
    assert {line["via"] for line in acts} == {"mail"}
    assert container.dead_letters.all() == []
    return sum(line["type"] == "turn_ended" for line in lines)


def _check_letters(container: Container, post: Correspondence) -> int:
    """Each letter was played once, or was given up and written again; how many were given up."""
    store = container.incoming_mail._store
    outcomes = [store.state(id_of(container, *letter)).outcome or {} for letter in post.letters]
    ended = Counter(outcome.get("label", "lost") for outcome in outcomes)
    given_up = sum(
        GIVEN_UP in outcome.get("sentences", ()) and outcome["label"] != "played"
        for outcome in outcomes
    )
    assert ended["played"] == len(post.letters) - given_up, ended
    assert state(container.redis).refused == 0, "letters were passed over in the mailbox"
    return given_up


def main() -> int:
    """Print what happened, in figures."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--kills", type=int, default=10)
    arguments.add_argument("--lease", type=float, help="seconds; without: those of real workers")
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    if (why := missing()) is not None:
        print(f"not done: games through Postfix and Dovecot: {why}")  # noqa: T201
        return 0
    found = played_by_imap(chosen.kills, chosen.lease, chosen.seed)
    print(*(f"{name:10} {value}" for name, value in found._asdict().items()), sep="\n")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
