"""Mail that comes in by SMTP: what is taken, what is refused, and when it is acknowledged."""

import asyncio
import contextlib
import smtplib
import socket
import threading
from collections.abc import Iterator

import pytest
from redis.exceptions import ConnectionError as RedisGone

from service.container import Container
from service.core.redis.client import Client
from service.eventlog import parse_notice_id
from service.mail_in.addresses import ReplyTo
from service.mail_in.store import MAX_SIZE
from service.server import smtp_listener
from tests.support.ports import free_port
from tests.support.settings import settings
from tests.support.waiting import PATIENCE

ADDRESS = ReplyTo("turn", "a" * 20, 7, "north")
MAIL = b"From: ada@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nR7@3\r\n"


@pytest.fixture
def container(redis: Client) -> Container:
    return Container(settings(), redis)


@pytest.fixture
def port(container: Container) -> Iterator[int]:
    port, loop = free_port(), asyncio.new_event_loop()
    server = loop.run_until_complete(smtp_listener.listen(container, "127.0.0.1", port))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield port
    loop.call_soon_threadsafe(server.close)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.run_until_complete(_end_tasks())
    loop.close()


async def _end_tasks() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
def client(port: int) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
        yield client


def waiting(container: Container) -> int:
    return len(list(container.log.outbox.pending()))


def turn(container: Container) -> str:
    address = container.incoming_mail.addresses.write(ADDRESS)
    assert address is not None
    return address


def test_a_mail_is_acknowledged_once_it_is_kept(
    container: Container, client: smtplib.SMTP, redis: Client
) -> None:
    client.sendmail("ada@example.org", [turn(container)], MAIL)
    assert waiting(container) == 1
    assert len(list(redis.scan_iter("st:mail-in:*"))) == 1
    client.sendmail("ada@example.org", [turn(container).upper()], MAIL)
    assert waiting(container) == 1


def test_a_mail_without_a_sender_in_its_envelope_is_nobody_s_answer(
    container: Container, client: smtplib.SMTP
) -> None:
    client.sendmail("", [turn(container)], MAIL)
    (notice,) = container.log.outbox.pending()
    assert container.incoming_mail.process(parse_notice_id(notice.id).subject) == "bounce"


@pytest.mark.parametrize(
    "address", ["ada@example.org", "play+x@scottenbury.test", "play@a", "postmaster"]
)
def test_other_recipients_are_refused_at_once(client: smtplib.SMTP, address: str) -> None:
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        client.sendmail("ada@example.org", [address], MAIL)
    assert [code for code, _ in refused.value.recipients.values()] == [550]


def test_a_large_mail_is_refused_before_it_comes(
    container: Container, client: smtplib.SMTP
) -> None:
    with pytest.raises(smtplib.SMTPSenderRefused) as refused:
        client.sendmail("ada@example.org", [turn(container)], b"x" * 30_000_000)
    assert refused.value.smtp_code == 552
    assert client.esmtp_features["size"] == str(MAX_SIZE)


def raw_session(port: int, *commands: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.recv(500)
        for command in commands:
            connection.sendall(command)
            answer = connection.recv(500)
        return answer


@pytest.mark.parametrize(
    "body",
    [
        b"From: a@b.c\r\n\r\nR7@3\n.\nMAIL FROM:<x@y>\r\n.\r\n",
        b"From: a@b.c\r\n\r\nR7@3\r.\r\r\n.\r\n",
        b"From: a@b.c\r\n\r\nR7@3\0\r\n.\r\n",
        b"Subject: x\r\n" * 5000 + b"\r\nR7@3\r\n.\r\n",
    ],
)
def test_stray_line_ends_and_long_heads_are_refused(
    container: Container, port: int, body: bytes
) -> None:
    to = turn(container).encode()
    answer = raw_session(
        port,
        b"HELO a\r\n",
        b"MAIL FROM:<a@b.c>\r\n",
        b"RCPT TO:<" + to + b">\r\n",
        b"DATA\r\n",
        body,
    )
    assert answer.startswith(b"5")
    assert waiting(container) == 0


def test_while_redis_is_away_the_sender_tries_again(
    container: Container, client: smtplib.SMTP, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*given: object) -> bool:
        raise RedisGone

    monkeypatch.setattr(container.incoming_mail._store, "add", away)
    with pytest.raises(smtplib.SMTPDataError) as refused:
        client.sendmail("ada@example.org", [turn(container)], MAIL)
    assert refused.value.smtp_code == 451


def test_half_a_mail_is_none(container: Container, port: int) -> None:
    to = turn(container).encode()
    raw_session(
        port, b"HELO a\r\n", b"MAIL FROM:<a@b.c>\r\n", b"RCPT TO:<" + to + b">\r\n", b"DATA\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(b"HELO a\r\n")
    assert waiting(container) == 0


def test_one_address_cannot_hold_all_connections(port: int) -> None:
    held = [socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) for _ in range(35)]
    greeted = 0
    for connection in held:
        with contextlib.suppress(OSError):
            greeted += connection.recv(100).startswith(b"220")
        connection.close()
    assert greeted == smtp_listener.MOST_OF_ADDRESS
