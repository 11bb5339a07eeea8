"""`python -m workers` as a process: how it works, ends, dies, and outlives its Redis."""

import re
import signal
import time
from pathlib import Path

import pytest

from service.core.heartbeat import Heartbeat
from service.core.redis.client import Client, connect
from service.games import NewGame
from service.mail.mailbox import Mailbox
from tests.support.mail_server import MailServer
from tests.support.servers import bundled_binary, running
from tests.support.settings import settings
from tests.support.waiting import PATIENCE, until
from tests.support.worker import worker
from tests.workers.match import Match, begin
from workers.__main__ import THREADS
from workers.context import build_context


@pytest.fixture
def match(redis: Client) -> Match:
    """A match in real time, so that its notices are due for a worker."""
    return begin(build_context(settings(), redis))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_delivers_and_ends_in_good_order(
    match: Match, redis: Client, url: str, tmp_path: Path, number: int
) -> None:
    match.play("R4@3")
    with worker(url, tmp_path) as started:
        until(lambda: match.due() == [])
        assert len(Heartbeat(redis).ages()) == 1

        assert started.signal(number) == 0

        assert started.complaints() == ""
        (line,) = started.said()
        assert " INFO worker workers.mail.mailer: mail outcome=sent kind=turn " in line
    assert len(Mailbox(redis).newest()) == 1
    assert Heartbeat(redis).ages() == {}


def test_a_signal_interrupts_no_other_thread(redis: Client, url: str, tmp_path: Path) -> None:
    # A handler may run while its thread holds the lock that the handler needs.
    with worker(url, tmp_path) as started:
        until(lambda: len(Heartbeat(redis).ages()) == 1)
        folder = Path(f"/proc/{started.process.pid}/task")
        until(lambda: len(list(folder.iterdir())) > sum(THREADS.values()))
        # The first one waits for the signal, which the kernel lets through meanwhile.
        tasks = [task for task in folder.iterdir() if task.name != folder.parent.name]
        blocked = [re.search(r"SigBlk:\t(\w+)", (task / "status").read_text()) for task in tasks]
    endings = 1 << signal.SIGTERM - 1 | 1 << signal.SIGINT - 1
    assert [one for one in blocked if one and int(one[1], 16) & endings != endings] == []


def test_killed_between_sending_and_striking_off_it_sends_the_same_mail_again(
    match: Match, url: str, tmp_path: Path
) -> None:
    match.play("R4@3")
    (notice,) = match.due()
    with MailServer() as server, worker(url, tmp_path, SCOTTENBURY_SMTP_URL=server.url) as first:
        server.on_mail = first.process.kill
        first.process.wait(PATIENCE)
        assert match.due() == [notice]

        server.on_mail = None
        match.context.container.log.outbox.postpone(notice, time.time())  # the lease is over
        with worker(url, tmp_path, SCOTTENBURY_SMTP_URL=server.url) as second:
            until(lambda: match.due() == [])
            assert second.signal(signal.SIGTERM) == 0

    before, after = server.mails
    assert before["Message-ID"] == after["Message-ID"]


def test_it_outlives_its_redis(tmp_path: Path) -> None:
    with (
        running(bundled_binary()) as server,
        connect(server.url) as redis,
        worker(server.url, tmp_path) as started,
    ):
        until(lambda: len(Heartbeat(redis).ages()) == 1)
        server.kill()
        until(lambda: "Redis cannot be reached" in started.complaints())
        server.start()

        match = begin(build_context(settings(), redis))
        match.play("R4@3")
        until(lambda: match.due() == [])

        assert any(match.bob in mail.id for mail in Mailbox(redis).newest())
        assert started.signal(signal.SIGTERM) == 0


def test_it_starts_before_its_redis_and_ends_without_it(tmp_path: Path) -> None:
    with running(bundled_binary()) as server:
        server.kill()
        with worker(server.url, tmp_path) as started:
            until(lambda: "Redis cannot be reached" in started.complaints())

            assert started.signal(signal.SIGTERM) == 0


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("SCOTTENBURY_REDIS_URL", "", "SCOTTENBURY_REDIS_URL"),
        ("SCOTTENBURY_SMTP_URL", "smtp://", "SCOTTENBURY_SMTP_URL must name a host"),
        ("SCOTTENBURY_LOG_LEVEL", "loud", "SCOTTENBURY_LOG_LEVEL"),
    ],
)
def test_a_setting_that_cannot_be_used_is_one_line(
    url: str, tmp_path: Path, setting: str, value: str, said: str
) -> None:
    with worker(url, tmp_path, **{setting: value}) as started:
        assert started.process.wait(PATIENCE) == 2

        (line,) = started.complaints().splitlines()
        assert said in line


def test_it_plays_the_turns_of_bots(redis: Client, url: str, tmp_path: Path) -> None:
    context = build_context(settings(), redis)
    ann = context.container.registrations.register("Ann").player.id
    game = context.container.games.create(ann, NewGame(bot="steward", first_player="opponent")).id

    def is_anns_turn() -> bool:
        return context.container.games.load(game).player_to_move() == ann

    with worker(url, tmp_path):
        until(is_anns_turn)
        context.container.games.play(
            game,
            ann,
            context.container.games.view(context.container.games.load(game), ann).legal[:1],
        )
        until(is_anns_turn)
    lines = context.container.games.history.lines(context.container.games.load(game), None)
    assert [line["via"] for line in lines if line["type"] == "turn_ended"] == ["bot", "api", "bot"]
