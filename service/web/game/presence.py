"""Shows whether the other player is here: next to their name at the board, in lists and on their
page.

It shows no more than they allow, and nights and vacations only if the game's clock shows them
anyway.
"""

import re
from typing import Final, NamedTuple

from flask import Response, abort, request
from markupsafe import Markup, escape

from engine import OTHER, Seat
from service.accounts.privacy import Presence
from service.container import get_container
from service.core.times import DAY, HOUR, MINUTE, timestamp
from service.core.words import N_, Words
from service.games.clock.calendar import Calendar, nights, offsets
from service.games.page_signs import Sign, Whereabouts, sign_of
from service.games.reading.overview import Overview
from service.games.reading.snapshot import GameSnapshot
from service.games.stored_game import StoredGame
from service.web.answers import signed_in
from service.web.blueprint import blueprint
from service.web.language import reader_words
from service.web.moments import brief_moment

_PAGE: Final = re.compile("[a-z0-9]{0,12}")
_COUNT: Final = re.compile("[0-9]{1,6}")
_MOMENT: Final = 10 * MINUTE
_NIGHT: Final = (21, 5)
"""The hours at which night begins and ends."""
_SIGNS: Final[tuple[Whereabouts | None, ...]] = (None, "away", "elsewhere", "here", "writing")
"""What a person's open pages tell: the last of them is what the person does."""
_MARKS: Final = ("", "recent", "asleep", "on-vacation", "live", "live here")
"""Of a person in several games the last of them is shown."""


class Sighting(NamedTuple):
    """The words for a player's presence, to follow their name, and a mark, one of `_MARKS`; `here`
    is who has the game's page open."""

    words: Markup | str = ""
    mark: str = ""


@blueprint.post("/games/<game_id>/page-sign")
def show_page_sign(game_id: str) -> Response:
    """Store a sign from an open page of the game, for notices and, if they let it be seen, for the
    opponent."""
    player = signed_in()
    get_container().page_signs.beat(game_id, player, *_sign())
    return Response(status=204)


@blueprint.post("/games/page-sign")
def show_list_sign() -> Response:
    """Store a sign from the open list of games, for notices and the opponent of the last game."""
    get_container().page_signs.beat_site("list", signed_in(), *_sign())
    return Response(status=204)


@blueprint.post("/page-sign")
def show_site_sign() -> Response:
    """Store a sign from any other open page, for the opponent of the last game."""
    get_container().page_signs.beat_site("site", signed_in(), *_sign())
    return Response(status=204)


def _sign() -> tuple[Sign, str, int]:
    sign = sign_of(request.form.get("sign", ""))
    page, number = request.form.get("page", ""), request.form.get("number", "0")
    if sign is None or not (_PAGE.fullmatch(page) and _COUNT.fullmatch(number)):
        abort(422)
    return sign, page, int(number)


@blueprint.app_template_global()
def sighting(presence: Presence | None, sign: Whereabouts | None = None) -> Sighting:
    """Return the words for a player's last visit, and what their open pages tell: `here now`,
    `online`, `here 2 hours ago`, `here today`, `by mail 5 min ago`."""
    return _by_page_sign(reader_words(), sign, presence)


def _seen(words: Words, presence: Presence | None) -> Sighting:
    if presence is None:
        return Sighting()
    if presence.recency == "now":
        # Note: after a player's name: they have a page of this site open, but not this game's
        return Sighting(words.say("online"), "live")
    if presence.by_mail:
        return Sighting(_answered(words, presence))
    if presence.ago is None:
        message = N_("here today") if presence.recency == "day" else N_("here this week")
        return Sighting(words.say(message))
    return Sighting(_ago(words, presence.ago), "recent" if presence.ago < _MOMENT else "")


