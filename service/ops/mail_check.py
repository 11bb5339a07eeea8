"""Checks the DNS records of our mail's domains (SPF, DKIM, DMARC, MX), and sends a mail to the
server itself: out through its mail server, and back in.

Each look-up takes a few seconds at most. Once a look-up gets no response, no other is tried, and
the remaining checks are reported as not possible.
"""

import ipaddress
import re
import smtplib
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, localtime, parseaddr
from functools import partial
from typing import Final, Literal, NamedTuple, Protocol

import dns.exception
import dns.resolver
import dns.reversename

from service.container import Container
from service.core import ids
from service.core.settings import Settings
from service.mail.smtp import connected, read_smtp_url, send
from service.mail_in import polling
from service.mail_in.addresses import ReplyAddresses
from service.mail_in.intake import Arrival
from service.ops.diagnosis import Diagnosis

_PATIENCE: Final = 3.0
"""Seconds for one look-up."""
_LOCAL: Final = ("localhost", "local", "test", "example", "invalid", "internal", "lan", "home")


class NoAnswer(Exception):
    """The domain name system did not respond."""


class Names(Protocol):
    """Looks up DNS records."""

    def look_up(self, name: str, kind: str) -> list[str]:
        """The records of this kind as text; empty if there are none. Raises `NoAnswer`."""


