"""The local mailbox, for people who try the server out on their own machine.

It shows the mails of all players, with hands and links that sign in, and each can be answered there
in its recipient's name. So it opens only if the server's base URL names the local machine (such as
`localhost`), and only for requests from this machine that came through no proxy. If mail is sent by
SMTP, there is no mailbox.
"""

import logging
from collections.abc import Callable
from email.message import EmailMessage
from http import HTTPStatus
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from flask import Response, abort, render_template, request

from service.api.auth import peer_address
from service.container import get_container
from service.core import ids
from service.core.network import is_loopback
from service.core.times import timestamp
from service.core.words import N_
from service.mail.mailbox import Mailbox, StoredMail
from service.web.answers import announce, personal, to
from service.web.blueprint import blueprint
from service.web.language import reader_words

HEADERS: Final = {
    # Note: before the sender of a mail
    "From": N_("From"),
    # Note: before the recipient of a mail
    "To": N_("To"),
    # Note: before the address that answers to a mail go to
    "Reply-To": N_("Answers to"),
    "Date": N_("Date"),
    "X-Scottenbury-Head": N_("Hash"),
}
"""The headers shown, and what each is called."""
_SANDBOX: Final = "allow-same-origin allow-top-navigation-by-user-activation"
"""What the frame of a mail may do. It runs no script, so its origin serves only the page around it,
which measures it."""
_FRAME_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
    f"frame-ancestors 'self'; sandbox {_SANDBOX}"
)
"""Allows inline styles, because mails contain their own, as mail programs require."""
_LINKS_LEAVE_THE_FRAME: Final = '<base target="_top">'
_FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")
"""Headers that proxies add to requests."""

log = logging.getLogger(__name__)


MailGoes = Literal["out", "here", "nowhere"]
"""The destination of mail: `out` is a mail server; `here` is the mailbox, which the reader may
open; `nowhere` is the mailbox too, but nobody may open it."""


@blueprint.app_template_global()
def mail_goes() -> MailGoes:
    """Return the destination of mail to players, for the reader of this page."""
    settings = get_container().settings
    if settings.smtp_url is not None:
        return "out"
    names = (urlsplit(settings.base_url).hostname, urlsplit(request.host_url).hostname)
    is_here = all(map(is_loopback, (*names, peer_address(), request.remote_addr)))
    is_forwarded = any(name in request.headers for name in _FORWARDED)
    return "here" if is_here and not is_forwarded else "nowhere"


@blueprint.app_template_global()
def reads_answers() -> bool:
    """Whether this server reads answers to the mails that it sends out."""
    return get_container().settings.takes_mail


@blueprint.get("/mailbox")
def mailbox() -> Response:
    """Show all mails, the newest first."""
    if mail_goes() == "nowhere":
        return personal("mailbox_closed.html", HTTPStatus.FORBIDDEN)
    mails = []
    for mail in _mailbox().newest():
        head = _readable(mail, _head) or dict.fromkeys(("to", "sender", "opening"), "")
        mails.append(
            {"id": mail.id.strip("<>"), "at": timestamp(mail.at), "subject": _unreadable(), **head}
        )
    return personal("mailbox.html", mails=mails)


@blueprint.get("/mailbox/<path:mail_id>")
def mail(mail_id: str) -> str:
    """Show a mail as a mail program does, and as text."""
    stored = _stored_mail(mail_id)
    raw = {"subject": _unreadable(), "headers": {}, "text": stored.text, "html": ""}
    content = _readable(stored, _content) or raw
    content |= _readable(stored, _correspondents) or {"reply_to": ""}
    return render_template("mail.html", mail_id=mail_id, frame_sandbox=_SANDBOX, **content)


@blueprint.post("/mailbox/<path:mail_id>")
def answer_mail(mail_id: str) -> Response:
    """Take in an answer of this mail's recipient, as if a mail program had sent it."""
    stored = _stored_mail(mail_id)
    found = _readable(stored, _correspondents) or abort(404)
    # A link of the mail may lead to another address of ours, as those of a list of games do.
    recipient, incoming = request.form.get("to", ""), get_container().incoming_mail
    if not incoming.takes(recipient):
        abort(404)
    answer = EmailMessage()
    answer["From"], answer["To"] = found["reader"], recipient
    answer["Subject"] = f"Re: {found['subject']}"
    # A form sent twice is one mail.
    answer["Message-ID"] = f"<{ids.digest(request.form.get('once', ''))[:32]}@mailbox.invalid>"
    answer["In-Reply-To"] = answer["References"] = stored.id
    answer.set_content(request.form.get("text", "").replace("\r\n", "\n"))
    incoming.accept(recipient, found["reader"], answer.as_bytes())
    announce(
        reader_words().say(
            "Your answer is sent. What comes of it arrives here in a moment: reload the page."
        )
    )
    return to("web.mailbox")


@blueprint.get("/mailbox/html/<path:mail_id>")
def mail_html(mail_id: str) -> Response:
    """Return the HTML of a mail, for a frame in which it runs nothing and loads nothing."""
    content = _readable(_stored_mail(mail_id), _content)
    if content is None or not content["html"]:
        abort(404)
    page = Response(content["html"].replace("<head>", f"<head>{_LINKS_LEAVE_THE_FRAME}", 1))
    page.headers["Content-Security-Policy"] = _FRAME_POLICY
    page.headers["X-Frame-Options"] = "SAMEORIGIN"
    return page


def _unreadable() -> str:
    return reader_words().say("A mail that cannot be read")


def _stored_mail(mail_id: str) -> StoredMail:
    return _mailbox().get(f"<{mail_id}>") or abort(404)


def _mailbox() -> Mailbox:
    if mail_goes() != "here":
        abort(404)
    return get_container().mailbox


def _readable(
    mail: StoredMail, read: Callable[[EmailMessage], dict[str, object]]
) -> dict[str, Any] | None:
    """Return the result of `read`; None if the mail is unreadable, so that the others are still
    shown."""
    try:
        return read(mail.message)
    except Exception as error:  # whatever the library makes of headers out of form
        log.warning("the mail %s in the local mailbox cannot be read: %r", mail.id, error)
        return None


def _head(message: EmailMessage) -> dict[str, object]:
    return {
        "to": message["To"].addresses[0].display_name or str(message["To"]),
        "sender": message["From"].addresses[0].display_name,
        "subject": str(message["Subject"]),
        "opening": _part(message, "plain").partition("\n")[0],
    }


def _content(message: EmailMessage) -> dict[str, object]:
    return {
        "subject": str(message["Subject"]),
        "headers": {
            name: (reader_words().say(called), str(message[name]))
            for name, called in HEADERS.items()
            if message[name]
        },
        "text": _part(message, "plain"),
        "html": _part(message, "html"),
    }


def _correspondents(message: EmailMessage) -> dict[str, object]:
    """Return who answers this mail, and where an answer goes: without an address of its own, to the
    sender of our mails."""
    answered, (reader, *_) = message["Reply-To"] or message["From"], message["To"].addresses
    return {
        "subject": str(message["Subject"]),
        "reader": reader.addr_spec,
        "reader_name": reader.display_name or reader.addr_spec,
        "reply_to": answered.addresses[0].addr_spec,
    }


def _part(message: EmailMessage, kind: Literal["plain", "html"]) -> str:
    body = message.get_body(preferencelist=(kind,))
    return str(body.get_content()) if body is not None else ""
