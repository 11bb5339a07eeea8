"""A form that asks for the options of a game; reads and checks it field by field."""

from collections.abc import Mapping
from typing import Any, Final

from flask import request
from marshmallow import ValidationError

from engine import RuleBroken
from engine.options import EDITIONS, options_for
from service.api.schemas.fields import load
from service.api.schemas.inputs import GameOptions, SeatInput, day, options
from service.games import NewGame
from service.text.game_terms import EDITION_WORDS
from service.web.games.clock_form import (
    USUAL,
    Errors,
    clock_choices,
    clock_fault,
    clock_fields,
    read_clock,
)
from service.web.words import FIRST_PLAYERS, RATED

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
        "firsts": FIRST_PLAYERS,
        "rateds": RATED,
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
            fault = clock_fault(messages) if is_clock else _said(messages)
            errors[_FIELDS.get(field, field)] = fault
        return NewGame()
    except RuleBroken as broken:
        errors[_VARIANTS.get(broken.refusal, "edition")] = broken.detail
        return NewGame()
    return wanted


def read_visit(errors: Errors) -> str | None:
    """Return the day of the last visit to Scotland; None if the form has none.

    If it is not valid, a message is added to `errors`.
    """
    try:
        given = load(SeatInput, {"visited_scotland": request.form.get("visited") or None})
    except ValidationError as error:
        errors["visited"] = _said(error.messages_dict)
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


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else text


def _said(messages: Any) -> str:
    """Return the first of marshmallow's messages for a field."""
    while isinstance(messages, dict):
        messages = next(iter(messages.values()))
    return str(messages[0])
