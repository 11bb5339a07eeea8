"""The state of a game: `engine.evolve` builds it from the events, everything else reads it.

Only `engine.evolve` changes a `Game` in place. Its parts are values: they are replaced.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar

from engine.cards import ALL_CLAN, JOKER, OTHER, SEATS, Deck, Seat, bits, in_order
from engine.claims import Verdict, judge, side_size
from engine.options import Options

T = TypeVar("T")
Status = Literal["open", "active", "finished", "aborted"]
Phase = Literal["play", "return", "finish"]
Cards = tuple[str, ...]

STONES: Final = range(1, 10)


class Stone:
    """One Stone: its owner, the cards on either side, its Combat Modes, and its completed sides.

    `side_size` is the number of cards that make a side complete: 3, or 4 on a Mud Fight (ruling 4).
    `open_to` are the seats that may still play a card on their side; none once the Stone is claimed
    (ruling 19). `completed` maps each complete side to the version of the game at which it last
    became complete; `completed_first` is the side completed first (ruling 10). A Stone is a value:
    methods that change it return another.
    """

    __slots__ = (
        "_judged",
        "completed",
        "completed_first",
        "modes",
        "open_to",
        "owner",
        "side_size",
        "sides",
    )

    def __init__(
        self,
        sides: Mapping[Seat, Cards],
        modes: Cards = (),
        completed: Mapping[Seat, int] | None = None,
        owner: Seat | None = None,
    ) -> None:
        self.sides = sides
        self.modes = modes
        self.side_size = side_size(modes)
        self.completed: Mapping[Seat, int] = completed or {}
        self.completed_first = _first_of(self.completed)
        self.owner = owner
        self.open_to: tuple[Seat, ...] = () if owner else _with_room(sides, self.side_size)
        # The last verdict for each side, with the unseen cards it was given for, and the cards
        # that refute the claim, both as bits.
        self._judged: dict[Seat, tuple[Verdict, int, int]] = {}

    def with_card(self, seat: Seat, card: str, version: int) -> "Stone":
        """The Stone with one more card on a side, which may now be complete."""
        cards = (*self.sides[seat], card)
        completed = self.completed
        if len(cards) == self.side_size:
            completed = {**completed, seat: version}
        return Stone({**self.sides, seat: cards}, self.modes, completed)

    def without_card(self, seat: Seat, card: str) -> "Stone":
        """The Stone with one card less on a side, which is then incomplete."""
        cards = list(self.sides[seat])
        cards.remove(card)
        completed = {side: at for side, at in self.completed.items() if side != seat}
        return Stone({**self.sides, seat: tuple(cards)}, self.modes, completed)

    def with_mode(self, mode: str) -> "Stone":
        """The Stone with a Combat Mode. A Mud Fight leaves both sides incomplete (rulings 10,
        11)."""
        modes = tuple(in_order((*self.modes, mode)))
        same_size = side_size(modes) == self.side_size
        return Stone(self.sides, modes, self.completed if same_size else None)

    def claimed_by(self, seat: Seat) -> "Stone":
        """The Stone claimed by a player, and so closed (ruling 19)."""
        return Stone(self.sides, self.modes, self.completed, seat)

    def verdict(self, seat: Seat, unseen: int) -> Verdict:
        """Judge a claim by `seat`; `unseen` are the Clan cards that are nowhere face-up."""
        if (judged := self._judged.get(seat)) is not None and judged[1] == unseen:
            return judged[0]
        first = self.completed_first
        verdict = judge(
            self.sides[seat],
            self.sides[OTHER[seat]],
            unseen,
            None if first is None else "mine" if first == seat else "theirs",
            self.modes,
        )
        self._judged[seat] = verdict, unseen, bits(verdict.counterexample or ())
        return verdict

    def provable(self, seat: Seat, unseen: int) -> bool:
        """Whether a claim by `seat` succeeds."""
        if self.owner is not None or seat not in self.completed:
            return False
        if (judged := self._judged.get(seat)) is not None:
            verdict, unseen_then, needed = judged
            # A refutation holds while the cards that it needs are unseen; a proof while no card is
            # unseen that was face-up then. Turns that are only tried share their Stones.
            if verdict.stands and unseen | unseen_then == unseen_then:
                return True
            if not verdict.stands and unseen & needed == needed:
                return False
        return self.verdict(seat, unseen).stands


def _first_of(completed: Mapping[Seat, int]) -> Seat | None:
    if not completed:
        return None
    return min(completed, key=completed.__getitem__)


def _with_room(sides: Mapping[Seat, Cards], side_size: int) -> tuple[Seat, ...]:
    north, south = len(sides["north"]) < side_size, len(sides["south"]) < side_size
    return SEATS if north and south else ("north",) if north else ("south",) if south else ()


EMPTY_STONE: Final = Stone({"north": (), "south": ()})


def both(value: T) -> dict[Seat, T]:
    """The same value for each seat."""
    return dict.fromkeys(SEATS, value)


@dataclass(slots=True)
class Game:
    """A game after some number of events, `version`."""

    # as it was created
    creator: Seat
    edition: str
    tactics: bool
    expert: bool
    rounds: int
    first_player: str
    options: Options
    rules_version: int
    commitment: str
    secret: str
    terms: Mapping[str, Any]
    players: Mapping[Seat, str | None]
    salts: Mapping[Seat, str]
    visited: Mapping[Seat, str | None]
    # the match
    version: int = 1
    status: Status = "open"
    round: int = 0
    scores: Mapping[Seat, int] = field(default_factory=lambda: both(0))
    winner: Seat | None = None
    reason: str | None = None
    # the round
    first: Seat | None = None
    turn: Seat | None = None
    phase: Phase | None = None
    stones: tuple[Stone, ...] = (EMPTY_STONE,) * len(STONES)
    hands: Mapping[Seat, Cards] = field(default_factory=lambda: both(()))
    decks: Mapping[Deck, Cards] = field(default_factory=lambda: {"clan": (), "tactic": ()})
    discard: Cards = ()
    unseen: int = ALL_CLAN
    tactics_played: Mapping[Seat, int] = field(default_factory=lambda: both(0))
    jokers_played: Mapping[Seat, int] = field(default_factory=lambda: both(0))
    # the turn, and the turns before it that count for a stalemate (ruling 30)
    passed: bool = False
    claimed_or_drew: bool = False
    idle_turns: int = 0

    def copy(self) -> "Game":
        """A copy of the game: changing it leaves this one unchanged."""
        # Each field in order, as a constructor takes them: also fast where this is compiled.
        return Game(
            self.creator,
            self.edition,
            self.tactics,
            self.expert,
            self.rounds,
            self.first_player,
            self.options,
            self.rules_version,
            self.commitment,
            self.secret,
            self.terms,
            self.players,
            self.salts,
            self.visited,
            self.version,
            self.status,
            self.round,
            self.scores,
            self.winner,
            self.reason,
            self.first,
            self.turn,
            self.phase,
            self.stones,
            self.hands,
            self.decks,
            self.discard,
            self.unseen,
            self.tactics_played,
            self.jokers_played,
            self.passed,
            self.claimed_or_drew,
            self.idle_turns,
        )

    @property
    def over(self) -> bool:
        """Whether the game has ended: nothing more can happen."""
        return self.status in ("finished", "aborted")

    def stone(self, number: int) -> Stone:
        """The Stone of that number, 1 to 9."""
        return self.stones[number - 1]

    def stones_of(self, seat: Seat) -> list[int]:
        """The numbers of the Stones that a seat has claimed."""
        return [number for number in STONES if self.stones[number - 1].owner == seat]

    def keeps_joker(self, seat: Seat) -> bool:
        """Whether a Joker in this hand stays there until the end of the round (ruling 22)."""
        return self.options.joker_limit == "one_per_game" and self.jokers_played[seat] > 0

    def returnable(self, seat: Seat) -> Cards:
        """The cards of a hand that may go back under their decks after a Recruiter."""
        hand = self.hands[seat]
        if self.rules_version == 1 or not self.keeps_joker(seat):
            return hand
        return tuple(card for card in hand if card != JOKER)
