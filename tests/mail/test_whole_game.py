"""A whole game with Tactic cards between two mail programs, and by nothing else than mail."""

import json
import smtplib
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.core.redis.client import Client
from tests.mail.programs import Player, outlook, text_in, thunderbird
from tests.support.mail_server import MailServer
from tests.support.ports import free_port
from tests.support.processes import ROOT, clean_environment
from tests.support.servers import SocketServer
from tests.support.settings import settings
from tests.support.waiting import INTERVAL, PATIENCE, until
from tests.workers.match import begin_with_tactics
from workers.context import build_context


def test_two_programs_play_a_whole_game(
    redis: Client, redis_server: SocketServer, tmp_path: Path
) -> None:
    listener = free_port()
    own = settings(mail_in=("127.0.0.1", listener), mail_domain="play.scottenbury.test")
    context = build_context(own, redis)
    with MailServer() as server, serving(redis_server.url, tmp_path, listener, server.url):
        game = begin_with_tactics(context)
        players = [
            Player("ann@example.org", outlook, strong=True),
            Player("bob@example.org", thunderbird, strong=False),
        ]
        play(players, server, listener)

    lines = [json.loads(line) for line in context.container.log.events.read(game)]
    assert lines[-1]["type"] == "game_ended"
    acts = [line for line in lines if line["by"] and line["type"] != "player_joined"][1:]
    assert {line["via"] for line in acts} == {"mail"}
    kinds = {line["type"] for line in lines}
    assert {"card_played", "ruse_played", "card_drawn", "stone_claimed"} <= kinds
    said = [text_in(mail).split("\n")[0] for mail in server.mails]
    assert not [line for line in said if line.startswith("Nothing")]
    assert all(len(player.answered) > 10 for player in players)
    shown = Counter((str(mail["To"]), mail["Reply-To"] or "the end") for mail in server.mails)
    assert set(shown.values()) == {1}, "nobody is asked twice for the same"


def play(players: list[Player], server: MailServer, listener: int) -> None:
    """Answer each mail that asks for something, until both were told that the game is over."""
    read, over, end = 0, set(), time.monotonic() + PATIENCE
    while len(over) < len(players):
        assert time.monotonic() < end, text_in(server.mails[-1])
        if read == len(server.mails):
            time.sleep(INTERVAL)
            continue
        mail = server.mails[read]
        read += 1
        (player,) = [player for player in players if player.email in str(mail["To"])]
        text = text_in(mail)
        if "the game is over" in text.split("\n")[0] or "Replay the game" in text:
            over.add(player.email)
        elif (answer := player.answer(mail)) is not None:
            with smtplib.SMTP("127.0.0.1", listener, timeout=PATIENCE) as smtp:
                smtp.sendmail(player.email, [str(mail["Reply-To"])], answer)


@contextmanager
def serving(redis_url: str, data: Path, listener: int, smtp_url: str) -> Iterator[None]:
    """A worker and a listener, as `serve` starts them."""
    own = settings()
    env = clean_environment() | {
        "SCOTTENBURY_REDIS_URL": redis_url,
        "SCOTTENBURY_DATA": str(data),
        "SCOTTENBURY_SECRET_KEY": own.secret_key,
        "SCOTTENBURY_BASE_URL": own.base_url,
        "SCOTTENBURY_MAIL_FROM": own.mail_from,
        "SCOTTENBURY_MAIL_IN": f"127.0.0.1:{listener}",
        "SCOTTENBURY_MAIL_DOMAIN": "play.scottenbury.test",
        "SCOTTENBURY_SMTP_URL": smtp_url,
        "SCOTTENBURY_NOTICE_DELAY": "0",
        "SCOTTENBURY_RATE_LIMITS": "0",
    }
    modules = ("tests.mail.quick_worker", "service.server.smtp_listener")
    started = [
        subprocess.Popen([sys.executable, "-m", module], cwd=ROOT, env=env) for module in modules
    ]
    try:
        until(lambda: _listens(listener))
        yield
    finally:
        for process in started:
            process.terminate()
            process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
