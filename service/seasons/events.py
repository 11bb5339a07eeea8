"""The events of a season, their stored form, and what each line of its log may hold, as
`season_form.js` checks too. Pure.

Events are stored in the envelope of a game's log and sealed by the same chain (`engine.chain`).
They name nobody: a player is an id, so a deleted one stays in the log without a name. The type of a
field says what it may hold, by the check that `Annotated` adds; one with a default may be missing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from engine.cards import SEATS, Seat
from engine.chain import NO_HASH, VIA, EncodedEvent, StoredEvent
from engine.clock_events import AgreedClock, clock_terms
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

_MANY: Final = 2**53 - 1
"""The largest number that every JSON reader takes as it is."""
_HEX: Final = matching("[0-9a-f]{64}", "not 64 hex digits")
WORD: Final = matching("[a-z0-9]+(-[a-z0-9]+)*", "not a word")
Hex = Annotated[str, _HEX]
Id = Annotated[str, matching("[a-z0-9]+", "not an id")]
Word = Annotated[str, WORD]
Text = Annotated[str, matching("[^\ud800-\udfff]+", "not a text")]
Number = Annotated[int, whole(0, _MANY)]

REMOVED: Final = "removed"
"""The reason of the result of a game that the operator has removed, or whose log has become
unreadable: it counts for nobody."""

Format = Literal["league", "ladder"]
Reason = Literal["left", "not-seen", "gone", "time-outs", "away"]
"""Why a player was withdrawn: by their own wish; without a sign of life in the week before the
start; without an account any more; after `MOST_TIME_OUTS`; away from a ladder for long."""


@dataclass(frozen=True, slots=True)
class SeasonAnnounced:
    """The rules, which never change, and the commitment to the secret of every draw.

    It starts at `starts_at` (RFC 3339), or as soon as so many `players` wait; one of them is given,
    or both. `division` is the best size of a division. `bots` are the names of bots that fill short
    divisions, in this order. `follows` is the season whose last table orders the divisions; `by`
    the player who made it, None for the operator. `secret` is private until the season starts.
    A ladder starts as it is announced: `division` is 0, and there are no bots.
    """

    TYPE: ClassVar = "announced"
    id: Id
    name: Text
    edition: Word
    tactics: bool
    expert: bool
    clock: Annotated[AgreedClock, clock_terms]
    division: Number
    starts_at: Annotated[str, moment] | None
    players: Number | None
    bots: Sequence[Annotated[str, matching("[a-z]+", "not the name of a bot")]]
    follows: Id | None
    commitment: Hex
    by: Id | None
    format: Annotated[Format, one_of(*get_args(Format))] = "league"
    """Leagues of older versions do not say that they are one."""
    secret: str | None = field(default=None, repr=False)

    @property
    def variant(self) -> dict[str, Any]:
        """The rules that its games are played by."""
        return {"edition": self.edition, "tactics": self.tactics, "expert": self.expert}


@dataclass(frozen=True, slots=True)
class CardsSealed:
    """The commitment to the secret that the secret of each game follows from (`game_secret`): so
    the cards are chosen before anybody enters. It comes second; the logs of older versions have
    none. `secret` is private until a league is over, and for good on a ladder.

    A further one takes the place of the secret before, for the games to come: where the log may
    have lost events, players may know games that would get the same cards. `next_cards`, on a
    ladder, is the commitment to the secret of the next challenge's game.
    """

    TYPE: ClassVar = "sealed"
    commitment: Hex
    secret: str | None = field(default=None, repr=False)
    next_cards: Hex | None = None


@dataclass(frozen=True, slots=True)
class PlayerEntered:
    """A player entered; `salt` is their share of every draw."""

    TYPE: ClassVar = "entered"
    player: Id
    salt: Text


@dataclass(frozen=True, slots=True)
class PlayerWithdrew:
    """A player left the season, or was taken out of it."""

    TYPE: ClassVar = "withdrawn"
    player: Id
    reason: Annotated[Reason, WORD]


@dataclass(frozen=True, slots=True)
class SeasonStarted:
    """The secret, and the players of each division; bots come last."""

    TYPE: ClassVar = "started"
    secret: Hex
    divisions: Sequence[Sequence[Id]]


class Pairing(TypedDict):
    """A game, and its players by seat."""

    game: Id
    round: Annotated[int, whole(1, 1)]
    leg: Annotated[int, whole(1, 2)]
    north: Id
    south: Id


@dataclass(frozen=True, slots=True)
class DivisionPaired:
    """All games of a division (counted from 1), which have begun."""

    TYPE: ClassVar = "paired"
    division: Number
    games: Sequence[Pairing]


@dataclass(frozen=True, slots=True)
class ChallengeMade:
    """A player of a ladder challenged another to a game, which begins at once.

    `number` counts the ladder's challenges from 1. `next_cards` is the commitment to the secret of
    the game after this one, before anybody knows who plays it.
    """

    TYPE: ClassVar = "challenged"
    game: Id
    number: Number
    challenger: Id
    challenged: Id
    next_cards: Hex


@dataclass(frozen=True, slots=True)
class ResultTaken:
    """The end of a game: the last hash of its log, the winner's id (None: nobody), the reason, and
    the Stones of both seats."""

    TYPE: ClassVar = "result"
    game: Id
    head: Hex
    winner: Id | None
    reason: Word
    stones: Annotated[Mapping[Seat, int], object_of(dict.fromkeys(SEATS, whole(0, 9)))]


@dataclass(frozen=True, slots=True)
class SeasonEnded:
    """The players of each division in their final order; no division on a ladder, and if a league
    was not played. `by_operator`: not because everything was played or nobody came."""

    TYPE: ClassVar = "ended"
    tables: Sequence[Sequence[Id]]
    by_operator: bool = False


SeasonEvent = (
    SeasonAnnounced
    | CardsSealed
    | PlayerEntered
    | PlayerWithdrew
    | SeasonStarted
    | DivisionPaired
    | ChallengeMade
    | ResultTaken
    | SeasonEnded
)
_TYPES: Final[Mapping[str, type[SeasonEvent]]] = {each.TYPE: each for each in get_args(SeasonEvent)}
PRIVATE: Final = "secret"
"""The member of `announced` and `sealed` that is private."""


def encode(event: SeasonEvent) -> EncodedEvent:
    """The stored form of an event."""
    data = {each.name: getattr(event, each.name) for each in fields(event)}
    private = None
    if isinstance(event, SeasonAnnounced | CardsSealed):
        private = {PRIVATE: data.pop(PRIVATE)}
    return EncodedEvent(event.TYPE, None, data, private)


def decode(line: StoredEvent) -> SeasonEvent:
    """The event in a line. Raises LookupError or TypeError for any other line."""
    return _TYPES[line["type"]](**line["data"], **(line["private"] or {}))  # type: ignore[arg-type]


def nobodys(game: str) -> ResultTaken:
    """The result of a game that counts for nobody."""
    return ResultTaken(game, NO_HASH, None, REMOVED, dict.fromkeys(SEATS, 0))


NAME: Final = "name"
"""The member of an exported line that holds the name of who entered. It is not sealed, so that a
deleted player's can go."""