class SystemNames:
    """Looks records up with a resolver, by default the one configured on this machine."""

    def __init__(
        self, patience: float = _PATIENCE, resolver: dns.resolver.Resolver | None = None
    ) -> None:
        self._patience = patience
        self._resolver = resolver
        self._asked = False
        self._failed: str | None = None

    def look_up(self, name: str, kind: str) -> list[str]:
        if not self._asked and not self._records(".", "NS"):
            # Some resolvers, when cut off from the network, report every name as missing.
            self._failed = "the resolver here does not know the root servers"
        self._asked = True
        return self._records(name, kind)

    def _records(self, name: str, kind: str) -> list[str]:
        if self._failed is not None:
            raise NoAnswer(self._failed)
        try:
            self._resolver = self._resolver or dns.resolver.Resolver()
            answer = self._resolver.resolve(name, kind, lifetime=self._patience, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except (dns.exception.DNSException, OSError) as error:
            self._failed = str(error) or type(error).__name__
            raise NoAnswer(self._failed) from None
        return [_text(record) for record in answer]


def _text(record: object) -> str:
    strings = getattr(record, "strings", None)  # TXT: a long text comes in several pieces
    if strings is not None:
        return b"".join(strings).decode(errors="replace")
    return str(record).rstrip(".")


def examine_names(
    settings: Settings, names: Names, arrival: Arrival | None = None
) -> Iterator[Diagnosis]:
    """Check the domains of the sender, of the envelope and of the mail server.

    `arrival` is one of our mails that came back: only its signature shows where the DKIM key is.
    """
    sender = parseaddr(settings.mail_from)[1].rpartition("@")[2].lower()
    replies = ReplyAddresses(settings)
    envelope = replies.domain.lower() if replies.answered else sender
    yield _domains(sender, envelope)
    for domain in dict.fromkeys((envelope, sender)):
        yield _checked(f"SPF of {domain}", partial(_spf, names, domain))
    yield _checked(f"DMARC of {sender}", partial(_dmarc, names, sender, envelope))
    yield _checked("DKIM", partial(_dkim, names, sender, arrival))
    if settings.takes_mail:
        yield _checked(f"mail for {envelope}", partial(_exchanger, names, envelope))
    yield _checked("name of the mail server", partial(_reverse, names, settings))


def _checked(subject: str, check: Callable[[str], Diagnosis]) -> Diagnosis:
    try:
        return check(subject)
    except NoAnswer as error:
        advice = "Run this where names can be looked up, with the names that the world knows."
        return Diagnosis("warning", subject, f"could not be checked: {error}", advice)


def _public(name: str) -> str:
    """Return the name if it is a public one. Raises `NoAnswer` otherwise."""
    if "." not in name or name.rpartition(".")[2] in _LOCAL:
        raise NoAnswer(f"{name} is no public name")
    return name


def _domains(sender: str, envelope: str) -> Diagnosis:
    """Check that the senders in header and envelope belong together, as DMARC requires for SPF."""
    subject = "domains of mail"
    if _related(sender, envelope):
        same = sender == envelope
        says = sender if same else f"{sender} and {envelope} belong together"
        return Diagnosis("ok", subject, says)
    says = f"mail is from {sender} and comes back to {envelope}, which have nothing in common"
    advice = (
        "Use one domain, or a name under it, for SCOTTENBURY_MAIL_FROM and"
        " SCOTTENBURY_MAIL_DOMAIN: else mail passes DMARC only by its signature (DKIM)."
    )
    return Diagnosis("warning", subject, says, advice)


def _related(one: str, other: str) -> bool:
    return one == other or one.endswith(f".{other}") or other.endswith(f".{one}")


def _spf(names: Names, domain: str, subject: str) -> Diagnosis:
    records = [text for text in names.look_up(_public(domain), "TXT") if _begins(text, "v=spf1")]
    if not records:
        advice = f"Publish which servers send mail of {domain}: a TXT record `v=spf1 … -all`."
        return Diagnosis("warning", subject, "there is no record", advice)
    if len(records) > 1:
        advice = "Publish one record only: with several, SPF fails for all mail."
        return Diagnosis("bad", subject, f"there are {len(records)} records", advice)
    if {"+all", "all"}.intersection(records[0].lower().split()):
        advice = "End it with `-all` or `~all`: as it is, everybody may send mail of this domain."
        return Diagnosis("warning", subject, records[0], advice)
    return Diagnosis("ok", subject, records[0])


def _dmarc(names: Names, sender: str, envelope: str, subject: str) -> Diagnosis:
    policy = next(filter(None, (_policy(names, name) for name in _with_parents(sender))), None)
    if policy is None:
        advice = "Publish a policy, `v=DMARC1; p=none` for a beginning: large providers ask for it."
        return Diagnosis("warning", subject, "there is no policy", advice)
    if _tags(policy).get("aspf") == "s" and sender != envelope:
        advice = f"Drop `aspf=s`, or see that all mail is signed (DKIM): it comes from {envelope}."
        return Diagnosis("warning", subject, f"{policy}: SPF alone cannot pass", advice)
    return Diagnosis("ok", subject, policy)


def _policy(names: Names, domain: str) -> str | None:
    texts = names.look_up(f"_dmarc.{_public(domain)}", "TXT")
    return next((text for text in texts if _begins(text, "v=dmarc1")), None)


def _with_parents(domain: str) -> Iterator[str]:
    """The domain and its parents, down to two labels."""
    labels = domain.split(".")
    for first in range(max(1, len(labels) - 1)):
        yield ".".join(labels[first:])


def _dkim(names: Names, sender: str, arrival: Arrival | None, subject: str) -> Diagnosis:
    """Check that a mail that came back to us is signed by our domain, with a published key."""
    if arrival is None:
        says = "could not be checked: no mail came back whose signature names the key"
        advice = "Let answers come in, or look for dkim=pass in a mail to --mail-to."
        return Diagnosis("warning", subject, says, advice)
    own = [pair for pair in arrival.signatures if _related(pair[0], sender)]
    if not own:
        by = ", ".join(domain for domain, _ in arrival.signatures)
        says = f"the mail that came back was signed by {by}" if by else "that mail was not signed"
        advice = f"Let your mail server sign mail of {sender}; it may leave out its own."
        return Diagnosis("warning", subject, says, advice)
    domain, selector = own[0]
    key = f"{selector}._domainkey.{domain}"
    if any(_tags(text).get("p") for text in names.look_up(key, "TXT")):
        return Diagnosis("ok", subject, f"signed by {domain}, with the key at {key}")
    return Diagnosis("bad", subject, f"there is no key at {key}", "Publish it as a TXT record.")


def _exchanger(names: Names, domain: str, subject: str) -> Diagnosis:
    exchangers = names.look_up(_public(domain), "MX")
    if any(exchanger.split() == ["0"] for exchanger in exchangers):
        return Diagnosis("bad", subject, "its MX record says that it takes none", "Change it.")
    if exchangers:
        return Diagnosis("ok", subject, f"goes to {', '.join(sorted(exchangers))}")
    if names.look_up(domain, "A") or names.look_up(domain, "AAAA"):
        return Diagnosis("ok", subject, f"goes to {domain} itself, which has no MX record")
    advice = "Publish an MX record: else no answer of a player's finds its way."
    return Diagnosis("bad", subject, "goes nowhere", advice)


def _reverse(names: Names, settings: Settings, subject: str) -> Diagnosis:
    """Check that the addresses of the mail server have names that resolve to them."""
    host = read_smtp_url(settings.smtp_url or "").host
    addresses = _addresses(names, host)
    outside = [each for each in addresses if ipaddress.ip_address(each).is_global]
    if not outside:
        raise NoAnswer(f"under which address {host} sends is not known here")
    for address in outside:
        back = names.look_up(str(dns.reversename.from_address(address)).rstrip("."), "PTR")
        if not any(address in _addresses(names, name) for name in back):
            says = f"{address} is called {', '.join(back) or 'nothing'}, which does not lead back"
            advice = "If that server delivers mail itself, give its address a name (PTR)."
            return Diagnosis("warning", subject, says, advice)
    return Diagnosis("ok", subject, f"{host}: names and addresses lead to each other")


def _addresses(names: Names, host: str) -> list[str]:
    try:
        return [str(ipaddress.ip_address(host))]
    except ValueError:
        if host == "localhost":
            return []
        return [*names.look_up(_public(host), "A"), *names.look_up(host, "AAAA")]


def _begins(text: str, version: str) -> bool:
    return text.lower().replace(" ", "").split(";")[0].startswith(version)


def _tags(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


SUBJECT: Final = "mail to itself and back"
_REPLY_SECONDS: Final = 10.0
"""Seconds to wait for each response of the mail server."""
_PERIOD: Final = 0.25
"""Seconds between two checks."""


class Loop(NamedTuple):
    """The result of `send_and_wait`. `seconds` passed until the mail was back; `error` is the
    reason why it was not sent.

    `own_sender` tells whether the mail server accepted the signed sender, to which bounces return.
    """

    result: Literal["ok", "refused", "timeout"]
    seconds: float = 0.0
    error: str = ""
    arrival: Arrival | None = None
    own_sender: bool = True


def examine_delivery(
    container: Container, patience: float, names: Names | None = None
) -> Iterator[Diagnosis]:
    """Send a mail to ourselves, wait this many seconds for it, and look our domains up.

    Does nothing without a mail server, or with no seconds to wait.
    """
    settings = container.settings
    if settings.smtp_url is None or patience <= 0:
        return
    arrival = None
    if settings.takes_mail:
        loop = send_and_wait(container, patience)
        arrival = loop.arrival
        yield diagnosis(container, loop)
        if not loop.own_sender:
            says = "the mail server takes none but that of SCOTTENBURY_MAIL_FROM"
            advice = (
                "Let it take all of the reply domain: as it is, mail that comes back marks no"
                " address."
            )
            yield Diagnosis("warning", "sender in the envelope", says, advice)
        if arrival is not None and settings.mail_authserv is not None:
            yield _authenticated(settings.mail_authserv, arrival)
    else:
        yield Diagnosis("ok", SUBJECT, "not tried: no mail comes in (docs/mail.md)")
    yield from examine_names(settings, names or SystemNames(), arrival)


def examine_address(container: Container, to: str) -> Diagnosis:
    """Send a test mail to this address; report whether the mail server accepted it."""
    subject = f"mail to {to}"
    if container.settings.smtp_url is None:
        return Diagnosis(
            "bad", subject, "not sent: no mail server is set", "Set SCOTTENBURY_SMTP_URL."
        )
    try:
        _send(container, ids.game_id(), to)
    except (OSError, ValueError) as error:
        advice = "See what the mail server said, and its log."
        return Diagnosis("bad", subject, f"not taken: {_said(error)}", advice)
    says = "taken by the mail server: see whether it arrives, in which folder, and its signatures"
    return Diagnosis("ok", subject, says)


def send_and_wait(
    container: Container, patience: float, sleep: Callable[[float], None] = time.sleep
) -> Loop:
    """Send a mail to an address of our own, and wait this many seconds for it to come in."""
    check = ids.game_id()
    began = time.monotonic()
    try:
        own_sender = _send(container, check, container.incoming_mail.checks.write(check))
    except (OSError, ValueError) as error:
        return Loop("refused", error=_said(error))
    while (lasted := time.monotonic() - began) < patience:
        if container.settings.imap_url is not None:
            polling.hurry(container.redis)
        if (arrival := container.incoming_mail.checks.arrival(check)) is not None:
            return Loop("ok", time.monotonic() - began, "", arrival, own_sender)
        sleep(min(_PERIOD, patience - lasted))
    return Loop("timeout", patience, own_sender=own_sender)


def diagnosis(container: Container, loop: Loop) -> Diagnosis:
    """Report whether our mail to ourselves came back, and if not, what to check."""
    if loop.result == "ok":
        return Diagnosis("ok", SUBJECT, f"ok, after {loop.seconds:.1f} s")
    if loop.result == "refused":
        advice = "Check SCOTTENBURY_SMTP_URL, and whether that server takes mail for the domain."
        return Diagnosis("bad", SUBJECT, f"failed: the mail was not taken: {loop.error}", advice)
    domain = container.mail_addresses.replies.domain
    advice = (
        f"See the mail server's log and queue: what comes to check+…@{domain} has to be handed in"
        " (docs/mail.md). Players' answers take the same way."
    )
    says = f"timeout: the mail was taken, and did not come in within {loop.seconds:.0f} s"
    return Diagnosis("bad", SUBJECT, says, advice)


def _authenticated(server: str, arrival: Arrival) -> Diagnosis:
    """Report our own mail server's authentication results for the mail that came back."""
    subject = f"checks by {server}"
    said = "; ".join(f"{method}: {result}" for method, result in arrival.results.items())
    if not said and arrival.is_local:
        says = "none, as is right: the mail was submitted to that server, and never left it"
        return Diagnosis("ok", subject, says)
    if not said:
        advice = "See how that server calls itself in `Authentication-Results`."
        return Diagnosis("warning", subject, "none in the mail that came back", advice)
    if {"fail", "softfail", "permerror"}.intersection(re.findall("[a-z]+", said)):
        return Diagnosis("warning", subject, said, "See what is said below of these domains.")
    return Diagnosis("ok", subject, said)


def _send(container: Container, check: str, to: str) -> bool:
    """Send a mail to this address. Return whether the mail server accepted the sender for
    bounces."""
    url, sender = container.settings.smtp_url or "", parseaddr(container.settings.mail_from)[1]
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = to
    message["Subject"] = "Scottenbury checks its mail"
    message["Date"] = format_datetime(localtime())
    message["Message-ID"] = f"<{check}.check@{sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("This mail was sent by `scottenbury doctor`. Nobody has to do anything.\n")
    # As with each mail to a player: a mail server that accepts no other sender shows it here.
    envelope = container.mail_addresses.bouncing.write(check, to, container.now()) or sender
    with connected(read_smtp_url(url), _REPLY_SECONDS) as smtp:
        return send(smtp, (envelope, sender), to, message.as_bytes()) == envelope


def _said(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
        return f"{code} {said.decode(errors='replace')}"
    return str(error)
