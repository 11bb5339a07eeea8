"""What there is to say about the clock of a game that is being played."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from markupsafe import Markup, escape

import engine
from engine import Seat
from service.accounts.mail_preferences import clock_time
from service.core.times import DAY, HOUR, MINUTE, timestamp
from service.core.words import N_, Words
from service.games.clock.calendar import Calendar
from service.games.clock.state import ClockState, Pause
from service.games.stored_game import StoredGame
from service.text.game_terms import at_zero
from service.text.moments import duration, short_span
from service.web.moments import end_moment, moment

_GIVEN_BACK: Final = ("outage", "untold")


class AboutClock(NamedTuple):
    """What there is to say about a clock: `turn` is the player to move; `names` are those of the
    players by seat."""

    words: Words
    clock: ClockState
    turn: Seat
    names: Mapping[str, str]
    reader: Seat | None

    def by(self, seat: Seat, you: str, other: str, /, **places: object) -> Markup:
        """Say `you` if the reader sits there, or else `other`, of the player with that `name`."""
        if seat == self.reader:
            return _marked(self.words, you, **places)
        return _marked(self.words, other, name=self.names[seat], **places)

    def at_zero(self, stored: StoredGame) -> str:
        """Return the consequence if the time of the player to move runs out."""
        rounds = stored.game.rounds
        return self.by(*at_zero(self.turn, is_claimed=stored.must_be_claimed, rounds=rounds))

    def still(self, now: int) -> Iterator[Markup]:
        """Yield the reasons why the time of the player to move does not count at this moment."""
        for pause in self.clock.pauses(now, now + 7 * DAY):  # so that weekends end when they do
            if pause.start <= now:
                yield self._why(pause)

    def _why(self, pause: Pause) -> Markup:
        seat = pause.seat or self.turn
        end = {} if pause.end is None else {"moment": end_moment(timestamp(pause.end))}
        match pause.reason, pause.end:
            case "agreement", None:
                return _marked(self.words, _UNTIL_ENDED)
            case "agreement", _:
                message = N_("Both have agreed to a pause until %(moment)s.")
                return _marked(self.words, message, **end)
            case "vacation" | "sleep", _ if self.reader is None:  # for the two players alone
                message = N_("The time of %(name)s does not count now.")
                return _marked(self.words, message, name=self.names[seat])
            case "vacation" | "sleep" | "weekend" as reason, until:
                you, other = (_WITHOUT_END if until is None else _UNTIL)[reason]
                return self.by(seat, you, other, **end)
            case _:
                return self._given_back(pause)

    def sentences(self, now: int) -> Iterator[Markup]:
        """Yield further facts for the players."""
        clock = self.clock
        if clock.terms.bank is not None:
            # Note: what is left to each player; %(banks)s is such as "you 3 days and Bob 2 days"
            message = N_("In the banks, before this turn is counted: %(banks)s.")
            banks = self.words.joined(self._bank(seat) for seat in engine.SEATS)
            yield _marked(self.words, message, banks=banks)
        yield from self._gifts()
        for pause in clock.single_pauses(clock.turn_since or now, now):
            if pause.reason in _GIVEN_BACK and pause.interval[1] - pause.start >= MINUTE:
                yield self._given_back(pause)
        if self.reader is not None:
            yield from self._calendars(now)

    def _calendars(self, now: int) -> Iterator[Markup]:
        """Yield sentences about the players' nights and vacations, which are for the two alone."""
        clock = self.clock
        for seat in engine.SEATS:
            yield from self._calendar(seat, now)
        without = [seat for seat in engine.SEATS if clock.latest_calendar(seat).sleep is None]
        if clock.terms.sleeping_hours and len(without) == 1:  # else nothing differs
            you = N_("You have set no nights: the clock runs on.")
            yield self.by(without[0], you, N_("%(name)s has set no nights: the clock runs on."))

    def _bank(self, seat: Seat) -> str:
        left = _left(self.words, self.clock.side(seat).bank)
        if seat == self.reader:
            # Note: in a list of what is left to each player
            return self.words.say("you %(span)s", span=left)
        # Note: in a list of what is left to each player
        return self.words.say("%(name)s %(span)s", name=self.names[seat], span=left)

    def _gifts(self) -> Iterator[Markup]:
        """Yield sentences about time added to the agreed clock: to a player, or to a fixed end for
        both."""
        clock = self.clock
        if clock.terms.until is not None:
            if (out := clock.time_out()) is not None and out != clock.terms.until:
                message = N_("By time given and pauses, the end has moved to %(moment)s.")
                yield _marked(self.words, message, moment=_at(out))
            return
        for seat in engine.SEATS:
            if given := clock.side(seat).given:
                you, other = _GIVEN_NOW if seat == self.turn else _GIVEN_LATER
                yield self.by(seat, you, other, span=_left(self.words, given))

    def _given_back(self, pause: Pause) -> Markup:
        span = {"start": _at(pause.start), "end": _at(pause.interval[1])}
        if pause.reason == "outage":
            message = N_("The server was away: %(start)s to %(end)s is given back.")
            return _marked(self.words, message, **span)
        you = N_("You had not been told of the turn: %(start)s to %(end)s does not count.")
        other = N_("%(name)s had not been told of the turn: %(start)s to %(end)s does not count.")
        return self.by(pause.seat or "north", you, other, **span)

    def _calendar(self, seat: Seat, now: int) -> Iterator[Markup]:
        """Yield sentences about the times that will not count for this player."""
        clock, calendar = self.clock, self.clock.latest_calendar(seat)
        if not clock.terms.has_calendar or calendar == Calendar():
            return
        if clock.terms.sleeping_hours and calendar.sleep is not None:
            begin, end = (clock_time(second // MINUTE) for second in calendar.sleep)
            is_later = clock.side(seat).coming is not None
            waits = is_later and calendar.sleep != clock.calendar(seat).sleep
            you, other = _SLEEPS_LATER if waits else _SLEEPS
            yield self.by(seat, you, other, start=begin, end=end, zone=calendar.zone)
        if clock.terms.vacations:
            yield from self._vacations(seat, now)

    def _vacations(self, seat: Seat, now: int) -> Iterator[Markup]:
        for begins, ends in self.clock.latest_calendar(seat).vacations:
            if begins > now:
                you = N_("You will be on vacation from %(start)s to %(end)s.")
                other = N_("%(name)s will be on vacation from %(start)s to %(end)s.")
                yield self.by(seat, you, other, start=_at(begins), end=_at(ends))
            elif now < ends and seat != self.clock.turn:  # else it is why the clock stands still
                you, other = _UNTIL["vacation"]
                yield self.by(seat, you, other, moment=end_moment(timestamp(ends)))


_UNTIL_ENDED: Final = N_("Both have agreed to a pause, until one of the two ends it.")
_UNTIL: Final = {
    "vacation": (
        N_("You are on vacation until %(moment)s."),
        N_("%(name)s is on vacation until %(moment)s."),
    ),
    "sleep": (
        N_("It is your night until %(moment)s."),
        N_("It is %(name)s’s night until %(moment)s."),
    ),
    "weekend": (
        N_("It is the weekend for you until %(moment)s."),
        N_("It is the weekend for %(name)s until %(moment)s."),
    ),
}
_WITHOUT_END: Final = {
    "vacation": (N_("You are on vacation."), N_("%(name)s is on vacation.")),
    "sleep": (N_("It is your night."), N_("It is %(name)s’s night.")),
    "weekend": (N_("It is the weekend for you."), N_("It is the weekend for %(name)s.")),
}
_GIVEN_NOW: Final = (
    N_("You have %(span)s more, given for this turn."),
    N_("%(name)s has %(span)s more, given for this turn."),
)
_GIVEN_LATER: Final = (
    N_("You have %(span)s more, given for the next turn."),
    N_("%(name)s has %(span)s more, given for the next turn."),
)
_SLEEPS: Final = (
    N_("You sleep from %(start)s to %(end)s (%(zone)s)."),
    N_("%(name)s sleeps from %(start)s to %(end)s (%(zone)s)."),
)
_SLEEPS_LATER: Final = (
    N_("You sleep from %(start)s to %(end)s (%(zone)s), from the next turn on."),
    N_("%(name)s sleeps from %(start)s to %(end)s (%(zone)s), from the next turn on."),
)


def urgency(clock: ClockState, now: float) -> str:
    """Return how near the end of the turn is, by the share that is left: `late` in its last 24th,
    `soon` in its last sixth, else `""`."""
    deadline, whole = clock.deadline(), clock.allowed()
    left = whole if deadline is None else deadline - now
    return "late" if left < whole / 24 else "soon" if left < whole / 6 else ""


def bank_words(words: Words, clock: ClockState, seat: Seat) -> list[str]:
    """Return what to say of a player's bank beside the time left: in their turn that is its time.
    Empty on a clock without banks."""
    if clock.terms.bank is None:
        return []
    if seat == clock.turn:
        # Note: beside the time that is left: it comes from a bank for all turns together
        return [words.say("time bank")]
    # Note: beside the time that is left to the other player
    return [words.say("your time bank: %(span)s", span=short_span(words, clock.side(seat).bank))]


def quiet_times(words: Words, clock: ClockState, seat: Seat, *, is_own: bool) -> str:
    """Return the hours and days that do not count for this player, in their own time zone."""
    calendar, terms, parts = clock.calendar(seat), clock.terms, list[str]()
    if terms.sleeping_hours and calendar.sleep is not None:
        parts.append("\N{EN DASH}".join(_hour(second) for second in calendar.sleep))
    if terms.weekends_off:
        parts.append(words.say("at weekends"))
    if not parts:
        return ""
    if is_own:
        # Note: a clock; %(times)s is such as "23-7 and at weekends"
        return words.say("stops %(times)s", times=words.joined(parts))
    # Note: a clock; %(times)s is such as "23-7 and at weekends"
    message = N_("stops %(times)s (%(zone)s)")
    return words.say(message, times=words.joined(parts), zone=calendar.zone)


def _hour(second: int) -> str:
    hour, minute = divmod(second // MINUTE, 60)
    return f"{hour}:{minute:02}" if minute else str(hour)


def _marked(words: Words, message: str, /, **places: object) -> Markup:
    """Return a message as markup: its places may be."""
    return escape(words.say(message)) % places


def _at(seconds: int) -> Markup:
    return moment(timestamp(seconds))


def _left(words: Words, seconds: int) -> str:
    """Return a length of time in words, rounded to hours if it is a day or more."""
    return duration(words, seconds if seconds < DAY else seconds - seconds % HOUR)
