"""A form that asks for the options of a game; reads and checks it field by field.

One part of it asks for the clock: by the turn, a bank of time, or a fixed end.

The player chooses one of these kinds; the fields of each kind are below its choice. A fixed end is
a date and a time of day in the time zone that the form names.
"""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Final

from flask import request
from marshmallow import ValidationError

from engine import RuleBroken
from engine.clock_events import AgreedClock
from engine.options import EDITIONS, options_for
from service.accounts.mail_preferences import moment_of, read_clock_time, zone, zone_names
from service.api.schemas.fields import load
from service.api.schemas.inputs import GameOptions, SeatInput, day, options
from service.core.times import timestamp, unix
from service.core.words import N_
from service.games import NewGame
from service.games.terms import USUAL_CLOCK
from service.text.game_terms import CLOCKS, EDITION_WORDS, days_words
from service.web import session
from service.web.language import first_fault, reader_words, reason, said
from service.web.words import FIRST_PLAYERS, RATED

Errors = dict[str, str]

BANK: Final = "bank"
UNTIL: Final = "until"
UNCOUNTED: Final = {
    "weekends_off": (N_("Weekends"), N_("On Saturdays and Sundays.")),
    "sleeping_hours": (
        N_("Nights"),
        N_("Those that a player has set in the account. Without any, the clock runs on."),
    ),
    "vacations": (N_("Vacations"), N_("The days that a player has taken off.")),
}
"""The times that a clock may leave uncounted: for each option its name and a description, both
messages."""
_BANK_FIELDS: Final = ("bank_days", "increment_hours", "cap_days")
CLAIM: Final = "claim"
"""The field that is checked if a win on time has to be claimed."""
_SUGGESTED: Final = {
    "bank_days": "14",
    "increment_hours": "12",
    "cap_days": "14",
    "until_time": "20:00",
}
"""The values in the fields of kinds of clock that are not chosen."""
USUAL: Final = {
    "days": str(USUAL_CLOCK["days_per_move"]),
    **{option: "on" for option in UNCOUNTED if option in USUAL_CLOCK},
    **_SUGGESTED,
}
"""The values that a new form suggests."""
_WRONG: Final = {
    "bank_days": N_("A bank of time holds 1 to 90 days."),
    "increment_hours": N_("A turn adds 1 to 168 hours, or nothing."),
    "cap_days": N_("The hours fill a bank up to 1 to 90 days, or without end."),
    "days_per_move": N_("Choose 1 to 90 days for each turn."),
}


def clock_choices(chosen: Mapping[str, str]) -> dict[str, object]:
    """Return the values with which a template shows the clock's choices, given those `chosen`."""
    days = _number(chosen.get("days", ""))
    clocks = said(CLOCKS)
    if isinstance(days, int) and days not in CLOCKS:
        clocks[days] = days_words(reader_words(), days)
    return {
        "clocks": clocks,
        "uncounted": UNCOUNTED,
        "zone": {"name": _zone_of(chosen), "is_chosen": session.time_zone() is not None},
    }


def clock_fields(clock: AgreedClock | None) -> dict[str, str]:
    """Return a clock as the values of the form's fields."""
    if clock is None:
        return {**_SUGGESTED, "days": ""}
    options = {name: "on" for name in UNCOUNTED if clock.get(name)}
    if clock.get("time_out") == "claim":
        options[CLAIM] = "on"
    return {**_SUGGESTED, **options, **_kind_fields(clock)}


def _kind_fields(clock: AgreedClock) -> dict[str, str]:
    if "until" in clock:
        at = datetime.fromtimestamp(unix(clock["until"]), zone(_zone_of({})))
        return {"days": UNTIL, "until_day": f"{at:%Y-%m-%d}", "until_time": f"{at:%H:%M}"}
    if "bank_days" in clock:
        return {"days": BANK, **{name: str(clock.get(name, "")) for name in _BANK_FIELDS}}
    return {"days": str(clock["days_per_move"])}


def read_clock(errors: Errors) -> dict[str, object] | None:
    """Return the clock in the form, in the shape that the API validates; None without one.

    If the day or the time of a fixed end is not valid, a message is added to `errors`.
    """
    form, kind = request.form, request.form.get("days", "")
    if not kind:
        return None
    claimed = {"time_out": "claim"} if CLAIM in form else {}
    if kind == UNTIL:
        until = _until(errors)
        return None if until is None else {"until": until, **claimed}
    clock: dict[str, object] = {"days_per_move": _number(kind)}
    if kind == BANK:
        given = {name: _number(form.get(name, "").strip()) for name in _BANK_FIELDS}
        clock = {"bank_days": "", **{name: n for name, n in given.items() if n not in ("", 0)}}
    return clock | {name: True for name in UNCOUNTED if name in form} | claimed


