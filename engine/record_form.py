"""The form of a record: the allowed content of each event.

Records come from anywhere. `stored_event` and `check_form` refuse any that break these rules, so
that every reader may rely on them:

- an event has its ten members and no others, each of the right type; nothing is nested deeper, and
  no text or list is longer, than this program writes it;
- `at` is a real moment of the years 2000 to 2199, written `2026-11-21T12:00:00Z`; `via` is one of
  `VIA`; `by` fits the type of event; `salt` and `hash` are 64 hex digits;
- this program has `type` and `v`, and `data` and `private` have the form of that version,
  including `terms` and `options`; players' ids are letters, digits, `-` and `_`;
- texts can be encoded, numbers are whole; only a player's `salt` may hold control characters.

So only a `salt` needs care when it is printed, stored or made part of a key. `engine.verify` checks
the form too, then whether the events make a game. A refusal never quotes the refused text.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from engine.cards import (
    BANSHEE,
    BIT,
    CLAN_CARDS,
    COMBAT_MODES,
    ELITE_TROOPS,
    ORDER,
    RECRUITER,
    SEATS,
    STRATEGIST,
    TACTIC_CARDS,
    TRAITOR,
)
from engine.chain import PRIVATE_TYPES, VIA, StoredEvent
from engine.clock_events import (
    CLOCK_DATA,
    MOST_DAYS,
    ClockAdjusted,
    ClockResumed,
    FlagHeld,
    clock_terms,
)
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsRecruited,
    CardsReturned,
    GameAborted,
    GameCreated,
    GameEnded,
    Passed,
    PlayerJoined,
    Resigned,
    RoundEnded,
    RoundStarted,
    RusePlayed,
    StoneClaimed,
    TimedOut,
    TurnEnded,
)
from engine.formations import RANKS
from engine.options import FIRST_PLAYERS, MAX_ROUNDS, RULES_VERSION
from engine.value_checks import (
    Check,
    Malformed,
    day,
    flag,
    list_of,
    matching,
    moment,
    object_of,
    one_of,
    or_null,
    whole,
)

MAX_LINE: Final = 16_384
"""The most characters of an event: many times more than this program ever writes."""

MAX_EVENTS: Final = 50_000
"""The most events of a record: more than twice as many as the longest match has."""


class BadRecord(Exception):
    """A text that is not a record, and its `problem`. `event` is the number of the invalid event,
    if one is invalid."""

    def __init__(self, problem: str, event: int | None = None) -> None:
        super().__init__(problem if event is None else f"event {event}: {problem}")
        self.problem = problem
        self.event = event


def check_form(values: Iterable[object]) -> list[StoredEvent]:
    """All events of a record, each as read from JSON. Raises `BadRecord`, naming the event."""
    lines: list[StoredEvent] = []
    for number, value in enumerate(values, 1):
        lines.append(stored_event(number, value))
    if not lines:
        raise BadRecord("The record holds no events.")
    return lines


def stored_event(number: int, value: object) -> StoredEvent:
    """The event of this number, as read from JSON. Raises `BadRecord`, naming the event."""
    try:
        if number > MAX_EVENTS:
            raise Malformed("number", f"more than {MAX_EVENTS}, which no record has")
        _LINE(value, "")
        line = cast(StoredEvent, value)
        _check_type(line)
    except Malformed as malformed:
        raise BadRecord(str(malformed), number) from None
    return line


def read_line(number: int, text: str) -> StoredEvent:
    """The event of this number, as a line of JSON. Raises `BadRecord`, naming the event."""
    if len(text) > MAX_LINE:
        raise BadRecord(f"it has more than {MAX_LINE} characters", number)
    return stored_event(number, _json(text, number))


def from_archive(text: str) -> list[StoredEvent]:
    """The stored events of a line of an archive, `{"id", "players", "record"}`. Raises
    `BadRecord`."""
    archived = _json(text)
    if not isinstance(archived, dict) or not isinstance(archived.get("record"), list):
        raise BadRecord("It is no line of an archive.")
    return check_form(archived["record"])


def _json(text: str, number: int | None = None) -> object:
    try:
        return _read_json(text)
    except (ValueError, RecursionError) as error:
        raise BadRecord(_not_json(error), number) from None


def _not_json(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON: {error.msg} at character {error.colno}"
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return "it is not JSON: a name appears twice, or a number is too long"


def _each_name_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # Two readers might each use a different one of the two.
    if len(members := dict(pairs)) < len(pairs):
        raise ValueError("a name appears twice")
    return members


_read_json = json.JSONDecoder(object_pairs_hook=_each_name_once).decode


def _any_order(*choices: Sequence[str]) -> Check:
    allowed = [sorted(cards) for cards in choices]

    def check(value: Any, path: str) -> None:
        _CARDS(value, path)
        if sorted(value) not in allowed:
            raise Malformed(path, "not a whole deck")

    return check


def _anything(value: object, path: str) -> None:
    """Accept any value: `_check_type` checks it."""


def _free_text(value: object, path: str) -> None:
    if not isinstance(value, str) or len(value) > MAX_SALT:
        raise Malformed(path, f"not a text of up to {MAX_SALT} characters")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Malformed(path, "not a text that can be encoded") from None


MAX_SALT: Final = 1000
_DATE = or_null(matching(r"\d{4}-\d{2}-\d{2}", "not a date, written 2026-05-31"))
_HEX = matching(r"[0-9a-f]{64}", "not 64 hex digits")
_PLAYER = matching(r"[A-Za-z0-9_-]{1,64}", "not the id of a player")
_SEAT = one_of(*SEATS)
_STONE = whole(1, 9)
_ROUND = whole(1, MAX_ROUNDS)
_POINTS = object_of(dict.fromkeys(SEATS, whole(0, 9 * MAX_ROUNDS)))
_CARDS = list_of(one_of(*ORDER), 0, len(CLAN_CARDS))
_CLAN_CARD = one_of(*CLAN_CARDS)
_TARGET = object_of({"card": one_of(*BIT, *ELITE_TROOPS), "stone": _STONE})
_DAYS = whole(1, MOST_DAYS)

_LINE: Final = object_of(
    {
        "seq": whole(1, MAX_EVENTS),
        "v": whole(1, 999),
        "at": moment,
        "type": matching(r"[a-z][a-z_]{0,39}", "not the name of a type"),
        "by": or_null(_SEAT),
        "via": one_of(*VIA),
        "data": _anything,
        "private": _anything,
        "salt": or_null(_HEX),
        "hash": _HEX,
    }
)

_OPTIONS_1: Final = {
    "hand_size": whole(6, 7),
    "tactics": flag,
    "claim_timing": one_of("after_play", "before_play", "any_time"),
    "joker_limit": one_of("one_per_game", "one_on_table"),
}
_OPTIONS: Final = {
    1: object_of(_OPTIONS_1),
    2: object_of({**_OPTIONS_1, "traitor_to": one_of("any", "another")}),
}
"""The options, by version of the rules."""
_TERMS_MEMBERS: Final = object_of(
    {},
    optional={
        "clock": or_null(clock_terms),
        "invited": or_null(_PLAYER),
        "invited_by_mail": flag,
        "listed": flag,
        "private": flag,
        "rated": flag,
        "invitation_days": _DAYS,
        "nameless": flag,
        "practice": object_of(
            {
                "game": matching(r"[a-z2-7]{20}", "not the id of a game"),
                "step": whole(0, MAX_EVENTS),
                "turn": whole(1, MAX_EVENTS),
                "players": object_of(dict.fromkeys(SEATS, _PLAYER)),
            }
        ),
        "daily": day,
        "season": object_of(
            {
                "id": matching(r"[a-z2-7]{20}", "not the id of a season"),
                "round": whole(1, 999_999_999),  # a ladder counts its challenges
                "leg": whole(1, 2),
            }
        ),
    },
)


def _terms(value: Any, path: str) -> None:
    _TERMS_MEMBERS(value, path)
    if len(value.keys() & {"practice", "daily", "season"}) > 1:
        raise Malformed(path, "those of more than one of practice, a deal of the day and a season")


_SEATED: Final = {"player": _PLAYER, "salt": _free_text, "visited_scotland": _DATE}
_CREATED: Final = object_of(
    {
        **_SEATED,
        "seat": _SEAT,
        "edition": matching(r"[a-z][a-z0-9-]{0,39}", "not the name of an edition"),
        "tactics": flag,
        "expert": flag,
        "rounds": _ROUND,
        "first_player": one_of(*FIRST_PLAYERS),
        "rules_version": whole(1, 999),
        "options": _anything,
        "commitment": _HEX,
        "terms": _terms,
    }
)


def _created(value: Any, path: str) -> None:
    version = value.get("rules_version") if isinstance(value, dict) else None
    if type(version) is int and version > RULES_VERSION:
        raise Malformed(f"{path}.rules_version", "that of a later version of this program")
    _CREATED(value, path)
    _OPTIONS[value["rules_version"]](value["options"], f"{path}.options")


_FORMATION: Final = object_of(
    {"rank": one_of(*RANKS), "total": whole(0, 36), "as": list_of(_CLAN_CARD, 3, 4)}
)
_ENDINGS: Final = ("three-adjacent", "five-stones", "stalemate", "resignation", "time-out")
_RUSES: Final[dict[str, Check]] = {
    RECRUITER: object_of(
        {"card": _anything, "draws": object_of({"clan": whole(0, 3), "tactic": whole(0, 3)})}
    ),
    BANSHEE: object_of({"card": _anything, "target": _TARGET}),
    TRAITOR: object_of({"card": _anything, "target": _TARGET, "to": _STONE}),
    STRATEGIST: object_of({"card": _anything, "target": _TARGET, "to": _anything}),
}


def _ruse(value: Any, path: str) -> None:
    card = value.get("card") if isinstance(value, dict) else None
    if not isinstance(card, str) or card not in _RUSES:
        raise Malformed(f"{path}.card", "not a Ruse")
    _RUSES[card](value, path)
    if card == STRATEGIST and value["to"] != "x":
        _STONE(value["to"], f"{path}.to")


_COUNTS: Final = object_of({"clan": whole(0, 3), "tactic": whole(0, 3)})
_NOTHING: Final = object_of({})

_DATA: Final[dict[tuple[str, int], Check]] = {
    (GameCreated.TYPE, 1): _created,
    (PlayerJoined.TYPE, 1): object_of(_SEATED),
    (RoundStarted.TYPE, 1): object_of({"round": _ROUND, "first": _SEAT}),
    (CardPlayed.TYPE, 1): object_of(
        {"card": one_of(*CLAN_CARDS, *ELITE_TROOPS, *COMBAT_MODES), "stone": _STONE}
    ),
    (RusePlayed.TYPE, 1): _ruse,
    (CardsRecruited.TYPE, 1): _COUNTS,
    (CardsReturned.TYPE, 1): _COUNTS,
    (Passed.TYPE, 1): _NOTHING,
    (StoneClaimed.TYPE, 1): object_of(
        {
            "stone": _STONE,
            "reason": one_of("stronger", "completed-first", "unbeatable", "cannot-be-completed"),
            "mine": _FORMATION,
            "theirs": or_null(_FORMATION),
        }
    ),
    (CardDrawn.TYPE, 1): object_of({"deck": one_of("clan", "tactic")}),
    (TurnEnded.TYPE, 1): object_of({"next": _SEAT}),
    (Resigned.TYPE, 1): _NOTHING,
    (TimedOut.TYPE, 1): object_of({"seat": _SEAT}),
    (RoundEnded.TYPE, 1): object_of(
        {
            "round": _ROUND,
            "winner": or_null(_SEAT),
            "reason": one_of(*_ENDINGS),
            "points": _POINTS,
            "scores": _POINTS,
        }
    ),
    (GameEnded.TYPE, 1): object_of(
        {
            "winner": or_null(_SEAT),
            "reason": one_of(*_ENDINGS, "agreement"),
            "scores": _POINTS,
            "secret": _HEX,
        }
    ),
    (GameAborted.TYPE, 1): object_of({"secret": _HEX}),
    **CLOCK_DATA,
}
"""The form of `data`, by type and version. Older versions of a type always stay here."""

_PRIVATE: Final[dict[str, Check]] = {
    GameCreated.TYPE: object_of({"secret": _HEX}),
    RoundStarted.TYPE: object_of(
        {"clan": _any_order(CLAN_CARDS), "tactic": _any_order(TACTIC_CARDS, [])}
    ),
    CardDrawn.TYPE: object_of({"cards": list_of(one_of(*ORDER), 1, 1)}),
    CardsRecruited.TYPE: object_of({"cards": list_of(one_of(*ORDER), 1, 3)}),
    CardsReturned.TYPE: object_of({"cards": list_of(one_of(*ORDER), 0, 2)}),
}
"""The form of `private`, for the types that have it. It is null if hidden from a reader."""

_BY_THE_SERVER: Final = (
    *(RoundStarted.TYPE, TimedOut.TYPE, RoundEnded.TYPE),
    *(ClockAdjusted.TYPE, FlagHeld.TYPE),
)
_BY_ANYBODY: Final = (GameEnded.TYPE, GameAborted.TYPE, ClockResumed.TYPE)


def _check_type(line: StoredEvent) -> None:
    type_, v = line["type"], line["v"]
    check = _DATA.get((type_, v))
    if check is None:
        raise Malformed("type", f"{type_} v{v}, which only a later version knows")
    if type_ not in _BY_ANYBODY and (line["by"] is None) != (type_ in _BY_THE_SERVER):
        raise Malformed("by", f"not one who causes a {type_}")
    check(line["data"], "data")
    if type_ in PRIVATE_TYPES:
        or_null(_PRIVATE[type_])(line["private"], "private")
    elif line["private"] is not None:
        raise Malformed("private", f"not null, though a {type_} hides nothing")
