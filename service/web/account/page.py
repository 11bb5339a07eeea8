"""The pages of one's own account about the name and the delivery of mail.

Other modules have the other pages.
"""

from flask import Response, abort, render_template, request, url_for
from marshmallow import ValidationError

from service.accounts.player import ARCHIVE_CHOICES, Player
from service.accounts.privacy import PRESENCE_CHOICES
from service.api.endpoints.account import shown_problem
from service.api.schemas.fields import EmailAddress, NewName
from service.container import get_container
from service.core.errors import RequestRejected
from service.web.account.mail_choice import shown_choices, store_choices
from service.web.answers import personal, saved, signed_in_player
from service.web.blueprint import blueprint


@blueprint.get("/account")
def account() -> Response:
    """Show the account: name, messages, data."""
    return _profile(signed_in_player())


@blueprint.post("/account/name")
def change_name() -> Response:
    """Rename the player, in old games too."""
    player = signed_in_player()
    try:
        name = NewName().deserialize(request.form.get("name", ""))
        get_container().players.rename(player.id, name)
    except ValidationError as error:
        return _profile(player, {"name": str(error.messages[0])})
    except RequestRejected as refusal:
        return _profile(player, {"name": refusal.detail})
    return saved("web.account", "name")


@blueprint.post("/account/presence")
def choose_presence() -> Response:
    """Choose how opponents see when the player was last here."""
    player = signed_in_player()
    chosen = next((one for one in PRESENCE_CHOICES if one == request.form.get("shown")), None)
    get_container().presences.choose(player.id, chosen or abort(422))
    return saved("web.account", "presence")


@blueprint.post("/account/archive")
def choose_archive() -> Response:
    """Choose whether the player's finished games may be studied."""
    player = signed_in_player()
    chosen = next((one for one in ARCHIVE_CHOICES if one == request.form.get("archive")), None)
    get_container().players.let_study(player.id, chosen or abort(422))
    return saved("web.account", "archive")


@blueprint.get("/account/mail")
def account_mail() -> Response:
    """Show the player's addresses and choices about mail."""
    return mail_page(signed_in_player())


@blueprint.post("/account/address")
def change_address() -> Response:
    """Change the mail address; it counts once the link sent there is opened."""
    player = signed_in_player()
    try:
        email = EmailAddress().deserialize(request.form.get("email", "").strip())
        with get_container().players.counting_address_mail(player, email):
            get_container().players.set_address(player, email)
    except ValidationError:
        return mail_page(player, {"email": "That is not a valid e-mail address."})
    except RequestRejected as refusal:
        return mail_page(player, {"email": refusal.detail})
    return saved("web.account_mail", "address")


@blueprint.post("/account/mails")
def choose_mails() -> Response:
    """Choose the delivery and kinds of mail."""
    player = signed_in_player()
    errors = store_choices(player.id)
    return mail_page(player, errors) if errors else saved("web.account_mail", "mails")


def mail_page(player: Player, errors: dict[str, str] | None = None) -> Response:
    """Return the page about mail; `errors` are those of its forms, by field."""
    problem = get_container().players.address_problem(player)
    page = render_template(
        "account_mail.html",
        player=player,
        errors=errors or {},
        given=request.form,
        answer_addresses=get_container().answer_addresses.all_of(player.id),
        problem=shown_problem(problem),
        by_policy=problem is not None and problem.failure.by_policy,
        mail=shown_choices(player.id, was_given=request.path == url_for("web.choose_mails")),
    )
    return personal(page, 422 if errors else 200)


def _profile(player: Player, errors: dict[str, str] | None = None) -> Response:
    page = render_template(
        "account.html",
        player=player,
        errors=errors or {},
        given=request.form,
        presence=get_container().presences.choice(player.id),
        presence_choices=PRESENCE_CHOICES,
        archive_choices=ARCHIVE_CHOICES,
        reachable=get_container().sign_in.can_return(player),
        identities=get_container().identities.all_of(player.id),
    )
    return personal(page, 422 if errors else 200)
