"""The local mailbox. There is none where mail goes out by SMTP: then these pages are not found."""

from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from flask import abort, render_template

from service.mailbox import Mail, Mailbox
from service.services import services
from service.web.blueprint import blueprint

HEADERS = ("From", "To", "Date", "Message-ID", "X-Scottenbury-Head")


@blueprint.get("/mailbox")
def mailbox() -> str:
    """All mails, the newest first."""
    return render_template("mailbox.html", mails=[_summary(mail) for mail in _mailbox().newest()])


@blueprint.get("/mailbox/<path:mail_id>")
def mail(mail_id: str) -> str:
    """One mail, as text."""
    found = _mailbox().get(f"<{mail_id}>")
    if found is None:
        abort(404)
    headers = {name: found.message[name] for name in HEADERS if found.message[name]}
    return render_template(
        "mail.html", subject=found.message["Subject"], headers=headers, text=_text(found.message)
    )


def _mailbox() -> Mailbox:
    if services().settings.smtp_url is not None:
        abort(404)
    return Mailbox(services().redis)


def _summary(mail: Mail) -> dict[str, Any]:
    return {
        "id": mail.id.strip("<>"),
        "to": mail.message["To"].addresses[0].display_name or mail.message["To"],
        "subject": mail.message["Subject"],
        "opening": _text(mail.message).partition("\n")[0],
        "at": datetime.fromtimestamp(mail.at, UTC),
    }


def _text(message: EmailMessage) -> str:
    body = message.get_body(preferencelist=("plain",))
    return str(body.get_content()) if body is not None else ""
