"""Abandoning a running game by agreement: one player offers it, the other agrees.

The offer stays open while the game goes on.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import engine
from service.core.errors import RequestRejected
from service.eventlog import IdempotencyKey
from service.games import permissions
from service.games.agreements.offers import Offer, Offers, read_offer
from service.games.change.player_changes import PlayerChanges
from service.games.change.side_state import ABANDONMENT
from service.games.change.writer import ChangeContext
from service.games.stored_game import StoredGame


class AbandonmentOffer(NamedTuple):
    """A game, with the seat that offers to abandon it and the offer's number: both None without an
    open offer."""

    stored: StoredGame
    by: engine.Seat | None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Abandonments:
    """Offers to abandon a game, in all games."""

    _offers: Offers
    _changes: PlayerChanges

    def of(self, game_id: str, player: str) -> AbandonmentOffer:
        """Return the game and its open offer; without one, `by` and `number` are None.

        Raises `RequestRejected` for anyone but the two players.
        """
        stored = self._offers.game(game_id, player)
        offer = self.offered(stored)
        return AbandonmentOffer(stored, offer and offer.by, offer and offer.number)

    def offered(self, stored: StoredGame) -> Offer | None:
        """The open offer of this game; None without one."""
        return offered_abandonment(stored, self._offers.side_state(stored.id))

    def agree(self, game_id: str, player: str, context: ChangeContext) -> AbandonmentOffer:
        """Offer to abandon the game, or agree to the other player's offer, which ends the game.

        Repeating a request under its key makes no second offer. Raises `RequestRejected`:
        `game-not-started`, `game-over`, `time-out`, `stale-version`.
        """

        def change(stored: StoredGame) -> AbandonmentOffer:
            seat = _seat(stored, player, context)
            made = self._offers.agree(stored, seat, "", engine.Abandon(seat), context)
            if isinstance(made, StoredGame):
                return AbandonmentOffer(made, None)
            return AbandonmentOffer(stored, seat, made.number)

        def answer_again(stored: StoredGame) -> AbandonmentOffer:
            if stored.game.over:
                return AbandonmentOffer(stored, None)
            seat, last = stored.seat_of(player), self._offers.last(stored.id)
            number = last.number if last is not None and last.by == seat else None
            return AbandonmentOffer(stored, seat, number)

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

            return self._offers.accept(stored, seat, number, command_of, context)

        return self._changes.attempt(game_id, context, change, lambda repeated: repeated)

    def withdraw(
        self, game_id: str, player: str, key: IdempotencyKey | None = None
    ) -> AbandonmentOffer:
        """Withdraw or decline the offer. May be repeated."""
        return AbandonmentOffer(self._offers.withdraw(game_id, player, key), None)

    def was_withdrawn(self, game_id: str, key: IdempotencyKey) -> bool:
        """Whether a request under this key withdrew or declined an offer."""
        return self._offers.was_withdrawn(game_id, key)


def offered_abandonment(stored: StoredGame, side_state: Mapping[str, str]) -> Offer | None:
    """The open offer to abandon this game, read from its side state; None without one."""
    return None if stored.game.over else read_offer(ABANDONMENT, side_state)


def _seat(stored: StoredGame, player: str, context: ChangeContext) -> engine.Seat:
    """The player's seat in a game that has begun. Raises `RequestRejected`."""
    seat = permissions.own_seat(stored, player)
    context.check(stored)
    if stored.game.status == "open":
        raise RequestRejected("game-not-started", "The second seat is still empty.")
    return seat
