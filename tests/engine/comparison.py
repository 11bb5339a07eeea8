"""The engine and the naive model side by side: every look at one, compared with the other."""

import random
from dataclasses import asdict
from typing import Any

from engine import Game, Resign, Seat, TakeTurn, TimeOut, advance, legal, view
from engine.cards import SEATS, in_order
from engine.decide import _seed  # the decks of rounds to come are nobody else's business
from engine.shuffle import decks
from engine.view import SeenStone
from tests.engine.games import Kind, begin
from tests.engine.invariants import violations
from tests.engine.naive.model import NaiveMatch
from tests.engine.naive.model import Options as NaiveOptions


def naive_twin(game: Game) -> NaiveMatch:
    """The same match, before its first turn, as the naive model has it."""
    options = game.options
    orders = [decks(_seed(game), number, options.tactics) for number in range(1, game.rounds + 1)]
    assert game.first is not None
    return NaiveMatch(
        NaiveOptions(
            options.hand_size,
            options.tactics,
            options.claim_timing,
            options.joker_limit,
            options.traitor_to,
            joker_may_return=game.rules_version == 1,
        ),
        game.first,
        [(order["clan"], order["tactic"]) for order in orders],
    )


class Pair:
    """One match, played on both."""

    def __init__(self, kind: Kind, seed: int) -> None:
        self.rng = random.Random(seed)
        self.game, _ = begin(kind, self.rng)
        self.naive = naive_twin(self.game)
        self.done: list[str] = []

    def act(self, action: str) -> None:
        """The player to move takes one action."""
        self.done.append(action)
        assert self.game.turn is not None
        self.game, _ = advance(self.game, TakeTurn(self.game.turn, [action]))
        self.naive.do(action)
        self.compare()

    def resign(self, seat: Seat) -> None:
        """A seat gives up the round."""
        self.done.append(f"resign:{seat}")
        self.game, _ = advance(self.game, Resign(seat))
        self.naive.resign(seat)
        self.compare()

    def time_out(self) -> None:
        """The player to move runs out of time."""
        seat = self.game.turn
        assert seat is not None
        self.done.append(f"time-out:{seat}")
        self.game, _ = advance(self.game, TimeOut(seat))
        self.naive.time_out(seat)
        self.compare()

    def compare(self) -> None:
        """Fail unless both agree on everything that can be seen, and the game is sound."""
        where = " ".join(self.done)
        assert violations(self.game) == [], where
        assert _match(self.game) == _naive_match(self.naive), where
        if not self.game.over:
            assert _round(self.game) == _naive_round(self.naive), where
            assert sorted(legal(self.game)) == sorted(self.naive.legal()), where


def _match(game: Game) -> dict[str, Any]:
    return {
        "over": game.over,
        "winner": game.winner,
        "reason": game.reason,
        "scores": dict(game.scores),
        "round": game.round,
    }


def _naive_match(naive: NaiveMatch) -> dict[str, Any]:
    return {key: getattr(naive, key) for key in ("over", "winner", "reason", "scores", "round")}


def _round(game: Game) -> dict[str, Any]:
    seen = view(game, None)
    return {
        "turn": game.turn,
        "phase": game.phase,
        "stones": [_stone(stone) for stone in seen.stones],
        "hands": {seat: in_order(game.hands[seat]) for seat in SEATS},
        "decks": {deck: list(cards) for deck, cards in game.decks.items()},
        "discard": list(game.discard),
        "tactics_played": dict(game.tactics_played),
    }


def _stone(stone: SeenStone) -> dict[str, Any]:
    told = {name: list(getattr(stone, name)) for name in ("north", "south", "modes")}
    return {**asdict(stone), **told}


def _naive_round(naive: NaiveMatch) -> dict[str, Any]:
    game = naive.game
    return {
        "turn": game.turn,
        "phase": game.phase,
        "stones": [{**stone, "modes": in_order(stone["modes"])} for stone in game.stones],
        "hands": {seat: in_order(game.hands[seat]) for seat in SEATS},
        "decks": {"clan": game.clan_deck, "tactic": game.tactic_deck},
        "discard": game.discard,
        "tactics_played": game.tactics_played,
    }
