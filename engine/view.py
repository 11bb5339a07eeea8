"""The view of a game for one reader: built from an allow-list, so that nothing has to be hidden."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import BIT, SEATS, Deck, Seat, in_order
from engine.claims import Verdict
from engine.game import STONES, Game, Stone
from engine.rules import legal

# Neither frozen nor with slots: each view makes eleven of these, and is mostly written as JSON.


@dataclass
class SeenStone:
    """A Stone with both its sides, each in the order in which its cards were laid."""

    number: int
    owner: Seat | None
    north: Sequence[str]
    south: Sequence[str]
    modes: Sequence[str]
    completed_first: Seat | None

    def side(self, seat: Seat) -> Sequence[str]:
        """The cards on this seat's side."""
        return self.north if seat == "north" else self.south


@dataclass
class SeenHand:
    """A hand: its cards in canonical order, or None if hidden from the reader, and their number by
    deck."""

    cards: Sequence[str] | None
    clan: int
    tactic: int


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The game as the player in `seat` sees it, or a spectator (None)."""

    version: int
    status: str
    edition: str
    tactics: bool
    expert: bool
    rounds: int
    round: int
    scores: Mapping[Seat, int]
    seat: Seat | None
    players: Mapping[Seat, str | None]
    turn: Seat | None
    phase: str | None
    stones: Sequence[SeenStone]
    hands: Mapping[Seat, SeenHand]
    decks: Mapping[Deck, int]
    discard: Sequence[str]
    tactics_played: Mapping[Seat, int]
    legal: Sequence[str]
    winner: Seat | None
    reason: str | None
    commitment: str

    @property
    def own_cards(self) -> Sequence[str]:
        """The reader's own hand; no cards for a spectator."""
        return () if self.seat is None else self.hands[self.seat].cards or ()


def view(game: Game, seat: Seat | None, *, sealed: bool = False) -> View:
    """The game as the player in `seat` sees it, or a spectator (None).

    Once the game is over everybody sees both hands, unless it is `sealed`.

    Two games that differ only in cards this reader cannot see give equal views, except for
    `commitment`. `legal` is empty unless it is the reader's turn.
    """
    return View(**seen_fields(game, seat, sealed=sealed))


def seen_fields(game: Game, seat: Seat | None, *, sealed: bool = False) -> dict[str, Any]:
    """The fields of `view`, for a view that adds others."""
    is_open = game.over and not sealed
    return {
        "version": game.version,
        "status": game.status,
        "edition": game.edition,
        "tactics": game.tactics,
        "expert": game.expert,
        "rounds": game.rounds,
        "round": game.round,
        "scores": dict(game.scores),
        "seat": seat,
        "players": dict(game.players),
        "turn": game.turn,
        "phase": game.phase,
        "stones": [_stone(number, game.stone(number)) for number in STONES],
        "hands": {side: _hand(game.hands[side], is_open or side == seat) for side in SEATS},
        "decks": {deck: len(cards) for deck, cards in game.decks.items()},
        "discard": game.discard,
        "tactics_played": dict(game.tactics_played),
        "legal": legal(game) if seat is not None and game.turn == seat else [],
        "winner": game.winner,
        "reason": game.reason,
        "commitment": game.commitment,
    }


def _stone(number: int, stone: Stone) -> SeenStone:
    return SeenStone(
        number,
        stone.owner,
        stone.sides["north"],
        stone.sides["south"],
        stone.modes,
        stone.completed_first,
    )


def _hand(cards: tuple[str, ...], shown: bool) -> SeenHand:
    clan = len([card for card in cards if card in BIT])
    return SeenHand(in_order(cards) if shown else None, clan, len(cards) - clan)


def verdicts(game: Game, seat: Seat) -> dict[int, Verdict]:
    """A verdict by the number of each unclaimed Stone where the seat's side is complete: claimable
    or not, and why. It is judged from face-up cards alone, at any moment of the game."""
    return {
        number: game.stone(number).verdict(seat, game.unseen)
        for number in STONES
        if game.stone(number).owner is None and seat in game.stone(number).completed
    }


def proofs(game: Game, seat: Seat) -> list[dict[str, object]]:
    """The `verdicts` as data: `{"stone", "claimable", "reason", "mine", "theirs",
    "counterexample"}` each."""
    judged = verdicts(game, seat)
    return [{"stone": number, **verdict.to_data()} for number, verdict in judged.items()]
