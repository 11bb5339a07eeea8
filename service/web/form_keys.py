"""Makes a form that is sent twice take effect once. A page puts a new secret into its form;
pressing the button twice, or sending the page again, sends the same secret."""

import re
from typing import Final

from flask import request

from service.container import get_container
from service.core import ids
from service.eventlog import IdempotencyKey
from service.web import cookies
from service.web.blueprint import blueprint

FIELD: Final = "once"
_DRAWN: Final = re.compile("[A-Za-z0-9_-]{43}")


@blueprint.app_template_global()
def once() -> str:
    """The value of the hidden field `once`."""
    return ids.secret_text()


def form_key(scope: str) -> IdempotencyKey | None:
    """The idempotency key of the form that was sent, within `scope`; None without the field.

    The same page with other choices is another request.
    """
    drawn = request.form.get(FIELD, "")
    if not _DRAWN.fullmatch(drawn):
        return None
    fields = sorted((name, value) for name, value in request.form.items(multi=True))
    fingerprint = ids.digest(repr([request.path, *fields]))
    return IdempotencyKey(f"{scope} web {fingerprint}", fingerprint, scope)


def future_guest() -> str | None:
    """The holder under whom a seal is stored for the guest that this form will make."""
    seed = guest_seed()
    return None if seed is None else f"guest-{ids.digest(seed)}"


def guest_seed() -> str | None:
    """The seed of the guest made by this form: the same each time, and only in this browser."""
    drawn = request.form.get(FIELD, "")
    if not _DRAWN.fullmatch(drawn):
        return None
    secret = get_container().settings.secret_key
    return ids.secret_text(ids.derive(secret, "web guest", cookies.given(cookies.FORM), drawn))
