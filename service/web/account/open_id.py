"""Sign-in with the OpenID provider that the operator has set."""

from urllib.parse import urlsplit

from flask import Response, abort, request

from service.accounts.identities import OPENID_CALLBACK, TRUSTED_HEADER, Identity
from service.container import get_container
from service.core.errors import RequestRejected
from service.web.account.arrival import arrive, local_path, onward
from service.web.blueprint import blueprint
from service.web.forms import browser_secret


@blueprint.get("/sign-in/openid")
def begin_open_id() -> Response:
    """Send this browser to the provider."""
    container = get_container()
    if container.open_id is None:
        abort(404)
    base = container.settings.base_url
    if request.host != urlsplit(base).netloc:
        # The provider sends browsers back to that name, where no other name's cookie goes.
        return onward(f"{base}{request.full_path.rstrip('?')}")
    next_path = local_path(request.args.get("next", ""))
    return onward(container.open_id.begin(browser_secret(), next_path))


@blueprint.get(OPENID_CALLBACK)
def finish_open_id() -> Response:
    """Complete the sign-in of a person whom the provider sends back."""
    open_id, given = get_container().open_id, request.args
    if open_id is None:
        abort(404)
    if any(len(given.getlist(name)) > 1 for name in ("state", "code", "iss")):
        raise RequestRejected("sign-in-refused", "Its answer came in two versions.")
    finished = open_id.finish(
        browser_secret(), given.get("state", ""), given.get("code", ""), given.get("iss")
    )
    return arrive(finished.person, finished.next)


@blueprint.app_template_global()
def sign_in_name(identity: Identity) -> str:
    """Return the name of the sign-in that this identity belongs to."""
    if identity.issuer == TRUSTED_HEADER:
        return "the sign-in of this server's host"
    settings = get_container().settings
    return settings.oidc_name if identity.issuer == settings.oidc_issuer else identity.issuer


@blueprint.app_template_global()
def open_id_name() -> str | None:
    """Return the provider's name on the button to sign in; None without a provider."""
    settings = get_container().settings
    return None if settings.oidc_issuer is None else settings.oidc_name
