"""The events of a game: one frozen class for each type, folded by `engine.evolve`.

`by` is the seat that acted, None for the server. Public fields make the `data` of a stored event.
Its `private` part holds the fields hidden from some readers before the game is over; they are None
for readers who may not see them. `engine.chain` reads and writes the stored form.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Self, get_args

from engine.cards import BANSHEE, RECRUITER, Deck, Seat
from engine.clock_events import (
    CalendarChanged,
    ClockAdjusted,
    ClockMoved,
    ClockPaused,
    ClockResumed,
    FlagHeld,
    TimeGiven,
)
from engine.errors import UnknownEvent
from engine.formations import Formation
from engine.notation import Banish, Move, Recruit, Ruse
from engine.options import RULES_VERSIONS, Options
from engine.stored_form import AnybodysEvent, Json, PlayersEvent, ServersEvent, player_of

Cards = tuple[str, ...]


# The match


@dataclass(frozen=True, slots=True)
class GameCreated(PlayersEvent):
    """A player made a game and took a seat. `commitment` seals `secret`, which is private."""

    TYPE: ClassVar[str] = "game_created"

    player: str
    seat: Seat
    edition: str
    tactics: bool
    expert: bool
    rounds: int
    first_player: str
    rules_version: int
    options: Options
    commitment: str
    salt: str
    visited_scotland: str | None
    terms: Mapping[str, object]
    secret: str | None

    def to_data(self) -> dict[str, object]:
        data = {name: getattr(self, name) for name in self.__slots__ if name != "secret"}
        options = self.options.to_data(self.rules_version)
        return {**data, "options": options, "terms": dict(self.terms)}

    def to_private(self) -> dict[str, object] | None:
        return None if self.secret is None else {"secret": self.secret}

    @classmethod
    def from_data(cls, by: Seat | None, data: Json, private: Json | None) -> Self:
        # Checked first: later rules may have options unknown here.
        if data["rules_version"] not in RULES_VERSIONS:
            raise UnknownEvent(f"Rules of version {data['rules_version']} are not known here.")
        options = Options(**data["options"])
        secret = (private or {}).get("secret")
        return cls(player_of(cls.TYPE, by), **{**data, "options": options}, secret=secret)


@dataclass(frozen=True, slots=True)
class PlayerJoined(PlayersEvent):
    """The second player took the free seat."""

    TYPE: ClassVar[str] = "player_joined"

    player: str
    salt: str
    visited_scotland: str | None


@dataclass(frozen=True, slots=True)
class RoundStarted(ServersEvent):
    """Both decks were shuffled and the hands dealt. `clan` and `tactic` are the whole decks before
    the deal, top first, and private."""

    TYPE: ClassVar[str] = "round_started"

    round: int
    first: Seat
    clan: Cards | None
    tactic: Cards | None

    def to_data(self) -> dict[str, object]:
        return {"round": self.round, "first": self.first}

    def to_private(self) -> dict[str, object] | None:
        if self.clan is None or self.tactic is None:
            return None
        return {"clan": list(self.clan), "tactic": list(self.tactic)}

    @classmethod
    def from_data(cls, by: Seat | None, data: Json, private: Json | None) -> Self:
        if private is None:
            return cls(**data, clan=None, tactic=None)
        return cls(**data, clan=tuple(private["clan"]), tactic=tuple(private["tactic"]))


@dataclass(frozen=True, slots=True)
class RoundEnded(ServersEvent):
    """A round was won, or drawn (`winner` None). `scores` are those of the match so far."""

    TYPE: ClassVar[str] = "round_ended"

    round: int
    winner: Seat | None
    reason: str
    points: Mapping[Seat, int]
    scores: Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class GameEnded(AnybodysEvent):
    """The match is over; the secret is published, so that everyone can check the shuffle."""

    TYPE: ClassVar[str] = "game_ended"

    winner: Seat | None
    reason: str
    scores: Mapping[Seat, int]
    secret: str


@dataclass(frozen=True, slots=True)
class GameAborted(AnybodysEvent):
    """The game was cancelled before its first round."""

    TYPE: ClassVar[str] = "game_aborted"

    secret: str


@dataclass(frozen=True, slots=True)
class Resigned(PlayersEvent):
    """A player gave up the round; a `RoundEnded` follows."""

    TYPE: ClassVar[str] = "resigned"


@dataclass(frozen=True, slots=True)
class TimedOut(ServersEvent):
    """The player in `seat` ran out of time; a `RoundEnded` follows."""

    TYPE: ClassVar[str] = "timed_out"

    seat: Seat


# A turn


@dataclass(frozen=True, slots=True)
class CardPlayed(PlayersEvent):
    """A Clan card, an Elite Troop or a Combat Mode was played at a Stone."""

    TYPE: ClassVar[str] = "card_played"

    card: str
    stone: int


@dataclass(frozen=True, slots=True)
class RusePlayed(PlayersEvent):
    """A Ruse was played; `action` names it and its effect.

    Stored as `{"card", "draws"}` for the Recruiter, `{"card", "target"}` for the Banshee, and
    `{"card", "target", "to"}` for the others, where `to` is a Stone, or "x" for the discard.
    """

    TYPE: ClassVar[str] = "ruse_played"

    action: Ruse

    def to_data(self) -> dict[str, object]:
        action = self.action
        if isinstance(action, Recruit):
            draws = {"clan": action.clan, "tactic": action.tactic}
            return {"card": RECRUITER, "draws": draws}
        target = {"card": action.card, "stone": action.stone}
        if isinstance(action, Banish):
            return {"card": BANSHEE, "target": target}
        return {"card": action.ruse, "target": target, "to": action.to or "x"}

    @classmethod
    def from_data(cls, by: Seat | None, data: Json, private: Json | None) -> Self:
        return cls(player_of(cls.TYPE, by), _ruse(**data))


def _ruse(
    card: str, target: Json | None = None, to: int | str | None = None, draws: Json | None = None
) -> Ruse:
    if card == RECRUITER and draws is not None:
        return Recruit(**draws)
    if target is None:
        raise ValueError("a Ruse without a target")
    if card == BANSHEE:
        return Banish(**target)
    if to != "x" and not isinstance(to, int):
        raise ValueError("a Ruse that moves a card nowhere")
    return Move(card, **target, to=None if to == "x" else int(to))


class _HidesCards(PlayersEvent):
    """An event whose `cards` only the player sees, once it has any."""

    __slots__ = ()
    cards: Cards | None

    def to_private(self) -> dict[str, object] | None:
        return None if self.cards is None else {"cards": list(self.cards)}

    @classmethod
    def from_data(cls, by: Seat | None, data: Json, private: Json | None) -> Self:
        cards = None if private is None else tuple(private["cards"])
        return cls(player_of(cls.TYPE, by), **{**data, "cards": cards})


@dataclass(frozen=True, slots=True)
class _CardsOfDecks(_HidesCards):
    """Numbers of cards of each deck."""

    clan: int
    tactic: int
    cards: Cards | None

    def to_data(self) -> dict[str, object]:
        return {"clan": self.clan, "tactic": self.tactic}


@dataclass(frozen=True, slots=True)
class CardsRecruited(_CardsOfDecks):
    """The Recruiter drew these numbers of cards from each deck."""

    TYPE: ClassVar[str] = "cards_recruited"


@dataclass(frozen=True, slots=True)
class CardsReturned(_CardsOfDecks):
    """These numbers of cards went under each deck, the last of `cards` lowest."""

    TYPE: ClassVar[str] = "cards_returned"


@dataclass(frozen=True, slots=True)
class CardDrawn(_HidesCards):
    """A card was drawn from a deck. `cards`, that one card, is visible to the player only."""

    TYPE: ClassVar[str] = "card_drawn"

    deck: Deck
    cards: Cards | None

    def to_data(self) -> dict[str, object]:
        return {"deck": self.deck}


@dataclass(frozen=True, slots=True)
class Passed(PlayersEvent):
    """A player passed instead of playing a card."""

    TYPE: ClassVar[str] = "passed"


@dataclass(frozen=True, slots=True)
class StoneClaimed(PlayersEvent):
    """A claim succeeded, for this reason. `theirs` is None if the other side was not complete."""

    TYPE: ClassVar[str] = "stone_claimed"

    stone: int
    reason: str
    mine: Formation
    theirs: Formation | None

    def to_data(self) -> dict[str, object]:
        return {
            "stone": self.stone,
            "reason": self.reason,
            "mine": self.mine.to_data(),
            "theirs": self.theirs and self.theirs.to_data(),
        }

    @classmethod
    def from_data(cls, by: Seat | None, data: Json, private: Json | None) -> Self:
        mine, theirs = data["mine"], data["theirs"]
        formations = {
            "mine": Formation.from_data(mine),
            "theirs": None if theirs is None else Formation.from_data(theirs),
        }
        return cls(player_of(cls.TYPE, by), **{**data, **formations})


@dataclass(frozen=True, slots=True)
class TurnEnded(PlayersEvent):
    """The turn passed to `next`."""

    TYPE: ClassVar[str] = "turn_ended"

    next: Seat


ClockEvent = (
    CalendarChanged | TimeGiven | ClockMoved | ClockPaused | ClockResumed | ClockAdjusted | FlagHeld
)

Event = (
    GameCreated
    | PlayerJoined
    | RoundStarted
    | CardPlayed
    | RusePlayed
    | CardsRecruited
    | CardsReturned
    | Passed
    | StoneClaimed
    | CardDrawn
    | TurnEnded
    | Resigned
    | TimedOut
    | RoundEnded
    | GameEnded
    | GameAborted
    | ClockEvent
)

CLOCK_EVENTS: Final = get_args(ClockEvent)
"""The events that change the clock alone."""
CLOCK_TYPES: Final = frozenset(event.TYPE for event in CLOCK_EVENTS)

TURN_BEGINS: Final = (RoundStarted, TurnEnded)
"""The events that give a player the turn."""

ONE_A_TURN: Final = (CardPlayed.TYPE, RusePlayed.TYPE, Passed.TYPE)
"""The types of the events of which each turn has one."""
