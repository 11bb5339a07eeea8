"""Moments on pages, in the reader's time zone; the page names the zone.

The server computes them. If the reader has chosen no zone, they are in UTC, and a script replaces
them by the same moments in the browser's zone (`static/moments.js`).
"""

from collections.abc import Callable, Mapping
from datetime import tzinfo
from typing import Any, Final

from markupsafe import Markup, escape

from service.accounts.mail_preferences import zone
from service.container import get_container
from service.core.times import DAY, unix
from service.core.words import Words
from service.games.clock.state import ClockState
from service.games.shapes import PlayerSummaryShape
from service.text import game_terms, moments
from service.text.moments import MomentWords, clock_time, day, far_moment, near_moment, short_moment
from service.web import session
from service.web.blueprint import blueprint
from service.web.language import reader_words
from service.web.words import first_player, player_name

_WEEK: Final = 6 * DAY
"""Seconds within which a weekday names only one day."""
_PLACE: Final = "\x00{}\x00"
"""A placeholder for a moment in a sentence."""


@blueprint.app_template_global()
def moment(text: str) -> Markup:
    """Return a moment (RFC 3339) to the minute, as HTML."""
    return _element(text, "minute", short_moment)


@blueprint.app_template_global()
def end_moment(text: str) -> Markup:
    """Return the end of a span to the minute, or if it is midnight by its last day."""
    return _element(text, "end", moments.end_moment)


@blueprint.app_template_global()
def date(text: str) -> Markup:
    """Return the day of a moment."""
    return _element(text, "day", day)


@blueprint.app_template_global()
def time_of_day(text: str) -> Markup:
    """Return the time of day of a moment, if its day is shown elsewhere."""
    return _element(text, "time", clock_time)


@blueprint.app_template_global()
def brief_moment(text: str) -> Markup:
    """Return a moment near now, as short as possible; hovering over it shows it in full."""
    is_near = abs(unix(text) - get_container().now()) < _WEEK
    return _element(text, "near", near_moment) if is_near else _element(text, "far", far_moment)


@blueprint.app_template_global()
def left_paused(clock: ClockState | None, now: float) -> Markup:
    """Return what is left of a turn while its clock is paused, and until when; else nothing."""
    words, paused = reader_words(), clock.left_paused(now) if clock else None
    return with_moments(lambda at: game_terms.left_paused(words, paused, at), is_brief=True)


def with_moments(say: Callable[[MomentWords], str], *, is_brief: bool = False) -> Markup:
    """Return the sentence that `say` composes, with its moments as HTML."""
    shown: list[Markup] = []

    def at(text: str, /, *, is_end: bool = False) -> str:
        shown.append((brief_moment if is_brief else end_moment if is_end else moment)(text))
        return _PLACE.format(len(shown))

    words = escape(say(at))
    for number, place in enumerate(shown, 1):
        words = words.replace(_PLACE.format(number), place, 1)
    return words


def spoken_moment(text: str) -> str:
    """Return a moment to the minute as plain text, for a sentence."""
    return short_moment(reader_words(), text, zone(session.time_zone() or "UTC"))


@blueprint.app_template_global()
def described(game: Mapping[str, object]) -> Markup:
    """Return the kind of game, in one line, without what is usual."""
    words = with_moments(lambda at: game_terms.described(reader_words(), game, at, but_usual=True))
    return words[:1].upper() + words[1:]


@blueprint.app_template_global()
def offered(game: Mapping[str, Any], maker: PlayerSummaryShape) -> Markup:
    """Return the kind of game that `maker` offers, and who plays first, in one line."""
    first = first_player(game["first_player"], player_name(maker))
    return Markup(reader_words().parts(map(escape, (described(game), first))))


@blueprint.app_template_global()
def terms_of(game: Mapping[str, object]) -> list[Markup]:
    """Return the kind of game as a list of terms, without what is usual; a condition is a separate
    term."""
    words = with_moments(
        lambda at: "\n".join(game_terms.terms(reader_words(), game, at, but_usual=True))
    )
    return [Markup(term) for term in words.split("\n")]


def _element(text: str, shown: str, put: Callable[[Words, str, tzinfo], str]) -> Markup:
    words, chosen = reader_words(), session.time_zone()
    unzoned = "" if chosen else f' data-unzoned="{shown}"'
    words_shown = escape(put(words, text, zone(chosen or "UTC")))
    if shown in ("near", "far"):
        unzoned += f' title="{escape(short_moment(words, text, zone(chosen or "UTC")))}"'
        words_shown += "" if chosen else " UTC"
    return Markup(f'<time datetime="{escape(text)}"{unzoned}>{words_shown}</time>')