def _answered(words: Words, presence: Presence) -> str:
    """Return that the player has answered a mail, after their name."""
    ago = presence.ago
    if ago is None:
        today, week = N_("by mail today"), N_("by mail this week")
        message = today if presence.recency == "day" else week
        return words.say(message)
    if ago < MINUTE:
        # Note: after a player's name
        return words.say("by mail a moment ago")
    if ago < HOUR:
        # Note: after a player's name
        return words.plural(
            "by mail %(number)s min ago", "by mail %(number)s min ago", int(ago // MINUTE)
        )
    if ago < DAY:
        # Note: after a player's name
        return words.plural(
            "by mail %(number)s hour ago",
            "by mail %(number)s hours ago",
            int(ago // HOUR),
        )
    # Note: after a player's name
    return words.plural(
        "by mail %(number)s day ago",
        "by mail %(number)s days ago",
        int(ago // DAY),
    )


@blueprint.app_template_global()
def opponent_sighting(snapshot: GameSnapshot) -> Sighting:
    """Return the words for the opponent at the board, by their last visit, their open page and the
    clock."""
    beside = snapshot.of_player
    if beside is None:
        return Sighting()
    words = reader_words()
    usual = _by_page_sign(words, beside.page_sign, beside.opponent)
    return _with_time_off(words, usual, snapshot.latest, snapshot.seat, snapshot.now)


@blueprint.app_template_global()
def listed_sightings(overview: Overview, now: float) -> dict[str, Sighting]:
    """Return the words for the opponent in each running game of a list, by its id. Of a person with
    several games all say the same. `now` is in unix seconds."""
    words = reader_words()
    shown = [one for one in (*overview.to_move, *overview.waiting) if one.opponent is not None]
    signs: dict[str, Whereabouts | None] = {}
    for one in shown:
        signs[one.opponent_id] = max(one.page_sign, signs.get(one.opponent_id), key=_SIGNS.index)
    seen: dict[str, Sighting] = {}
    for one in shown:
        usual = _by_page_sign(words, signs[one.opponent_id], one.opponent)
        found = _with_time_off(words, usual, one.stored, one.game["seat"], now)
        before = seen.get(one.opponent_id, found)
        seen[one.opponent_id] = max(before, found, key=lambda each: _MARKS.index(each.mark))
    return {one.game["id"]: seen[one.opponent_id] for one in shown}


def _by_page_sign(words: Words, sign: Whereabouts | None, presence: Presence | None) -> Sighting:
    usual = _seen(words, presence)
    if presence is None or presence.ago is None:
        return usual
    match sign:
        case "writing":
            # Note: after a player's name
            return Sighting(words.say("is writing to you…"), "live here")
        case "here":
            # Note: after a player's name: they have the game's page open now
            return Sighting(words.say("here now"), "live here")
        case "away" if usual.mark == "live":
            return Sighting(words.say("here a moment ago"), "recent")
        case _:
            return usual


def _with_time_off(
    words: Words, usual: Sighting, stored: StoredGame, seat: Seat | None, now: float
) -> Sighting:
    """Replace the `usual` words for an absent player by their vacation or night, if the game's
    clock stops for it."""
    clock, moment = stored.clock, int(now)
    if usual.mark.startswith("live") or clock is None or seat is None or clock.turn is None:
        return usual
    calendar = clock.latest_calendar(OTHER[seat])
    if clock.terms.vacations:
        for begins, ends in calendar.vacations:
            if begins <= moment < ends:
                until = brief_moment(timestamp(ends))
                # Note: after a player's name
                message = escape(words.say("on vacation until %(moment)s"))
                return Sighting(message % {"moment": until}, "on-vacation")
    if clock.terms.sleeping_hours and any(nights(calendar, moment, moment + 1)):
        return Sighting(_hour_words(words, calendar, moment), "asleep")
    return usual


def _hour_words(words: Words, calendar: Calendar, moment: int) -> str:
    """Return the hour in the calendar's time zone: `3 at night there`."""
    _, _, offset = next(offsets(calendar.zone, moment, moment + 1))
    hour = (moment + offset) % DAY // HOUR
    begin, end = _NIGHT
    if hour >= begin or hour < end:
        # Note: the hour where a player is; from 1 to 12
        message = N_("%(hour)s at night there")
    elif hour < 12:
        # Note: the hour where a player is
        message = N_("%(hour)s in the morning there")
    else:
        # Note: the hour where a player is
        message = N_("%(hour24)s:00 there")
    return words.say(message, hour=hour % 12 or 12, hour24=hour)


def _ago(words: Words, seconds: float) -> str:
    if seconds < _MOMENT:
        return words.say("here a moment ago")
    if seconds < HOUR:
        return words.say("here within the hour")
    if seconds < DAY:
        hours = int(seconds // HOUR)
        # Note: after a player's name
        return words.plural("here %(number)s hour ago", "here %(number)s hours ago", hours)
    if seconds < 2 * DAY:
        return words.say("here yesterday")
    days = int(seconds // DAY)
    # Note: after a player's name
    return words.plural("here %(number)s day ago", "here %(number)s days ago", days)
