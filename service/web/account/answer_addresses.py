"""Additional addresses from which a player answers mails."""

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
    """Add an address to answer from; it counts once the link sent there is opened."""
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
    """Remove an address to answer from."""
    player = signed_in_player()
    get_container().answer_addresses.remove(player.id, address_id)
    return to("web.account_mail")


def answer_verification(claim: AddressVerification, done: bool) -> Response:
    """Ask the owner of an address whether a player may answer from it, or confirm that they
    agreed."""
    container = get_container()
    player = container.players.find(claim.player)
    if player is None or (done and not container.answer_addresses.verify(claim)):
        return gone()
    done = container.answer_addresses.is_confirmed(player.id, claim.email)
    page = render_template("verify.html", player=player, email=claim.email, done=done, answers=True)
    return personal(page)
