"""Makes a form that is sent twice take effect once.

A page puts a new secret into its form; if the button is clicked twice, or the page is sent again,
the secret is the same.
"""

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
    """Return a new value for the hidden field `once`."""
    return ids.secret_text()


def form_key(scope: str) -> IdempotencyKey | None:
    """Return the idempotency key of the submitted form, within `scope`; None without the field.

    The same page with other choices is another request.
    """
    drawn = request.form.get(FIELD, "")
    if not _DRAWN.fullmatch(drawn):
        return None
    fields = sorted((name, value) for name, value in request.form.items(multi=True))
    fingerprint = ids.digest(repr([request.path, *fields]))
    return IdempotencyKey(f"{scope} web {fingerprint}", fingerprint, scope)


def future_guest() -> str | None:
    """Return the name under which a seal is stored for the guest whom this form will create; None
    without the field `once`."""
    seed = guest_seed()
    return None if seed is None else f"guest-{ids.digest(seed)}"


def guest_seed() -> str | None:
    """Return the seed of the guest whom this form creates: the same each time, and only in this
    browser. None without the field `once`."""
    drawn = request.form.get(FIELD, "")
    if not _DRAWN.fullmatch(drawn):
        return None
    secret = get_container().settings.secret_key
    return ids.secret_text(ids.derive(secret, "web guest", cookies.given(cookies.FORM), drawn))
