"""What the doctor says of the domains that mail comes from, and of a mail to the server itself."""

import socket
import threading
from collections.abc import Iterator, Mapping

import dns.message
import dns.resolver
import dns.rrset
import pytest

from service.container import Container
from service.core.redis.client import Client
from service.mail.imap import read_imap_url
from service.mail_in.intake import Arrival
from service.mail_in.polling import Polling, state
from service.ops.diagnosis import Diagnosis
from service.ops.mail_check import (
    SUBJECT,
    NoAnswer,
    SystemNames,
    examine_address,
    examine_delivery,
    examine_names,
    send_and_wait,
)
from tests.support.imap_server import ImapServer
from tests.support.mail_server import MailServer
from tests.support.ports import free_port
from tests.support.settings import settings
from tests.support.waiting import PATIENCE

Records = Mapping[tuple[str, str], list[str]]

GOOD: Records = {
    ("example.org", "TXT"): ["google-site-verification=x", "v=spf1 mx -all"],
    ("play.example.org", "TXT"): ["v=spf1 include:example.org ~all"],
    ("_dmarc.example.org", "TXT"): ["v=DMARC1; p=quarantine"],
    ("sel1._domainkey.example.org", "TXT"): ["v=DKIM1; k=rsa; p=MIGf"],
    ("play.example.org", "MX"): ["10 mx.example.org"],
    ("mail.example.org", "A"): ["9.9.9.9"],
    ("9.9.9.9.in-addr.arpa", "PTR"): ["mail.example.org"],
}


class Known:
    """A domain name system that knows these records."""

    def __init__(self, records: Records) -> None:
        self.records = records

    def look_up(self, name: str, kind: str) -> list[str]:
        return self.records.get((name, kind), [])


def told_of_names(
    changes: Mapping[tuple[str, str], list[str] | None] | None = None,
    signatures: list[tuple[str, str]] | None = None,
    **options: object,
) -> dict[str, tuple[str, str]]:
    """State and words of each subject, with these records changed or taken away."""
    records = {key: value for key, value in {**GOOD, **(changes or {})}.items() if value}
    given: dict[str, object] = {
        "smtp_url": "smtp://mail.example.org",
        "mail_from": "Games <games@example.org>",
        "mail_domain": "play.example.org",
    }
    known = [("example.org", "sel1")] if signatures is None else signatures
    found = examine_names(settings(**{**given, **options}), Known(records), Arrival(0, known, {}))
    return {one.subject: (one.state, one.says) for one in found}


def test_all_in_order() -> None:
    found = told_of_names()
    assert {state for state, _ in found.values()} == {"ok"}
    assert found["domains of mail"][1] == "example.org and play.example.org belong together"
    assert found["SPF of example.org"][1] == "v=spf1 mx -all"
    assert found["DKIM"][1].endswith("the key at sel1._domainkey.example.org")
    assert found["mail for play.example.org"][1] == "goes to 10 mx.example.org"


@pytest.mark.parametrize(
    ("changes", "subject", "state", "says"),
    [
        ({("play.example.org", "TXT"): None}, "SPF of play.example.org", "warning", "no record"),
        (
            {("example.org", "TXT"): ["v=spf1 -all", "v=spf1 mx -all"]},
            "SPF of example.org",
            "bad",
            "2 records",
        ),
        ({("example.org", "TXT"): ["v=spf1 +all"]}, "SPF of example.org", "warning", "+all"),
        ({("_dmarc.example.org", "TXT"): None}, "DMARC of example.org", "warning", "no policy"),
        (
            {("_dmarc.example.org", "TXT"): ["v=DMARC1; p=none; aspf=s"]},
            "DMARC of example.org",
            "warning",
            "SPF alone cannot pass",
        ),
        ({("sel1._domainkey.example.org", "TXT"): ["p="]}, "DKIM", "bad", "there is no key"),
        ({("play.example.org", "MX"): None}, "mail for play.example.org", "bad", "nowhere"),
        ({("play.example.org", "MX"): ["0 "]}, "mail for play.example.org", "bad", "takes none"),
        (
            {("play.example.org", "MX"): None, ("play.example.org", "A"): ["9.9.9.9"]},
            "mail for play.example.org",
            "ok",
            "itself",
        ),
        (
            {("9.9.9.9.in-addr.arpa", "PTR"): ["dynamic.example.net"]},
            "name of the mail server",
            "warning",
            "does not lead back",
        ),
        (
            {("9.9.9.9.in-addr.arpa", "PTR"): None},
            "name of the mail server",
            "warning",
            "called nothing",
        ),
        (
            {("mail.example.org", "A"): ["10.0.0.5"]},
            "name of the mail server",
            "warning",
            "could not be checked",
        ),
    ],
)
def test_what_is_wrong_is_told(
    changes: dict[tuple[str, str], list[str] | None], subject: str, state: str, says: str
) -> None:
    found = told_of_names(changes)
    assert found[subject][0] == state
    assert says in found[subject][1]
    assert [key for key, (how, _) in found.items() if how != "ok"] == [subject] * (state != "ok")


