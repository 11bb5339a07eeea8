"""The deal of the day: its page before, during and after a try, and a day's table of results."""

from collections.abc import Mapping
from datetime import date
from typing import Final, NamedTuple

from flask import Response, abort, render_template, url_for
from markupsafe import Markup

from engine import OTHER, Seat
from engine.game import EMPTY_STONE, STONES
from service.container import get_container
from service.core.times import timestamp, unix
from service.core.words import N_
from service.games.daily import BOT
from service.games.daily_store import DailyResult
from service.games.stored_game import StoredGame
from service.games.terms import DealDay
from service.text.drawing.cards import small_board
from service.text.moments import long_day
from service.web import session
from service.web.account.guests import signed_in_or_guest
from service.web.answers import to
from service.web.assets import absolute
from service.web.blueprint import blueprint
from service.web.language import reader_words
from service.web.words import read_date

_RESULTS: Final[Mapping[tuple[bool | None, str], str]] = {
    (True, "three-adjacent"): N_("Won with three adjacent Stones"),
    (True, "five-stones"): N_("Won with five Stones"),
    (True, "stalemate"): N_("Won by stalemate"),
    (False, "three-adjacent"): N_("Lost to three adjacent Stones"),
    (False, "five-stones"): N_("Lost to five Stones"),
    (False, "stalemate"): N_("Lost by stalemate"),
    (False, "resignation"): N_("Resigned"),
    (None, "stalemate"): N_("Drawn by stalemate"),
    (None, "agreement"): N_("Drawn by agreement"),
}
"""The results of a game against the bot, by whether the player won (None: neither did), and why."""
_SIGNS: Final = {"mine": "🟦", "theirs": "🟧", None: "⬜"}
"""The signs for the owner of a Stone in the text to share. Nearly everybody can distinguish these
colours."""
_EMPTY: Final = Markup(small_board((EMPTY_STONE,) * len(STONES), "south"))


class OwnTry(NamedTuple):
    """The reader's game of the day: its board, and once it counts, its result and the text to
    share. `is_late`: its day ended before the game did."""

    game: str
    board: Markup
    result: DailyResult | None
    share: str
    is_over: bool
    is_late: bool


class DailyNotice(NamedTuple):
    """The facts about a deal of the day on its game's page.

    `ends` is the end of the day (RFC 3339); `is_late`: it came before the end of the game.
    """

    day: str
    ends: str
    sealed: bool
    is_late: bool


def daily_notice(stored: StoredGame) -> DailyNotice | None:
    """Return the facts about a game that is a deal of the day; None for other games."""
    day = stored.daily
    if day is None:
        return None
    is_late = not stored.sealed and (stored.ended is None or unix(stored.ended) >= day.ends)
    return DailyNotice(day.date, timestamp(day.ends), stored.sealed, is_late)


@blueprint.get("/daily")
def daily() -> str:
    """Show the deal of today."""
    return _page(get_container().games.daily.today())


@blueprint.get("/daily/<day>")
def daily_of(day: str) -> str:
    """Show the deal of another day, `2026-11-23`, up to 60 days after it."""
    shown, today = read_date(day), get_container().games.daily.today()
    is_known = shown is not None and shown.year >= 2000 and DealDay(day) <= today
    return _page(DealDay(day)) if is_known else abort(404)


@blueprint.post("/daily")
def play_daily() -> Response:
    """Begin today's deal, or go on with it, as the signed-in player, or else as a new guest."""
    player, signed_in = signed_in_or_guest(None)
    return signed_in(to("web.game", game_id=get_container().games.daily.begin(player).id))


@blueprint.app_template_global()
def daily_words(result: DailyResult | None) -> str:
    """Return the result of a try: `Won with five Stones`, `Lost to five Stones`, `Resigned`."""
    if result is None:
        return reader_words().say("Not finished")
    return reader_words().say(_RESULTS[result.won, result.reason])


@blueprint.app_template_global()
def date_words(day: str) -> str:
    """Return a date in words: `23 November 2026`."""
    return long_day(reader_words(), date.fromisoformat(day))


def _page(day: DealDay) -> str:
    container, reader = get_container(), session.player_id()
    deals, now = container.games.daily, container.now()
    before, deal, following = deals.deals(day.later(-1), day, day.later(1))
    is_today = day == deals.today()
    if deal is None and not is_today:
        abort(404)
    stored = deals.game_of(reader, day) if reader else None
    rows = deals.table(day) if deals.may_see_table(stored, day) else None
    known = container.players.by_id({row.player for row in rows or ()})
    return render_template(
        "daily.html",
        deal=deal,
        day=day,
        is_today=is_today,
        ends=timestamp(day.ends),
        before=before,
        following=following,
        bot=BOT,
        is_newcomer=reader is None or container.games.lists.is_newcomer(reader),
        own=None if stored is None else _own(stored, day, reader),
        empty=_EMPTY,
        rows=rows,
        guests=container.sign_in.guests(known.values()),
        was_early=deal is not None and unix(deal.drawn_at) < day.begins,
        reader=reader,
        now=now,
    )


def _own(stored: StoredGame, day: DealDay, reader: str | None) -> OwnTry:
    seat = stored.seat_of(reader)
    assert seat is not None, "who tried sits in the game"
    results = get_container().games.daily.results
    result = results.of_game(day, stored.id) if stored.game.over else None
    is_late = result is None and day.ends <= get_container().now()
    board = Markup(small_board(stored.game.stones, seat))
    share = _share(stored, seat, day, result) if result else ""
    return OwnTry(stored.id, board, result, share, stored.game.over, is_late)


def _share(stored: StoredGame, seat: Seat, day: DealDay, result: DailyResult) -> str:
    """Return the result in a few lines for a chat, without naming a card."""
    whose = {seat: "mine", OTHER[seat]: "theirs"}
    signs = "".join(
        _SIGNS[whose[stone.owner] if stone.owner else None] for stone in stored.game.stones
    )
    words, how, turns = reader_words(), daily_words(result), result.turns
    return "\n".join(
        (
            words.say("Scottenbury, deal of the day, %(date)s", date=date_words(day.date)),
            # Note: "Won with five Stones, 23 turns"
            words.plural(
                "%(result)s, %(number)s turn", "%(result)s, %(number)s turns", turns, result=how
            ),
            signs,
            absolute(url_for("web.daily_of", day=day.date)),
        )
    )
