"""The naive model whole: a round (`NaiveGame`), and a match of several on top of it."""

from collections.abc import Sequence

from tests.engine.naive.round import SEATS, NaiveGame, Options, Stone, other

__all__ = ["SEATS", "NaiveGame", "NaiveMatch", "Options", "Stone", "other"]


class NaiveMatch:
    """Several rounds. `decks` holds one pair of deck orders (Clan, Tactic) a round."""

    def __init__(
        self, options: Options, first: str, decks: Sequence[tuple[Sequence[str], Sequence[str]]]
    ) -> None:
        self.options = options
        self.decks = list(decks)
        self.round = 1
        self.scores = {"north": 0, "south": 0}
        self.over = False
        self.winner: str | None = None
        self.reason: str | None = None
        self.game = NaiveGame(options, first, *self.decks[0])

    def legal(self) -> set[str]:
        """The action texts open to the player to move, in the round being played."""
        return self.game.legal()

    def do(self, text: str) -> None:
        """Take one action in the round being played."""
        self.game.do(text)
        self._go_on()

    def resign(self, seat: str) -> None:
        """The seat gives the round up; the match goes on."""
        self.game.resign(seat)
        self._go_on()

    def time_out(self, seat: str) -> None:
        """The seat loses the round on time; the match goes on."""
        self.game.time_out(seat)
        self._go_on()

    def abandon(self) -> None:
        """The round is abandoned, and with it the match: nobody wins, nothing is scored for it."""
        self.over = True
        self.reason = "agreement"

    def _go_on(self) -> None:
        if not self.game.over:
            return
        for seat in SEATS:
            self.scores[seat] += self.game.scores[seat]
        if self.round < len(self.decks):
            self._next_round()
        else:
            self._end_match()

    def _next_round(self) -> None:
        first = self.game.winner or other(self.game.first)
        self.game = NaiveGame(self.options, first, *self.decks[self.round])
        self.round += 1

    def _end_match(self) -> None:
        self.over = True
        self.reason = self.game.reason
        if len(self.decks) == 1:
            self.winner = self.game.winner
        elif self.scores["north"] != self.scores["south"]:
            self.winner = max(SEATS, key=self.scores.__getitem__)