def test_the_policy_of_the_domain_above_counts() -> None:
    assert told_of_names(mail_from="games@play.example.org")["DMARC of play.example.org"][0] == "ok"


def test_unrelated_domains_are_told() -> None:
    state, says = told_of_names(mail_domain="play.example.net")["domains of mail"]
    assert state == "warning"
    assert "nothing in common" in says


def test_somebody_else_s_signature_is_not_ours() -> None:
    assert told_of_names(signatures=[("provider.example", "s")])["DKIM"][0] == "warning"
    assert told_of_names(signatures=[])["DKIM"][1] == "that mail was not signed"


def test_the_signature_is_looked_at_elsewhere_where_no_mail_comes_back() -> None:
    found = examine_names(settings(smtp_url="smtp://mail.example.org"), Known(GOOD), None)
    (dkim,) = (one for one in found if one.subject == "DKIM")
    assert dkim.state == "warning"
    assert "--mail-to" in dkim.advice


def test_names_that_only_this_machine_knows_cannot_be_checked() -> None:
    found = told_of_names(
        smtp_url="smtp://localhost", mail_from="games@localhost", mail_domain="play.lan"
    )
    uncertain = {says for state, says in found.values() if "could not be checked" in says}
    assert "could not be checked: localhost is no public name" in uncertain
    assert all(state == "warning" for state, _ in found.values())


@pytest.fixture
def resolver(request: pytest.FixtureRequest) -> Iterator[dns.resolver.Resolver]:
    """A resolver whose server knows one long text, and does not answer for `silent.example.org`;
    or, cut off from the world, no name at all."""
    knows_the_root = getattr(request, "param", True)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(PATIENCE)

        def serve() -> None:
            while True:
                try:
                    asked, sender = listener.recvfrom(4096)
                except OSError:
                    return
                if asked == b"end":
                    return
                question = dns.message.from_wire(asked)
                if b"silent" not in asked:
                    said = answer(question, knows_the_root=knows_the_root)
                    listener.sendto(said.to_wire(), sender)

        thread = threading.Thread(target=serve)
        thread.start()
        found = dns.resolver.Resolver(configure=False)
        found.nameservers, found.port = ["127.0.0.1"], listener.getsockname()[1]
        yield found
        listener.sendto(b"end", listener.getsockname())
        thread.join()


def answer(question: dns.message.Message, *, knows_the_root: bool) -> dns.message.Message:
    said = dns.message.make_response(question)
    (asked,) = question.question
    if str(asked.name) == "example.org." and asked.rdtype.name == "TXT":
        said.answer.append(
            dns.rrset.from_text("example.org.", 60, "IN", "TXT", '"v=spf1 mx" " -all"')
        )
    elif str(asked.name) == "." and knows_the_root:
        said.answer.append(dns.rrset.from_text(".", 60, "IN", "NS", "a.root-servers.net."))
    elif not knows_the_root or str(asked.name).startswith("none."):
        said.set_rcode(3)
    return said


def test_the_domain_name_system_is_asked(resolver: dns.resolver.Resolver) -> None:
    names = SystemNames(resolver=resolver)
    assert names.look_up("example.org", "TXT") == ["v=spf1 mx -all"]
    assert names.look_up("example.org", "MX") == []
    assert names.look_up("none.example.org", "A") == []


@pytest.mark.parametrize("resolver", [False], indirect=True)
def test_a_resolver_that_is_cut_off_says_nothing_of_any_name(
    resolver: dns.resolver.Resolver,
) -> None:
    names = SystemNames(resolver=resolver)
    for _ in range(2):
        with pytest.raises(NoAnswer, match="root servers"):
            names.look_up("none.example.org", "TXT")


def test_after_one_silence_nothing_more_is_waited_for(resolver: dns.resolver.Resolver) -> None:
    names = SystemNames(0.2, resolver)
    for name in ("silent.example.org", "example.org", "example.org"):
        with pytest.raises(NoAnswer):
            names.look_up(name, "TXT")
    options = {"smtp_url": "smtp://mail.example.org", "mail_from": "a@example.org"}
    found = list(examine_names(settings(**options), names))
    assert all("could not be checked" in one.says for one in found[1:])


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
    return Container(settings(smtp_url=smtp_url, **changes), redis)


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
    assert (
        "no mail server is set" in examine_address(Container(settings(), redis), "a@b.example").says
    )


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
    assert list(examine_delivery(Container(settings(), redis), 5, NoNames())) == []
    assert server.mails == []
