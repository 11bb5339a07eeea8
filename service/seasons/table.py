"""What follows from a season's log, purely: draw, pairs, tables, and who goes up and down.

The draw's seed is SHA-256 of the secret and the salt of every entry ever made, in order, joined by
zero bytes: so whoever leaves out a player afterwards changes nothing for the others. Labels of its
number streams, as in a game's shuffle: `order:1`, and `lot:DIVISION` for the last tie-break.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from engine.shuffle import seed, shuffled
from service.bots import BOTS, bot_at
from service.seasons.events import REMOVED, Pairing, ResultTaken
from service.seasons.season import LARGEST, LEGS, SMALLEST, Season, plays, seated

UP_AND_DOWN: Final = 2
"""The players of each division who go up, and those who go down."""
WIN, DRAW = 2, 1
FEWEST: Final = 2
"""The fewest people of a season: bots may be the others."""


class Standing(NamedTuple):
    """A player in the table of a division.

    `rank` counts from 1, None for a player whose games left the table. `berger`: for each game, the
    points that it brought times the opponent's points. `by_lot`: a lot decided between equals.
    """

    player: str
    rank: int | None
    points: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    berger: int = 0
    stones: int = 0
    by_lot: bool = False


def division_sizes(players: int, best: int) -> list[int]:
    """The sizes of the divisions, the larger ones first: as near to `best` as 4 to 8 players in
    each allow."""
    count = max(1, min(max(round(players / best), -(-players // LARGEST)), players // SMALLEST))
    small, larger = divmod(players, count)
    return [small + (number < larger) for number in range(count)]


def draw(season: Season, active: Iterable[str], last: Sequence[str] = ()) -> list[list[str]]:
    """The divisions of these players: those in `last`, the order after the season before, then the
    others in the order drawn; bots fill short divisions. Empty if too few have entered."""
    waiting = set(active)
    drawn = shuffled([*season.entered], _seed(season), "order:1")
    order = [player for player in dict.fromkeys((*last, *drawn)) if player in waiting]
    bots = [BOTS[name].player for name in season.rules.bots]
    divisions, at = list[list[str]](), 0
    for size in division_sizes(len(order), season.rules.division):
        people, at = order[at : at + size], at + size
        divisions.append([*people, *bots[: max(0, season.rules.division - size)]])
    return divisions if are_enough(season, len(order)) else []


def are_enough(season: Season, players: int) -> bool:
    """Whether so many people, with the bots that fill short divisions, can play the season."""
    best, bots = season.rules.division, len(season.rules.bots)
    size = division_sizes(players, best)[0]
    return players >= FEWEST and size + min(bots, max(0, best - size)) >= SMALLEST


def pairs(division: Sequence[str]) -> list[tuple[int, str, str]]:
    """Every game of a division: its leg, north and south."""
    return [
        (leg, *(pair if leg == 1 else pair[::-1]))
        for pair in combinations(division, 2)
        for leg in LEGS
    ]


def pairs_fit(division: Sequence[str], games: Sequence[Pairing]) -> bool:
    """Whether these are all games of this division, once each."""
    paired = [(game["leg"], game["north"], game["south"]) for game in games]
    rounds, ids = {game["round"] for game in games}, {game["game"] for game in games}
    return paired == pairs(division) and rounds <= {1} and len(ids) == len(games)


def standings(season: Season, number: int) -> list[Standing]:
    """The table of a division (from 1): first the ranked, then those whose games left it."""
    division = season.divisions[number - 1]
    left = {player for player, one in season.withdrawn.items() if one.leaves_table}
    away = [player for player in division if player in left]
    paired = season.paired.get(number, ())
    ranked = [player for player in division if player not in away]
    games = [
        (game, result)
        for game in paired
        if (result := season.results.get(game["game"])) is not None
        and result.reason != REMOVED
        and not {*seated(game)} & {*away}
    ]
    points = {
        player: sum(_gained(result, player) for game, result in games if plays(game, player))
        for player in division
    }
    rows = [_row(player, games, points) for player in ranked]
    lot = shuffled(division, _seed(season), f"lot:{number}")
    rows.sort(key=lambda row: (*_merit(row), lot.index(row.player)))
    merits = Counter(map(_merit, rows))
    is_over = bool(paired) and all(game["game"] in season.results for game in paired)
    return [
        *(
            row._replace(rank=rank, by_lot=is_over and merits[_merit(row)] > 1)
            for rank, row in enumerate(rows, 1)
        ),
        *(Standing(player, None) for player in away),
    ]


def tables(season: Season) -> list[list[str]]:
    """The players of each division in their order."""
    numbers = range(1, len(season.divisions) + 1)
    return [[row.player for row in standings(season, number)] for number in numbers]


def movers(season: Season, number: int, rows: Sequence[Standing]) -> tuple[list[str], list[str]]:
    """The people of a division who go up, and those who go down: nobody goes up from the first,
    nor down from the last. Whoever left the table goes down. `rows` are the division's standings.
    """
    people = [row for row in rows if bot_at(row.player) is None]
    ranked = [row.player for row in people if row.rank is not None]
    up = ranked[:UP_AND_DOWN] if number > 1 else []
    down = [player for player in ranked[-UP_AND_DOWN:] if player not in up]
    away = [row.player for row in people if row.rank is None]
    return up, [*down, *away] if number < len(season.divisions) else away


def order_after(season: Season) -> list[str]:
    """All people of a season that is over, in the order in which the next one seats them.

    The players of a level are those who came down to it, those who stayed, then those who came up.
    """
    places = list[tuple[int, int, int, str]]()
    for number in range(1, len(season.divisions) + 1):
        rows = standings(season, number)
        up, down = movers(season, number, rows)
        for place, row in enumerate(rows):
            change = (row.player in down) - (row.player in up)
            places.append((number + change, -change, place, row.player))
    return [player for *_, player in sorted(places) if bot_at(player) is None]


def _seed(season: Season) -> bytes:
    secret = season.rules.secret
    assert secret is not None, "it is known to whoever draws"
    return seed(secret, *(entry.salt for entry in season.entries))


def _gained(result: ResultTaken, player: str) -> int:
    if result.winner is None:
        return DRAW
    return WIN if result.winner == player else 0


def _row(
    player: str, games: Sequence[tuple[Pairing, ResultTaken]], points: dict[str, int]
) -> Standing:
    won = drawn = lost = berger = stones = 0
    for game, result in games:
        if not plays(game, player):
            continue
        is_north = game["north"] == player
        gained = _gained(result, player)
        won, drawn, lost = won + (gained == WIN), drawn + (gained == DRAW), lost + (not gained)
        berger += gained * points[game["south" if is_north else "north"]]
        stones += result.stones["north" if is_north else "south"]
    return Standing(player, None, points[player], won, drawn, lost, berger, stones)


def _merit(row: Standing) -> tuple[int, int, int]:
    """What ranks before the lot: smaller is better."""
    return -row.points, -row.berger, -row.stones
