"""A season as its events make it, and what they follow from. Pure: no store, no clock."""

import hmac
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple

from engine.chain import NO_HASH, StoredEvent, links
from service.core.times import DAY, timestamp, unix
from service.seasons.events import (
    REMOVED,
    CardsSealed,
    ChallengeMade,
    DivisionPaired,
    Pairing,
    PlayerEntered,
    PlayerWithdrew,
    Reason,
    ResultTaken,
    SeasonAnnounced,
    SeasonEnded,
    SeasonEvent,
    SeasonStarted,
    decode,
    encode,
)
from service.seasons.ladder import NEXT, TIME_OUT, Contest, Ladder, Obstacle

LEGS: Final = (1, 2)
"""The games of each pair, both at once; in the second the seats are swapped. North begins."""
SMALLEST, LARGEST = 4, 8
"""The fewest and most players of a division."""
MOST_ENTRIES: Final = 3
"""How often a player can enter a season, having left it."""
SEEN: Final = 7 * DAY
"""Seconds before the start in which a player must have given a sign of life: an entry is one."""
LONGEST_WAIT: Final = 90 * DAY
"""Seconds for which a league without a date waits for enough players, and an empty ladder for
anybody."""
LEFT_OUT: Final = ("not-seen", "gone")
"""The reasons for which players are left out as a season starts."""
Status = Literal["open", "running", "ended"]


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Why and when (RFC 3339) a player left. `leaves_table`: fewer than half of their games were
    over, so that none counts in the table."""

    reason: Reason
    at: str
    leaves_table: bool = False


class SeasonEntry(NamedTuple):
    """A player's entry, and when it was made (RFC 3339)."""

    player: str
    salt: str
    at: str


@dataclass(frozen=True, slots=True)
class Season:
    """A season after some of its events. Only `fold` makes one, and nothing in it changes then.

    `entries` has every entry ever made, in order; `withdrawn` and `division_of` (from 1) are by
    player, `paired` by division, `games` and `results` by game. Moments are RFC 3339. The
    challenger of a ladder's game sits north.
    """

    rules: SeasonAnnounced
    announced: str
    version: int = 1
    head: str = NO_HASH
    latest: str = ""
    sealings: list[CardsSealed] = field(default_factory=list)
    """The seals of the cards: the last one counts, the others are of before it was sealed anew."""
    entries: list[SeasonEntry] = field(default_factory=list)
    entered: dict[str, str] = field(default_factory=dict)
    """The moment of each player's last entry."""
    withdrawn: dict[str, Withdrawal] = field(default_factory=dict)
    started: str | None = None
    divisions: Sequence[Sequence[str]] = ()
    division_of: dict[str, int] = field(default_factory=dict)
    paired: dict[int, Sequence[Pairing]] = field(default_factory=dict)
    games: dict[str, Pairing] = field(default_factory=dict)
    results: dict[str, ResultTaken] = field(default_factory=dict)
    heads: set[str] = field(default_factory=set)
    """The heads of the results."""
    ladder: Ladder | None = None
    """None in a league."""
    ended: str | None = None
    ended_by_operator: bool = False

    @property
    def id(self) -> str:
        return self.rules.id

    @property
    def status(self) -> Status:
        if self.ended is not None:
            return "ended"
        return "open" if self.started is None else "running"

    @property
    def cards(self) -> CardsSealed | None:
        """The seal of the cards of the games to come; None for seasons of older versions."""
        return self.sealings[-1] if self.sealings else None

    @property
    def cards_secret(self) -> str | None:
        """The secret of the cards to come; None where it is hidden, and in older versions."""
        return None if self.cards is None else self.cards.secret

    @property
    def due(self) -> int:
        """The moment (unix seconds) at which it starts, or ends unplayed, however many wait."""
        starts = self.rules.starts_at
        return unix(self.announced) + LONGEST_WAIT if starts is None else unix(starts)

    @property
    def active(self) -> list[str]:
        """The players who have entered and not left, in the order of their first entries."""
        return [player for player in self.entered if player not in self.withdrawn]

    def has(self, player: str | None) -> bool:
        """Whether this player has entered and not left."""
        return player in self.entered and player not in self.withdrawn

    @property
    def takes_entries(self) -> bool:
        """Whether players can enter: a ladder until it ends, a league before its start."""
        return self.ended is None if self.ladder is not None else self.status == "open"

    def obstacles(self, challenger: str | None, now: float) -> Callable[[str], Obstacle | None]:
        """Why this player cannot challenge another now (unix seconds): as `Ladder.obstacles`."""
        if self.ladder is not None and self.ended is not None:
            return lambda _: "ladder-ended"
        return (self.ladder or Ladder()).obstacles(challenger, now)

    @property
    def open_games(self) -> list[Pairing]:
        """The games without a result."""
        if self.ladder is not None:
            return [self.games[game] for game in self.ladder.running]
        return [game for game in self.games.values() if game["game"] not in self.results]

    def games_of(self, player: str) -> list[Pairing]:
        """The player's games in a league, in the order of their pairing."""
        games = self.paired.get(self.division_of.get(player, 0), ())
        return [game for game in games if plays(game, player)]

    def time_outs(self, player: str) -> int:
        """How many of their games the player has lost on time; on a ladder those that count."""
        if self.ladder is not None:
            return self.ladder.late.get(player, 0)
        games = (game["game"] for game in self.games_of(player))
        ended = [self.results[game] for game in games if game in self.results]
        return sum(each.reason == TIME_OUT and each.winner not in (None, player) for each in ended)


