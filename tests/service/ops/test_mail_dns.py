"""What the doctor says of the domains that mail comes from, and what it cannot say."""

import socket
import threading
from collections.abc import Iterator, Mapping

import dns.message
import dns.resolver
import dns.rrset
import pytest

from service.mail_in.intake import Arrival
from service.ops.mail_check import NoAnswer, SystemNames, examine_names
from tests.support.settings import settings
from tests.support.waiting import PATIENCE

Records = Mapping[tuple[str, str], list[str]]

GOOD: Records = {
    ("example.org", "TXT"): ["google-site-verification=x", "v=spf1 mx -all"],
    ("play.example.org", "TXT"): ["v=spf1 include:example.org ~all"],
    ("_dmarc.example.org", "TXT"): ["v=DMARC1; p=quarantine"],
    ("sel1._domainkey.example.org", "TXT"): ["v=DKIM1; k=rsa; p=MIGf"],
    ("play.example.org", "MX"): ["10 mx.example.org"],
}


class Known:
    """A domain name system that knows these records."""

    def __init__(self, records: Records) -> None:
        self.records = records

    def look_up(self, name: str, kind: str) -> list[str]:
        return self.records.get((name, kind), [])


def told(
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
    found = told()
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
    ],
)
def test_what_is_wrong_is_told(
    changes: dict[tuple[str, str], list[str] | None], subject: str, state: str, says: str
) -> None:
    found = told(changes)
    assert found[subject][0] == state
    assert says in found[subject][1]
    assert [key for key, (how, _) in found.items() if how != "ok"] == [subject] * (state != "ok")


def test_the_policy_of_the_domain_above_counts() -> None:
    assert told(mail_from="games@play.example.org")["DMARC of play.example.org"][0] == "ok"


def test_unrelated_domains_are_told() -> None:
    state, says = told(mail_domain="play.example.net")["domains of mail"]
    assert state == "warning"
    assert "nothing in common" in says


def test_somebody_else_s_signature_is_not_ours() -> None:
    assert told(signatures=[("provider.example", "s")])["DKIM"][0] == "warning"
    assert told(signatures=[])["DKIM"][1] == "that mail was not signed"


def test_the_signature_is_looked_at_elsewhere_where_no_mail_comes_back() -> None:
    found = examine_names(settings(smtp_url="smtp://mail.example.org"), Known(GOOD), None)
    (dkim,) = (one for one in found if one.subject == "DKIM")
    assert dkim.state == "warning"
    assert "--mail-to" in dkim.advice


def test_names_that_only_this_machine_knows_cannot_be_checked() -> None:
    found = told(smtp_url="smtp://localhost", mail_from="games@localhost", mail_domain="play.lan")
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
