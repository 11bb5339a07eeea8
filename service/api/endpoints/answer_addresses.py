"""Further addresses from which the caller answers mails."""

from typing import Any

from flask import Response

from service.accounts.answer_addresses import AnswerAddress
from service.api.auth import caller
from service.api.blueprint import ACCOUNT, EVERYTHING, Blueprint
from service.api.responses import json_answer, no_content
from service.api.schemas import account
from service.container import get_container

blueprint = Blueprint(
    "answer-addresses", __name__, description="Further addresses to answer mails from"
)


@blueprint.route("/me/answer-addresses")
@blueprint.operation("listAnswerAddresses", security=ACCOUNT)
@blueprint.response(200, account.AnswerAddressListSchema)
def list_all() -> Response:
    """List the addresses I answer from

    Beside the one that mail goes to; the oldest first.
    """
    addresses = get_container().answer_addresses.all_of(caller())
    return json_answer({"addresses": [shown(each) for each in addresses]})


@blueprint.route("/me/answer-addresses", methods=["POST"])
@blueprint.operation(
    "addAnswerAddress",
    "not-for-bots",
    "too-many-addresses",
    "too-many-mails",
    security=EVERYTHING,
)
@blueprint.body(account.AnswerAddressInput)
@blueprint.response(201, account.AnswerAddressSchema)
def add(body: dict[str, Any]) -> Response:
    """Answer mails from another address too

    It counts once it is confirmed by the link that is sent to it; giving an unconfirmed address
    again sends another link. Mail about games never goes there, and nobody can sign in with it;
    only answers to mails from there do. Takes a token with all scopes, because whoever has the
    address and one of the mails can play.
    """
    added = get_container().answer_addresses.add(caller(), body["email"])
    return json_answer(shown(added), 201)


@blueprint.route("/me/answer-addresses/<address:address_id>", methods=["DELETE"])
@blueprint.operation("removeAnswerAddress", "address-not-found", security=EVERYTHING)
@blueprint.response(204)
def remove(address_id: str) -> Response:
    """Answer mails from an address no more

    From now on, nothing is played from there. Takes a token with all scopes.
    """
    get_container().answer_addresses.remove(caller(), address_id)
    return no_content()


def shown(address: AnswerAddress) -> dict[str, object]:
    """A further address, for the player whose it is."""
    return {
        "id": address.id,
        "email": address.email,
        "created_at": address.added,
        "verified": address.verified,
    }
