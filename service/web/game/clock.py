"""The clock on a game's page: the reason why it is stopped, the time left, the possible actions.

Forms for a running clock: give time, pause by agreement, claim a win on time.
"""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Final, NamedTuple

from flask import Response, abort, request
from markupsafe import Markup

import engine
from engine import Seat
from engine.clock_form import AgreedClock
from service.accounts.mail_preferences import clock_time, moment_of, zone
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.times import DAY, HOUR, MINUTE, timestamp
from service.games import ChangeContext
from service.games.agreements import Offer
from service.games.clock.calendar import Calendar
from service.games.clock.state import ClockState, Pause
from service.games.rating import bot_declines
from service.games.stored_game import StoredGame
from service.text.game_terms import join_words, pace
from service.text.moments import duration, short_span
from service.web import session
from service.web.answers import signed_in, to
from service.web.blueprint import blueprint
from service.web.forms import form_key
from service.web.game.endings import Question, ask
from service.web.game.page import GamePage
from service.web.language import reader_words
from service.web.moments import end_moment, moment, with_moments
from service.web.words import read_number

GIFTS: Final = {1: "Give 1 day", 3: "Give 3 days", 7: "Give a week"}
"""The numbers of days that can be given on the page, with the names of the buttons."""
_GIVEN_BACK: Final = ("outage", "untold")
_YOU: Final = "you"

Names = Mapping[Seat, str]


class ClockPanel(NamedTuple):
    """The clock of a game that is being played, for one reader.

    `agreed`: the clock's terms. `still`: the reasons why it is stopped now. `left`: the time left
    for the turn, if its end is not certain; `quiet`: the hours and days when it stops for the
    player to move; both may be empty. `urgency`: `late` in the last 24th of the turn, `soon` in its
    last sixth, else `""`. `at_zero`: the consequence if the time of this turn runs out.
    `sentences`: further facts for the players. `offered`: a pause that one player offers;
    `bot_declines`: no pause can be offered; `is_paused`: the players have paused the clock.
    `is_out`: the time of the player to move is up, and the other may claim the win. `has_calendar`:
    the clock stops at times that players set in their calendars; `lacks_zone`: the reader has
    chosen no time zone, so their weekends are those of UTC.
    """

    agreed: Markup
    still: list[Markup]
    left: str
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


