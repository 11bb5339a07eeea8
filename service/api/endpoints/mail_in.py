"""Incoming mail handed in by a provider: `POST /mail-in`."""

import hmac
from typing import Final

from flask import Blueprint, Response, abort, request

from service.api.problems import problem
from service.container import get_container
from service.core.errors import RequestRejected

PATH: Final = "/mail-in"
_STATUS: Final = {"unknown-recipient": 404, "malformed-mail": 422, "too-many-mails": 429}

blueprint = Blueprint("mail_in", __name__)


@blueprint.post(PATH)
def take() -> Response:
    """Take one mail, `message/rfc822`; answer 202 once it is stored.

    `to` and `from` in the query are those of its envelope; otherwise the mail's own recipients
    count.
    """
    container = get_container()
    token = container.settings.mail_in_token
    if token is None:
        abort(404)
    if not hmac.compare_digest(_given().encode(), token.encode()):
        return problem("unauthenticated", "The bearer token is not SCOTTENBURY_MAIL_IN_TOKEN.")
    if request.mimetype != "message/rfc822":
        return problem("unsupported-media-type", "Send the mail itself, as message/rfc822.")
    raw, incoming = request.get_data(), container.incoming_mail
    try:
        to = request.args.get("to")
        for recipient in [to] if to else incoming.recipients_of(raw) or [""]:
            incoming.accept(recipient, request.args.get("from", "envelope"), raw)
    except RequestRejected as rejection:
        text = f"{rejection.detail}\n"
        return Response(text, _STATUS[rejection.code], mimetype="text/plain")
    return Response("Kept.\n", 202, mimetype="text/plain")


def _given() -> str:
    kind, _, text = request.headers.get("Authorization", "").partition(" ")
    return text.strip() if kind.lower() == "bearer" else ""
