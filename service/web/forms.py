"""Forms that only our own pages can send.

Each holds a token that follows from a cookie of this browser and from who is signed in. Another
site can make a browser send a form, but neither read that cookie nor foresee the token.
"""

import hmac
import secrets
from typing import Final, cast

from flask import Response, abort, g, request

from service.container import get_container
from service.core import ids
from service.web import cookies, session
from service.web.blueprint import blueprint

FIELD: Final = "form"


@blueprint.app_template_global()
def form_token() -> str:
    """The value of the hidden field `form`."""
    if "form_seed" not in g:
        g.form_seed = cookies.given(cookies.FORM) or secrets.token_urlsafe(32)
    return _token(cast(str, g.form_seed))


def check_form() -> None:
    """Refuse a form (403) that no page of ours made for this browser."""
    seed = cookies.given(cookies.FORM)
    given = request.form.get(FIELD, "")
    if not seed or not hmac.compare_digest(given.encode(), _token(seed).encode()):
        abort(403)


@blueprint.after_request
def _with_cookie(response: Response) -> Response:
    if "form_seed" in g and not cookies.given(cookies.FORM):
        name = cookies.name_of(cookies.FORM)
        response.set_cookie(name, g.form_seed, **cookies.rules())
    return response


def _token(seed: str) -> str:
    known = get_container()
    secret = ids.derive(known.settings.secret_key, "form", seed, session.text())
    return ids.secret_text(secret)
