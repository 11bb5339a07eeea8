"""Ladders without a server: their logs made from chance, and their order folded a second time."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from engine.chain import NO_HASH, StoredEvent, links
from engine.shuffle import commitment
from service.core.times import unix
from service.seasons.events import (
    CardsSealed,
    ChallengeMade,
    PlayerEntered,
    PlayerWithdrew,
    ResultTaken,
    SeasonAnnounced,
    SeasonEvent,
    encode,
)
from service.seasons.ladder import Obstacle
from service.seasons.season import Season, challenge_secret, fold
from tests.service.seasons.leagues import CARDS, SECRET, player

BEGIN: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
_REACH: Final = 3


class Climbing:
    """A ladder whose log grows by the events that a test adds, over a clock that it moves."""

    def __init__(self, **rules: Any) -> None:
        usual: dict[str, Any] = {
            "id": "l" * 20,
            "name": "Ladder",
            "edition": "iello",
            "tactics": False,
            "expert": False,
            "clock": {"days_per_move": 3, "vacations": True},
            "division": 0,
            "starts_at": None,
            "players": None,
            "bots": [],
            "follows": None,
            "commitment": commitment(SECRET),
            "by": None,
            "secret": SECRET,
            "format": "ladder",
        }
        self.lines: list[StoredEvent] = []
        self.season: Season = None  # type: ignore[assignment]
        self.now = BEGIN
        self.add(SeasonAnnounced(**{**usual, **rules}))
        self.add(CardsSealed(commitment(CARDS), CARDS))

    @property
    def at(self) -> str:
        return self.now.strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def order(self) -> list[str]:
        assert self.season.ladder is not None
        return self.season.ladder.order

    @property
    def running(self) -> list[str]:
        assert self.season.ladder is not None
        return [*self.season.ladder.running]

    def forge(self, event: SeasonEvent) -> "Climbing":
        """Add an event that nobody could write."""
        after, head = (self.season.version, self.season.head) if self.season else (0, NO_HASH)
        (link,) = links(
            [encode(event)], after=after, at=self.at, via="api", secret=SECRET, previous=head
        )
        self.lines.append(json.loads(link.text))
        return self

    def add(self, event: SeasonEvent) -> "Climbing":
        self.forge(event)
        after_it = fold(self.season, self.lines[-1:])
        assert after_it is not None
        self.season = after_it
        return self

    def wait(self, **time: float) -> "Climbing":
        self.now += timedelta(**time)
        return self

    def enter(self, *numbers: int) -> "Climbing":
        for number in numbers:
            self.add(PlayerEntered(player(number), f"salt {len(self.lines)}"))
        return self

    def challenge(self, one: int | str, other: int | str) -> str:
        """One, by number or id, challenges the other; return the game."""
        number = len(self.season.games) + 1
        below, above = (each if isinstance(each, str) else player(each) for each in (one, other))
        next_cards = commitment(challenge_secret(CARDS, number + 1))
        self.add(ChallengeMade(f"{number:020}", number, below, above, next_cards))
        return f"{number:020}"

    def end(self, game: str, winner: int | str | None, reason: str = "five-stones") -> "Climbing":
        one = player(winner) if isinstance(winner, int) else winner
        stones = {"north": 1, "south": 2}
        return self.add(ResultTaken(game, f"{len(self.lines):064}", one, reason, stones))

    def remove(self, game: str) -> "Climbing":
        """The operator removes a game."""
        return self.add(ResultTaken(game, NO_HASH, None, "removed", {"north": 0, "south": 0}))

    def obstacle(self, one: int, other: int) -> Obstacle | None:
        assert self.season.ladder is not None
        return self.season.ladder.obstacle(player(one), player(other), self.now.timestamp())


def climbed(players: int, steps: int, random: Random) -> Climbing:
    """A ladder of so many players after so many steps of chance: challenges, results, time-outs,
    dropouts, returns."""
    ladder = Climbing().enter(*range(players))
    left = list[str]()
    for _ in range(steps):
        ladder.wait(hours=random.randrange(1, 30))
        kind = random.random()
        if kind < 0.45:
            _challenge_somebody(ladder, random)
        elif kind < 0.94 and ladder.running:
            _end_some_game(ladder, random, left)
        elif kind < 0.97 and len(ladder.order) > 2:
            leaver = random.choice(ladder.order)
            ladder.add(PlayerWithdrew(leaver, random.choice(["left", "gone"])))
            left.append(leaver)
        elif left and not any(left[0] in one.values() for one in ladder.season.open_games):
            ladder.wait(days=14).add(PlayerEntered(left.pop(0), f"again {len(ladder.lines)}"))
    return ladder


def _challenge_somebody(ladder: Climbing, random: Random) -> None:
    assert ladder.season.ladder is not None
    one = random.choice(ladder.order)
    obstacle = ladder.season.ladder.obstacles(one, ladder.now.timestamp())
    if others := [other for other in ladder.order if obstacle(other) is None]:
        ladder.challenge(one, random.choice(others))


def _end_some_game(ladder: Climbing, random: Random, left: list[str]) -> None:
    assert ladder.season.ladder is not None
    game = random.choice(ladder.running)
    sides = [*ladder.season.ladder.running[game]]
    kind = random.random()
    if kind < 0.03:
        ladder.remove(game)
    elif kind < 0.1:
        ladder.end(game, None, "stalemate")
    else:
        reason = "time-out" if kind < 0.35 else "resignation" if kind < 0.5 else "five-stones"
        ladder.end(game, random.choice(sides), reason)
    late = ladder.season.ladder.overdue()
    if late is not None:
        ladder.add(PlayerWithdrew(late, "time-outs"))
        left.append(late)


def order_of(lines: Sequence[StoredEvent]) -> list[str]:
    """The order after a log, folded anew from the lines alone, by points on a line: whoever climbs
    gets a point between two others, as a person with slips of paper would."""
    points: dict[str, float] = {}
    pairs: dict[str, tuple[str, str]] = {}
    for line in lines:
        data = line["data"]
        if line["type"] == "entered":
            points[data["player"]] = max(points.values(), default=0) + 1
        elif line["type"] == "withdrawn":
            del points[data["player"]]
        elif line["type"] == "challenged":
            pairs[data["game"]] = data["challenger"], data["challenged"]
        elif line["type"] == "result" and data["winner"] and {*pairs[data["game"]]} <= {*points}:
            below, above = pairs[data["game"]]
            has_climbed = points[above] > points[below]
            won = data["winner"] == below
            if data["reason"] == "time-out" and not won:
                points[below] = max(points.values()) + 1
            elif won and not has_climbed:
                moved, stays = (above, below) if data["reason"] == "time-out" else (below, above)
                others = sorted(points.values())
                place = others.index(points[stays])
                beside = place + 1 if data["reason"] == "time-out" else place - 1
                if beside < 0:
                    points[moved] = others[0] - 1
                elif beside == len(others):
                    points[moved] = others[-1] + 1
                else:
                    points[moved] = (points[stays] + others[beside]) / 2
            points = {
                one: place for place, one in enumerate(sorted(points, key=points.__getitem__))
            }
    return sorted(points, key=points.__getitem__)


def faults_of(lines: Sequence[StoredEvent]) -> list[int]:
    """The numbers of the challenges that the rules forbade, counted from the lines before."""
    found = list[int]()
    for place, line in enumerate(lines):
        if line["type"] == "challenged" and not _is_allowed(lines[:place], line):
            found.append(line["seq"])
    return found


def _is_allowed(before: Sequence[StoredEvent], line: StoredEvent) -> bool:
    order, data = order_of(before), line["data"]
    own, other = (order.index(data[side]) + 1 for side in ("challenger", "challenged"))
    over = {one["data"]["game"]: one for one in before if one["type"] == "result"}
    made = [one["data"] for one in before if one["type"] == "challenged"]
    going_on = [one for one in made if one["game"] not in over]
    both = {data["challenger"], data["challenged"]}
    between = [one for one in made if {one["challenger"], one["challenged"]} == both]
    ended = [
        unix(over[one["game"]]["at"])
        for one in between
        if one["game"] in over and over[one["game"]]["data"]["reason"] != "removed"
    ]
    return (
        0 < own - other <= max(_REACH, 0.3 * own)
        and sum(one["challenger"] == data["challenger"] for one in going_on) < 2
        and sum(one["challenged"] == data["challenged"] for one in going_on) < 2
        and all(one["game"] in over for one in between)
        and all(unix(line["at"]) - moment >= 7 * 24 * 3600 for moment in ended)
    )
