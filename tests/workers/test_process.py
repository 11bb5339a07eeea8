"""`python -m workers` as a process: how it works, ends, dies, and outlives its Redis."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.connections import Client, connect
from service.games import NewGame
from service.heartbeat import Heartbeat
from service.mailbox import Mailbox
from tests.servers import bundled_binary, running
from tests.service.settings import settings
from tests.workers.conftest import Match, begin
from tests.workers.mailserver import MailServer
from workers.office import furnish

PATIENCE = 30.0


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


class Worker:
    """A worker process."""

    def __init__(self, redis_url: str, data: Path, **env: str) -> None:
        own = {key: text for key, text in os.environ.items() if "SCOTTENBURY" not in key}
        own |= {"SCOTTENBURY_REDIS_URL": redis_url, "SCOTTENBURY_DATA": str(data), **env}
        self._said = data / f"{len(list(data.iterdir()))}.stderr"
        with self._said.open("wb") as stderr:
            command = [sys.executable, "-m", "workers"]
            self.process = subprocess.Popen(command, env=own, stderr=stderr)

    def signal(self, number: int) -> int:
        """Send a signal; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def complaints(self) -> str:
        return self._said.read_text()


@contextmanager
def worker(redis_url: str, data: Path, **env: str) -> Iterator[Worker]:
    """A worker, for as long as the context lasts at most."""
    started = Worker(redis_url, data, **env)
    try:
        yield started
    finally:
        started.process.kill()
        started.process.wait()


@pytest.fixture
def match(redis: Client) -> Match:
    """A match in real time, so that its notices are due for a worker."""
    return begin(furnish(settings(), redis))


@pytest.fixture
def url(redis_server: object) -> str:
    return str(redis_server.url)  # type: ignore[attr-defined]


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
    assert len(Mailbox(redis).newest()) == 1
    assert Heartbeat(redis).ages() == {}


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
        match.office.log.postpone_notice(notice, time.time())  # the lease is over
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
        until(lambda: "the relay waits" in started.complaints())
        server.start()

        match = begin(furnish(settings(), redis))
        match.play("R4@3")
        until(lambda: match.due() == [])

        assert any(match.bob in mail.id for mail in Mailbox(redis).newest())
        assert started.signal(signal.SIGTERM) == 0


def test_it_starts_before_its_redis_and_ends_without_it(tmp_path: Path) -> None:
    with running(bundled_binary()) as server:
        server.kill()
        with worker(server.url, tmp_path) as started:
            until(lambda: "the queue cannot be reached" in started.complaints())

            assert started.signal(signal.SIGTERM) == 0


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("SCOTTENBURY_REDIS_URL", "", "SCOTTENBURY_REDIS_URL"),
        ("SCOTTENBURY_SMTP_URL", "smtp://", "smtp://host"),
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
    office = furnish(settings(), redis)
    ann = office.players.register("Ann").player.id
    game = office.games.create(ann, NewGame(bot="steward", first_player="opponent")).id

    def is_anns_turn() -> bool:
        return office.games.load(game).player_to_move() == ann

    with worker(url, tmp_path):
        until(is_anns_turn)
        office.games.play(game, ann, office.games.view(office.games.load(game), ann)["legal"][:1])
        until(is_anns_turn)
    lines = office.games.events(office.games.load(game), None)
    assert [line["via"] for line in lines if line["type"] == "turn_ended"] == ["bot", "api", "bot"]
