"""Whether the errors of an analysis (`service/bots/analysis.py`) hold: turns weighed again.

    nice python -m bench.weighing [--turns N] [--effort N]

Bots of all levels play against each other. Turns of their games are weighed twice, with other
guesses. Prints how many figures of the second weighing lie within two errors of the first, how many
are exact, and how many turns have the same play among their best.
"""

import argparse
import random
import time
from collections.abc import Iterator
from itertools import islice
from typing import Final

from bench.luck import BASE, game_of
from engine.notation import Banish, Move, Play, parse
from service.bots.analysis import CERTAIN, EFFORT, Estimate, PlayedTurn, turns_of, weigh
from tests.engine.games import Kind

BOTS: Final = ("steward", "piper", "shepherd")
FIGURES: Final = ("chance", "loss", "luck")
OF_A_GAME: Final = 4


def some_turns(first: int = 1) -> Iterator[PlayedTurn]:
    """Turns of many games, those in which a card was laid: a few of each, the same each time."""
    seed = first
    while True:
        kind = Kind("bga", tactics=True) if seed % 3 == 0 else BASE
        turns = [*turns_of(game_of(BOTS[seed % len(BOTS) - 1], seed, kind))]
        turns = [turn for turn in turns if isinstance(parse(turn.played), Play | Move | Banish)]
        yield from random.Random(seed).sample(turns, OF_A_GAME)
        seed += 1


def agree(one: Estimate, again: Estimate) -> bool:
    """Whether the second figure lies within the error that is shown beside the first."""
    return abs(one.value - again.value) <= CERTAIN * one.error + 1e-9


def main() -> None:
    """Print the counts."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--turns", type=int, default=200)
    arguments.add_argument("--effort", type=int, default=EFFORT)
    given = arguments.parse_args()
    began = time.process_time()
    turns = [*islice(some_turns(), given.turns)]
    pairs = [tuple(weigh(turn, given.effort, seed) for seed in (0, 1)) for turn in turns]
    for figure in FIGURES:
        both = [tuple(getattr(turn, figure) for turn in pair) for pair in pairs]
        found = [(one, again) for one, again in both if one is not None and again is not None]
        within = sum(agree(*pair) for pair in found)
        exact = sum(not one.error for one, _ in found)
        mean = sum(one.error for one, _ in found) / len(found)
        print(
            f"{figure}: {within} of {len(found)} within ({100 * within / len(found):.1f} %),"
            f" {exact} exact, mean of ± {100 * CERTAIN * mean:.1f} %"
        )
    named = [(one, again) for one, again in pairs if one.best]
    shared = sum(not {*one.best}.isdisjoint(again.best) for one, again in named)
    first = sum(one.best[0] == again.best[0] for one, again in named if again.best)
    print(f"best: {shared} of {len(named)} share one, {first} have the same first")
    print(f"{(time.process_time() - began) / 2 / len(turns):.2f} s of processor time a turn")


if __name__ == "__main__":
    main()
