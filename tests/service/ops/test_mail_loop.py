"""The doctor sends a mail to the server itself: it comes back, is refused, or is lost."""

from collections.abc import Iterator

import pytest

from service.container import Container, build
from service.core.redis.client import Client
from service.mail.imap import read_imap_url
from service.mail_in.polling import Polling, state
from service.ops.diagnosis import Diagnosis
from service.ops.mail_check import SUBJECT, examine_address, examine_delivery, send_and_wait
from tests.support.imap_server import ImapServer
from tests.support.mail_server import MailServer
from tests.support.ports import free_port
from tests.support.settings import settings

SENDER = "Games <games@example.org>"
SIGNED = b"DKIM-Signature: v=1; a=rsa-sha256; d=Example.org;\r\n\ts=sel1; bh=d=x; b=s=;\r\n"
RESULTS = b"Authentication-Results: mx.example.org; spf=pass a; dkim=pass b; dmarc=pass c\r\n"


class NoNames:
    """A domain name system that knows nothing."""

    def look_up(self, name: str, kind: str) -> list[str]:
        return []


@pytest.fixture
def server() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


def container_of(redis: Client, smtp_url: str, **changes: object) -> Container:
    changes = {"mail_domain": "play.example.org", "mail_from": SENDER, **changes}
    return build(settings(smtp_url=smtp_url, **changes), redis)


def told(container: Container, patience: float = 5) -> dict[str, Diagnosis]:
    found = examine_delivery(container, patience, NoNames())
    return {diagnosis.subject: diagnosis for diagnosis in found}


def hand_in(server: MailServer, container: Container, head: bytes = b"") -> None:
    """Whatever the mail server takes comes in here, as a mail server in front would hand it in."""

    def hand_in() -> None:
        to, sender = server.recipients[-1], server.senders[-1]
        container.incoming_mail.accept(to, sender, head + server.mails[-1].as_bytes())

    server.on_mail = hand_in


def test_a_loop_that_works(redis: Client, server: MailServer) -> None:
    container = container_of(redis, server.url)
    hand_in(server, container)

    found = told(container)

    assert found[SUBJECT].state == "ok"
    assert found[SUBJECT].says.startswith("ok, after ")
    (mail,) = server.mails
    assert str(mail["From"]) == "games@example.org"
    assert str(mail["To"]) == server.recipients[0]
    assert len(server.recipients[0].partition("@")[0]) <= 64
    assert server.senders[0].startswith("bounce+")
    assert list(container.log.outbox.pending()) == []
    assert found["DKIM"].says == "that mail was not signed"


def test_what_the_own_mail_server_found_is_told(redis: Client, server: MailServer) -> None:
    container = container_of(redis, server.url, mail_authserv="mx.example.org")
    hand_in(server, container, RESULTS + SIGNED)
    found = told(container)
    checks = found["checks by mx.example.org"]
    assert (checks.state, checks.says) == ("ok", "dkim: pass; dmarc: pass; spf: pass")
    assert found["DKIM"].says == "there is no key at sel1._domainkey.example.org"

    hand_in(server, container, RESULTS.replace(b"spf=pass", b"spf=softfail"))
    assert told(container)["checks by mx.example.org"].state == "warning"
    hand_in(server, container, RESULTS.replace(b"mx.", b"other."))
    assert told(container)["checks by mx.example.org"].state == "warning"


def test_a_mail_that_never_left_the_mail_server_has_no_results(
    redis: Client, server: MailServer
) -> None:
    container = container_of(redis, server.url, mail_authserv="mx.example.org")
    taken = b"Received: from games (localhost [127.0.0.1])\r\n\tby MX.example.org (Postfix)\r\n"
    hand_in(server, container, taken + taken.replace(b"MX", b"mx"))
    checks = told(container)["checks by mx.example.org"]
    assert checks.state == "ok"
    assert checks.says.startswith("none, as is right")

    for head in (taken + taken.replace(b"MX", b"out"), taken + RESULTS.replace(b"mx.", b"other.")):
        hand_in(server, container, head)
        assert told(container)["checks by mx.example.org"].state == "warning"


def test_a_test_mail_to_an_address(redis: Client, server: MailServer) -> None:
    container = container_of(redis, server.url)
    assert examine_address(container, "ann@example.net").state == "ok"
    assert server.recipients == ["ann@example.net"]
    assert server.senders[0].startswith("bounce+")

    server.unknown.add("ann@example.net")
    refused = examine_address(container, "ann@example.net")
    assert (refused.state, refused.says) == ("bad", "not taken: 550 nobody of that name")
    assert "no mail server is set" in examine_address(build(settings(), redis), "a@b.example").says


def test_a_mail_server_that_swallows_mail(redis: Client, server: MailServer) -> None:
    found = told(container_of(redis, server.url), patience=0.3)
    assert found[SUBJECT].state == "bad"
    assert found[SUBJECT].says.startswith("timeout: the mail was taken, and did not come in")
    assert "check+…@play.example.org" in found[SUBJECT].advice
    assert "could not be checked" in found["DKIM"].says


@pytest.mark.parametrize("at", ["to_recipient", "to_mail"])
def test_a_mail_server_that_refuses_mail(redis: Client, server: MailServer, at: str) -> None:
    setattr(server, at, "554 5.7.1 relaying denied")
    found = told(container_of(redis, server.url))
    assert found[SUBJECT].state == "bad"
    assert "failed: the mail was not taken" in found[SUBJECT].says
    assert "relaying denied" in found[SUBJECT].says


def test_a_mail_server_that_takes_only_the_own_sender(redis: Client, server: MailServer) -> None:
    container = container_of(redis, server.url)
    hand_in(server, container)
    assert "sender in the envelope" not in told(container)
    server.only_sender = "games@example.org"
    found = told(container)
    assert found[SUBJECT].state == "ok"
    assert found["sender in the envelope"].state == "warning"


def test_no_mail_server(redis: Client) -> None:
    found = told(container_of(redis, f"smtp://127.0.0.1:{free_port()}"))
    assert "Connection refused" in found[SUBJECT].says


def test_a_mail_that_comes_to_a_mailbox_is_fetched_at_once(
    redis: Client, server: MailServer
) -> None:
    with ImapServer() as imap:
        container = container_of(redis, server.url, imap_url=imap.url)
        mailbox = read_imap_url(imap.url)
        poller = Polling(redis, container.incoming_mail, mailbox, "worker", container.now)
        poller.poll()
        server.on_mail = lambda: imap.put(server.mails[-1].as_bytes())

        loop = send_and_wait(container, 5, sleep=lambda seconds: poller.poll() and None)

    assert loop.result == "ok"
    assert state(redis)[3:] == (1, 0)


def test_another_s_mail_is_not_ours(redis: Client, server: MailServer) -> None:
    container = container_of(redis, server.url)
    checks = container.incoming_mail.checks
    address = checks.write("a" * 20)
    assert checks.read(address.upper()) == "a" * 20
    for forged in (
        address.replace("aaaa", "aaab"),
        address.replace("@play", "@x"),
        address.replace("check+", "play+"),
    ):
        assert checks.read(forged) is None
        assert not container.incoming_mail.takes(forged)


def test_without_a_way_in_or_patience_none_is_sent(redis: Client, server: MailServer) -> None:
    container = container_of(redis, server.url, mail_domain=None)
    assert told(container)[SUBJECT].says.startswith("not tried")
    assert told(container_of(redis, server.url), patience=0) == {}
    assert list(examine_delivery(build(settings(), redis), 5, NoNames())) == []
    assert server.mails == []
