"""Weighs the turns of finished games at once, with figures that are made up."""

import json
import random

from service.bots.analysis import Estimate, PlayedTurn, WeighedTurn
from service.container import Container


def weigh_turns(container: Container, game_id: str, upto: int | None = None) -> None:
    """Asks for a game's analysis and weighs its turns, or the first `upto`, as a worker does."""
    analyses, stored = container.games.analyses, container.games.load(game_id)
    analyses.ask(stored, "somebody")
    turns = [*analyses.turns(stored)]
    analyses.store.count(game_id, len(turns))
    for number, turn in enumerate(turns[:upto]):
        analyses.store.store_turn(game_id, number, json.dumps(made_up(turn).to_data()))


def made_up(turn: PlayedTurn) -> WeighedTurn:
    """What this turn might have been worth: the same for the same turn."""
    rng = random.Random(turn.seq)
    chance, loss = rng.uniform(0.3, 0.7), Estimate(rng.uniform(-0.05, 0.2), 0.04)
    return WeighedTurn(
        seq=turn.seq,
        round=turn.round,
        seat=turn.seat,
        played=turn.played,
        chance=Estimate(chance, 0.04),
        best=(turn.before.legal[-1], *(() if loss.value > 0.08 else (turn.played,))),
        loss=loss,
        drawn=turn.drawn,
        drawn_at=turn.drawn_at,
        luck=Estimate(rng.gauss(0, 0.05), 0.02) if turn.drawn else None,
        missed=turn.missed,
    )
