"""The form of a season's log: what each line may hold. `season_form.js` checks the same.

What may follow what is for `rules`, which takes the form for granted.
"""

from collections.abc import Mapping
from typing import Any, Final, get_args

from engine.cards import SEATS
from engine.chain import VIA
from engine.clock_form import clock_terms
from engine.value_checks import (
    Check,
    Malformed,
    flag,
    list_of,
    matching,
    moment,
    object_of,
    one_of,
    or_null,
    whole,
)
from service.seasons.season import PRIVATE, CardsSealed, Format, PlayerEntered, SeasonAnnounced

NAME: Final = "name"
"""The member of an exported line that holds the name of who entered. It is not sealed, so that a
deleted player's can go."""
_MANY: Final = 2**53 - 1
"""The largest number that every JSON reader takes as it is."""
_HEX: Final = matching("[0-9a-f]{64}", "not 64 hex digits")
_ID: Final = matching("[a-z0-9]+", "not an id")
_WORD: Final = matching("[a-z0-9]+(-[a-z0-9]+)*", "not a word")
_TEXT: Final = matching("[^\ud800-\udfff]+", "not a text")
_NUMBER: Final = whole(0, _MANY)
_PLAYERS: Final = list_of(list_of(_ID, 0, _MANY), 0, _MANY)
"""The players of each division."""
_SECRET: Final = or_null(object_of({PRIVATE: _HEX}))


def _nothing(value: object, path: str) -> None:
    if value is not None:
        raise Malformed(path, "not null")


_LINE: Final[Mapping[str, Check]] = {
    "seq": _NUMBER,
    "v": whole(1, 1),
    "at": moment,
    "by": _nothing,
    "via": one_of(*VIA, "operator"),
    "salt": or_null(_HEX),
    "hash": _HEX,
}
"""The members that all lines have besides `type`, `data` and `private`."""
_DATA: Final[Mapping[str, Check]] = {
    "announced": object_of(
        {
            "id": _ID,
            "name": _TEXT,
            "edition": _WORD,
            "tactics": flag,
            "expert": flag,
            "clock": clock_terms,
            "division": _NUMBER,
            "starts_at": or_null(moment),
            "players": or_null(_NUMBER),
            "bots": list_of(matching("[a-z]+", "not the name of a bot"), 0, _MANY),
            "follows": or_null(_ID),
            "commitment": _HEX,
            "by": or_null(_ID),
        },
        # Leagues of older versions do not say that they are one.
        {"format": one_of(*get_args(Format))},
    ),
    "sealed": object_of({"commitment": _HEX}, {"next_cards": or_null(_HEX)}),
    "entered": object_of({"player": _ID, "salt": _TEXT}),
    "withdrawn": object_of({"player": _ID, "reason": _WORD}),
    "started": object_of({"secret": _HEX, "divisions": _PLAYERS}),
    "paired": object_of(
        {
            "division": _NUMBER,
            "games": list_of(
                object_of(
                    {
                        "game": _ID,
                        "round": whole(1, 1),
                        "leg": whole(1, 2),
                        "north": _ID,
                        "south": _ID,
                    }
                ),
                least=0,
                most=_MANY,
            ),
        }
    ),
    "challenged": object_of(
        {"game": _ID, "number": _NUMBER, "challenger": _ID, "challenged": _ID, "next_cards": _HEX}
    ),
    "result": object_of(
        {
            "game": _ID,
            "head": _HEX,
            "winner": or_null(_ID),
            "reason": _WORD,
            "stones": object_of(dict.fromkeys(SEATS, whole(0, 9))),
        }
    ),
    "ended": object_of({"tables": _PLAYERS}, {"by_operator": flag}),
}
"""The form of `data`, by type."""


def _form(type_: str) -> Check:
    """The form of a line of this type."""
    has_secret = type_ in (SeasonAnnounced.TYPE, CardsSealed.TYPE)
    private = _SECRET if has_secret else _nothing
    members = {**_LINE, "type": one_of(type_), "data": _DATA[type_], "private": private}
    return object_of(members, {NAME: or_null(_TEXT)} if type_ == PlayerEntered.TYPE else {})


_FORMS: Final = {type_: _form(type_) for type_ in _DATA}


def form_fault(line: Any) -> str | None:
    """What is wrong with the form of a line, as read from JSON; None if nothing is."""
    type_: Any = line.get("type") if isinstance(line, dict) else None
    try:
        one_of(*_FORMS)(type_, "type")
        _FORMS[type_](line, "")
        hides = type_ == SeasonAnnounced.TYPE and line["private"] is None
        if hides != (line["salt"] is None):
            raise Malformed("salt", "missing, or shown, where it should not be")
    except Malformed as fault:
        return str(fault)
    return None