def clock_fault(messages: Mapping[str, object]) -> str:
    """Return a sentence for an invalid clock, by marshmallow's messages."""
    found = (fault for name, fault in _WRONG.items() if name in messages)
    return reader_words().say(next(found, N_("Choose one.")))


def _until(errors: Errors) -> str | None:
    form = request.form
    minute, where = read_clock_time(form.get("until_time", "")), _zone_of(form)
    try:
        day = date.fromisoformat(form.get("until_day", ""))
    except ValueError:
        day = None
    if day is None or minute is None or form.get("zone", where) not in zone_names():
        errors["until"] = reader_words().say(
            "Give the day and the time of day at which the game ends."
        )
        return None
    return timestamp(moment_of(day, minute, zone(where)))


def _zone_of(fields: Mapping[str, str]) -> str:
    """Return the time zone that the form named, or else the reader's."""
    return fields.get("zone") or session.time_zone() or "UTC"


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else text


ROUNDS: Final = (1, 2, 3, 5)
"""The numbers of rounds of a match that can be chosen on a page."""
_FIELDS: Final = {"clock": "days", "visited_scotland": "visited", "first_player": "first"}
"""The form's name of a field, if the API has another name for it."""
_VARIANTS: Final = {"no-tactics": "tactics", "no-expert": "expert"}
"""The form's field that the rules refuse, by the refusal."""

SAME_AS_MODERN: Final = "reference-card"
"""An edition that plays like the usual one, so pages do not offer it."""

EMPTY: Final = {"edition": "iello", "rounds": "1", "first": "random", **USUAL}


def choices(chosen: Mapping[str, str]) -> dict[str, object]:
    """Return the values with which a template shows the choices, given those `chosen`."""
    rounds = _number(chosen.get("rounds", "1"))
    return {
        "editions": [
            {"name": name, "words": EDITION_WORDS[name], "variants": _variants(name)}
            for name in EDITIONS
            if name != SAME_AS_MODERN or name == chosen.get("edition")
        ],
        **clock_choices(chosen),
        "rounds": sorted({*ROUNDS, rounds}) if isinstance(rounds, int) else ROUNDS,
        "firsts": said(FIRST_PLAYERS),
        "rateds": said(RATED),
    }


def _variants(edition: str) -> str:
    """Return the variants of an edition, as the page's script reads them: `tactics expert`."""
    rules = EDITIONS[edition]
    has = {"tactics": rules.has_tactics, "expert": rules.has_expert}
    return " ".join(name for name, given in has.items() if given)


def read_options(errors: Errors, *, has_clock: bool = True) -> NewGame:
    """Return the game in the form, without the opponent; add messages about wrong fields to
    `errors`. Without `has_clock` the clock in the form is ignored."""
    asked = {
        "edition": request.form.get("edition", ""),
        "tactics": "tactics" in request.form,
        "expert": "expert" in request.form,
        "private": "private" in request.form,
        "rated": {"yes": True, "no": False}.get(request.form.get("rated", "")),
        "rounds": _number(request.form.get("rounds", "1")),
        "first_player": request.form.get("first", "random"),
        "clock": read_clock(errors) if has_clock else None,
        "visited_scotland": request.form.get("visited") or None,
    }
    try:
        wanted = NewGame(**options(load(GameOptions, asked)))
        options_for(wanted.edition, wanted.tactics, wanted.expert)
    except ValidationError as error:
        for field, messages in error.messages_dict.items():
            is_clock = field == "clock" and isinstance(messages, dict)
            fault = clock_fault(messages) if is_clock else first_fault(messages)
            errors[_FIELDS.get(field, field)] = fault
        return NewGame()
    except RuleBroken as broken:
        errors[_VARIANTS.get(broken.refusal, "edition")] = reason(broken)
        return NewGame()
    return wanted


def read_visit(errors: Errors) -> str | None:
    """Return the day of the last visit to Scotland; None if the form has none.

    If it is not valid, a message is added to `errors`.
    """
    try:
        given = load(SeatInput, {"visited_scotland": request.form.get("visited") or None})
    except ValidationError as error:
        errors["visited"] = first_fault(error.messages_dict)
        return None
    return day(given["visited_scotland"])


def shown(wanted: NewGame) -> dict[str, str]:
    """Return a game as the values of the form's fields."""
    flags = {name: "on" for name in ("tactics", "expert", "private") if getattr(wanted, name)}
    return {
        "edition": wanted.edition,
        **clock_fields(wanted.clock),
        "rounds": str(wanted.rounds),
        "first": wanted.first_player,
        "rated": {True: "yes", False: "no", None: ""}[wanted.rated],
        **flags,
    }
