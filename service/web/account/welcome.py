"""An operator's invitation: whoever opens its link and gives a name gets an account."""

from flask import Response, render_template, request
from marshmallow import ValidationError

from service.accounts.registration import INVITATION_LIFE
from service.api.schemas.fields import NewName
from service.container import get_container
from service.core.durations import DAY
from service.core.errors import RequestRejected
from service.web import session
from service.web.answers import gone, personal, to
from service.web.blueprint import blueprint
from service.web.form_keys import guest_seed

_WHY_GONE = f"An invitation admits one person, for {INVITATION_LIFE // DAY} days: ask for another."


@blueprint.get("/welcome/<secret>")
def welcome(secret: str) -> Response:
    """Ask the invited person for a name."""
    if session.player() is not None:
        return to("web.home")
    if not get_container().admission.is_invitation(secret):
        return gone(_WHY_GONE)
    return _page(secret)


@blueprint.post("/welcome/<secret>")
def come_in(secret: str) -> Response:
    """Register and sign in. Sending the same form again creates no second player."""
    if session.player() is not None:
        return to("web.home")
    try:
        name = NewName().deserialize(request.form.get("name", ""))
        player = get_container().guests.register(name, guest_seed(), secret, exactly=True)
    except ValidationError as error:
        return _page(secret, str(error.messages[0]))
    except RequestRejected as refusal:
        if refusal.code == "registration-closed":
            return gone(_WHY_GONE)
        return _page(secret, refusal.detail)
    return session.begin(to("web.home"), player.id)


@blueprint.app_template_global()
def admits_everybody() -> bool:
    """Whether visitors can play here without an account or an invitation."""
    return get_container().admission.registration == "open"


def _page(secret: str, error: str | None = None) -> Response:
    page = render_template("welcome.html", secret=secret, error=error)
    return personal(page, 422 if error else 200)
