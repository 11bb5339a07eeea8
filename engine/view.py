"""What a reader of a game may see: built from an allow-list, so that nothing has to be hidden."""

from typing import Any

from engine.cards import BIT, SEATS, Seat, in_order
from engine.game import STONES, Game, Stone
from engine.rules import legal


def view(game: Game, seat: Seat | None) -> dict[str, Any]:
    """The game as the player in `seat` sees it, or a spectator (None), as plain data.

    Once the game is over everybody sees both hands.

    Two games that differ only in cards this reader cannot see give equal views, except for
    `commitment`. `legal` is empty unless it is the reader's turn.
    """
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
        "hands": {side: _hand(game.hands[side], game.over or side == seat) for side in SEATS},
        "decks": {deck: len(cards) for deck, cards in game.decks.items()},
        "discard": list(game.discard),
        "tactics_played": dict(game.tactics_played),
        "legal": legal(game) if seat is not None and game.turn == seat else [],
        "winner": game.winner,
        "reason": game.reason,
        "commitment": game.commitment,
    }


def _stone(number: int, stone: Stone) -> dict[str, Any]:
    return {
        "number": number,
        "owner": stone.owner,
        "north": list(stone.sides["north"]),
        "south": list(stone.sides["south"]),
        "modes": list(stone.modes),
        "completed_first": stone.completed_first,
    }


def _hand(cards: tuple[str, ...], shown: bool) -> dict[str, Any]:
    clan = len([card for card in cards if card in BIT])
    return {
        "cards": in_order(cards) if shown else None,
        "clan": clan,
        "tactic": len(cards) - clan,
    }


def proofs(game: Game, seat: Seat) -> list[dict[str, Any]]:
    """For each unclaimed Stone where the seat's side is complete: whether a claim stands, and why.

    Each is `{"stone", "claimable", "reason", "mine", "theirs", "counterexample"}`, judged from
    face-up cards alone, even when it is not the moment to claim.
    """
    return [
        {"stone": number, **game.stone(number).verdict(seat, game.unseen).to_data()}
        for number in STONES
        if game.stone(number).owner is None and seat in game.stone(number).completed
    ]
