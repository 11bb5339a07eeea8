"""Checks the parts that send and receive mail."""

import socket
import ssl
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import urlsplit

from service.accounts.email_addresses import FailingAddresses
from service.core.network import is_loopback
from service.core.redis.client import Client
from service.core.settings import Settings
from service.core.times import MINUTE
from service.mail.smtp import SmtpServer, connected, read_smtp_url
from service.mail_in import polling
from service.mail_in.store import MailInStore
from service.ops.diagnosis import Diagnosis

_PATIENCE: Final = 5.0
_SILENT: Final = polling.LONGEST_PAUSE + polling.LONGEST + MINUTE
"""Seconds without any fetching of mail after which it counts as stopped."""


def examine_mail(
    settings: Settings, redis: Client, now: Callable[[], float]
) -> Iterator[Diagnosis]:
    """Check the parts that send and receive mail."""
    yield from _mail(settings)
    yield from _mail_in(settings, MailInStore(redis))
    if settings.imap_url is not None:
        yield _fetching(polling.state(redis), now())
    if settings.smtp_url is not None:
        yield _failing_addresses(FailingAddresses(redis, now))


def unread_mail(settings: Settings) -> list[str]:
    """Return one line if mails reach nobody: there is no mail server, and the mailbox for trying
    things out opens on this machine alone. Otherwise return an empty list."""
    has_reader = settings.smtp_url or is_loopback(urlsplit(settings.base_url).hostname)
    return [] if has_reader else [_local_mail(settings).line()]


def _failing_addresses(failing: FailingAddresses) -> Diagnosis:
    failures = failing.all()
    if not failures:
        return Diagnosis("ok", "addresses", "mail reaches all, as far as is known")
    says = f"mail to {len(failures)} is refused for good, or comes back"
    advice = f"Their players are told on their pages. The last time: {failures[0].error}"
    return Diagnosis("warning", "addresses", says, advice)


def _mail(settings: Settings) -> Iterator[Diagnosis]:
    if settings.smtp_url is None:
        yield _local_mail(settings)
        return
    yield _mail_server(settings.smtp_url)
    if settings.mail_from.rstrip("> ").endswith("@localhost"):
        advice = "Set SCOTTENBURY_MAIL_FROM to an address of yours, or mail will be refused."
        yield Diagnosis("warning", "sender of mail", settings.mail_from, advice)
    if is_loopback(urlsplit(settings.base_url).hostname):
        advice = "Set SCOTTENBURY_BASE_URL to the address that players see in their browser."
        yield Diagnosis("warning", "links in mail", f"lead to {settings.base_url}", advice)


def _mail_in(settings: Settings, store: MailInStore) -> Iterator[Diagnosis]:
    """Check that replies to our mails come in, and report their outcomes."""
    counts = store.counts()
    ended = ", ".join(f"{label}: {count}" for label, count in counts.items()) or "none came so far"
    if settings.mail_in is not None and not _accepts(*settings.mail_in):
        advice = "`scottenbury serve` listens there while it runs: see its log."
        says = f"nobody listens on SCOTTENBURY_MAIL_IN; {ended}"
        yield Diagnosis("bad", "mail in", says, advice)
    elif settings.takes_mail:
        yield Diagnosis("ok", "mail in", ended)
    elif settings.smtp_url is not None:
        yield Diagnosis("ok", "mail in", "off: mails cannot be answered (docs/mail.md)")


def _accepts(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=_PATIENCE):
            return True
    except OSError:
        return False


def _local_mail(settings: Settings) -> Diagnosis:
    advice = "Set SCOTTENBURY_SMTP_URL to send mail."
    if is_loopback(urlsplit(settings.base_url).hostname):
        says = "stays here: everybody at this machine reads all of it on /mailbox, hands and links"
        return Diagnosis("warning", "mail", f"{says} that sign in", advice)
    says = "reaches nobody: no mail server is set, and /mailbox opens only on this machine alone"
    return Diagnosis("warning", "mail", says, advice)


def _mail_server(url: str) -> Diagnosis:
    try:
        server = read_smtp_url(url)
        with connected(server, _PATIENCE) as smtp:
            smtp.noop()
            offers_tls = smtp.has_extn("starttls")
    except (OSError, ValueError) as error:
        advice = "Check SCOTTENBURY_SMTP_URL; mail is kept and tried again for three days."
        if isinstance(error, ssl.SSLCertVerificationError):
            advice = (
                "The URL has to name the host as its certificate does. If a CA of your own signed"
                " that, name the CA's file in SSL_CERT_FILE (docs/mail.md)."
            )
        return Diagnosis("bad", "mail server", f"cannot be used: {error}", advice)
    return _spoken_to(server, offers_tls=offers_tls)


def _spoken_to(server: SmtpServer, *, offers_tls: bool) -> Diagnosis:
    """Report how the connection to a mail server that responds is protected."""
    signed_in = "signed in" if server.user is not None else "without signing in"
    if server.encryption != "none":
        by = "TLS" if server.encryption == "tls" else "STARTTLS"
        says = f"{server.host} answers, encrypted by {by}, {signed_in}"
        return Diagnosis("ok", "mail server", says)
    says = f"{server.host} answers, {signed_in}"
    if is_loopback(server.host):
        return Diagnosis("ok", "mail server", says)
    advice = (
        "Add ?starttls=1 to SCOTTENBURY_SMTP_URL: the server offers it."
        if offers_tls
        else "Use smtps://, or a server that offers STARTTLS, unless the network is your own."
    )
    return Diagnosis("warning", "mail server", f"{says}, and nothing is encrypted", advice)


def _fetching(state: polling.PollingState, now: float) -> Diagnosis:
    """Report the state of fetching mail by IMAP."""
    subject = "mail by IMAP"
    if state.since is not None:
        advice = "Check SCOTTENBURY_IMAP_URL; mail stays in the mailbox until it can be fetched."
        says = f"fails for {now - state.since:.0f} s: {state.error}"
        return Diagnosis("bad", subject, says, advice)
    if state.ok is None or now - state.ok > _SILENT:
        advice = "The worker fetches mail: see whether it runs, and its log."
        says = "never fetched" if state.ok is None else f"last fetched {now - state.ok:.0f} s ago"
        return Diagnosis("warning", subject, says, advice)
    return Diagnosis(
        "ok", subject, f"kept: {state.kept}; not for us, or out of form: {state.refused}"
    )
