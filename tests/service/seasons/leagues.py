"""Seasons without a server: their logs made from chance, and their tables folded a second time."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from engine.chain import NO_HASH, StoredEvent, links
from engine.shuffle import commitment, seed, shuffled
from service.seasons.events import (
    CardsSealed,
    DivisionPaired,
    Pairing,
    PlayerEntered,
    PlayerWithdrew,
    ResultTaken,
    SeasonAnnounced,
    SeasonEnded,
    SeasonEvent,
    SeasonStarted,
    encode,
)
from service.seasons.season import Season, fold
from service.seasons.table import draw, order_after, pairs, tables

SECRET, CARDS = "5e" * 32, "ca" * 32
AT = "2026-11-21T12:00:00Z"


def player(number: int) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    return "p" + "".join(letters[number // 32**place % 32] for place in range(15))[::-1]


class League:
    """A season whose log grows by the events that a test adds."""

    def __init__(self, name: str = "s" * 20, is_sealed: bool = True, **rules: Any) -> None:
        usual: dict[str, Any] = {
            "id": name,
            "name": "Spring",
            "edition": "iello",
            "tactics": False,
            "expert": False,
            "clock": {"bank_days": 3, "increment_hours": 12},
            "division": 6,
            "starts_at": None,
            "players": 4,
            "bots": [],
            "follows": None,
            "commitment": commitment(SECRET),
            "by": None,
            "secret": SECRET,
        }
        self.lines: list[StoredEvent] = []
        self.season: Season = None  # type: ignore[assignment]
        self.add(SeasonAnnounced(**{**usual, **rules}))
        if is_sealed:  # the logs of older versions were not
            self.add(CardsSealed(commitment(CARDS), CARDS))

    def add(self, event: SeasonEvent) -> None:
        after, head = (self.season.version, self.season.head) if self.season else (0, NO_HASH)
        (link,) = links(
            [encode(event)], after=after, at=AT, via="api", secret=SECRET, previous=head
        )
        line: StoredEvent = json.loads(link.text)
        self.lines.append(line)
        after_it = fold(self.season, [line])
        assert after_it is not None
        self.season = after_it

    def enter(self, count: int) -> "League":
        for number in range(count):
            self.add(PlayerEntered(player(number), f"salt {number}"))
        return self

    def start(self, last: Sequence[str] = ()) -> "League":
        self.add(SeasonStarted(SECRET, draw(self.season, self.season.active, last)))
        for number, division in enumerate(self.season.divisions, 1):
            games = [
                Pairing(game=f"{number:03}{place:017}", round=1, leg=leg, north=north, south=south)
                for place, (leg, north, south) in enumerate(pairs(division))
            ]
            self.add(DivisionPaired(number, games))
        return self

    def play(self, random: Random, dropouts: float = 0.0) -> "League":
        """Play all games in any order, with draws, time-outs, and players who leave."""
        games = [*self.season.games.values()]
        random.shuffle(games)
        while games:
            if random.random() < dropouts:
                leaver = random.choice(self.season.active)
                if self.season.time_outs(leaver) < 2:
                    self.add(PlayerWithdrew(leaver, "left"))
            game = games.pop()
            self.result(game, *chance(random, self.season, game))
        return self

    def result(self, game: Pairing, winner: str | None, reason: str, stones: list[int]) -> None:
        counted = {"north": stones[0], "south": stones[1]}
        self.add(ResultTaken(game["game"], f"{len(self.lines):064}", winner, reason, counted))
        for each in (game["north"], game["south"]):
            if self.season.has(each) and self.season.time_outs(each) >= 2:
                self.add(PlayerWithdrew(each, "time-outs"))

    def end(self) -> "League":
        self.add(SeasonEnded(tables(self.season)))
        return self


def chance(random: Random, season: Season, game: Pairing) -> tuple[str | None, str, list[int]]:
    """A result by chance: whoever has left loses."""
    sides = [game["north"], game["south"]]
    away = [one for one in sides if one in season.withdrawn]
    if len(away) == 1:
        return next(one for one in sides if one not in away), "resignation", [1, 2]
    stones = [random.randrange(6), random.randrange(5)]
    kind = random.random()
    if kind < 0.1:
        return None, "stalemate", stones
    winner = random.choice(sides)
    return winner, "time-out" if kind < 0.2 else "five-stones", stones


def final_tables(lines: Sequence[StoredEvent]) -> list[list[str]]:
    """The tables of a log, counted anew: slowly, from the lines alone, with fractions, as a person
    with pen and paper would."""
    secret, salts, divisions = "", [], []
    games: dict[str, dict[str, Any]] = {}
    results: list[dict[str, Any]] = []
    gone: set[str] = set()
    for line in lines:
        data = line["data"]
        if line["type"] == "entered":
            salts.append(data["salt"])
        elif line["type"] == "started":
            secret, divisions = data["secret"], data["divisions"]
        elif line["type"] == "paired":
            games |= {game["game"]: game for game in data["games"]}
        elif line["type"] == "result":
            results.append({**games[data["game"]], **data})
        elif line["type"] == "withdrawn" and divisions:
            all_ = [one for one in games.values() if data["player"] in one.values()]
            over = [one for one in results if data["player"] in (one["north"], one["south"])]
            if Fraction(len(over), len(all_)) < Fraction(1, 2):
                gone.add(data["player"])
    return [
        _counted(seed(secret, *salts), number, division, results, gone)
        for number, division in enumerate(divisions, 1)
    ]


def _counted(
    lot: bytes, number: int, division: list[str], results: list[dict[str, Any]], gone: set[str]
) -> list[str]:
    points: dict[str, int] = defaultdict(int)
    stones: dict[str, int] = defaultdict(int)
    brought: dict[tuple[str, str], int] = defaultdict(int)
    for result in results:
        north, south = result["north"], result["south"]
        if {north, south} & gone or north not in division:
            continue
        for one, other, seat in ((north, south, "north"), (south, north, "south")):
            gained = {None: 1, one: 2}.get(result["winner"], 0)
            points[one] += gained
            brought[one, other] += gained
            stones[one] += result["stones"][seat]
    berger = {
        one: sum(brought[one, other] * points[other] for other in division) for one in division
    }
    order = shuffled(division, lot, f"lot:{number}")
    counted = [one for one in division if one not in gone]
    counted.sort(key=order.index)
    counted.sort(key=stones.__getitem__, reverse=True)
    counted.sort(key=berger.__getitem__, reverse=True)
    counted.sort(key=points.__getitem__, reverse=True)
    return [*counted, *(one for one in division if one in gone)]


def seasons_in_a_row(first: League, count: int, random: Random) -> Iterator[League]:
    """The seasons that follow one, each with most of the players of the one before."""
    before = first
    for number in range(count):
        league = League(f"{number}".rjust(20, "t"), follows=before.season.id)
        for place, one in enumerate(before.season.entered):
            if random.random() < 0.9:
                league.add(PlayerEntered(one, f"again {place}"))
        league.start(order_after(before.season)).play(random, 0.02).end()
        yield league
        before = league
