"""The forms in which a player chooses the delivery of mail: for all games, and for one game."""

from typing import Any, Final

from flask import Response, abort, request
from marshmallow import ValidationError

from service.accounts.local_time import zone_names
from service.accounts.mail_preferences import (
    DELIVERY_MEANINGS,
    GROUP_WORDS,
    GROUPS,
    REMINDERS,
    MailChoice,
    Subscription,
    clock_time,
    read_delivery,
)
from service.api.schemas.mail import MailSettingsInput
from service.container import get_container
from service.core.errors import RequestRejected
from service.games.notices.mail_choices import choose_delivery
from service.web.answers import signed_in, to
from service.web.blueprint import blueprint

_NIGHT: Final = {"begin": "22:00", "end": "07:00"}
"""The quiet hours that the form suggests."""


def store_choices(player: str) -> dict[str, str]:
    """Store the choices in the form; return its errors by field. With errors, nothing is stored."""
    form = request.form
    given: dict[str, Any] = {
        name: form.get(name, "") for name in ("delivery", "digest_at", "time_zone", "reminders")
    }
    quiet = {name: form.get(f"quiet_{name}", "") for name in ("begin", "end")}
    given["quiet"] = quiet if form.get("quiet") else None
    try:
        MailSettingsInput().load(given)
    except ValidationError as error:
        return {name: _WRONG.get(name, "Choose one.") for name in error.messages_dict}
    stored = f"{quiet['begin']}-{quiet['end']}" if given["quiet"] else None
    preferences, wanted = get_container().mail_preferences, set(form.getlist("groups"))
    try:
        get_container().games.calendars.change_zone(player, given["time_zone"])
    except RequestRejected as rejection:
        return {"time_zone": rejection.detail}
    preferences.set_choice(player, {**given, "quiet": stored})
    preferences.choose_groups(player, {group: group in wanted for group in GROUPS})
    return {}


def shown_choices(player: str, *, was_given: bool) -> dict[str, object]:
    """Return the values that the form shows: the stored choices, or the ones just sent
    (`was_given`)."""
    preferences, form = get_container().mail_preferences, request.form
    choice, wanted = preferences.choice(player), preferences.groups(player)
    quiet = _NIGHT
    if choice.quiet:
        quiet = {"begin": clock_time(choice.quiet.begin), "end": clock_time(choice.quiet.end)}
    shown: dict[str, object] = {
        "delivery": choice.delivery,
        "digest_at": clock_time(choice.digest_at),
        "time_zone": choice.time_zone,
        "reminders": choice.reminders,
        "quiet": choice.quiet is not None,
        "quiet_begin": quiet["begin"],
        "quiet_end": quiet["end"],
        "groups": [group for group in GROUPS if wanted[group]],
    }
    if was_given:
        shown |= {name: form.get(name, "") for name in shown if name != "groups"}
        shown["groups"] = form.getlist("groups")
    return {
        **shown,
        "deliveries": DELIVERY_MEANINGS,
        "reminding": REMINDERS,
        "about": GROUP_WORDS,
        "zones": zone_choices(choice.time_zone),
        "zone_is_chosen": choice != MailChoice(games=choice.games),
        "stopped": choice.delivery == "digest"
        and not preferences.wanted(Subscription(player, "digest")),
    }


def game_mail(choice: MailChoice, game_id: str) -> dict[str, object]:
    """Return the delivery of mail about a game under these choices, for the game's page."""
    return {
        "chosen": choice.games.get(game_id),
        "effective": DELIVERY_MEANINGS[choice.delivery_of(game_id)],
        "otherwise": DELIVERY_MEANINGS[choice.delivery],
        "deliveries": DELIVERY_MEANINGS,
    }


@blueprint.post("/games/<game_id>/mail")
def choose_game_mail(game_id: str) -> Response:
    """Set the delivery of mail about this game; an empty value means the same as for others."""
    player = signed_in()
    given = request.form.get("delivery", "")
    delivery = read_delivery(given)
    if given and delivery is None:
        abort(422)
    container = get_container()
    stored = container.games.read(game_id, player)
    choose_delivery(container.mail_preferences, stored, player, delivery)
    return to("web.game", game_id=game_id)


def zone_choices(chosen: str) -> list[str]:
    """Return the time zones to choose from, and the `chosen` one: one for each region, without
    zones that exist for old programs only."""
    regions = [name for name in zone_names() if "/" in name and not name.startswith("Etc/")]
    return ["UTC", *(name for name in regions if name != "UTC")] + (
        [] if chosen in ("UTC", *regions) else [chosen]
    )


_WRONG: Final = {
    "digest_at": "Give a time of day, 08:00 for example.",
    "time_zone": "Choose a time zone from the list.",
    "quiet": "Give two different times of day.",
}
