"""How fast the rules are, on one core: games, proofs and replays a second.

    python -m bench.engine [--games N]

Each figure stands beside that of the tests' naive model in the same run, so the ratio can be
compared between machines.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine import Event, Game, replay
from engine.cards import ALL_CLAN, CLAN_CARDS, COLORS, bits
from engine.claims import judge
from tests.engine.comparison import naive_twin
from tests.engine.games import Kind, begin, whole_game
from tests.engine.naive import proof as naive_proof

GAMES = {"base": Kind("iello"), "tactics": Kind("iello", tactics=True)}


@dataclass(frozen=True, slots=True)
class ClaimCase:
    """A claim to judge: what the engine needs, and the `seen` cards for the naive model."""

    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    unseen: int
    modes: tuple[str, ...]
    seen: frozenset[str]


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--games", type=int, default=400)
    games = arguments.parse_args().games
    print(f"{'':34}{'engine':>10}{'naive':>10}{'ratio':>9}")
    for name, kind in GAMES.items():
        _row(
            f"{name} games a second",
            _rate(lambda kind=kind: [whole_game(kind, seed) for seed in range(games)], games),
            _rate(lambda kind=kind: [_naive_game(kind, seed) for seed in range(8)], 8),
        )
    for name, cases, count in (("ordinary", _ordinary(), 20), ("worst-case", _worst(), 2)):
        few = cases[:count]
        _row(
            f"{name} proofs a second",
            _rate(lambda cases=cases: [_prove(case) for case in cases], len(cases)),
            _rate(lambda few=few: [_prove_naively(case) for case in few], len(few)),
        )
    for name, kind in GAMES.items():
        logs = [whole_game(kind, seed)[1] for seed in range(games)]
        _row(
            f"{name} replays a second",
            _rate(lambda logs=logs: [replay(log) for log in logs], games),
            _rate(lambda logs=logs: [_replay_naively(log) for log in logs[:8]], 8),
        )


def _row(name: str, engine: float, naive: float) -> None:
    print(f"{name:34}{engine:10,.0f}{naive:10,.1f}{engine / naive:8,.0f}x")


def _rate(work: Callable[[], object], count: int) -> float:
    """How many a second of processor time; the better of two runs."""
    return max(count / _spent(work) for _ in range(2))


def _spent(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _naive_game(kind: Kind, seed: int) -> None:
    rng = random.Random(seed)
    naive = naive_twin(begin(kind, rng)[0])
    while not naive.over:
        naive.do(rng.choice(sorted(naive.legal())))


def _replay_naively(log: Sequence[Event]) -> Game:
    """Replay without a fold: build every state from the beginning of the log again."""
    return [replay(log[: end + 1]) for end in range(len(log))][-1]


def _ordinary(count: int = 20_000) -> list[ClaimCase]:
    """Sides of three against none to three cards, with as many others seen as in a game."""
    rng = random.Random(1)
    return [_claim_case(rng, rng.randrange(4), rng.randrange(36)) for _ in range(count)]


def _worst(count: int = 5_000) -> list[ClaimCase]:
    """A Mud Fight, a Joker on each side, nothing else opposite and most of the deck unseen.

    The claimer's formation is strong, so that there is no easy answer.
    """
    rng = random.Random(2)
    cases = []
    for number in range(count):
        color, low = rng.choice(COLORS), rng.randrange(1, 7)
        mine = ("JOK", *(f"{color}{low + step}" for step in range(3)))
        theirs = ("JOK",) * (number % 2)
        others = [card for card in CLAN_CARDS if card not in mine]
        face_up = {*mine, *rng.sample(others, rng.randrange(12))}
        unseen = ALL_CLAN & ~bits(face_up)
        cases.append(ClaimCase(mine, theirs, unseen, ("MUD",), frozenset(face_up)))
    return cases


def _claim_case(rng: random.Random, opposite: int, others: int) -> ClaimCase:
    deck = rng.sample(CLAN_CARDS, len(CLAN_CARDS))
    mine, theirs = deck[:3], deck[3 : 3 + opposite]
    face_up = {*mine, *theirs, *deck[6 : 6 + others]}
    unseen = ALL_CLAN & ~bits(face_up)
    return ClaimCase(tuple(mine), tuple(theirs), unseen, (), frozenset(face_up))


def _prove(case: ClaimCase) -> bool:
    return judge(case.mine, case.theirs, case.unseen, "mine", case.modes).stands


def _prove_naively(case: ClaimCase) -> bool:
    """Try every completion of the other side, which the engine never does."""
    unseen = [card for card in CLAN_CARDS if card not in case.seen]
    best = naive_proof.strength(case.mine, case.modes)
    return not naive_proof.try_each_completion(best, case.theirs, unseen, case.modes)


if __name__ == "__main__":
    main()
