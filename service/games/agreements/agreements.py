"""Abandoning a running game, and pausing its clock: one player offers it, the other agrees.

An offer to abandon stays open while the game goes on. The terms of an offer to pause are the end of
the pause, or that it has no end; it lapses once that end has passed.
"""

from typing import Final

import engine
from service.core.durations import DAY, MINUTE
from service.core.errors import RequestRejected
from service.core.timestamps import unix
from service.games import permissions
from service.games.agreements.offers import UNLIMITED, GameOffer, Offer, Offers
from service.games.change.draft import ABANDONMENT, PAUSE
from service.games.change.writer import ChangeContext
from service.games.clock.changes import running_clock
from service.games.stored_game import StoredGame

LONGEST: Final = 90 * DAY
SHORTEST: Final = 10 * MINUTE
"""The shortest pause with an end, in seconds."""


class Abandonments(Offers):
    """Offers to abandon a game, in all games."""

    field = ABANDONMENT

    def agree(self, game_id: str, player: str, context: ChangeContext) -> GameOffer:
        """Offer to abandon the game, or agree to the other player's offer, which ends the game.

        Repeating a request under its key makes no second offer. Raises `RequestRejected`:
        `game-not-started`, `game-over`, `time-out`, `stale-version`.
        """

        def change(stored: StoredGame) -> GameOffer:
            seat = _seat(stored, player, context)
            return self._agree(stored, seat, "", engine.Abandon(seat), context)

        def answer_again(stored: StoredGame) -> GameOffer:
            last = None if stored.game.over else self.last(stored)
            is_own = last is not None and last.offer.by == stored.seat_of(player)
            return GameOffer(stored, last.offer if last and is_own else None)

        return self._changes.attempt(game_id, context, change, answer_again)

    def accept(self, game_id: str, player: str, number: int, context: ChangeContext) -> StoredGame:
        """Agree to the other player's offer of this number, which ends the game.

        Raises `RequestRejected` as `agree` does, and `no-offer`.
        """

        def change(stored: StoredGame) -> StoredGame:
            seat = _seat(stored, player, context)
            if stored.game.over:
                raise engine.game_over(stored.game)

            def command_of(offer: Offer | None) -> engine.Command:
                if offer is None:
                    raise RequestRejected(
                        "no-offer", "Nobody offers you to abandon the game any more."
                    )
                return engine.Abandon(seat)

            return self._accept(stored, seat, number, command_of, context)

        return self._changes.attempt(game_id, context, change, lambda repeated: repeated)


def _seat(stored: StoredGame, player: str, context: ChangeContext) -> engine.Seat:
    """The player's seat in a game that has begun. Raises `RequestRejected`."""
    seat = permissions.own_seat(stored, player)
    context.check(stored)
    if stored.game.status == "open":
        raise RequestRejected("game-not-started", "The second seat is still empty.")
    return seat


class Pauses(Offers):
    """Offers to pause the clock, in all games."""

    field = PAUSE

    def agree(
        self, game_id: str, player: str, until: str | None, context: ChangeContext
    ) -> GameOffer:
        """Offer to pause the clock, or agree if the other player offers the same.

        Raises `RequestRejected`: `no-clock`, `bad-pause`, `game-over`, …
        """

        def change(stored: StoredGame) -> GameOffer:
            seat = permissions.own_seat(stored, player)
            self._check(until)
            context.check(stored)
            running_clock(stored)
            command = engine.PauseClock(seat, until)
            lapses = None if until is None else unix(until)
            return self._agree(stored, seat, until or UNLIMITED, command, context, lapses)

        def answer_again(stored: StoredGame) -> GameOffer:
            return GameOffer(stored, self.offered(stored))

        return self._changes.attempt(game_id, context, change, answer_again)

    def accept(self, game_id: str, player: str, number: int, context: ChangeContext) -> StoredGame:
        """Agree to the pause that the other player offered under this number.

        Raises `RequestRejected` as `agree` does, and `no-offer`.
        """

        def change(stored: StoredGame) -> StoredGame:
            seat = permissions.own_seat(stored, player)
            context.check(stored)
            running_clock(stored)

            def command_of(offer: Offer | None) -> engine.Command:
                if offer is None or (offer.until and unix(offer.until) <= self._now()):
                    raise RequestRejected("no-offer", "No pause is offered to you any more.")
                self._check(offer.until)
                return engine.PauseClock(seat, offer.until)

            return self._accept(stored, seat, number, command_of, context)

        return self._changes.attempt(game_id, context, change, lambda repeated: repeated)

    def _check(self, until: str | None) -> None:
        if until is not None and not SHORTEST <= unix(until) - self._now() <= LONGEST:
            raise RequestRejected(
                "bad-pause",
                f"A pause ends in {SHORTEST // MINUTE} minutes to {LONGEST // DAY} days from now.",
            )
