"""A worker that fetches mail by IMAP: it hangs with nothing, and loses nothing when it dies."""

import signal
from pathlib import Path

import pytest

from service.core.redis.client import Client
from service.mail.mailbox import Mailbox
from service.mail_in.addresses import ReplyTo
from service.mail_in.polling import state
from tests.support.imap_server import ImapServer
from tests.support.settings import settings
from tests.support.waiting import PATIENCE, until
from tests.support.worker import worker
from tests.workers.match import Match, begin
from workers.context import build_context

KEY = "a key for tests"


@pytest.fixture
def match(redis: Client) -> Match:
    return begin(build_context(settings(), redis))


def turn(match: Match, number: int) -> bytes:
    """Ann's first turn, by mail."""
    addresses = match.context.container.incoming_mail.addresses
    to = addresses.write(ReplyTo("turn", match.id, match.now().version, "north"))
    head = f"From: ann@example.org\r\nTo: {to}\r\nMessage-ID: <{number}@example.org>\r\n"
    return f"{head}\r\nR4@3\r\n".encode()


def test_a_mailbox_that_hangs_delays_no_other_mail(
    match: Match, redis: Client, url: str, tmp_path: Path
) -> None:
    with ImapServer() as server:
        server.hangs = "greeting"
        with worker(url, tmp_path, SCOTTENBURY_IMAP_URL=server.url) as started:
            until(lambda: redis.exists("st:{imap}:turn"))
            match.play("R4@3")
            until(lambda: len(Mailbox(redis).newest()) == 1)
            assert started.signal(signal.SIGTERM) == 0
            assert started.complaints() == ""


def test_killed_between_keeping_and_marking_each_mail_is_played_once(
    match: Match, redis: Client, url: str, tmp_path: Path
) -> None:
    key = {"SCOTTENBURY_SECRET_KEY": KEY, "SCOTTENBURY_BASE_URL": "http://scottenbury.test"}
    with ImapServer() as server:
        own = {**key, "SCOTTENBURY_IMAP_URL": server.url}
        server.put(turn(match, 1))
        with worker(url, tmp_path, **own) as first:
            server.on_mark = lambda uid: first.process.kill()
            first.process.wait(PATIENCE)
        server.seen.clear()
        redis.delete("st:{imap}:turn")  # the lease of the dead worker is over
        server.on_mark = lambda uid: None
        with worker(url, tmp_path, **own), worker(url, tmp_path, **own):
            until(lambda: server.seen == {1})
            until(lambda: match.context.container.incoming_mail.counts() == {"played": 1})
    assert state(redis).kept >= 1
    assert match.now().player_to_move() == match.bob
    assert server.logins == 2
