"""Weighs the turns of finished games at once, by few deals."""

import json

from service.bots.analysis import weigh
from service.container import Container


def weigh_turns(container: Container, game_id: str, upto: int | None = None) -> None:
    """Asks for a game's analysis and weighs its turns, or the first `upto`, as a worker does."""
    analyses, stored = container.games.analyses, container.games.load(game_id)
    analyses.ask(stored)
    turns = [*analyses.turns(stored)]
    analyses.store.count(game_id, len(turns))
    for number, turn in enumerate(turns[:upto]):
        analyses.store.note(game_id, number, json.dumps(weigh(turn, effort=40).to_data()))
