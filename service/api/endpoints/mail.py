"""How mail comes to the caller: for all games, and for single ones."""

from typing import Any

from flask import Response

from service.accounts.mail_preferences import MailChoice, clock_time
from service.api.auth import caller, check_scopes
from service.api.blueprint import ACCOUNT, Blueprint
from service.api.endpoints.games import GAME, GAME_PROBLEMS
from service.api.responses import json_answer, load_game
from service.api.schemas import mail
from service.container import get_container
from service.games.notices.notifications import choose_delivery
from service.games.permissions import own_seat

blueprint = Blueprint("mail", __name__, description="How mail comes")

_MAIL = f"{GAME}/mail"
_NAMED = ("delivery", "digest_at", "time_zone", "reminders")
_PROBLEMS = (*GAME_PROBLEMS, "not-a-player")


@blueprint.route("/me/mail")
@blueprint.operation("getMailSettings", security=ACCOUNT)
@blueprint.response(200, mail.MailSettingsSchema)
def show() -> Response:
    """Show how mail comes to me"""
    return json_answer(shown(caller()))


@blueprint.route("/me/mail", methods=["PATCH"])
@blueprint.operation(
    "updateMailSettings", "calendar-changed-too-often", "stale-version", security=ACCOUNT
)
@blueprint.body(mail.MailSettingsInput)
@blueprint.response(200, mail.MailSettingsSchema)
def change(body: dict[str, Any]) -> Response:
    """Change how mail comes to me

    What is not named stays. Links to sign in and to confirm an address are sent at once, whatever
    is chosen here. Another `time_zone` takes a token with `games:play` too, because it moves
    weekends and sleeping hours in running games.
    """
    preferences, player = get_container().mail_preferences, caller()
    quiet = body.get("quiet")
    chosen: dict[str, str | None] = {name: body[name] for name in _NAMED if name in body}
    if "quiet" in body:
        chosen["quiet"] = quiet and f"{quiet['begin']}-{quiet['end']}"
    if "time_zone" in body:
        check_scopes("games:play")
        get_container().games.calendars.change_zone(player, body["time_zone"])
    preferences.set_choice(player, chosen)
    preferences.choose_groups(player, body.get("groups", {}))
    return json_answer(shown(player))


@blueprint.route(_MAIL)
@blueprint.operation("getGameMailSettings", *_PROBLEMS)
@blueprint.response(200, mail.GameMailSettingsSchema)
def show_game(game_id: str) -> Response:
    """Show how mail about a game comes to me"""
    own_seat(load_game(game_id, caller()), caller())
    return _game_answer(game_id)


@blueprint.route(_MAIL, methods=["PUT"])
@blueprint.operation("setGameMailSettings", *_PROBLEMS, "game-over")
@blueprint.body(mail.GameMailSettingsInput)
@blueprint.response(200, mail.GameMailSettingsSchema)
def set_game(body: dict[str, Any], game_id: str) -> Response:
    """Choose how mail about a game comes to me

    The choice ends with the game.
    """
    stored = load_game(game_id, caller())
    choose_delivery(get_container().mail_preferences, stored, caller(), body["delivery"])
    return _game_answer(game_id)


def shown(player: str) -> dict[str, object]:
    """How mail comes to this player, as the API shows it."""
    preferences = get_container().mail_preferences
    return {**_shown(preferences.choice(player)), "groups": preferences.groups(player)}


def _shown(choice: MailChoice) -> dict[str, object]:
    quiet = choice.quiet
    return {
        "delivery": choice.delivery,
        "digest_at": clock_time(choice.digest_at),
        "time_zone": choice.time_zone,
        "quiet": quiet and {"begin": clock_time(quiet.begin), "end": clock_time(quiet.end)},
        "reminders": choice.reminders,
        "games": dict(choice.games),
    }


def _game_answer(game_id: str) -> Response:
    choice = get_container().mail_preferences.choice(caller())
    return json_answer(
        {"delivery": choice.games.get(game_id), "effective": choice.delivery_of(game_id)}
    )