def _nothing(value: object, path: str) -> None:
    if value is not None:
        raise Malformed(path, "not null")


def _check_of(hint: Any) -> Check:
    """The check of values of this type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        check: Check = args[1]
        return check
    if origin in (Union, UnionType):
        return or_null(_check_of(args[0]))
    if is_typeddict(hint):
        return object_of(_checks_of(hint))
    return flag if hint is bool else list_of(_check_of(args[0]), 0, _MANY)


def _checks_of(shape: type, *names: str) -> dict[str, Check]:
    """The checks of the members of a shape, or of those with these names."""
    hints = get_type_hints(shape, include_extras=True)
    return {name: _check_of(hints[name]) for name in names or hints}


_LINE: Final[Mapping[str, Check]] = {
    "seq": whole(0, _MANY),
    "v": whole(1, 1),
    "at": moment,
    "by": _nothing,
    "via": one_of(*VIA, "operator"),
    "salt": or_null(_HEX),
    "hash": _HEX,
}
"""The members that all lines have besides `type`, `data` and `private`."""


def _form(event: type[SeasonEvent]) -> Check:
    """The form of a line with such an event."""
    hides = event in (SeasonAnnounced, CardsSealed)
    listed = [each for each in fields(event) if not (hides and each.name == PRIVATE)]
    needed = [each.name for each in listed if each.default is MISSING]
    optional = [each.name for each in listed if each.default is not MISSING]
    data = object_of(_checks_of(event, *needed), _checks_of(event, *optional) if optional else {})
    private = or_null(object_of({PRIVATE: _HEX})) if hides else _nothing
    members = {**_LINE, "type": one_of(event.TYPE), "data": data, "private": private}
    named = {NAME: or_null(_check_of(Text))} if event is PlayerEntered else {}
    return object_of(members, named)


_FORMS: Final = {type_: _form(event) for type_, event in _TYPES.items()}


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
