"""Clients of the listener who are silent, slow, deaf, endless or too many.

It lets go of them, takes mail from others meanwhile, and stays small.
"""

import smtplib
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from service.container import Container
from service.core.redis.client import Client, connect
from service.mail_in.addresses import ReplyTo
from service.mail_in.store import MAX_SIZE
from tests.engine.games import THOROUGHNESS
from tests.faults.raw import until_closed
from tests.service.mail_in.malformed import MALFORMED
from tests.support.ports import free_port
from tests.support.processes import ROOT, clean_environment
from tests.support.servers import SocketServer
from tests.support.settings import settings
from tests.support.waiting import PATIENCE, until

MIB = 1024 * 1024
ALONE, TOGETHER = 200 * THOROUGHNESS, 120
"""Connections from one address, and from many of which each has few."""


class Listener:
    """`python -m service.server.smtp_listener` with short time limits."""

    def __init__(self, redis_url: str, data: Path, container: Container) -> None:
        self.port = free_port()
        address = container.incoming_mail.addresses.write(ReplyTo("turn", "a" * 20, 7, "north"))
        assert address is not None
        self.address = address
        given = container.settings
        env = {
            "SCOTTENBURY_REDIS_URL": redis_url,
            "SCOTTENBURY_DATA": str(data),
            "SCOTTENBURY_SECRET_KEY": given.secret_key,
            "SCOTTENBURY_BASE_URL": given.base_url,
            "SCOTTENBURY_MAIL_FROM": given.mail_from,
            "SCOTTENBURY_MAIL_IN": f"127.0.0.1:{self.port}",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.impatient_listener"],
            cwd=ROOT,
            env=clean_environment() | env,
        )
        until(self._answers)

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @contextmanager
    def connected(self) -> Iterator[socket.socket]:
        """A connection that has been greeted."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
            assert connection.recv(100).startswith(b"220")
            yield connection

    @contextmanager
    def in_mail(self) -> Iterator[socket.socket]:
        """A connection on which a mail may come."""
        with self.connected() as connection:
            for command in ("HELO a", "MAIL FROM:<a@b.c>", f"RCPT TO:<{self.address}>", "DATA"):
                connection.sendall(f"{command}\r\n".encode())
                said = connection.recv(500)
            assert said.startswith(b"354")
            yield connection

    def takes_mail(self, number: object, come_from: str = "127.0.0.1") -> None:
        """Bring a mail, which it has to take."""
        with smtplib.SMTP(
            "127.0.0.1", self.port, "mail.example.org", PATIENCE, source_address=(come_from, 0)
        ) as client:
            mail = f"From: a@b.c\r\nMessage-ID: <{number}@b.c>\r\n\r\nR7@3\r\n"
            client.sendmail("a@b.c", [self.address], mail)

    def grow_from_now(self) -> None:
        """Measure from now on how much more memory it takes at most."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")
        self._base = self._peak()

    def grown(self) -> float:
        """The memory that it took at most since then, in MiB."""
        return self._peak() - self._base

    def _peak(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024


@pytest.fixture(scope="module")
def started(
    redis_server: SocketServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Listener]:
    with connect(redis_server.url) as redis:
        container = Container(settings(), redis)
    started = Listener(redis_server.url, tmp_path_factory.mktemp("data"), container)
    yield started
    started.process.kill()
    started.process.wait()


@pytest.fixture
def listener(started: Listener, redis: Client) -> Listener:
    """The listener over an empty store."""
    started.grow_from_now()
    return started


def test_whoever_is_silent_or_slow_is_let_go(listener: Listener) -> None:
    with ExitStack() as stack:
        silent = stack.enter_context(listener.connected())
        halfway = stack.enter_context(listener.in_mail())
        halfway.sendall(b"From: a@b.c\r\n")
        slow = stack.enter_context(listener.in_mail())
        listener.takes_mail("meanwhile")

        def are_let_go() -> bool:
            _send(slow, b"x")
            return all(map(_is_closed, (silent, halfway, slow)))

        until(are_let_go)


def test_the_connection_of_whoever_never_reads_ends(listener: Listener) -> None:
    with listener.connected() as deaf:
        deaf.settimeout(0.2)
        until(lambda: not _send(deaf, b"HELP\r\n" * 50))


def test_a_line_without_an_end_takes_no_memory(listener: Listener) -> None:
    with listener.in_mail() as endless, pytest.raises(OSError, match=r"reset|Broken"):
        endless.sendall(b"x" * 100 * MIB)
    listener.takes_mail(1)
    assert listener.grown() < 16


def test_a_mail_of_empty_lines_takes_no_memory(listener: Listener) -> None:
    with ExitStack() as stack:
        mails = [stack.enter_context(listener.in_mail()) for _ in range(8)]
        for each in mails:
            each.sendall(b"\r\n" * (MAX_SIZE // 2 - 100))
        listener.takes_mail(1)
    assert listener.grown() < 8 * 2 * MAX_SIZE / MIB + 16


def test_a_mail_of_30_mb_is_refused(listener: Listener) -> None:
    with smtplib.SMTP("127.0.0.1", listener.port, "mail.example.org", PATIENCE) as client:
        with pytest.raises(smtplib.SMTPSenderRefused):  # it said how large it is
            client.sendmail("a@b.c", [listener.address], b"x\r\n" * 10_000_000)
        client.rset()
    with listener.in_mail() as client_without_size:
        client_without_size.sendall(b"x\r\n" * (MAX_SIZE // 3 + 1000) + b".\r\n")
        assert client_without_size.recv(100).startswith(b"552")
    assert listener.grown() < 24


SMUGGLED = {
    "a bare line feed": b"Subject: x\n\r\nx\r\n",
    "another mail smuggled in": b"\r\nx\r\n.\n.\r\nMAIL FROM:<a@b.c>\r\n",
}


@pytest.mark.parametrize("mail", (MALFORMED | SMUGGLED).values(), ids=MALFORMED | SMUGGLED)
def test_what_is_out_of_form_is_refused_at_once(
    listener: Listener, redis: Client, mail: bytes
) -> None:
    with listener.in_mail() as client:
        client.sendall(mail + b"\r\n.\r\n")
        assert client.recv(200).startswith(b"55")
    assert list(redis.scan_iter("st:mail-in:*")) == []


def test_what_follows_a_mail_unasked_ends_the_connection(listener: Listener, redis: Client) -> None:
    with listener.in_mail() as client:
        client.sendall(b"From: a@b.c\r\n\r\nR7@3\r\n.\r\nMAIL FROM:<x@y.z>\r\nDATA\r\nx\r\n.\r\n")
        assert client.recv(200).startswith(b"503")
        until_closed(client)
    assert list(redis.scan_iter("st:mail-in:*")) == []


def test_a_connection_that_breaks_off_in_a_mail_brings_nothing(
    listener: Listener, redis: Client
) -> None:
    for says_so in (True, False):
        with listener.in_mail() as client:
            client.sendall(b"From: a@b.c\r\n\r\nR7@3\r\n.")
            if says_so:
                client.shutdown(socket.SHUT_WR)
                until_closed(client)
    listener.takes_mail(1)
    assert len(list(redis.scan_iter("st:mail-in:*"))) == 1


def test_too_many_connections_hold_up_nobody_else(listener: Listener) -> None:
    with ExitStack() as stack:
        for number in range(ALONE + TOGETHER):
            connection = stack.enter_context(socket.socket())
            many = f"127.0.1.{(number - ALONE) // 10}"
            connection.bind(("127.0.0.1" if number < ALONE else many, 0))
            connection.connect_ex(("127.0.0.1", listener.port))
            if number + 1 in (ALONE, ALONE + TOGETHER):
                listener.takes_mail(number, "127.0.2.1")
    assert listener.grown() < 24


def test_two_thousand_recipients_are_too_many(listener: Listener) -> None:
    with listener.connected() as client, client.makefile("rb") as answers:
        client.sendall(b"HELO a\r\nMAIL FROM:<a@b.c>\r\n")
        client.sendall(f"RCPT TO:<{listener.address}>\r\n".encode() * 400)
        said = [answers.readline()[:3] for _ in range(402)]
        assert said[2:] == [b"250"] * 5 + [b"452"] * 395
        client.sendall(f"RCPT TO:<{listener.address}>\r\n".encode() * 101)
        said = [answers.readline()[:3] for _ in range(101)]
        assert said == [b"452"] * 100 + [b"421"]
        until_closed(client)


def test_encryption_and_passwords_are_neither_offered_nor_taken(listener: Listener) -> None:
    with smtplib.SMTP("127.0.0.1", listener.port, "mail.example.org", PATIENCE) as client:
        client.ehlo()
        assert not {"starttls", "auth", "pipelining", "chunking"}.intersection(
            client.esmtp_features
        )
        assert client.docmd("STARTTLS")[0] >= 450
        assert client.docmd("AUTH", "PLAIN AGEAYg==")[0] >= 450
        client.sendmail("a@b.c", [listener.address], "From: a@b.c\r\n\r\nR7@3\r\n")


def _send(connection: socket.socket, data: bytes) -> bool:
    """Whether the other end still takes something, or may."""
    try:
        connection.send(data, socket.MSG_DONTWAIT)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return True


def _is_closed(connection: socket.socket) -> bool:
    try:
        while connection.recv(65536, socket.MSG_DONTWAIT):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
