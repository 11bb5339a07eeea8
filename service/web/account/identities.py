"""Ways to sign in other than mail: the identities that may open an account."""

from flask import Response, abort

from service.container import get_container
from service.core.errors import RequestRejected
from service.web import trusted_header
from service.web.answers import saved, signed_in_player
from service.web.blueprint import blueprint


@blueprint.post("/account/identities/<link_id>/end")
def unlink_identity(link_id: str) -> Response:
    """Unlink an identity from this account, unless it is the only way to sign in."""
    player, container = signed_in_player(), get_container()
    linked = container.identities.all_of(player.id)
    if link_id not in {one.id for one in linked}:
        abort(404)
    may_be_last = container.sign_in.reaches_by_mail(player)
    if not container.identities.unlink(player.id, link_id, may_be_last=may_be_last):
        raise RequestRejected(
            "address-not-verified",
            "Nothing else would lead to this account: add an e-mail address first, and open the"
            " link that we send there.",
        )
    return saved("web.account", "identities")


@blueprint.app_template_global()
def arrived_as() -> str | None:
    """Return the name in the trusted header; None without one."""
    identity = trusted_header.identity()
    return None if identity is None else identity.subject
