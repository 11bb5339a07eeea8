"""A cross table of the ladder's bots and those of other authors.

    python -m bench.others [--kind base|tactics] [--deals N] [--seed N] [--without BOT ...]
                           [--site URL] [--folder DIR]

Takes git, and npx and node for one of them. Each deal is played twice, with seats swapped. Prints
the share of games that each bot won against each, with the 95 % interval after Wilson; then the
ratings that fit the whole table best, the steward at 1500. The time goes to the strategist: leave
it out for a quick look.
"""

import argparse
from collections.abc import Mapping
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path
from typing import Final

from bench.bots import KINDS, Choose, in_percent, won
from bench.others.outsiders import AUTHORS, Outsider
from bench.others.ratings import fit
from service.bots import BOTS

OURS: Final = ("random", "piper", "steward", "strategist")
OTHERS: Final = {
    "naive": ("chikinn", {"base"}),
    "sniper": ("chikinn", {"tactics"}),
    "com": ("teshimafu", {"base", "tactics"}),
}
"""Bots of other authors, and the kinds of games in which each is itself."""


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--kind", choices=KINDS, default="base")
    arguments.add_argument("--deals", type=int, default=50)
    arguments.add_argument("--seed", type=int, default=1, help="the first deal's seed")
    arguments.add_argument("--without", nargs="*", default=[], metavar="BOT")
    arguments.add_argument("--site", default="https://github.com")
    arguments.add_argument("--folder", type=Path, default=Path("build/others"))
    given = arguments.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    deals = range(given.seed, given.seed + given.deals)
    with ExitStack() as stack:
        outsiders = {}
        for name, (author, kinds) in OTHERS.items():
            if given.kind in kinds and name not in given.without:
                folder = AUTHORS[author].fetch(given.site, given.folder)
                outsiders[name] = Outsider.start(AUTHORS[author], folder, name)
                stack.callback(outsiders[name].close)
        players = {name: BOTS[name].choose for name in OURS if name not in given.without}
        players |= {name: outsider.choose for name, outsider in outsiders.items()}
        _table(given.kind, players, deals)
        for name, outsider in outsiders.items():
            print(name, dict(outsider.counts))


def _table(kind: str, players: Mapping[str, Choose], deals: range) -> None:
    games, points = 2 * len(deals), dict[tuple[str, str], float]()
    print(f"{'bot':12}{'against':12}{'games':>6}{'won %':>7}{'95 %':>10}")
    for weaker, stronger in combinations(players, 2):
        share = won(KINDS[kind], players[stronger], players[weaker], deals)
        points[stronger, weaker] = share * games
        points[weaker, stronger] = games - share * games
        print(f"{stronger:12}{weaker:12}{games:>6}{in_percent(share, games)}", flush=True)
    for name, rating in sorted(fit(points, "steward").items(), key=lambda pair: -pair[1]):
        print(f"{name:12}{rating:8.0f}")


if __name__ == "__main__":
    main()
