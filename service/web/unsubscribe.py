"""Turning a kind of mail off, and on again, by the signed link in the mail itself."""

from flask import abort, render_template, request

from service.accounts.mail_preferences import KINDS, Subscription, Subscriptions
from service.container import get_container
from service.web.blueprint import blueprint


@blueprint.get("/unsubscribe/<token>")
def unsubscribe(token: str) -> str:
    """Ask. Only the answer changes anything: mail scanners follow every link."""
    return _page(*_subscription(token))


@blueprint.post("/unsubscribe/<token>")
def change_subscription(token: str) -> str:
    """Turn off, as the mail program's own button does it (RFC 8058), or on again with `on`."""
    subscriptions, subscription = _subscription(token)
    if request.form.get("on"):
        subscriptions.turn_on(subscription)
    else:
        subscriptions.turn_off(subscription)
    return _page(subscriptions, subscription)


def _subscription(token: str) -> tuple[Subscriptions, Subscription]:
    subscriptions = get_container().subscriptions
    subscription = subscriptions.read(token)
    if subscription is None:
        abort(404)
    return subscriptions, subscription


def _page(subscriptions: Subscriptions, subscription: Subscription) -> str:
    return render_template(
        "unsubscribe.html",
        what=KINDS.get(subscription.kind, subscription.kind),
        wanted=subscriptions.wanted(subscription),
    )