def game_secret(cards: str, game: Pairing) -> str:
    """The secret (hex) of a game of a league, from that of all cards (hex): it tells nothing of
    another's."""
    return _secret(cards, "game:{round}:{leg}:{north}:{south}".format_map(game))


def challenge_secret(cards: str, number: int) -> str:
    """As `game_secret`, of a game of a ladder: it follows from the number of the challenge alone,
    so that it can be sealed before the challenge."""
    return _secret(cards, f"challenge:{number}")


def _secret(cards: str, place: str) -> str:
    return hmac.digest(bytes.fromhex(cards), place.encode(), "sha256").hex()


def seated(game: Pairing) -> tuple[str, str]:
    """The ids of its players, north first."""
    return game["north"], game["south"]


def plays(game: Pairing, player: str) -> bool:
    """Whether this is a game of the player's."""
    return player in seated(game)


def lines_after(
    before: Season | None, events: Sequence[SeasonEvent], via: str, now: float
) -> list[str]:
    """These events as lines of a log behind `before` (None: a new log). If the clock was set back,
    they get the moment of the event before. Raises `TypeError` where no log begins so."""
    rules = events[0] if before is None else before.rules
    if not isinstance(rules, SeasonAnnounced):
        raise TypeError("a season begins with its announcement")
    assert rules.secret is not None, "whoever writes has read the whole log"
    after, head = (before.version, before.head) if before else (0, NO_HASH)
    at, encoded = max(timestamp(now), before.latest if before else ""), map(encode, events)
    chained = links(encoded, after=after, at=at, via=via, secret=rules.secret, previous=head)
    return [link.text for link in chained]


def fold(before: Season | None, lines: Iterable[StoredEvent]) -> Season | None:
    """The season after these lines of its log; `before` is the season before them, None: at the
    start. Raises as `decode` does."""
    season = before and replace(
        before,
        ladder=before.ladder and before.ladder.copy(),
        **{name: getattr(before, name).copy() for name in _GROWING},
    )
    for line in lines:
        season = grown(season, line)
    return season


def grown(season: Season | None, line: StoredEvent) -> Season:
    """As `fold`, for one line; but what grows in the season before is changed."""
    event, at = decode(line), line["at"]
    if season is not None and season.ladder is not None:
        climb(season.ladder, event, at)
    season = _after(season, event, at)
    return replace(season, version=line["seq"], head=line["hash"], latest=at)


_GROWING: Final = (
    *("sealings", "entries", "entered", "withdrawn", "division_of", "paired", "games", "results"),
    "heads",
)


def _after(season: Season | None, event: SeasonEvent, at: str) -> Season:
    """The season after this event. What grows in it is changed: `fold` has copied it."""
    if season is None or isinstance(event, SeasonAnnounced):
        return _announced(season, event, at)
    match event:
        case CardsSealed():
            season.sealings.append(event)
        case PlayerEntered(player, salt):
            season.entries.append(SeasonEntry(player, salt, at))
            season.entered[player] = at
            season.withdrawn.pop(player, None)
        case PlayerWithdrew(player, reason):
            season.withdrawn[player] = Withdrawal(reason, at, _leaves_table(season, player))
        case SeasonStarted():
            return _started(season, event, at)
        case DivisionPaired(division, games):
            season.paired[division] = games
            season.games.update((game["game"], game) for game in games)
        case ChallengeMade(game, number, north, south, _):
            season.games[game] = Pairing(game=game, round=number, leg=1, north=north, south=south)
        case ResultTaken(game, head):
            season.results[game] = event
            season.heads.add(head)
        case SeasonEnded(_, by_operator):
            return replace(season, ended=at, ended_by_operator=by_operator)
    return season


def _announced(season: Season | None, event: SeasonEvent, at: str) -> Season:
    if season is not None:
        raise TypeError("the rules never change")
    if not isinstance(event, SeasonAnnounced):
        raise TypeError(f"a season begins with {SeasonAnnounced.TYPE}, not {event.TYPE}")
    if event.format == "ladder":
        return Season(event, at, started=at, ladder=Ladder())
    return Season(event, at)


def _started(season: Season, start: SeasonStarted, at: str) -> Season:
    season.division_of.update(
        (player, number) for number, all_ in enumerate(start.divisions, 1) for player in all_
    )
    rules = replace(season.rules, secret=start.secret)
    return replace(season, rules=rules, started=at, divisions=start.divisions)


def climb(ladder: Ladder, event: SeasonEvent, at: str) -> None:
    """Change a ladder as this event says."""
    match event:
        case CardsSealed(next_cards=str(next_cards)):
            ladder.seals[NEXT] = next_cards
        case PlayerEntered(player):
            ladder.enter(player, at)
        case PlayerWithdrew(player):
            ladder.leave(player)
        case ChallengeMade(game, _, challenger, challenged, next_cards):
            ladder.begin(game, Contest(challenger, challenged), next_cards, at)
        case ResultTaken(game, reason=reason) if reason == REMOVED:
            ladder.drop(game)
        case ResultTaken(game, _, winner, reason):
            ladder.finish(game, winner, reason, at)


def _leaves_table(season: Season, player: str) -> bool:
    games = season.games_of(player)
    return 2 * sum(game["game"] in season.results for game in games) < len(games)
