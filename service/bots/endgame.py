"""Solves the end of a round exactly, once the deck is empty and so both hands are known.

Every line of play is followed to its end, with Stones won as soon as that is proved; a side that
lacks two cards or more is thought to reach all that it could at the beginning. The number of
positions is limited, never the time, so that the same position always has the same answer.
"""

from typing import Final

from service.bots.playout import Table, lay, rated_plays, settle
from service.bots.sides import Odds

POSITIONS: Final = 6000
"""The most positions that are looked at for one decision."""

_Position = tuple[tuple[int, ...], ...]


class TooLarge(Exception):
    """More positions would have to be looked at than may be."""


class Endgame:
    """Solves positions of one round, all of them together within `POSITIONS`."""

    def __init__(self, odds: Odds) -> None:
        self._odds = odds
        self._left = POSITIONS
        self._solved: dict[_Position, int] = {}

    def result(self, table: Table, player: int) -> int:
        """Return who wins if both play perfectly and `player` is to play.

        1 for `player`, -1 for the other, 0 if nobody can win. `table` is not changed. Raises
        `TooLarge`.
        """
        return self._result(_copy(table), player, False)

    def _result(self, table: Table, player: int, has_other_passed: bool) -> int:
        winner = settle(table, self._odds)
        if winner >= 0:
            return 1 if winner == player else -1
        key = _key(table, player, has_other_passed)
        if key not in self._solved:
            if not self._left:
                raise TooLarge
            self._left -= 1
            self._solved[key] = self._best(table, player, has_other_passed)
        return self._solved[key]

    def _best(self, table: Table, player: int, has_other_passed: bool) -> int:
        plays = sorted(rated_plays(table, player, self._odds), reverse=True)
        if not plays:
            return 0 if has_other_passed else -self._result(table, 1 - player, True)
        best = -1
        for _, card, stone in plays:
            after = _copy(table)
            lay(after, player, card, stone)
            best = max(best, -self._result(after, 1 - player, False))
            if best == 1:
                break
        return best


def _copy(table: Table) -> Table:
    return Table(
        (table.sides[0][:], table.sides[1][:]),
        (table.lacking[0][:], table.lacking[1][:]),
        table.kinds,
        table.owners[:],
        table.first[:],
        (table.hands[0][:], table.hands[1][:]),
        [],
        table.unseen,
    )


def _key(table: Table, player: int, has_other_passed: bool) -> _Position:
    state = tuple(table.owners), tuple(table.first), (player, has_other_passed)
    return tuple(table.sides[0]), tuple(table.sides[1]), *state
