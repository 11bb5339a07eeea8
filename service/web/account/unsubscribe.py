"""Turning a kind of mail off, and on again, by the signed link in the mail itself."""

from flask import abort, render_template, request

from service.accounts.mail_preferences import KINDS, MailPreferences, Subscription
from service.container import get_container
from service.web.blueprint import blueprint
from service.web.forms import open_to_others


@blueprint.get("/unsubscribe/<token>")
def unsubscribe(token: str) -> str:
    """Ask for confirmation. Only submitting the form changes anything: mail scanners follow every
    link."""
    return _page(*_subscription(token))


@blueprint.post("/unsubscribe/<token>")
@open_to_others
def change_subscription(token: str) -> str:
    """Turn this kind of mail off, as a mail program's own button does (RFC 8058); or on again with
    `on`."""
    mail_preferences, subscription = _subscription(token)
    if request.form.get("on"):
        mail_preferences.turn_on(subscription)
    else:
        mail_preferences.turn_off(subscription)
    return _page(mail_preferences, subscription)


def _subscription(token: str) -> tuple[MailPreferences, Subscription]:
    mail_preferences = get_container().mail_preferences
    subscription = mail_preferences.read(token)
    if subscription is None:
        abort(404)
    return mail_preferences, subscription


def _page(mail_preferences: MailPreferences, subscription: Subscription) -> str:
    return render_template(
        "unsubscribe.html",
        what=KINDS.get(subscription.kind, subscription.kind),
        wanted=mail_preferences.wanted(subscription),
    )
