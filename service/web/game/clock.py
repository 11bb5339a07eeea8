"""The clock on a game's page: the reason why it is stopped, the time left, the possible actions.

Forms for a running clock: give time, pause by agreement, claim a win on time.
"""

from datetime import date, timedelta
from typing import Final, NamedTuple

from flask import Response, abort, request
from markupsafe import Markup

import engine
from engine.clock_events import AgreedClock
from service.accounts.mail_preferences import moment_of, zone
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.times import DAY, timestamp
from service.core.words import N_, Words
from service.games import ChangeContext
from service.games.agreements import Offer
from service.games.clock.state import ClockState
from service.games.rating import bot_declines
from service.text.event_words import as_sentence
from service.text.game_terms import pace
from service.web import answers, session
from service.web.answers import signed_in, to
from service.web.blueprint import blueprint
from service.web.forms import form_key
from service.web.game.clock_words import (
    AboutClock,
    bank_words,
    quiet_times,
    urgency,
)
from service.web.game.endings import Question, ask, say_closed
from service.web.game.page import GamePage
from service.web.language import reader_words
from service.web.moments import left_paused, with_moments
from service.web.words import read_number

_GIFTS: Final = {1: N_("Give 1 day"), 3: N_("Give 3 days"), 7: N_("Give a week")}
"""The numbers of days that can be given on the page, with the names of the buttons."""


class ClockPanel(NamedTuple):
    """The clock of a game that is being played, for one reader.

    `agreed`: the clock's terms. `still`: the reasons why it is stopped now. `left`: the time left
    for the turn while the clock is paused; `kind`: that it is of a bank; `quiet`: the hours and
    days when it stops for the player to move; each may be empty. `urgency`: `late` in the last 24th
    of the turn, `soon` in its last sixth, else `""`. `at_zero`: the consequence if the time of this
    turn runs out.
    `sentences`: further facts for the players. `offered`: a pause that one player offers;
    `bot_declines`: no pause can be offered; `is_paused`: the players have paused the clock.
    `is_out`: the time of the player to move is up, and the other may claim the win. `has_calendar`:
    the clock stops at times that players set in their calendars; `lacks_zone`: the reader has
    chosen no time zone, so their weekends are those of UTC.
    """

    agreed: Markup
    still: list[Markup]
    left: Markup
    kind: str
    urgency: str
    quiet: str
    at_zero: str
    sentences: list[Markup]
    offered: Offer | None
    bot_declines: bool
    is_paused: bool
    is_out: bool
    has_calendar: bool
    lacks_zone: bool


def gifts(words: Words) -> dict[int, str]:
    """Return the numbers of days that can be given, with the names of the buttons."""
    return {days: words.say(name) for days, name in _GIFTS.items()}


def clock_panel(page: GamePage) -> ClockPanel | None:
    """Return the clock as the page shows it; None without a clock, or if the game is not being
    played."""
    snapshot, stored = page.snapshot, page.snapshot.latest
    clock, turn = stored.clock, stored.game.turn
    if clock is None or turn is None:
        return None
    now, heeded = int(snapshot.now), _heeded(clock, stored.terms.clock)
    about = AboutClock(page.words, clock, turn, page.names, page.seat)
    agreed = with_moments(lambda at: pace(page.words, heeded, at, is_running=True))
    return ClockPanel(
        agreed=Markup(as_sentence(page.words, agreed[:1].upper() + agreed[1:])),
        still=[*about.still(now)],
        left=left_paused(clock, now),
        kind="".join(bank_words(page.words, clock, turn)),
        urgency=urgency(clock, now),
        quiet=quiet_times(page.words, clock, turn, is_own=turn == page.seat) if page.seat else "",
        at_zero=about.at_zero(stored),
        sentences=[*about.sentences(now)],
        offered=snapshot.pause,
        is_paused=clock.pause_at(now) is not None,
        bot_declines=bot_declines(stored),
        is_out=stored.must_be_claimed and stored.is_overdue(now),
        has_calendar=clock.terms.has_calendar,
        lacks_zone=clock.terms.weekends_off and session.time_zone() is None,
    )


def _heeded(clock: ClockState, agreed: AgreedClock | None) -> AgreedClock | None:
    """Return the agreed clock, without the option of nights if neither player has set any."""
    if agreed is None or any(clock.latest_calendar(seat).sleep for seat in engine.SEATS):
        return agreed
    return {**agreed, "sleeping_hours": False}


@blueprint.get("/games/<game_id>/time")
def ask_to_give_time(game_id: str) -> Response:
    """Ask whether the player really wants to give this much time: it cannot be undone."""
    signed_in()
    days = read_number(request.args.get("days", ""))
    if days not in _GIFTS:
        abort(422)
    words = reader_words()
    about = words.say("The other player gets it for their turn. It cannot be taken back.")
    question = Question(words.say("Give more time?"), about, words.say(_GIFTS[days]))
    return ask(game_id, question, days=days)


@blueprint.post("/games/<game_id>/time")
def give_time(game_id: str) -> Response:
    """Give the other player more time."""
    player, days = signed_in(), read_number(request.form.get("days", ""))
    if days not in _GIFTS:
        abort(422)
    get_container().games.clocks.give(game_id, player, days * DAY, _origin(player))
    return to("web.game", game_id=game_id)


@blueprint.post("/games/<game_id>/time-out")
def claim_time_out(game_id: str) -> Response:
    """Claim the win on time, if the opponent is still in the turn that the page showed."""
    player, shown = signed_in(), read_number(request.form.get("version", "")) or 0
    origin = ChangeContext("web", [shown], form_key(player), is_of_table=True)
    get_container().games.clocks.claim(game_id, player, origin)
    return to("web.game", game_id=game_id)


@blueprint.post("/games/<game_id>/pause")
def pause_clock(game_id: str) -> Response:
    """Offer a pause, until the end of a day or without an end; or agree to the pause that the page
    showed."""
    player, pauses = signed_in(), get_container().games.pauses
    if (offer := request.form.get("offer")) is not None:
        pauses.accept(game_id, player, read_number(offer) or 0, _origin(player))
    else:
        made = pauses.agree(game_id, player, _until(), _origin(player))
        if made.offered is not None:
            answers.announce(reader_words().say("You offered a pause."))
    return to("web.game", game_id=game_id)


@blueprint.post("/games/<game_id>/pause/withdrawal")
def withdraw_pause(game_id: str) -> Response:
    """Withdraw or decline the offer of a pause."""
    pauses, words = get_container().games.pauses, reader_words()
    closed = pauses.last(pauses.withdraw(game_id, signed_in()).stored)
    say_closed(closed, words.say("You declined the pause: the game goes on as before."))
    return to("web.game", game_id=game_id)


@blueprint.post("/games/<game_id>/resumption")
def resume_clock(game_id: str) -> Response:
    """Resume a paused clock."""
    player = signed_in()
    get_container().games.clocks.resume(game_id, player, _origin(player))
    return to("web.game", game_id=game_id)


def _until() -> str | None:
    """Return the end of the pause: the end of the day in the form; None if it names no day."""
    last = request.form.get("last_day")
    try:
        if last:
            after = date.fromisoformat(last) + timedelta(days=1)
            return timestamp(moment_of(after, 0, zone(session.time_zone() or "UTC")))
    except (ValueError, OverflowError):
        raise RequestRejected(
            "bad-pause", reader_words().say("Give the last day of the pause.")
        ) from None
    return None


def _origin(player: str) -> ChangeContext:
    return ChangeContext("web", key=form_key(player))
