"""Sends a mail to the server itself: out through its mail server, and back in."""

import re
import smtplib
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, localtime, parseaddr
from typing import Final, Literal, NamedTuple

from service.container import Container
from service.core import ids
from service.mail.smtp import connected, read_smtp_url, send
from service.mail_in import polling_turn
from service.mail_in.self_check import Arrival
from service.ops.diagnosis import Diagnosis
from service.ops.mail_dns import Names, SystemNames, examine_names

SUBJECT: Final = "mail to itself and back"
_PATIENCE: Final = 10.0
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
            yield _other_sender()
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
            polling_turn.hurry(container.redis)
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
    domain = container.incoming_mail.addresses.domain
    advice = (
        f"See the mail server's log and queue: what comes to check+…@{domain} has to be handed in"
        " (docs/mail.md). Players' answers take the same way."
    )
    says = f"timeout: the mail was taken, and did not come in within {loop.seconds:.0f} s"
    return Diagnosis("bad", SUBJECT, says, advice)


def _other_sender() -> Diagnosis:
    says = "the mail server takes none but that of SCOTTENBURY_MAIL_FROM"
    advice = "Let it take all of the reply domain: as it is, mail that comes back marks no address."
    return Diagnosis("warning", "sender in the envelope", says, advice)


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
    envelope = container.incoming_mail.bouncing.write(check, to, container.now()) or sender
    with connected(read_smtp_url(url), _PATIENCE) as smtp:
        return send(smtp, (envelope, sender), to, message.as_bytes()) == envelope


def _said(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
        return f"{code} {said.decode(errors='replace')}"
    return str(error)
