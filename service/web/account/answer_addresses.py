"""Additional addresses from which a player replies to mails."""

from flask import Response, render_template, request
from marshmallow import ValidationError

from service.accounts.email_addresses import AddressVerification
from service.api.schemas.fields import EmailAddress
from service.container import get_container
from service.core.errors import RequestRejected
from service.web.account.page import mail_page
from service.web.answers import gone, personal, signed_in_player, to
from service.web.blueprint import blueprint


@blueprint.post("/account/answer-addresses")
def add_answer_address() -> Response:
    """Add an address to reply from; it counts once the link sent there is opened."""
    player = signed_in_player()
    try:
        email = EmailAddress().deserialize(request.form.get("email", "").strip())
        get_container().answer_addresses.add(player.id, email)
    except ValidationError:
        return mail_page(player, {"answer-email": "That is not a valid e-mail address."})
    except RequestRejected as refusal:
        return mail_page(player, {"answer-email": refusal.detail})
    return to("web.account_mail")


@blueprint.post("/account/answer-addresses/<address_id>/remove")
def remove_answer_address(address_id: str) -> Response:
    """Remove an address to reply from."""
    player = signed_in_player()
    get_container().answer_addresses.remove(player.id, address_id)
    return to("web.account_mail")


def answer_verification(claim: AddressVerification, done: bool) -> Response:
    """Return the page for the owner of an address: it asks whether a player may reply from it, or
    with `done` confirms that."""
    container = get_container()
    player = container.players.find(claim.player)
    if player is None or (done and not container.answer_addresses.verify(claim)):
        return gone()
    done = container.answer_addresses.is_confirmed(player.id, claim.email)
    page = render_template("verify.html", player=player, email=claim.email, done=done, answers=True)
    return personal(page)
