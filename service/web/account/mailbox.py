"""The local mailbox. There is none where mail goes out by SMTP: then these pages are not found."""

import logging
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any, Final, Literal

from flask import Response, abort, render_template

from service.container import get_container
from service.core.timestamps import timestamp
from service.mail.mailbox import Mailbox, StoredMail
from service.web.blueprint import blueprint

HEADERS: Final = ("From", "To", "Reply-To", "Date")
UNREADABLE = "A mail that cannot be read"
_FRAME_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation"
)
"""Styles stand in the mail itself, as mail programs want them."""
_LINKS_LEAVE_THE_FRAME: Final = '<base target="_top">'

log = logging.getLogger(__name__)


@blueprint.app_template_global()
def has_mailbox() -> bool:
    """Whether mail waits on a page of this server, for want of a mail server."""
    return get_container().settings.smtp_url is None


@blueprint.get("/mailbox")
def mailbox() -> str:
    """All mails, the newest first."""
    return render_template("mailbox.html", mails=[_summary(mail) for mail in _mailbox().newest()])


@blueprint.get("/mailbox/<path:mail_id>")
def mail(mail_id: str) -> str:
    """One mail, as a mail program shows it, and as text."""
    found = _stored_mail(mail_id)
    content = _readable(found, _content) or _raw(found)
    return render_template("mail.html", mail_id=mail_id, **content)


@blueprint.get("/mailbox/html/<path:mail_id>")
def mail_html(mail_id: str) -> Response:
    """The HTML of a mail, for a frame: it runs nothing, fetches nothing and is of no origin."""
    content = _readable(_stored_mail(mail_id), _content)
    if content is None or not content["html"]:
        abort(404)
    page = Response(content["html"].replace("<head>", f"<head>{_LINKS_LEAVE_THE_FRAME}", 1))
    page.headers["Content-Security-Policy"] = _FRAME_POLICY
    page.headers["X-Frame-Options"] = "SAMEORIGIN"
    return page


def _stored_mail(mail_id: str) -> StoredMail:
    found = _mailbox().get(f"<{mail_id}>")
    if found is None:
        abort(404)
    return found


def _mailbox() -> Mailbox:
    if get_container().settings.smtp_url is not None:
        abort(404)
    return get_container().mailbox


def _summary(mail: StoredMail) -> dict[str, Any]:
    head = _readable(mail, _head) or {"to": "", "sender": "", "subject": UNREADABLE, "opening": ""}
    return {"id": mail.id.strip("<>"), "at": timestamp(mail.at), **head}


def _readable(
    mail: StoredMail, read: Callable[[EmailMessage], dict[str, Any]]
) -> dict[str, Any] | None:
    """What is read from the mail; None where it cannot be read: the others still can."""
    try:
        return read(mail.message)
    except Exception as error:  # whatever the library makes of headers out of form
        log.warning("the mail %s in the local mailbox cannot be read: %r", mail.id, error)
        return None


def _head(message: EmailMessage) -> dict[str, Any]:
    return {
        "to": message["To"].addresses[0].display_name or str(message["To"]),
        "sender": message["From"].addresses[0].display_name,
        "subject": str(message["Subject"]),
        "opening": _text(message).partition("\n")[0],
    }


def _content(message: EmailMessage) -> dict[str, Any]:
    headers = {name: str(message[name]) for name in HEADERS if message[name]}
    return {
        "subject": str(message["Subject"]),
        "headers": headers,
        "text": _text(message),
        "html": _part(message, "html"),
    }


def _raw(mail: StoredMail) -> dict[str, Any]:
    return {
        "subject": UNREADABLE,
        "headers": {},
        "text": mail.text,
        "html": "",
    }


def _text(message: EmailMessage) -> str:
    return _part(message, "plain")


def _part(message: EmailMessage, kind: Literal["plain", "html"]) -> str:
    body = message.get_body(preferencelist=(kind,))
    return str(body.get_content()) if body is not None else ""
