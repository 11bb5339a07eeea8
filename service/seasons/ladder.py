"""A ladder: who stands where, who may challenge whom, and what a result moves. Pure: no store, no
clock.

A ladder is a season without divisions, start or table: it runs from its announcement, who enters
stands at its bottom, and the winner of a challenge takes the place above the challenged.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Final, Literal, NamedTuple, get_args

from service.core.times import DAY, unix
from service.core.words import N_

REACH: Final = 3
"""The places up to which a player can always challenge."""
SHARE: Final = 30
"""The percentage of the challenger's own place up to which they can challenge besides."""
AT_ONCE: Final = 2
"""The most challenges of a player that go on, and the most against a player."""
REMATCH: Final = 7 * DAY
"""Seconds after a game in which its two players do not challenge each other."""
MOST_TIME_OUTS: Final = 2
"""The time-outs with which a player is off, with no game between them that the player won, drew, or
lost otherwise than by resigning or on time: one that is given up at once costs nothing."""
TIME_OUT: Final = "time-out"
RESIGNATION: Final = "resignation"
AWAY: Final = 14 * DAY
"""Seconds without a sign of life, days of vacation aside, after which a player is off."""
PAUSES: Final[Mapping[str, int]] = {"left": 7 * DAY, "time-outs": 14 * DAY}
"""Seconds for which a player who is off for this reason does not enter again."""

NEXT: Final = "next"

Obstacle = Literal[
    "ladder-ended",
    "not-on-ladder",
    "off-ladder",
    "yourself",
    "below-you",
    "too-far-up",
    "already-playing",
    "two-of-yours",
    "two-against-them",
    "rematch",
]
"""Why a player cannot challenge another now."""
OBSTACLES: Final[Mapping[Obstacle, str]] = {
    "ladder-ended": N_("This ladder has ended."),
    "not-on-ladder": N_("You are not on this ladder."),
    "off-ladder": N_("This player is not on this ladder."),
    "yourself": N_("You cannot challenge yourself."),
    "below-you": N_("This player stands below you."),
    "too-far-up": N_("This player stands too far above you."),
    "already-playing": N_("A game between you two is going on."),
    "two-of-yours": N_("Two challenges of yours are going on."),
    "two-against-them": N_("Two challenges against this player are going on."),
    "rematch": N_("Your last game against each other ended less than seven days ago."),
}
assert {*OBSTACLES} == {*get_args(Obstacle)}


class Contest(NamedTuple):
    """The two players of a game of a ladder."""

    challenger: str
    challenged: str


@dataclass(frozen=True, slots=True)
class Ladder:
    """A ladder after some of its events, from the top. `Season` keeps one, and changes it.

    `running` is by game; `met` has when the last game of two players ended, `signs` the last sign
    of life of each player that the log shows (RFC 3339), `late` the time-outs of each that count
    (`MOST_TIME_OUTS`). `seals` has the commitments to the secrets of running games that were sealed
    before, and that of the next one, under the name `NEXT`.
    """

    order: list[str] = field(default_factory=list)
    running: dict[str, Contest] = field(default_factory=dict)
    met: dict[frozenset[str], str] = field(default_factory=dict)
    signs: dict[str, str] = field(default_factory=dict)
    late: dict[str, int] = field(default_factory=dict)
    seals: dict[str, str] = field(default_factory=dict)

    def copy(self) -> "Ladder":
        return Ladder(*(getattr(self, each.name).copy() for each in fields(self)))

    # What changes it

    def enter(self, player: str, at: str) -> None:
        self.order.append(player)
        self.signs[player] = at

    def leave(self, player: str) -> None:
        self.order.remove(player)
        self.late.pop(player, None)

    def begin(self, game: str, contest: Contest, next_cards: str, at: str) -> None:
        if NEXT in self.seals:
            self.seals[game] = self.seals[NEXT]
        self.seals[NEXT] = next_cards
        self.running[game] = contest
        self.signs[contest.challenger] = at

    def drop(self, game: str) -> None:
        """Forget a game that counts for nobody."""
        del self.running[game]
        self.seals.pop(game, None)

    def finish(self, game: str, winner: str | None, reason: str, at: str) -> None:
        """Take the result of a game, and move its players if both still stand here."""
        contest = self.running[game]
        self.drop(game)
        self.met[frozenset(contest)] = at
        loser = None if winner is None else next(one for one in contest if one != winner)
        late = loser if reason == TIME_OUT else None
        for player in contest:
            if player == late and player in self.order:
                self.late[player] = self.late.get(player, 0) + 1
            elif player != loser or reason != RESIGNATION:
                self.late.pop(player, None)
        if {*contest} <= {*self.order}:
            self._move(contest, loser, late)

    def _move(self, contest: Contest, loser: str | None, late: str | None) -> None:
        challenger, challenged = contest
        is_above = self.order.index(challenged) < self.order.index(challenger)
        if late == challenger:
            self.order.remove(challenger)
            self.order.append(challenger)
        elif is_above and late == challenged:
            self.order.remove(challenged)
            self.order.insert(self.order.index(challenger) + 1, challenged)
        elif is_above and loser == challenged:
            self.order.remove(challenger)
            self.order.insert(self.order.index(challenged), challenger)

    # What may follow

    def overdue(self) -> str | None:
        """The player who is to be taken off now for time-outs, if any."""
        return next(
            (player for player, count in self.late.items() if count >= MOST_TIME_OUTS), None
        )

    def plays(self, player: str) -> bool:
        """Whether a game of the player's is going on."""
        return any(player in contest for contest in self.running.values())

    def obstacle(self, challenger: str | None, challenged: str, now: float) -> Obstacle | None:
        """Why one cannot challenge the other at this moment (unix seconds); None if they can."""
        return self.obstacles(challenger, now)(challenged)

    def obstacles(self, challenger: str | None, now: float) -> Callable[[str], Obstacle | None]:
        """As `obstacle`, for many whom one might challenge."""
        places = {player: place for place, player in enumerate(self.order, 1)}
        out = Counter(contest.challenger for contest in self.running.values())
        against = Counter(contest.challenged for contest in self.running.values())
        playing = {frozenset(contest) for contest in self.running.values()}
        own = places.get(challenger or "")

        def found(challenged: str) -> Obstacle | None:
            place = places.get(challenged)
            if challenger is None or own is None:
                return "not-on-ladder"
            if place is None:
                return "off-ladder"
            if place >= own:
                return "yourself" if place == own else "below-you"
            if own - place > max(REACH, own * SHARE // 100):
                return "too-far-up"
            pair = frozenset((challenger, challenged))
            if pair in playing:
                return "already-playing"
            if out[challenger] >= AT_ONCE:
                return "two-of-yours"
            if against[challenged] >= AT_ONCE:
                return "two-against-them"
            met = self.met.get(pair)
            return None if met is None or unix(met) + REMATCH <= now else "rematch"

        return found