def clock_panel(page: GamePage) -> ClockPanel | None:
    """Return the clock as the page shows it; None without a clock, or if the game is not being
    played."""
    snapshot, stored = page.snapshot, page.snapshot.latest
    clock, turn = stored.clock, stored.game.turn
    if clock is None or turn is None:
        return None
    now = int(snapshot.now)
    names = {seat: _YOU if seat == page.seat else page.names[seat] for seat in engine.SEATS}
    heeded = _heeded(clock, stored.terms.clock)
    paused = clock.paused()
    return ClockPanel(
        agreed=_sentence(
            with_moments(lambda at: pace(reader_words(), heeded, at, is_running=True))
        ),
        still=[*_still(clock, names, now)],
        left=_left_paused(clock, now),
        urgency=_urgency(clock, now),
        quiet=_quiet(clock, turn, is_own=turn == page.seat),
        at_zero=_at_zero(stored, turn, names),
        sentences=[_sentence(text) for text in _sentences(clock, turn, names, now)],
        offered=snapshot.pause,
        is_paused=paused is not None and (paused.end is None or paused.end > now),
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


def _at_zero(stored: StoredGame, turn: Seat, names: Names) -> str:
    """Return the consequence if the time of the player to move runs out."""
    mover, other = names[turn], names[engine.OTHER[turn]]
    if stored.must_be_claimed:
        return f"at zero {other} may claim the win"
    lost = "the round" if stored.game.rounds > 1 else "the game"
    return f"at zero {mover} {'lose' if mover == _YOU else 'loses'} {lost}"


def _still(clock: ClockState, names: Names, now: int) -> Iterator[Markup]:
    """Yield the reasons why the time of the player to move does not count at this moment."""
    for pause in clock.pauses(now, now + 7 * DAY):  # so that weekends end when they do
        if pause.start <= now:
            yield _sentence(_why(pause, names, clock))


def _left_paused(clock: ClockState, now: int) -> str:
    if clock.turn_since is None or clock.deadline() is not None:
        return ""
    return short_span(
        reader_words(), max(clock.allowed() - clock.counted(clock.turn_since, now), 0)
    )


def _urgency(clock: ClockState, now: int) -> str:
    deadline, whole = clock.deadline(), clock.allowed()
    left = whole if deadline is None else deadline - now
    return "late" if left < whole / 24 else "soon" if left < whole / 6 else ""


def _quiet(clock: ClockState, seat: Seat, *, is_own: bool) -> str:
    """Return the hours and days that do not count for this player, in their own time zone."""
    calendar, terms, parts = clock.calendar(seat), clock.terms, list[str]()
    if terms.sleeping_hours and calendar.sleep is not None:
        parts.append("\N{EN DASH}".join(_hour(second) for second in calendar.sleep))
    if terms.weekends_off:
        parts.append("at weekends")
    zone = "" if is_own or not parts else f" ({calendar.zone})"
    return f"stops {join_words(parts)}{zone}" if parts else ""


def _hour(second: int) -> str:
    hour, minute = divmod(second // MINUTE, 60)
    return f"{hour}:{minute:02}" if minute else str(hour)


def _why(pause: Pause, names: Names, clock: ClockState) -> Markup:
    who = names[pause.seat or clock.turn or "north"]
    until = Markup("") if pause.end is None else _say(" until {}", end_moment(timestamp(pause.end)))
    match pause.reason:
        case "agreement":
            return _say("both have agreed to a pause{}", until or ", until one of the two ends it")
        case "vacation":
            return _say("{} {} on vacation{}", who, _is(who), until)
        case "sleep":
            return _say("it is {} night{}", _whose(who), until)
        case "weekend":
            return _say("it is the weekend for {}{}", who, until)
        case _:
            return _given_back(pause, names)


def _sentences(clock: ClockState, turn: Seat, names: Names, now: int) -> Iterator[Markup]:
    if clock.terms.bank is not None:
        banks = [f"{names[seat]} {_left(clock.side(seat).bank)}" for seat in engine.SEATS]
        yield _say("in the banks, before this turn is counted: {}", join_words(banks))
    yield from _gifts(clock, turn, names)
    for pause in clock.single_pauses(clock.turn_since or now, now):
        if pause.reason in _GIVEN_BACK:
            yield _given_back(pause, names)
    for seat in engine.SEATS:
        yield from _calendar(clock, seat, names[seat], now)
    if clock.terms.sleeping_hours:
        for seat in engine.SEATS:
            if clock.latest_calendar(seat).sleep is None:
                yield _say("{} {} set no nights: the clock runs on", names[seat], _has(names[seat]))


def _gifts(clock: ClockState, turn: Seat, names: Names) -> Iterator[Markup]:
    """Yield sentences about time added to the agreed clock: to a player, or to a fixed end for
    both."""
    if clock.terms.until is not None:
        out = clock.time_out()
        if out is not None and out != clock.terms.until:
            yield _say("by time given and pauses, the end has moved to {}", _at(out))
        return
    for seat in engine.SEATS:
        if given := clock.side(seat).given:
            who, which = names[seat], "this" if seat == turn else "the next"
            yield _say("{} {} {} more, given for {} turn", who, _has(who), _left(given), which)


def _given_back(pause: Pause, names: Names) -> Markup:
    span = _say("{} to {}", _at(pause.start), _at(pause.interval[1]))
    if pause.reason == "outage":
        return _say("the server was away: {} is given back", span)
    who = names[pause.seat or "north"]
    words = "{} had not been told of the turn: {} does not count"
    return _say(words, who, span)


def _calendar(clock: ClockState, seat: Seat, who: str, now: int) -> Iterator[Markup]:
    """Yield sentences about the times that will not count for this player."""
    calendar = clock.latest_calendar(seat)
    waits = clock.side(seat).coming is not None and calendar.sleep != clock.calendar(seat).sleep
    if not clock.terms.has_calendar or calendar == Calendar():
        return
    if clock.terms.sleeping_hours and calendar.sleep is not None:
        begin, end = (clock_time(second // MINUTE) for second in calendar.sleep)
        sleeps = "sleep" if who == _YOU else "sleeps"
        hours = _say("{} {} from {} to {} ({})", who, sleeps, begin, end, calendar.zone)
        yield _say("{}, from the next turn on", hours) if waits else hours
    if clock.terms.vacations:
        for begins, ends in calendar.vacations:
            if begins > now:
                span = _at(begins), _at(ends)
                yield _say("{} will be on vacation from {} to {}", who, *span)
            elif now < ends and seat != clock.turn:  # else it is why the clock stands still
                yield _say("{} {} on vacation until {}", who, _is(who), end_moment(timestamp(ends)))


def _say(words: str, *parts: object) -> Markup:
    return Markup(words).format(*parts)


def _sentence(text: Markup) -> Markup:
    return text[:1].upper() + text[1:] + "."


def _at(seconds: int) -> Markup:
    return moment(timestamp(seconds))


def _left(seconds: int) -> str:
    """Return a length of time in words, rounded to hours if it is a day or more."""
    return duration(reader_words(), seconds if seconds < DAY else seconds - seconds % HOUR)


def _whose(who: str) -> str:
    return "your" if who == _YOU else f"{who}'s"


def _is(who: str) -> str:
    return "are" if who == _YOU else "is"


def _has(who: str) -> str:
    return "have" if who == _YOU else "has"


@blueprint.get("/games/<game_id>/time")
def ask_to_give_time(game_id: str) -> Response:
    """Ask whether the player really wants to give this much time: it cannot be undone."""
    signed_in()
    days = read_number(request.args.get("days", ""))
    if days not in GIFTS:
        abort(422)
    question = Question("Give more time?", "It cannot be taken back.", GIFTS[days])
    return ask(game_id, question, days=days)


@blueprint.post("/games/<game_id>/time")
def give_time(game_id: str) -> Response:
    """Give the other player more time."""
    player, days = signed_in(), read_number(request.form.get("days", ""))
    if days not in GIFTS:
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
        pauses.agree(game_id, player, _until(), _origin(player))
    return to("web.game", game_id=game_id)


@blueprint.post("/games/<game_id>/pause/withdrawal")
def withdraw_pause(game_id: str) -> Response:
    """Withdraw or decline the offer of a pause."""
    get_container().games.pauses.withdraw(game_id, signed_in())
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
        raise RequestRejected("bad-pause", "Give the last day of the pause.") from None
    return None


def _origin(player: str) -> ChangeContext:
    return ChangeContext("web", key=form_key(player))
