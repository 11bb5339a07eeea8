"""Whether the luck of draws (`service/bots/analysis.py`) is 0 on the average, and how large it is.

    nice python -m bench.luck [--games N] [--effort N] [--largest N] [--seed N] [--bot NAME]

The bot plays games of Clan cards against itself. Prints the mean luck of a draw in per cent, by
the number of cards in the deck, with its standard error; beside it how far draws typically lie from
0 (the spread, without what measuring adds), as measured and as the analysis assumes
(`typical_luck`); and the mean of the sums of whole games.
"""

import argparse
import math
import random
from collections.abc import Iterator
from statistics import fmean, stdev
from typing import Final

from engine import Event, TakeTurn, advance, view
from service.bots import BOTS
from service.bots.analysis import EFFORT, LARGEST_DECK, measured_luck, turns_of, typical_luck
from tests.engine.games import Kind, begin

BASE: Final = Kind("iello")
WIDTH: Final = 7
"""Cards of the deck in one line of the table."""


def game_of(bot: str, seed: int, kind: Kind = BASE) -> list[Event]:
    """The events of a whole game of the bot against itself, the same for the same seed."""
    rng = random.Random(seed)
    game, events = begin(kind, rng)
    while game.turn is not None:
        action = BOTS[bot].choose(view(game, game.turn), rng)
        game, more = advance(game, TakeTurn(game.turn, [action]))
        events += more
    return events


def draws(
    events: list[Event], effort: int, largest: int = LARGEST_DECK
) -> Iterator[tuple[int, float, float]]:
    """For each draw of a Clan card: the size of the deck, up to the `largest`, its luck, and its
    error squared."""
    for turn in turns_of(events):
        deck = turn.after.decks["clan"]
        if turn.drawn is not None and deck <= largest:
            luck = measured_luck(turn, effort)
            yield deck, luck.value, luck.error**2


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--games", type=int, default=100)
    arguments.add_argument("--effort", type=int, default=EFFORT // 5)
    arguments.add_argument(
        "--largest", type=int, default=LARGEST_DECK, help="only draws from a deck of so many cards"
    )
    arguments.add_argument("--seed", type=int, default=1, help="the first game's seed")
    arguments.add_argument("--bot", choices=BOTS, default="steward")
    given = arguments.parse_args()
    totals: list[float] = []
    lines: dict[int, list[tuple[int, float, float]]] = {}
    for seed in range(given.seed, given.seed + given.games):
        found = list(draws(game_of(given.bot, seed), given.effort, given.largest))
        totals.append(sum(luck for _, luck, _ in found))
        for draw in found:
            lines.setdefault((draw[0] - 1) // WIDTH, []).append(draw)
    print(f"{'deck':>8}{'draws':>8}{'mean %':>8}{'error':>7}{'spread':>8}{'assumed':>9}")
    for part in sorted(lines, reverse=True):
        found = lines[part]
        values = [luck for _, luck, _ in found]
        spread = fmean(value**2 for value in values) - fmean(noise for *_, noise in found)
        assumed = fmean(typical_luck(deck, 0.35) ** 2 for deck, *_ in found)
        print(
            f"{f'{part * WIDTH + 1} to {min(part * WIDTH + WIDTH, LARGEST_DECK)}':>8}{len(found):8}"
            f"{100 * fmean(values):8.2f}{100 * stdev(values) / math.sqrt(len(found)):7.2f}"
            f"{100 * math.sqrt(max(0.0, spread)):8.1f}{100 * math.sqrt(assumed):9.1f}"
        )
    error = stdev(totals) / math.sqrt(len(totals))
    print(f"sum of a game, mean of {len(totals)}: {100 * fmean(totals):.2f} ± {100 * error:.2f} %")


if __name__ == "__main__":
    main()
