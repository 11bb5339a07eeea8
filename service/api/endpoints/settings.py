"""What the caller chooses: mail, messages, challenges, a calendar; and for one game."""

from collections.abc import Mapping
from typing import Any

from service.accounts.mail_preferences import clock_time
from service.api.auth import caller, check_scopes
from service.api.blueprint import ACCOUNT, ACCOUNT_AND_PLAY, Blueprint
from service.api.endpoints.games import GAME, PLAYER_PROBLEMS
from service.api.responses import load_game
from service.api.schemas import settings
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.times import DAY, timestamp, unix
from service.games.calendar_store import PlayerCalendar, spent, years
from service.games.notices import choose_delivery
from service.games.permissions import own_seat
from service.games.stored_game import StoredGame

blueprint = Blueprint(
    "settings", __name__, description="What I choose, and when my time does not count"
)

SETTINGS = "/me/settings"
OF_GAME = f"{GAME}/settings"
BLOCKED = "/me/blocked/<player:player_id>"
_NAMED = ("delivery", "digest_at", "time_zone", "reminders")


@blueprint.operation(f"GET {SETTINGS}", "getSettings", security=ACCOUNT)
def show() -> settings.SettingsShape:
    """Show my settings

    How mail comes, whether I take messages and challenges, and whom I have blocked.
    """
    return shown(caller())


@blueprint.operation(
    f"PATCH {SETTINGS}",
    "updateSettings",
    "calendar-changed-too-often stale-version",
    security=ACCOUNT,
)
def change(body: settings.SettingsInput) -> settings.SettingsShape:
    """Change my settings

    What is not named stays. Links to sign in and to confirm an address are sent at once, whatever
    is chosen here. Another `time_zone` takes a token with `games:play` too, because it moves
    weekends and sleeping hours in running games.
    """
    container, player = get_container(), caller()
    mail: Mapping[str, Any] = body.get("mail", {})
    chosen: dict[str, str | None] = {name: mail[name] for name in _NAMED if name in mail}
    if "quiet" in mail:
        quiet = mail["quiet"]
        chosen["quiet"] = quiet and f"{quiet['begin']}-{quiet['end']}"
    if "time_zone" in mail:  # the only part that can be refused
        check_scopes("games:play")
        container.games.calendars.change_zone(player, mail["time_zone"])
    container.mail_preferences.set_choice(player, chosen)
    container.mail_preferences.choose_groups(player, mail.get("groups", {}))
    if "messages_wanted" in body:
        container.games.conversations.wishes.set_off(player, off=not body["messages_wanted"])
    if "contact" in body:
        container.contact_choices.set_challenges_off(player, off=not body["contact"]["challenges"])
    return shown(player)


@blueprint.operation(f"GET {OF_GAME}", "getGameSettings", PLAYER_PROBLEMS)
def show_game(game_id: str) -> settings.GameSettingsShape:
    """Show my settings for a game, and my note about it

    Nobody else sees them.
    """
    return _of_game(load_game(game_id, caller()))


@blueprint.operation(
    f"PATCH {OF_GAME}", "updateGameSettings", f"{PLAYER_PROBLEMS} game-over bad-note too-many-notes"
)
def change_game(body: settings.GameSettingsInput, game_id: str) -> settings.GameSettingsShape:
    """Change my settings for a game, or my note about it

    What is not named stays. While messages are off, neither player can write. How mail comes is
    forgotten when the game ends, and cannot be chosen afterwards.
    """
    container, player = get_container(), caller()
    stored = load_game(game_id, player)
    own_seat(stored, player)
    # Whatever can be refused is refused before the first write.
    if "delivery" in body and stored.game.over:
        raise RequestRejected("game-over", "No more mail is sent about this game.")
    if "note" in body:
        container.games.private_notes.write(player, game_id, body["note"])
    if "delivery" in body:
        choose_delivery(container.mail_preferences, stored, player, body["delivery"])
    if "messages_wanted" in body:
        container.games.conversations.set_off(game_id, player, off=not body["messages_wanted"])
    return _of_game(stored)


