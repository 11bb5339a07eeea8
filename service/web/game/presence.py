"""Shows whether the other player is here: next to their name at the board, in lists and on their
page.

It shows no more than they allow, and nights and vacations only if the game's clock shows them
anyway.
"""

import re
from typing import Final, NamedTuple

from flask import Response, abort, request
from markupsafe import Markup

from engine import OTHER, Seat
from service.accounts.privacy import Presence
from service.container import get_container
from service.core.times import DAY, HOUR, MINUTE, timestamp
from service.games.clock.calendar import Calendar, nights, offsets
from service.games.page_signs import Sign, sign_of
from service.games.reading.overview import Listed
from service.games.reading.snapshot import GameSnapshot
from service.games.stored_game import StoredGame
from service.text.game_terms import counted
from service.web.answers import signed_in
from service.web.blueprint import blueprint
from service.web.moments import brief_moment

_PAGE: Final = re.compile("[a-z0-9]{0,12}")
_COUNT: Final = re.compile("[0-9]{1,6}")
_MOMENT: Final = 10 * MINUTE
_NIGHT: Final = (21, 5)
"""The hours at which night begins and ends."""


class Sighting(NamedTuple):
    """The words for a player's presence, to follow their name, and a mark: `live`, `asleep`,
    `on-vacation`, or `""`."""

    words: Markup | str = ""
    mark: str = ""


@blueprint.post("/games/<game_id>/page-sign")
def show_page_sign(game_id: str) -> Response:
    """Store a sign from an open page of the game: the opponent sees it if the player lets them."""
    player = signed_in()
    sign = sign_of(request.form.get("sign", ""))
    page, number = request.form.get("page", ""), request.form.get("number", "0")
    if sign is None or not (_PAGE.fullmatch(page) and _COUNT.fullmatch(number)):
        abort(422)
    get_container().page_signs.beat(game_id, player, sign, page, int(number))
    return Response(status=204)


@blueprint.app_template_global()
def sighting(presence: Presence | None) -> Sighting:
    """Return the words for a player's last visit: `here now`, `here 2 hours ago`, `here today`."""
    if presence is None:
        return Sighting()
    if presence.recency == "now":
        return Sighting("here now", "live")
    if presence.ago is None:
        return Sighting("here today" if presence.recency == "day" else "here this week")
    return Sighting(f"here {_ago(presence.ago)}")


@blueprint.app_template_global()
def opponent_sighting(snapshot: GameSnapshot) -> Sighting:
    """Return the words for the opponent at the board, by their last visit, their open page and the
    clock."""
    beside = snapshot.of_player
    if beside is None:
        return Sighting()
    usual = _by_page_sign(beside.page_sign, beside.opponent)
    return _with_time_off(usual, snapshot.latest, snapshot.seat, snapshot.now)


@blueprint.app_template_global()
def listed_sighting(listed: Listed, now: float) -> Sighting:
    """Return the words for the opponent in a list of games. `now` is in unix seconds."""
    seat = listed.game["seat"]
    usual = _by_page_sign(listed.page_sign, listed.opponent)
    return _with_time_off(usual, listed.stored, seat, now)


def _by_page_sign(sign: Sign | None, presence: Presence | None) -> Sighting:
    usual = sighting(presence)
    if presence is None or presence.ago is None:
        return usual
    match sign:
        case "writing":
            return Sighting("is writing to you…", "live")
        case "here":
            return Sighting("here now", "live")
        case "away" if usual.mark == "live":
            return Sighting("here a moment ago")
        case _:
            return usual


def _with_time_off(usual: Sighting, stored: StoredGame, seat: Seat | None, now: float) -> Sighting:
    """Replace the `usual` words for an absent player by their vacation or night, if the game's
    clock stops for it."""
    clock, moment = stored.clock, int(now)
    if usual.mark == "live" or clock is None or seat is None or clock.turn is None:
        return usual
    calendar = clock.latest_calendar(OTHER[seat])
    if clock.terms.vacations:
        for begins, ends in calendar.vacations:
            if begins <= moment < ends:
                until = brief_moment(timestamp(ends))
                return Sighting(Markup("on vacation until {}").format(until), "on-vacation")
    if clock.terms.sleeping_hours and any(nights(calendar, moment, moment + 1)):
        return Sighting(_hour_words(calendar, moment), "asleep")
    return usual


def _hour_words(calendar: Calendar, moment: int) -> str:
    """Return the hour in the calendar's time zone: `3 at night there`."""
    _, _, offset = next(offsets(calendar.zone, moment, moment + 1))
    hour = (moment + offset) % DAY // HOUR
    begin, end = _NIGHT
    part = "at night" if hour >= begin or hour < end else "in the morning" if hour < 12 else ""
    return f"{hour % 12 or 12} {part} there" if part else f"{hour}:00 there"


def _ago(seconds: float) -> str:
    if seconds < _MOMENT:
        return "a moment ago"
    if seconds < HOUR:
        return "within the hour"
    if seconds < DAY:
        return f"{counted(int(seconds // HOUR), 'hour')} ago"
    return "yesterday" if seconds < 2 * DAY else f"{counted(int(seconds // DAY), 'day')} ago"
