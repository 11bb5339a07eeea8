"""Counts how games begin, and how often their first player won.

    python docs/examples/openings.py archive-2026-10.jsonl.gz
    curl -s https://games.example.org/v1/records?limit=100 | python docs/examples/openings.py -
    python docs/examples/openings.py --games 10000 --bot random --keep games.jsonl

The first two read an archive and need nothing but Python; the last has bots play games of the basic
rules, in the folder of Scottenbury's source. An opening is the first card of the first player, by
its strength and by how far from the middle it lies.
"""

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from typing import Any

Record = list[dict[str, Any]]
STRENGTHS = ("low", "middling", "high")
PLACES = {
    5: "in the middle",
    4: "beside it",
    3: "on the wing",
    2: "near the edge",
    1: "at the edge",
}


def archived(path: str) -> Iterator[Record]:
    """The records of an archive, gzipped or not; `-` is standard input."""
    if path == "-":
        yield from (json.loads(line)["record"] for line in sys.stdin)
        return
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        yield from (json.loads(line)["record"] for line in file)


def opening(record: Record) -> tuple[str, bool] | None:
    """The opening of a game or match, and whether its first player won; None without a card."""
    first = next((event for event in record if event["type"] == "card_played"), None)
    if first is None or not first["data"]["card"][1].isdigit():
        return None
    strength = STRENGTHS[(int(first["data"]["card"][1]) - 1) // 3]
    stone = first["data"]["stone"]
    won = bool(record[-1]["data"]["winner"] == first["by"])
    return f"{strength} {PLACES[min(stone, 10 - stone)]}", won


def table(records: Iterable[Record]) -> Iterator[str]:
    """A line for each opening, the most frequent first."""
    games: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    for name, won in filter(None, map(opening, records)):
        games[name] += 1
        wins[name] += won
    for name, count in games.most_common():
        yield f"{name:24} {count:6} games, won {wins[name] / count:4.0%}"
    if games:
        yield f"{'all':24} {games.total():6} games, won {wins.total() / games.total():4.0%}"


def played(bot: str, seed: int) -> Record:
    """A game of a bot against itself, the same for the same seed, as an archive would hold it."""
    from engine import CreateGame, JoinGame, TakeTurn, advance, view
    from engine.chain import NO_HASH, encode, seal
    from engine.nameless import nameless
    from service.bots import BOTS

    chance = random.Random(seed)
    secret, *salts = (chance.randbytes(32).hex() for _ in range(3))
    made = CreateGame(
        player="first",
        seat="north",
        edition="iello",
        tactics=False,
        expert=False,
        rounds=1,
        first_player="random",
        secret=secret,
        salt=salts[0],
    )
    game, events = advance(None, made)
    game, more = advance(game, JoinGame("second", salts[1]))
    while game.turn is not None:
        events += more
        action = BOTS[bot].choose(view(game, game.turn), chance)
        game, more = advance(game, TakeTurn(game.turn, [action]))
    encoded, at = map(encode, events + more), "2026-01-01T00:00:00Z"
    lines = seal(encoded, after=0, at=at, via="bot", secret=secret, previous=NO_HASH)
    return [{**line} for line in nameless(list(lines)) or ()]


def main() -> None:
    """Count what the arguments name."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("archives", nargs="*", metavar="ARCHIVE")
    asked.add_argument("--games", type=int, default=0, help="have bots play so many")
    asked.add_argument("--bot", choices=("random", "steward"), default="steward")
    asked.add_argument("--keep", metavar="FILE", help="write the games of the bots here")
    given = asked.parse_args()
    with ProcessPoolExecutor() as processes:
        own = processes.map(partial(played, given.bot), range(given.games), chunksize=20)
        records = chain(own, *map(archived, given.archives))
        print(*table(kept(records, given.keep) if given.keep else records), sep="\n")


def kept(records: Iterable[Record], path: str) -> Iterator[Record]:
    """The records, each written down as a line of an archive."""
    with open(path, "w", encoding="utf-8") as file:
        for number, record in enumerate(records, 1):
            line = {"id": f"2026-01-01.{number:020x}", "players": None, "record": record}
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
            yield record


if __name__ == "__main__":
    main()