@blueprint.operation(
    f"PUT {BLOCKED}",
    "blockPlayer",
    "player-not-found own-account too-many-blocked",
    security=ACCOUNT,
)
def block(player_id: str) -> None:
    """Block a player

    Neither of you can challenge the other, ask for a rematch or write a message, and neither sees
    the other's games in the lobby. Running games go on. The other is not told.
    """
    container = get_container()
    if container.players.find(player_id) is None:
        raise RequestRejected("player-not-found", "There is no player with this id.")
    container.contact_choices.block(caller(), player_id)


@blueprint.operation(f"DELETE {BLOCKED}", "unblockPlayer", "player-not-found", security=ACCOUNT)
def unblock(player_id: str) -> None:
    """Unblock a player"""
    get_container().contact_choices.unblock(caller(), player_id)


def shown(player: str) -> settings.SettingsShape:
    """The settings of this player, for the API and the export of their data."""
    container = get_container()
    choice = container.mail_preferences.choice(player)
    blocked = container.contact_choices.blocked(player)
    names = container.players.names(blocked)
    return {
        "mail": {
            "delivery": choice.delivery,
            "digest_at": clock_time(choice.digest_at),
            "time_zone": choice.time_zone,
            "quiet": choice.quiet
            and {"begin": clock_time(choice.quiet.begin), "end": clock_time(choice.quiet.end)},
            "reminders": choice.reminders,
            "games": dict(choice.games),
            "groups": container.mail_preferences.groups(player),
        },
        "messages_wanted": not container.games.conversations.wishes.is_off(player),
        "contact": {
            "challenges": container.contact_choices.takes_challenges(player),
            "blocked": [
                {"id": other, "name": names.get(other), "blocked_at": since}
                for other, since in blocked.items()
            ],
        },
    }


def _of_game(stored: StoredGame) -> settings.GameSettingsShape:
    container, player = get_container(), caller()
    seat, choice = own_seat(stored, player), container.mail_preferences.choice(player)
    return {
        "delivery": choice.games.get(stored.id),
        "effective": choice.delivery_of(stored.id),
        "messages_wanted": not container.games.conversations.is_off(stored.id, seat),
        "note": container.games.private_notes.read(player, stored.id),
    }


@blueprint.operation("GET /me/calendar", "getCalendar", security=ACCOUNT)
def show_calendar() -> settings.CalendarShape:
    """Show my calendar

    With it come the vacation days of this year, and of the next if a vacation reaches into it.
    """
    return shown_calendar(get_container().games.calendars.of(caller()))


@blueprint.operation(
    "PUT /me/calendar",
    "setCalendar",
    "sleep-too-long bad-vacation vacation-days-exceeded calendar-changed-too-often stale-version",
    security=ACCOUNT_AND_PLAY,
)
def change_calendar(body: settings.CalendarInput) -> settings.CalendarShape:
    """Replace my calendar

    It holds in all running games whose clocks heed it, and the opponents see it there: weekends
    follow the zone, sleeping hours and vacations do not count. Vacations hold at once, zone and
    sleeping hours from my next turn in each game on. What lies before is counted as it was. A
    vacation that goes on and is not named ends now; days that were not used come back.
    """
    vacations = [(unix(each["from"]), unix(each["to"])) for each in body["vacations"]]
    changed = get_container().games.calendars.change(
        caller(), body["zone"], settings.sleep_wanted(body), vacations, by_itself=body["by_itself"]
    )
    return shown_calendar(changed)


def shown_calendar(calendar: PlayerCalendar) -> settings.CalendarShape:
    """A calendar as its player sees it, with the account of vacation days."""
    now, days = get_container().now(), get_container().games.calendars.vacation_days
    sleep = calendar.sleep
    return {
        "zone": calendar.zone,
        "sleep": None if sleep is None else {"from": sleep[0], "to": sleep[1]},
        "vacations": [
            {"from": timestamp(begin), "to": timestamp(end)} for begin, end in calendar.to_come(now)
        ],
        "by_itself": calendar.by_itself,
        "vacation_account": [
            {"year": year, "seconds": days * DAY, "spent": spent(calendar, year)}
            for year in years(calendar, now)
        ],
    }
